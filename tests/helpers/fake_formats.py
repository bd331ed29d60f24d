"""Two small formats for tests of the importer: figures by line, and a series."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa

from benchformats import Format
from benchformats.parsed import Parsed, Problem, Row, TextFile, merged


def read_figures(file: TextFile) -> Parsed:
    """``figures`` or ``table``, then lines of ``step metric value [tag [key=value]]``."""
    rows, problems = [], []
    for number, line in enumerate(file.lines[1:], 2):
        words = line.split()
        try:
            step, metric, value, *more = words
            dims = dict(word.split("=") for word in more[1:])
            rows.append(
                Row(number, step, metric, float(value), "1/s", "higher",
                    tag=more[0] if more else "", main=metric == "qps", dims=dims)
            )  # fmt: skip
        except ValueError:
            problems.append(Problem(number, f"not a figure: {line!r}"))
    return Parsed(rows, problems=problems)


def stream_seconds(file: TextFile) -> Iterator[Parsed]:
    """``seconds A B``, then one number per column and line."""
    names: list[str] = []
    for block in file.blocks():
        lines = block.text.splitlines()
        first = block.first_line
        if first == 1:
            names, lines, first = lines[0].split()[1:], lines[1:], 2
        cells = [[int(word) for word in line.split()] for line in lines]
        columns = dict(zip(names, zip(*cells, strict=True), strict=True))
        lines_ = pa.array(range(first, first + len(lines)), pa.int64())
        yield Parsed(series={"seconds": pa.table({**columns, "line": lines_})})


def broken(file: TextFile) -> Parsed:
    raise ZeroDivisionError("oops")


def _begins(word: str):
    return lambda file: file.text.startswith((word + "\n", word + " "))


FIGURES = Format("figures", _begins("figures"), read_figures)
TABLE = Format("table", _begins("table"), read_figures)
SECONDS = Format(
    "seconds", _begins("seconds"), lambda f: merged(stream_seconds(f)), stream_seconds
)
BROKEN = Format("broken", _begins("broken"), broken)
ALL = (FIGURES, TABLE, SECONDS, BROKEN)
