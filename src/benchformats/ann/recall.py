"""qr.*: lists of recall and queries/s made of the output of ann-benchmarks.

::

    0.912 3818.8     PGVector(m=8, ef_construction=32, ef_search=10)

``qr.<algorithm>`` is grouped by index with empty lines, ``.recall`` and ``.qps`` are
sorted, ``qr.topN.<n>`` has the best n of each algorithm under ``Best QPS with recall >=
0.99``, or of each list of runs where an algorithm has several (``qr.topN.3.pg.a.pg.b``).
Lists repeat lines: a line that stands twice is one run.
"""

from __future__ import annotations

import re

import pyarrow as pa

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines

NAME = "ann"
VERSION = 2
SERIES = "ann_best"

STEP = "knn"
# Qdrant's name is printed with a second bracket that nothing closes.
PARAMETERS = (
    r"(?P<engine>[A-Za-z]\w{0,60})\({1,2}(?P<parameters>[a-zA-Z_]\w*=[^()]{1,200})\)"
)

_PARAMETER = re.compile(r"([A-Za-z_]\w*)=([\w.]+)", re.ASCII)
_LINE = re.compile(
    rf"(?P<recall>[01]\.\d{{3}}) (?P<qps>\d{{1,12}}\.\d) {{1,40}}{PARAMETERS}", re.ASCII
)
_BEST = re.compile(r"Best QPS with recall >= (?P<recall>[01]\.\d{1,6})", re.ASCII)
_LONGEST_LIST = re.compile(r"\.topN\.(\d{1,4})(?:\.|$)", re.ASCII)


def rows_of(line_no: int, line: re.Match[str] | None) -> list[Row]:
    """Recall and queries/s that a line says of an index, its parameters as dimensions.

    None where a parameter has no value, or recall is above 1.
    """
    if not line or float(line["recall"]) > 1:
        return []
    matches = [_PARAMETER.fullmatch(one.strip()) for one in line["parameters"].split(",")]
    dims = {one[1]: one[2] for one in matches if one}
    if len(dims) < len(matches):
        return []
    engine = line["engine"].lower()
    return [
        Row(line_no, STEP, "recall", float(line["recall"]), "ratio", "higher",
            engine=engine, dims=dims),
        Row(line_no, STEP, "qps", float(line["qps"]), "queries/s", "higher",
            engine=engine, main=True, dims=dims),
    ]  # fmt: skip


def recognises(file: TextFile) -> bool:
    """Recall, queries/s and an index in every line but headings."""
    lines = [line.rstrip() for line in file.lines[:50] if line.strip()]
    figure_lines = [line for line in lines if _LINE.fullmatch(line)]
    return bool(figure_lines) and len(figure_lines) > len(lines) / 2


def read(file: TextFile) -> Parsed:
    """Recall and queries/s of each index; a list of the best also as ``ann_best``.

    Columns: line, at_recall (as its heading says), engine, rank (from 1), recall, qps.
    A list ends with a heading, an empty line or another engine, and where it has as many
    lines as the file's name says.
    """
    lines, problems = whole_lines(file)
    rows: dict[str, list[Row]] = {}
    best: list[dict[str, object]] = []
    at_recall: float | None = None
    named = _LONGEST_LIST.search(file.name)
    longest = int(named[1]) if named else len(lines)
    engine, rank = "", 0  # of the line before, in its list
    for line_no, line in enumerate(lines, 1):
        text = line.strip()
        heading = _BEST.fullmatch(text)
        if heading or not text:
            rank = 0
        if heading:
            at_recall = float(heading["recall"])
        elif text.startswith("Best"):
            at_recall = None
        if pair := rows_of(line_no, _LINE.fullmatch(text)):
            rows.setdefault(" ".join(text.split()), pair)
            recall, rate = pair
            goes_on = recall.engine == engine and rank < longest
            engine, rank = recall.engine, rank + 1 if goes_on else 1
            if at_recall is not None:
                best.append({"line": line_no, "at_recall": at_recall, "engine": engine,
                             "recall": recall.value, "qps": rate.value,
                             "rank": rank})  # fmt: skip
        elif text and not heading:
            rank += 1  # it has its place in the list
            problems.append(Problem(line_no, "not recall, queries/s and an index"))
    figures = [row for pair in rows.values() for row in pair]
    series = {SERIES: pa.Table.from_pylist(best)} if best else {}
    return Parsed(figures, series, problems)
