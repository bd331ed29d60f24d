"""One page against itself: description, hand-written text, tables, charts, sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Any

from nbformat import NotebookNode

from benchbook.audit.answer import answer_contradictions, shape_contradictions
from benchbook.audit.claims import CHANGES
from benchbook.audit.contradiction import Contradiction
from benchbook.audit.executed import readable
from benchbook.audit.words import Shown, amounts, numbers_of
from benchbook.finding import MIME_KEY, Claim, claim_of

_NOTHING_SURE = re.compile(
    r"\b(?:no|none|nothing)\b[^.;]*\b(?:surely|significant|detectabl[ey])\b", re.I
)
_INTERVAL = re.compile(r"\[([-+−]?[\d.]+)%?, ([-+−]?[\d.]+)%?\]")
_BEFORE = 2  # numbers between a ratio and its interval: `0.984 ? +2 0.967 to 1.002`
ANSWER = "answer"  # id of the cell that is the description itself
_SPEC = re.compile(r'<script type="application/json">(.*?)</script>', re.DOTALL)


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


def description_of(notebook: NotebookNode) -> str:
    """What the list of posts says of the page."""
    return _of_head(notebook, "description")


def _of_head(notebook: NotebookNode, key: str) -> str:
    source = notebook.cells[0].source if notebook.cells else ""
    line = re.search(rf"^{key}: (.*)$", source, re.MULTILINE)
    return str(json.loads(line[1])) if line else ""


def _is_written(notebook: NotebookNode) -> bool:
    """Is the description a person's, not the beginning of the finding?"""
    return any(cell.get("id") == ANSWER for cell in notebook.cells)


def page_contradictions(
    notebook: NotebookNode, names: Sequence[str]
) -> list[Contradiction]:
    """What hand-written text and charts say, against what else the page shows."""
    claims = [claim for _, output in outputs_of(notebook) for claim in claims_of(output)]
    return [
        *_hand_written(notebook, claims, names),
        *_intervals(notebook, claims, names),
        *_nothing_sure(description_of(notebook), claims),
        *_answer(notebook, claims),
        *_charts(notebook),
    ]


def _answer(notebook: NotebookNode, claims: Sequence[Claim]) -> Iterator[Contradiction]:
    """The answer that a person wrote, against what the sentences claim."""
    if not _is_written(notebook):
        return
    answer, title = description_of(notebook), _of_head(notebook, "title")
    yield from answer_contradictions(title, answer, claims)
    findings = [claims_of(output) for _, output in outputs_of(notebook)]
    yield from shape_contradictions(answer, next(filter(None, findings), []))


def _hand_written(
    notebook: NotebookNode, claims: Sequence[Claim], names: Sequence[str]
) -> Iterator[Contradiction]:
    """Every number of the description is one of the page."""
    held = [*amounts(claims), *_numbers_on_page(notebook)]
    for figure in numbers_of(description_of(notebook), names):
        if _whole_word(figure):
            continue
        if not any(_stands(figure, amount) for amount in held):
            yield Contradiction("description", figure.text, "no such number on the page")


def _intervals(
    notebook: NotebookNode, claims: Sequence[Claim], names: Sequence[str]
) -> Iterator[Contradiction]:
    """Every `R [L, H]` of the description is one ratio of the page with its interval.

    Each of the three may stand somewhere on a page that has long changed.
    """
    text = description_of(notebook)
    held = [*_claimed_intervals(claims), *_intervals_on_page(notebook)]
    before = 0
    for match in _INTERVAL.finditer(text):
        given = numbers_of(text[before : match.start()], names)
        ends = Shown(match[1]), Shown(match[2])
        before = match.end()
        if given and not any(_is_ratio((given[-1], *ends), row) for row in held):
            shown = f"{given[-1].text} {match[0]}"
            yield Contradiction("description", shown, "no such interval on the page")


def _is_ratio(figures: Sequence[Shown], row: Sequence[float]) -> bool:
    """Value, low and high, a thousand of each (ns for µs), or the same turned round."""
    value, low, high = row
    forms: list[Sequence[float]] = [row, tuple(1000 * number for number in row)]
    if min(row) > 0:
        forms.append((1 / value, 1 / high, 1 / low))
    return any(
        all(f.stands_for(a) for f, a in zip(figures, form, strict=True)) for form in forms
    )


def _claimed_intervals(claims: Iterable[Claim]) -> Iterator[tuple[float, float, float]]:
    for claim in claims:
        row = (claim.value, claim.low, claim.high)
        if all(isinstance(v, int | float) for v in row):
            yield tuple(float(v) for v in row)  # type: ignore[misc, arg-type]


def _intervals_on_page(notebook: NotebookNode) -> Iterator[tuple[float, float, float]]:
    """Those of charts, and neighbours in tables and sentences that can be one."""
    for _, output in outputs_of(notebook):
        text = text_of(output)
        for row in _rows_of_charts(text):
            numbers = [row.get(name) for name in ("relative", "low", "high")]
            if all(isinstance(v, int | float) for v in numbers):
                yield tuple(float(v) for v in numbers)  # type: ignore[misc, arg-type]
        values = [n.value for n in numbers_of(readable(text))]
        for n, (low, high) in enumerate(pairwise(values)):
            for value in values[max(0, n - _BEFORE) : n]:
                if low <= value <= high:
                    yield value, low, high


def _whole_word(figure: Shown) -> bool:
    """Small whole numbers are counts in words: two digits or none behind the point."""
    return figure.text.isdigit() and figure.value < 100


def _stands(figure: Shown, amount: float) -> bool:
    """The amount, its inverse (`2.6X as fast`), or a thousand of it (ns for µs)."""
    forms = (amount, 1 / amount if amount else 0.0, 1000 * amount)
    return any(figure.stands_for(form) for form in forms)


def _numbers_on_page(notebook: NotebookNode) -> list[float]:
    """Numbers of tables and of the data of charts, and of the page's own texts."""
    values: list[float] = []
    for _, output in outputs_of(notebook):
        text = text_of(output)
        values += [n.value for n in numbers_of(readable(text))]
        for row in _rows_of_charts(text):
            values += [v for v in row.values() if isinstance(v, int | float)]
    for cell in notebook.cells[1:]:
        if cell.cell_type == "markdown" and cell.get("id") != ANSWER:
            values += [n.value for n in numbers_of(cell.source)]
    return values


def _nothing_sure(text: str, claims: Iterable[Claim]) -> Iterator[Contradiction]:
    """`No step is surely slower` is not said of a page on which one is."""
    said = _NOTHING_SURE.search(text)
    if not said:
        return
    every = list(claims)
    # A page of several versions may say it of the newest alone: "all" is not theirs.
    family = [c for c in every if c.relation == "significant" and c.subject == "all"]
    counts = [c for c in every if c.where.get("verdict") in CHANGES]
    for claim in family or counts:
        if claim.count:
            claimed = f"{claim.count} of {claim.of} {claim.subject} {claim.relation}"
            yield Contradiction("description", repr(said[0]), claimed)


def _charts(notebook: NotebookNode) -> Iterator[Contradiction]:
    """A ratio that is drawn lies in its interval."""
    for n, output in outputs_of(notebook):
        for row in _rows_of_charts(text_of(output)):
            numbers = [row.get(name) for name in ("low", "relative", "high")]
            ends = [float(v) for v in numbers if isinstance(v, int | float)]
            if len(ends) == 3 and ends != sorted(ends):
                low, ratio, high = ends
                drawn = f"a chart of {ratio:.4g}"
                yield Contradiction(f"cell {n}", drawn, f"[{low:.4g}, {high:.4g}]")


def _rows_of_charts(text: str) -> Iterator[dict[str, Any]]:
    for match in _SPEC.finditer(text):
        spec = json.loads(match[1])
        for rows in spec.get("datasets", {}).values():
            yield from (row for row in rows if isinstance(row, dict))
