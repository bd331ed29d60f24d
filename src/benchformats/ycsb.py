"""YCSB's output: rate of the run, counts and latencies of each kind of operation.

::

    [OVERALL], Throughput(ops/sec), 98.9
    [READ], 99thPercentileLatency(us), 1623

The step is the workload that its command line names, with ``.load`` where it loads; a
target rate and what ``-p`` says of the workload are dimensions.
``[Intended-READ]`` has the response times since the intended start. Histograms and what
collecting garbage took are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from benchformats.json_file import text_of
from benchformats.metric_names import metric_name
from benchformats.names import decode_path
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number
from benchformats.unlike import too_many_failed

NAME = "ycsb"
VERSION = 3

_LINE = re.compile(
    r"\[(?P<op>[A-Za-z][\w.%-]{0,60})\], (?P<what>[^,]{1,80}), (?P<value>\S+)\s*"
)
_LATENCY = re.compile(
    r"(?:(?P<percent>[\d.]+)(?:st|nd|rd|th)?Percentile|(?P<kind>Average|Min|Max))"
    r"Latency\((?P<unit>us|ms|ns)\)"
)
_OPTION = re.compile(r"(?:^|\s)-(P|threads|db|target)\s+(\S+)")
_PROPERTY = re.compile(
    r"(?:^|\s)-p\s+(recordcount|field(?:count|length)|(?:read|update|insert|scan|"
    r"readmodifywrite)proportion|requestdistribution|maxscanlength|threadcount)=(\S+)"
)
_OUTCOME = re.compile(r"_return_(?P<status>.+)|(?P<failed>_failed)?_operations$")
_OK = ("ok", "batched_ok", "0")
_OF_RUN = ("run_time", "throughput")  # a second one is another run's
_KINDS = {"Average": "avg", "Min": "min", "Max": "max"}


def recognises(file: TextFile) -> bool:
    """A run's time or rate over all of it."""
    return any(line.startswith(("[OVERALL], RunTime(ms), ",
                                "[OVERALL], Throughput(ops/sec), "))
               for line in file.lines)  # fmt: skip


def read(file: TextFile) -> Parsed:
    """Figures of every run of the file."""
    lines, problems = whole_lines(file)
    step, dop, dims = decode_path(file.path).step or "ycsb", 0, dict[str, str]()
    runs: list[list[Row]] = [[]]
    for line_no, line in enumerate(lines, 1):
        if line.startswith("Command line: "):
            options = dict(reversed(_OPTION.findall(line)))
            load = ".load" if re.search(r"\s-load(?:\s|$)", line) else ""
            workload = text_of(options.get("P", "")).rpartition("/")[2]
            step = workload + load if workload else step
            said = dict(_PROPERTY.findall(line))
            count = said.pop("threadcount", "")
            threads = text_of(options.get("threads", count))
            dop = int(threads) if re.fullmatch("[0-9]{1,6}", threads) else 0
            client = text_of(options.get("db", "")).rpartition(".")[2]
            dims = {"db": client} if client else {}
            dims |= {"target": options["target"]} if "target" in options else {}
            dims |= said
        elif match := _LINE.fullmatch(line):
            for metric, unit, direction, clock in _metric(match["op"], match["what"]):
                value = number(match["value"])
                if value is None or value < 0:
                    why = f"{metric} is no figure: {text_of(match['value'])}"
                    problems.append(Problem(line_no, why))
                else:
                    if metric in _OF_RUN and any(metric == r.metric for r in runs[-1]):
                        runs.append([])
                    runs[-1].append(Row(line_no, step, metric, value, unit, direction,
                                    main=metric == "throughput", dop=dop, clock=clock,
                                    dims=dims))  # fmt: skip
    if not any(row.main for run in runs for row in run):
        problems.append(Problem(0, "a run without its throughput: it failed or was cut"))
        return Parsed(problems=problems)
    rows: list[Row] = []
    for run in runs:
        if failure := _failure(run):
            line_no = next((row.line for row in run if row.main), run[0].line)
            problems.append(Problem(line_no, f"{failure}: not read"))
        else:
            rows += run
    return Parsed(rows, problems=problems)


def _failure(run: list[Row]) -> str:
    """By what the operations returned, or by how many were timed as failed."""
    counts = dict.fromkeys(("ok", "bad", "done", "failed"), 0.0)
    for row in run:
        match = _OUTCOME.search(row.metric) if row.clock == "actual" else None
        if match:
            status, failed = match["status"], match["failed"]
            kind = ("ok" if status in _OK else "bad") if status else (
                "failed" if failed else "done")  # fmt: skip
            counts[kind] += row.value
    return too_many_failed(
        max(counts["bad"], counts["failed"]), counts["ok"] or counts["done"]
    )


def _metric(op: str, what: str) -> Iterator[tuple[str, str, str, str]]:
    """Metric, unit, direction and clock of a line; nothing of a histogram's."""
    if op == "OVERALL":
        known = {
            "RunTime(ms)": ("run_time", "ms", "none", ""),
            "Throughput(ops/sec)": ("throughput", "ops/s", "higher", ""),
        }
        if what in known:
            yield known[what]
        return
    intended = op.startswith("Intended-")
    name = metric_name(op.removeprefix("Intended-"))
    clock = "intended" if intended else "actual"
    if match := _LATENCY.fullmatch(what):
        kind = _KINDS.get(match["kind"] or "") or f"p{match['percent']}"
        yield metric_name(f"{name}_{kind}"), match["unit"], "lower", clock
    elif what == "Operations":
        yield f"{name}_operations", "count", "none", clock
    elif what.startswith("Return="):
        status = metric_name(text_of(what.removeprefix("Return=")))
        yield f"{name}_return_{status}".rstrip("_"), "count", "none", clock
