"""What of a page is open: the finding, one chart, one table. The rest opens on a click.

A section keeps its heading, so that the contents, links and a search lead to it. What is
below goes into `<details>`, which both renderers leave as it is and which needs no
script; site/folds.js opens it where a link leads into it, and everything to print. What
has nothing in it does not appear at all.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from copy import copy

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from benchbook.raw_html import fenced
from benchmath.prose import counted, listed

HAND_WRITTEN = "hand-written"
LONG = 20  # rows: a longer table opens on a click
_HEADING = re.compile(r"\A\s*#{2,3} [^\n]*")
_NO_ROWS = re.compile(r"<tbody[^>]*>\s*</tbody>")
_BODY = re.compile(r"<tbody.*?</tbody>", re.DOTALL)
_TABLE = re.compile(r"<table\b|^\|(?:\s*:?-+:?\s*\|)+\s*$", re.MULTILINE)
_CHART = re.compile(r'<figure class="bb-(?:chart|flame)"')
_END = fenced("</details>", "{=html}")


def folded(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """The cells of a page with all folded that is not its first section.

    Of the first section one chart and one short table are open.
    """
    opening, *sections = _sections(cells)
    page = list(opening)
    for number, section in enumerate(filter(_says_something, sections)):
        shown = list(_not_vacant(section))
        page += _first_open(shown) if number == 0 else _closed(shown)
    return page


def folded_text(summary: str, markdown: str) -> str:
    """Markdown that opens on a click."""
    return f"{_begin(summary)}\n\n{markdown}\n\n{_END}"


def _sections(cells: Sequence[NotebookNode]) -> list[list[NotebookNode]]:
    """What is before the first heading, then a list for each heading."""
    sections: list[list[NotebookNode]] = [[]]
    for cell in cells:
        if cell.cell_type == "markdown" and _HEADING.match(cell.source):
            sections.append([])
        sections[-1].append(cell)
    return sections


def _says_something(section: Sequence[NotebookNode]) -> bool:
    """Has it an output, a text that a person wrote, or nothing but text?"""
    codes = [cell for cell in section if cell.cell_type == "code"]
    written = [_is_hand_written(cell) for cell in section]
    return not codes or any(written) or any(map(_live_outputs, codes))


def _not_vacant(section: Sequence[NotebookNode]) -> Iterator[NotebookNode]:
    """Without tables of no row, texts of no letter, and cells left with nothing."""
    for cell in section:
        if cell.cell_type != "code" or not cell.outputs:
            yield cell
        elif live := _live_outputs(cell):
            bare = copy(cell)
            bare.outputs = live
            yield bare


def _live_outputs(cell: NotebookNode) -> list[NotebookNode]:
    return [output for output in cell.outputs if not _is_empty(output)]


def _is_empty(output: NotebookNode) -> bool:
    """Is it a text of no letter, or tables none of which has a row?"""
    text = output.get("data", {}).get("text/markdown")
    if text is None:
        return False
    tables = len(_TABLE.findall(text))
    return not text.strip() or 0 < tables == len(_NO_ROWS.findall(text))


def _first_open(section: Sequence[NotebookNode]) -> list[NotebookNode]:
    """Open until a chart and a table were shown; a long table is not."""
    seen = [0, 0]
    for n, cell in enumerate(section):
        if _rows(cell) > LONG:
            return [*section[:n], *_wrapped(section[n:], section[0].id)]
        seen = [a + b for a, b in zip(seen, _shown(cell), strict=True)]
        if all(seen):
            return [*section[: n + 1], *_wrapped(section[n + 1 :], section[0].id)]
    return list(section)


def _closed(section: Sequence[NotebookNode]) -> list[NotebookNode]:
    """The heading, and what is below it folded; what a person wrote is never changed."""
    heading, *rest = section
    if _is_hand_written(heading) or not any(map(_shows, rest)):
        return list(section)
    split = _HEADING.match(heading.source)
    assert split, heading.source
    title, intro = copy(heading), heading.source[split.end() :].strip()
    title.source = split[0].strip()
    if intro:
        rest = [new_markdown_cell(intro, id=f"{heading.id}-intro"), *rest]
    return [title, *_wrapped(rest, heading.id)]


def _wrapped(cells: Sequence[NotebookNode], name: str) -> list[NotebookNode]:
    """The cells between the ends of a fold that says how much is in it."""
    counts = [_shown(cell) for cell in cells]
    totals = [sum(numbers) for numbers in zip(*counts, strict=True)]
    if not any(totals):
        return list(cells)
    kinds = zip(totals, ("table", "chart"), strict=True)
    summary = listed([counted(n, kind) for n, kind in kinds if n])
    begin = new_markdown_cell(_begin(summary), id=f"{name}-fold")
    return [begin, *cells, new_markdown_cell(_END, id=f"{name}-end")]


def _begin(summary: str) -> str:
    words = f"<summary>{html.escape(summary)}</summary>"
    return fenced(f'<details class="bb-fold">\n{words}', "{=html}")


def _is_hand_written(cell: NotebookNode) -> bool:
    return HAND_WRITTEN in cell.metadata.get("tags", [])


def _rows(cell: NotebookNode) -> int:
    """How many rows the bodies of its tables have."""
    outputs = cell.get("outputs", [])
    texts = [o.get("data", {}).get("text/markdown", "") for o in outputs]
    return sum(body.count("<tr") for text in texts for body in _BODY.findall(text))


def _shows(cell: NotebookNode) -> bool:
    return any(_shown(cell))


def _shown(cell: NotebookNode) -> tuple[int, int]:
    """How many tables and charts a cell shows."""
    if cell.cell_type != "code":
        return 0, 0
    tables = charts = 0
    for output in cell.outputs:
        data = output.get("data", {})
        text = data.get("text/markdown", "")
        tables += len(_TABLE.findall(text))
        charts += len(_CHART.findall(text)) + any(k.startswith("image/") for k in data)
    return tables, charts
