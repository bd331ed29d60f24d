"""go-tpc's summary of TPC-C: rate and response times of each transaction.

::

    [Summary] NEW_ORDER - Takes(s): 299.9, Count: 33007, TPM: 6602.7, Avg(ms): 31.4, ...
    tpmC: 6602.7, tpmTotal: 14679.5, efficiency: 513.4%

Lines of the run itself, ``[Current]``, are not read. ``NEW_ORDER_ERR`` are those that
failed: a run of which too many did is not read.
"""

from __future__ import annotations

import re

from benchformats.metric_names import metric_name
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number
from benchformats.tpcc.tpcc_mysql import STEP
from benchformats.unlike import too_many_failed

NAME = "go_tpc"
VERSION = 2
DIMS = {"tool": "go-tpc"}  # the same step of another tool is another thing

_SUMMARY = re.compile(
    r"\[Summary\] (?P<name>[A-Z][A-Z_]{1,40}) - (?P<rest>Takes\(s\): .+)"
)
_TIME = re.compile(
    r"(?P<percent>[\d.]+)th\((?P<unit>ms|us)\)|(?P<kind>Avg|Max)\((?P<u>ms|us)\)"
)
_RATE = re.compile(r"tpmC: (?P<tpmc>[\d.]+)(?:, tpmTotal: (?P<tpm_total>[\d.]+))?")


def recognises(file: TextFile) -> bool:
    """A summary of new orders."""
    return any(line.startswith("[Summary] NEW_ORDER - Takes(s): ") for line in file.lines)


def read(file: TextFile) -> Parsed:
    """``tpmc`` and ``tpm_total``; rate and response times of each transaction."""
    lines, problems = whole_lines(file)
    rows: list[Row] = []
    begin = 0  # of the run that is being read, in rows
    for line_no, line in enumerate(lines, 1):
        if match := _SUMMARY.match(line):
            for pair in match["rest"].split(", "):
                rows += _figure(line_no, match["name"].lower(), pair, problems)
        elif match := _RATE.match(line):
            units = {"tpmc": "orders/min", "tpm_total": "transactions/min"}
            for metric, text in match.groupdict().items():
                value = number(text or "")
                if value is not None:
                    rows.append(Row(line_no, STEP, metric, value, units[metric], "higher",
                                    main=metric == "tpmc", dims=DIMS))  # fmt: skip
            if failure := _failure(rows[begin:]):
                problems.append(Problem(line_no, f"{failure}: not read"))
                del rows[begin:]
            begin = len(rows)
    if rows[begin:]:
        why = "a run without its tpmC: it failed or was cut"
        problems.append(Problem(rows[begin].line, why))
        del rows[begin:]
    if not rows and not problems:
        problems.append(Problem(0, "no summary of a run"))
    return Parsed(rows, problems=problems)


def _failure(run: list[Row]) -> str:
    counts = {row.metric: row.value for row in run if row.metric.endswith("_count")}
    failed = sum(n for name, n in counts.items() if name.endswith("_err_count"))
    return too_many_failed(failed, sum(counts.values()) - failed)


def _figure(line: int, name: str, pair: str, problems: list[Problem]) -> list[Row]:
    what, _, text = pair.partition(": ")
    value = number(text.strip())
    if what == "TPM":
        direction = "lower" if name.endswith("_err") else "higher"
        metric, unit = f"{name}_tpm", "transactions/min"
    elif what == "Count":
        metric, unit, direction = f"{name}_count", "count", "none"
    elif match := _TIME.fullmatch(what):
        kind = f"p{match['percent']}" if match["percent"] else match["kind"]
        metric, unit = metric_name(f"{name}_{kind}"), match["unit"] or match["u"]
        direction = "lower"
    else:
        return []
    if value is None or value < 0:
        problems.append(Problem(line, f"{metric} is no number"))
        return []
    return [Row(line, STEP, metric, value, unit, direction, dims=DIMS)]
