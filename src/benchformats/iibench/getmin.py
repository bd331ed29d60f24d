"""o.getmin.*: seconds that the query for the smallest key took at the end of each step.

::

    l.i0  q100  q500  q1000  dbms
    0.070  0.019  0.001  0.062  160m.pg153_o3_native_lto.cx7a
    -                                       between groups
"""

from __future__ import annotations

import re

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import NO_NUMBER, number

METRIC = "getmin_s"

_HEADER = re.compile(r"(?:(?:l\.i\d|q\d{2,4})\t){2,12}dbms\t*", re.ASCII)
_TAG = re.compile(r"[\w.+-]*[A-Za-z][\w.+-]*", re.ASCII)


def recognises(file: TextFile) -> bool:
    """A first line of steps and the word dbms."""
    return bool(_HEADER.fullmatch(file.text[:4096].partition("\n")[0]))


def read(file: TextFile) -> Parsed:
    """One figure per step and DBMS."""
    lines, problems = whole_lines(file)
    rows: list[Row] = []
    if not lines or not _HEADER.fullmatch(lines[0]):
        return Parsed(problems=[*problems, Problem(1, "no header of steps: not read")])
    steps = lines[0].rstrip("\t").split("\t")[:-1]
    for line_no, line in enumerate(lines[1:], 2):
        *cells, tag = line.rstrip("\t").split("\t")
        if len(cells) != len(steps) or not _TAG.fullmatch(tag):
            if line.strip() not in ("", "-"):
                why = f"not {len(steps)} figures and the name of a DBMS: not read"
                problems.append(Problem(line_no, why))
            continue
        for step, cell in zip(steps, cells, strict=True):
            value = number(cell)
            if value is None:
                problems.append(Problem(line_no, f"{step}: {NO_NUMBER}"))
            else:
                rows.append(Row(line_no, step, METRIC, value, "s", "lower", tag))
    return Parsed(rows, problems=problems)
