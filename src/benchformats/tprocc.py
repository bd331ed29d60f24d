"""sum.res.*.csv of HammerDB's TPROC-C: new orders per minute by DBMS, or their ratios.

No header; the name of the file says the rest (vu = clients, w = warehouses)::

    sum.res.pg.load8.vu6.w1000.5.120.csv        pg1222,33781
    sum.res.pg.load8.vu6.w1000.5.120.rel.csv    pg1323,0.999     (the first is left out)
"""

from __future__ import annotations

import re

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number
from benchformats.tags import decode_tag

NAME = "tprocc"
VERSION = 2
STEP = "tproc-c"

_LINE = re.compile(r"(?P<tag>[a-z]+\d[\w.]*),(?P<value>[^,\s]+)", re.ASCII)
_NAME = re.compile(r"\.vu(?P<vu>\d{1,6})\.w(?P<w>\d{1,9})\.")
_SHAPES = (re.compile(r"\d+", re.ASCII), re.compile(r"\d+\.\d{3}", re.ASCII))


def recognises(file: TextFile) -> bool:
    """Lines of a DBMS and a value, in a file whose name has clients and warehouses."""
    lines = [_LINE.fullmatch(line.rstrip()) for line in file.lines[:50] if line.strip()]
    return (
        bool(_NAME.search(file.name))
        and bool(lines)
        and all(line and decode_tag(line["tag"]).engine for line in lines)
    )


def read(file: TextFile) -> Parsed:
    """The value of each DBMS; rates are integers, ratios have three decimals."""
    lines, problems = whole_lines(file)
    named = _NAME.search(file.name)
    texts = {line_no: line for line_no, line in enumerate(lines, 1) if line.strip()}
    matches = {line_no: _LINE.fullmatch(text.rstrip()) for line_no, text in texts.items()}
    values = [line["value"] for line in matches.values() if line]
    shape = [all(shape.fullmatch(v) for v in values) for shape in _SHAPES]
    if not named or not values or not any(shape):
        why = "rates or ratios: name and figures do not tell, so not read"
        return Parsed(problems=[*problems, Problem(0, why)])
    metric, unit = ("nopm", "orders/min") if shape[0] else ("rel_nopm", "ratio")
    dims = {"warehouses": named["w"]}
    rows = []
    for line_no, line in matches.items():
        value = number(line["value"]) if line else None
        if line is None or value is None:
            problems.append(Problem(line_no, "not a DBMS and its rate"))
        elif not value:
            problems.append(Problem(line_no, "a run that did nothing: not read"))
        else:
            rows.append(Row(line_no, STEP, metric, value, unit, "higher", line["tag"],
                            main=shape[0], dop=int(named["vu"]), dims=dims))  # fmt: skip
    return Parsed(rows, problems=problems)
