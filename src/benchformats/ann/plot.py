"""Output of the plotting script of ann-benchmarks: recall and queries/s of each index.

::

    Computing knn metrics
     PGVector_halfvec(m=8, ef_construction=64, ef_search=10)        0.923    3804.881
     MariaDB(m=12, ef_search=10)        0.995     4744.975

recall is the mean share of the true nearest neighbours that were found.
"""

from __future__ import annotations

import re

from benchformats.ann.recall import PARAMETERS, rows_of
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines

NAME = "ann_plot"
VERSION = 2

_LINE = re.compile(
    rf" *{PARAMETERS} {{2,40}}(?P<recall>[01]\.\d{{3}})"
    r" {2,40}(?P<qps>\d{1,12}\.\d{3})",
    re.ASCII,
)
_STARTS = ("Computing ", "Found cached result", "writing output to ")


def recognises(file: TextFile) -> bool:
    """Little but indexes, their recall and queries/s with three decimals each."""
    lines = [line.rstrip() for line in file.lines[:50] if line.strip()]
    lines = [line for line in lines if not line.startswith(_STARTS)]
    figure_lines = [line for line in lines if _LINE.fullmatch(line)]
    return bool(figure_lines) and 2 * len(figure_lines) >= len(lines)


def read(file: TextFile) -> Parsed:
    """Recall and queries/s of each index."""
    lines, problems = whole_lines(file)
    rows: list[Row] = []
    for line_no, line in enumerate(lines, 1):
        if not line.strip() or line.startswith(_STARTS):
            continue
        figures = rows_of(line_no, _LINE.fullmatch(line.rstrip()))
        rows += figures
        if not figures:
            problems.append(Problem(line_no, "not an index, its recall and queries/s"))
    return Parsed(rows, problems=problems)
