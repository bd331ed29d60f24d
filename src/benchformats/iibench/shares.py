"""Response times and rates of the insert benchmark's clients as tables.

mrg.*.rt.{insert,delete,query}, o.rt.[ct].*: percent of the statements per bucket of
response times, and the longest in seconds; ``nonzero`` rounds to 0. o.rt counts those of
each client first (``t1:DBMS``), then of all (``sum:``), then in percent (``pct:``)::

    256us  1ms  4ms  16ms  64ms  256ms  1s  4s  16s  gt  max  tag

mrg.*.rate.{insert,delete,query}, o.rate.[ct].{3,7}: mean rates of ten equal slices of the
run for each client, as series ``iibench_slices`` of line, client, tag, op, slice (1 to
10) and rate, per second; the last slice of a short run is off, since the script that
made it took the lines below the seconds for seconds too::

    qps-1  qps-2  ...  qps-10  tag
    5245  4758  ...  4781  1:my8031.cy8

o.rate.5 is of queries or, since May 2023, of deletes, which it does not say: not read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa

from benchformats.iibench.figures import ABSENT, BUCKETS, OPS, bucket_metric, cells_of
from benchformats.parsed import Parsed, Problem, Row, TextFile, records_table, whole_lines
from benchformats.printed import NO_NUMBER, number

SERIES = "iibench_slices"
SLICES = 10

_TIMES = (*BUCKETS, "max", "tag")
_RATES = (*(f"qps-{n}" for n in range(1, SLICES + 1)), "tag")
_SLICE = re.compile(
    rf"(?:\d{{1,12}}[\t,]){{{SLICES}}}(?P<client>\d{{1,6}}):(?P<tag>[A-Za-z][\w.+-]*)",
    re.ASCII,
)
_OP = re.compile(r"\.(?:rt|rate)\.(?:[ct]\.)?(insert|delete|query)")
_COLUMN = re.compile(r"o\.rate\.[ct]\.(\d)$")
_COLUMNS = {"3": "insert", "7": "query"}
_WHOSE = re.compile(r"(?:t(?P<client>\d{1,6})|(?P<all>sum|pct)):(?P<tag>\S+)", re.ASCII)
_PLACEHOLDER = "DBMS"


def recognises(file: TextFile) -> bool:
    """The header of response times or of slices, or slices without one."""
    head = [line for line in file.text[:4096].split("\n")[:4] if line not in ("", "-")]
    kinds = {tuple(cells_of(line)) for line in head[:1]}
    return bool(kinds & {_TIMES, _RATES} or (head and _SLICE.fullmatch(head[0])))


def read(file: TextFile) -> Parsed:
    """All figures, if the name says of which statements they are."""
    op = _op(file.name)
    if not op:
        why = "the name does not say which statements: .insert, .delete, .query"
        return Parsed(problems=[Problem(0, f"{why}: not read")])
    lines, problems = whole_lines(file)
    rows: list[Row] = []
    slices: list[tuple[int, re.Match[str]]] = []
    header: tuple[str, ...] = ()
    for line_no, line in enumerate(lines, 1):
        cells = cells_of(line)
        if tuple(cells) in (_TIMES, _RATES):
            header = tuple(cells)
        elif match := _SLICE.fullmatch(line):
            slices.append((line_no, match))
        elif header == _TIMES and line not in ("", "-"):
            new, complaints = _times(line_no, cells, op)
            rows += new
            problems += [Problem(line_no, text) for text in complaints]
        elif line not in ("", "-"):
            problems.append(Problem(line_no, "not ten rates and a client"))
    series = {SERIES: _series(slices, op)} if slices else {}
    return Parsed(rows, series, problems)


def _op(name: str) -> str:
    if column := _COLUMN.match(name):
        return _COLUMNS.get(column[1], "")
    match = _OP.search(name)
    return match[1] if match and match[1] in OPS else ""


def _times(line_no: int, cells: Sequence[str], op: str) -> tuple[list[Row], list[str]]:
    if len(cells) != len(_TIMES):
        return [], [f"{len(cells)} cells where the header has {len(_TIMES)}"]
    whose = _WHOSE.fullmatch(cells[-1])
    tag = whose["tag"] if whose else cells[-1]
    if not tag or number(tag) is not None:
        return [], ["the last cell is no name of a DBMS: not read"]
    percent = not whose or whose["all"] == "pct"
    client = (whose and whose["client"]) or ""
    rows, problems = [], []
    for label, cell in zip(_TIMES[:-1], cells, strict=False):
        value = number(cell)
        if cell in ABSENT:
            continue
        if value is None or (not percent and label != "max" and not cell.isdigit()):
            problems.append(f"{label}: {NO_NUMBER}")
        elif label != "max" or not (whose and whose["all"] == "sum"):  # as in pct
            rows.append(_row(line_no, label, value, op, tag, client, percent))
    return rows, problems


def _row(
    line_no: int, label: str, value: float, op: str, tag: str, client: str, percent: bool
) -> Row:
    longest = label == "max"
    metric = "rt_max" if longest else bucket_metric(label, percent)
    unit = "s" if longest else "%" if percent else "count"
    return Row(line_no, "", metric, value, unit, "lower" if longest else "none",
               "" if tag == _PLACEHOLDER else tag, op,
               clock="actual" if longest else "",
               dims={"client": client} if client else {})  # fmt: skip


def _series(slices: list[tuple[int, re.Match[str]]], op: str) -> pa.Table:
    # where a tag is a placeholder, the folder's name says which
    tagged = all(match["tag"] != _PLACEHOLDER for _, match in slices)
    records = [
        {"line": line_no, "client": int(match["client"]), "op": op, "slice": number_,
         "rate": int(rate)} | ({"tag": match["tag"]} if tagged else {})
        for line_no, match in slices
        for number_, rate in enumerate(cells_of(match[0])[:SLICES], 1)
    ]  # fmt: skip
    texts = {"op": pa.string(), "tag": pa.string()}
    return records_table(records, texts, pa.int64())
