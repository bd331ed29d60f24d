"""One page against itself: description, hand-written text, tables, charts, sentences."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from nbformat import NotebookNode

from benchbook.audit.answer import answer_contradictions, shape_contradictions
from benchbook.audit.cells import ANSWER, claims_of, outputs_of, rows_of_charts, text_of
from benchbook.audit.claims import CHANGES
from benchbook.audit.contradiction import Contradiction
from benchbook.audit.prose import Known, prose_contradictions
from benchbook.finding import NAMES, Claim
from benchmath.prose import listed

_NOTHING_SURE = re.compile(
    r"\b(?:no|none|nothing)\b[^.;]*\b(?:surely|significant|detectabl[ey])\b", re.I
)

_NO_NAMES = ("interval", "note", "verdict", "kind", "says")  # a dot's other texts


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


def page_contradictions(notebook: NotebookNode, known: Known) -> list[Contradiction]:
    """What hand-written text and charts say, against what else the page shows."""
    claims = [claim for _, output in outputs_of(notebook) for claim in claims_of(output)]
    written = {"description": description_of(notebook)} | dict(known.written)
    return [
        *prose_contradictions(written, notebook, known),
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
    """A ratio that is drawn lies in its interval, and is the only one of its name."""
    for n, output in outputs_of(notebook):
        rows = list(rows_of_charts(text_of(output)))
        yield from _namesakes(f"cell {n}", rows)
        for row in rows:
            numbers = [row.get(name) for name in ("low", "relative", "high")]
            ends = [float(v) for v in numbers if isinstance(v, int | float)]
            if len(ends) == 3 and ends != sorted(ends):
                low, ratio, high = ends
                drawn = f"a chart of {ratio:.4g}"
                yield Contradiction(f"cell {n}", drawn, f"[{low:.4g}, {high:.4g}]")


def _namesakes(where: str, rows: Iterable[Mapping[str, Any]]) -> Iterator[Contradiction]:
    """Two ratios under one name: a reader cannot tell which is whose."""
    drawn: dict[str, set[float]] = {}
    for row in rows:
        if isinstance(row.get("relative"), int | float):
            texts = {k: v for k, v in row.items() if isinstance(v, str) or k in NAMES}
            name = " ".join(str(v) for k, v in texts.items() if k not in _NO_NAMES)
            drawn.setdefault(name, set()).add(round(float(row["relative"]), 6))
    for name, ratios in drawn.items():
        if len(ratios) > 1:
            values = listed([f"{ratio:.4g}" for ratio in sorted(ratios)])
            yield Contradiction(where, f"a chart of {name}", f"several: {values}")
