"""build.txt: seconds and size of vector indexes by parameters, a table per algorithm.

::

    pgvector
    M<TAB>cons<TAB>secs<TAB>size (MB)
     8<TAB> 32<TAB> 27.0<TAB>234

``cons`` is ef_construction, ``NA`` and empty where the algorithm has none. Some headers
have blanks for the TABs; where one does not say MB, sizes are not read.
"""

from __future__ import annotations

import re

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines

NAME = "ann_builds"
VERSION = 2
STEP = "knn"

_HEADER = re.compile(r"M\s+(?:cons|NA)\s+secs\s+size(?P<mb> \(MB\))?\s*")
_TITLE = re.compile(r"[A-Za-z]\w{0,60}")
_LINE = re.compile(
    r" *(?P<m>\d{1,6})\t *(?P<cons>\d{0,9})\t *(?P<secs>\d{1,9}\.\d)"
    r"\t *(?P<mb>\d{1,12}) *",
    re.ASCII,
)


def recognises(file: TextFile) -> bool:
    """The header of a table."""
    return any(_HEADER.fullmatch(line) for line in file.lines[:200])


def read(file: TextFile) -> Parsed:
    """Seconds to build each index, and its size."""
    lines, problems = whole_lines(file)
    rows: list[Row] = []
    title = engine = ""  # engine: of the table that is being read
    sized = False  # its header says in what unit sizes are
    for line_no, line in enumerate(lines, 1):
        if header := _HEADER.fullmatch(line):
            engine, sized = title, bool(header["mb"])
            if not engine:
                problems.append(Problem(line_no, "a table without a title: not read"))
            elif not sized:
                problems.append(Problem(line_no, "sizes without a unit: not read"))
        elif _TITLE.fullmatch(line.strip()):
            title, engine = line.strip().lower(), ""
        elif line.strip():
            match = _LINE.fullmatch(line) if engine else None
            title = "" if not engine else title
            if match:
                rows += _rows(match, line_no, engine, sized)
            elif engine or _LINE.fullmatch(line):
                problems.append(Problem(line_no, "not a line of a table"))
        else:
            title = engine = ""
    return Parsed(rows, problems=problems)


def _rows(match: re.Match[str], line_no: int, engine: str, sized: bool) -> list[Row]:
    dims = {"m": match["m"]}
    if match["cons"]:
        dims["ef_construction"] = match["cons"]
    figures = [("build_s", match["secs"], "s"), ("index_mb", match["mb"], "MB")]
    return [
        Row(line_no, STEP, metric, float(text), unit, "lower", op="index", engine=engine,
            dims=dims)
        for metric, text, unit in figures[: 2 if sized else 1]
    ]  # fmt: skip
