"""qr.*: lists of recall and queries/s made of the output of ann-benchmarks.

::

    0.912 3818.8     PGVector(m=8, ef_construction=32, ef_search=10)

``qr.<algorithm>`` is grouped by index with empty lines, ``.recall`` and ``.qps`` are
sorted, ``qr.topN.<n>`` has the best n of each algorithm under ``Best QPS with recall >=
0.99``. Lists repeat lines: a line that stands twice is one run.
"""

from __future__ import annotations

import re

import pyarrow as pa

from benchbook.formats.ann_words import PARAMETERS, index_of, rows_of
from benchbook.formats.parsed import Parsed, Problem, Row, TextFile, whole_lines

NAME = "ann"
SERIES = "ann_best"

_LINE = re.compile(
    rf"(?P<recall>[01]\.\d{{3}}) (?P<qps>\d{{1,12}}\.\d) {{1,40}}{PARAMETERS}", re.ASCII
)
_BEST = re.compile(r"Best QPS with recall >= (?P<recall>[01]\.\d{1,6})", re.ASCII)


def recognises(file: TextFile) -> bool:
    """Recall, queries/s and an index in every line but headings."""
    lines = [line.rstrip() for line in file.lines[:50] if line.strip()]
    found = [line for line in lines if _LINE.fullmatch(line)]
    return bool(found) and len(found) > len(lines) / 2


def read(file: TextFile) -> Parsed:
    """Recall and queries/s of each index; a list of the best also as ``ann_best``.

    Columns: line, at_recall (as its heading says), engine, rank (from 1), recall, qps.
    """
    lines, problems = whole_lines(file)
    rows: dict[str, list[Row]] = {}
    best: list[dict[str, object]] = []
    at_recall: float | None = None
    for line_no, line in enumerate(lines, 1):
        text = line.strip()
        heading, found = _BEST.fullmatch(text), _LINE.fullmatch(text)
        if heading:
            at_recall = float(heading["recall"])
        elif text.startswith("Best"):
            at_recall = None
        index = index_of(found["engine"], found["parameters"]) if found else None
        recall = float(found["recall"]) if found else 2.0
        if found and index and recall <= 1:
            qps = float(found["qps"])
            rows.setdefault(" ".join(text.split()), rows_of(line_no, index, recall, qps))
            if at_recall is not None:
                best.append({"line": line_no, "at_recall": at_recall,
                             "engine": index.engine, "recall": recall,
                             "qps": qps})  # fmt: skip
        elif text and not heading:
            problems.append(Problem(line_no, "not recall, queries/s and an index"))
    figures = [row for pair in rows.values() for row in pair]
    return Parsed(figures, {SERIES: _table(best)} if best else {}, problems)


def _table(best: list[dict[str, object]]) -> pa.Table:
    ranks: dict[tuple[object, object], int] = {}
    for one in best:
        key = (one["at_recall"], one["engine"])
        one["rank"] = ranks[key] = ranks.get(key, 0) + 1
    return pa.Table.from_pylist(best)
