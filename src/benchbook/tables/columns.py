"""What a column is, how wide a table of them gets, and the type that lets it fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

PAGE = 755  # px for a table in a window of 1280 (775 in a fold), less footnote marks
_TEXT = 17  # px, the page's text
_TEXT_EM = 11.0  # a text that is longer takes several lines
_INTERVAL = re.compile(r"(\d%? to) (?=[\d+−-])")
_TAG = re.compile(r"<[^>]*>")
_ENTITY = re.compile(r"&\w+;")
_NARROW = frozenset(" .,:;'|!()[]/iljtfrI-")
_WIDE = frozenset("mwMW%@→")


Row = Mapping[str, Any]


@dataclass(frozen=True)
class Column:
    """A column of a table: header, unit under it, side it aligns to, and its cells.

    A cell is the HTML that ``cell`` makes of a row, else ``show`` of the row's value of
    this name, else that value as text. ``notes`` are a row's footnotes there. With ``of``
    they are given the row's record of that value (``look.across``), if it has one.
    """

    name: str
    title: str | None = None  # else the name
    unit: str = ""
    right: bool = False
    spanner: str = ""
    show: Callable[[Any], str] | None = None
    cell: Callable[[Row], str] | None = None
    notes: Callable[[Row], Iterable[str]] | None = None
    of: object = None

    @property
    def head(self) -> str:
        """What stands above the column."""
        return self.name if self.title is None else self.title


Numbers = partial(Column, right=True)


@dataclass(frozen=True)
class Type:
    """Sizes of text, of the page's and of that; px above and beside what a cell holds."""

    size: float
    small: float
    above: int
    beside: int


TYPES = (
    Type(0.95, 0.8, 4, 9), Type(0.86, 0.83, 3, 6), Type(0.78, 0.86, 2, 4),
    Type(0.72, 0.9, 2, 3), Type(0.68, 0.92, 2, 1),
)  # fmt: skip
READABLE = TYPES[1]  # smaller only where turning a table does not help either


def width(cells: pd.DataFrame, columns: Sequence[Column], kind: Type) -> float:
    """Px that a table cannot be narrower than: its text wraps, its numbers do not."""
    return sum(
        _column(column, cells[column.name], kind.small) * kind.size * _TEXT
        + 2 * kind.beside
        for column in columns
    )


def fitting(cells: pd.DataFrame, columns: Sequence[Column]) -> Type:
    """The largest type in which a table fits the page, else the smallest there is."""
    fits = (kind for kind in TYPES if width(cells, columns, kind) <= PAGE)
    return next(fits, TYPES[-1])


def narrowed(cells: pd.DataFrame, columns: Sequence[Column]) -> pd.DataFrame:
    """The cells; where a table fits in no type, their intervals take two lines."""
    if width(cells, columns, TYPES[-2]) <= PAGE:
        return cells
    right = [column.name for column in columns if column.right]
    lines = cells[right].map(lambda cell: _INTERVAL.sub(r"\1<br>", str(cell)))
    return cells.assign(**{name: lines[name] for name in right})


def _column(column: Column, values: Iterable[str], small: float) -> float:
    """Em of the widest part of a column that is not broken."""
    heads = [1.15 * _em(word) for word in re.split(r"[ _\u200b]", column.head)]
    units = [small * _em(word) for word in column.unit.split(" ")]
    return max(
        [*heads, *units, *(_cell(str(v), column.right, small) for v in set(values))]
    )


def _cell(value: str, right: bool, small: float) -> float:
    """Em of the widest line of a cell; of a text the widest word, or enough to read."""
    lines, words = [0.0], [0.0]
    for text, is_small in _runs(value):
        size = small if is_small else 1.0
        if text == "\n":
            lines.append(0.0)
            words.append(0.0)
        elif text == "\v":
            words.append(0.0)
        else:
            first, *others = [size * _em(word) for word in text.split(" ")]
            words[-1] += first
            words += others
            lines[-1] += size * _em(text)
    return max(lines) if right else max(*words, min(max(lines), _TEXT_EM))


def _runs(value: str) -> Iterator[tuple[str, bool]]:
    """Runs of text of a cell, and whether they are small.

    A new line is a newline, a place where a word may break a vertical tab.
    """
    spans: list[bool] = []
    at = 0
    for tag in _TAG.finditer(value):
        if text := value[at : tag.start()]:
            yield text, any(spans)
        at = tag.end()
        if tag[0].startswith("<span"):
            spans.append("bb-small" in tag[0])
        elif tag[0] == "</span>" and spans:
            spans.pop()
        elif tag[0].startswith("<br"):
            yield "\n", False
        elif tag[0] == "<wbr>":
            yield "\v", False
    if text := value[at:]:
        yield text, any(spans)


def _em(text: str) -> float:
    """Em of a text in the wider of the usual sans-serif types, about."""
    return sum(_letter(letter) for letter in _ENTITY.sub("<", text))


def _letter(letter: str) -> float:
    if letter in _NARROW:
        return 0.34
    if letter in _WIDE:
        return 0.95
    return 0.72 if letter.isupper() else 0.62
