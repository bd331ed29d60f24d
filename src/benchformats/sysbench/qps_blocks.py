"""o.qps.abs.*, o.qps.rel.* (2020 to 2022): sb.r of several DBMS, a block a test.

Blocks of a file's name and one row per DBMS, its tag last, one value per dop::

    sb.r.qps.point-query.range100.pk1
    24631  48686  65803  x.my5649.x6d.pk1
    20820  41703  55938  x.my5731.x6d.pk1

Relative tables are the same without the first DBMS, which they do not name, and with two
decimals. Which dops they are is nowhere said: see sysbench_r. In ``o.sum.*`` of 2020 the
label of sb.r may stand before the tag: ``rocksdb point-query.warm range=100``.
"""

from __future__ import annotations

import re
from itertools import pairwise

from benchformats.names import decode_path, is_scan
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import NO_NUMBER, number
from benchformats.sysbench.figures import figure_of, op_of, ratio

_TITLE = re.compile(
    r"sb\.(?:r\.(?P<metric>qps|trx|rtavg|rtmin|rtmax|rt\d{1,3})|prepare\.o)"
    r"\.[a-z][\w-]*(?:\.(?:pre|warm|warmpre))?\.range\d{1,18}\.pk[01]",
    re.ASCII,
)
_TAG = re.compile(r"[A-Za-z][^\s,]*")
_LABEL = re.compile(r"[a-z]\w* (?P<test>[a-z][\w.-]*) range=(?P<n>\d+)", re.ASCII)
_TWO_DECIMALS = re.compile(r"\d+\.\d\d|inf", re.ASCII)
_INTEGER = re.compile(r"\d+", re.ASCII)


def recognises(file: TextFile) -> bool:
    """A title, and under it values and a tag."""
    head = file.lines[:40]
    for title, row in pairwise(head):
        cells = row.rstrip().split("\t")
        if _TITLE.fullmatch(title.rstrip()) and ratio(cells[0]) is not None:
            return len(cells) > 1
    return False


def read(file: TextFile) -> Parsed:
    """All rows of all blocks; none where it is not clear whether they are relative."""
    lines, problems = whole_lines(file)
    relative = _is_relative(lines, file.name)
    if relative is None:
        why = "rates or ratios: neither figures nor name tell which, so not read"
        return Parsed(problems=[*problems, Problem(0, why)])
    rows: list[Row] = []
    title: re.Match[str] | None = None
    for line_no, line in enumerate(lines, 1):
        line = line.rstrip()
        heading = _TITLE.fullmatch(line)
        if heading or not line:
            title = heading
        elif title is None:
            problems.append(Problem(line_no, "in no block: its title is damaged"))
        elif not _TAG.fullmatch(line.split("\t")[-1]) or "\t" not in line:
            problems.append(Problem(line_no, "not values and a tag"))
            title = None
        else:
            new, complaints = _row(title, line, line_no, relative)
            rows += new
            problems += [Problem(line_no, text) for text in complaints]
    return Parsed(rows, problems=problems)


def _is_relative(lines: list[str], name: str) -> bool | None:
    """Rates are integers, ratios have two decimals; response times have them too."""
    integers = decimals = 0
    counted = False
    for line in lines:
        if title := _TITLE.fullmatch(line.rstrip()):
            step = decode_path(title[0]).step
            counted = not (title["metric"] or "").startswith("rt") and not is_scan(step)
        elif counted:
            cells = line.rstrip().split("\t")[:-1]
            integers += any(_INTEGER.fullmatch(cell) and cell != "1" for cell in cells)
            decimals += any(_TWO_DECIMALS.fullmatch(cell) for cell in cells)
    if bool(integers) != bool(decimals):
        return bool(decimals)
    words = set(name.split("."))
    if integers or len(words & {"abs", "rel"}) != 1:
        return None
    return "rel" in words


def _row(
    title: re.Match[str], line: str, line_no: int, relative: bool
) -> tuple[list[Row], list[str]]:
    *cells, tag = line.split("\t")
    place = decode_path(title[0])
    if cells and (label := _LABEL.fullmatch(cells[-1])):
        cells.pop()
        named = f"{label['test']}_range={label['n']}"
        if named != place.step:
            return [], [f"the line is of {named}, its title of {place.step}: not read"]
    if not cells:
        return [], ["no value: the run failed"]
    metric = title["metric"] or "ips"
    unit, direction = figure_of(metric, place.step, cells)
    if relative:
        unit = "ratio"
    name = f"rel_{metric}" if relative else metric
    rows, problems = [], []
    for position, cell in enumerate(cells, 1):
        value = ratio(cell) if relative else number(cell)
        if value is None:
            problems.append(f"value {position}: {NO_NUMBER}")
        elif cell == "0" and is_scan(place.step):
            problems.append(f"value {position}: 0, a scan that was not run at this dop")
        else:
            dims = place.dims | ({"dop_no": str(position)} if len(cells) > 1 else {})
            clock = "actual" if metric.startswith("rt") and not relative else ""
            main = metric in ("qps", "ips") and not relative
            rows.append(Row(line_no, place.step, name, value, unit, direction, tag,
                            op_of(place.step), main, clock=clock, dims=dims))  # fmt: skip
    return rows, problems
