"""The numbers that a page shows, each with the names beside it."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from nbformat import NotebookNode

from benchbook.audit.executed import readable
from benchbook.audit.words import amounts, numbers_of
from benchbook.finding import MIME_KEY, Claim, claim_of

ANSWER = "answer"  # id of the cell that is the description itself
_TRACE = {"round", "so_far"}  # of a chart's rows: points of a line, and an estimate
_MANY = 200  # rows of a chart: more are points of a line that nobody reads as numbers
_SPEC = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)
_MARK = re.compile(r'<span class="gt_footnote_marks".*?</span>', re.DOTALL)
_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
_ROW = re.compile(r"<tr\b.*?</tr>", re.DOTALL)
_HEAD = re.compile(r'<th\b[^>]*\bid="([^"]*)"[^>]*>(.*?)</th>', re.DOTALL)
_CELL = re.compile(r'<td headers="([^"]*)" class="([^"]*)"[^>]*>(.*?)</td>', re.DOTALL)
_RATIO = ("relative", "low", "high")
_BEFORE = 2  # numbers between a ratio and its interval: `0.984 ? +2 0.967 to 1.002`
_SPAN = re.compile(r"%?(?:,| ?to) [-+−]?[\d.]")  # behind the lower end of an interval
_LABEL = "gt_left"  # of a row: what its numbers are about


@dataclass(frozen=True)
class Cell:
    """An amount of the page, and where it stands: the names of its row and column."""

    value: float
    place: str
    is_ratio: bool = False  # is it said or drawn as one?


def claims_of(output: NotebookNode) -> list[Claim]:
    """The claims that an output carries."""
    data = output.get("metadata", {}).get(MIME_KEY, {})
    return [claim_of(claim) for claim in data.get("claims", [])]


def outputs_of(notebook: NotebookNode) -> Iterator[tuple[int, NotebookNode]]:
    for n, cell in enumerate(notebook.cells):
        for output in cell.get("outputs", []):
            yield n, output


def text_of(output: NotebookNode) -> str:
    data = output.get("data", {})
    return str(data.get("text/markdown") or data.get("text/plain") or "")


def rows_of_charts(text: str) -> Iterator[dict[str, Any]]:
    """The data that the charts of an output draw."""
    for match in _SPEC.finditer(text):
        spec = json.loads(match[1])
        for rows in spec.get("datasets", {}).values():
            yield from (row for row in rows if isinstance(row, dict))


def cells_of(notebook: NotebookNode, written: Iterable[str] = ()) -> list[Cell]:
    """Of tables, charts, sentences and their claims; not of the cells with these ids."""
    own = {ANSWER, *written}
    cells = [cell for _, output in outputs_of(notebook) for cell in _of_output(output)]
    texts = [
        cell.source for cell in notebook.cells[1:]
        if cell.cell_type == "markdown" and cell.get("id") not in own
    ]  # fmt: skip
    return list(dict.fromkeys([*cells, *_of_lines(texts)]))


def intervals_of(notebook: NotebookNode) -> list[tuple[float, float, float]]:
    """Those of claims and charts, and those that a table or a text writes as one.

    `1.2 to 1.4` behind a number or two, or `[1.2, 1.4]`: of any two neighbours of a table
    of whole numbers some fit whatever is said.
    """
    found = []
    for _, output in outputs_of(notebook):
        text = text_of(output)
        claimed = [(c.value, c.low, c.high) for c in claims_of(output)]
        drawn = [tuple(map(row.get, _RATIO)) for row in rows_of_charts(text)]
        for row in [*claimed, *drawn]:
            if all(isinstance(v, int | float) for v in row):
                value, low, high = map(float, row)  # type: ignore[arg-type]
                found.append((value, low, high))
        numbers = numbers_of(readable(text))
        for n, (first, last) in enumerate(pairwise(numbers)):
            if not _SPAN.match(first.after):
                continue
            before = [number.value for number in numbers[max(0, n - _BEFORE) : n]]
            low, high = first.value, last.value
            found += [(v, low, high) for v in before if low <= v <= high]
    return found


def _of_output(output: NotebookNode) -> Iterator[Cell]:
    text = text_of(output)
    for claim in claims_of(output):
        place = " ".join([claim.subject, *claim.rows.values()])
        yield from (Cell(v, place, claim.unit == "ratio") for v in amounts([claim]))
    rows = list(rows_of_charts(text))
    for row in rows:
        place = " ".join(dict.fromkeys(v for v in row.values() if isinstance(v, str)))
        line = len(rows) > _MANY or _TRACE & row.keys()
        for column in _RATIO if line else row:
            if isinstance(row.get(column), int | float):
                yield Cell(float(row[column]), place, column == _RATIO[0])
    for table in _TABLE.findall(text):
        yield from _of_table(table)
    yield from _of_lines(readable(_TABLE.sub(" ", text)).splitlines())


def _of_table(table: str) -> Iterator[Cell]:
    """Each number of a row, under the row's labels and the head of its column."""
    heads = {name: _bare(head) for name, head in _HEAD.findall(table)}
    for row in _ROW.findall(table):
        found = [(c[0], c[1], _bare(c[2])) for c in _CELL.findall(row)]
        labels = " ".join(text for _, kind, text in found if _LABEL in kind)
        for ids, _, text in found:
            head = " ".join(heads.get(name, "") for name in ids.split())
            place = " ".join(f"{labels}, {head}".split())
            yield from (Cell(n.value, place) for n in numbers_of(text))
        if not found:
            yield from _of_lines([_bare(row)])


def _of_lines(lines: Sequence[str]) -> Iterator[Cell]:
    for line in lines:
        yield from (Cell(n.value, line) for n in numbers_of(line))


def _bare(text: str) -> str:
    """The words of HTML; `<wbr>` parts no word, `<br>` does."""
    whole = re.sub(r"<wbr>|</?span[^>]*>", "", _MARK.sub("", text))
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", whole)).split())
