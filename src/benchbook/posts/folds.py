"""What of a page is open: the finding, one chart, one table. The rest opens on a click.

The page's first chart is open wherever it stands, and a cell tagged `open` as well, by
which a template says that its curve is the question.

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
from itertools import groupby

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

from benchbook.raw_html import fenced
from benchmath.prose import counted

HAND_WRITTEN = "hand-written"
OPEN = "open"
LONG = 20  # rows: a longer table opens on a click
_NAMED = 3  # of what is in a fold
_HEADING = re.compile(r"\A\s*#{2,3} [^\n]*")
_NO_ROWS = re.compile(r"<tbody[^>]*>\s*</tbody>")
_BODY = re.compile(r"<tbody.*?</tbody>", re.DOTALL)
_TABLE = re.compile(
    r"<table\b.*?(?:</table>|\Z)|^\|(?:\s*:?-+:?\s*\|)+\s*$", re.MULTILINE | re.DOTALL
)
_TITLE = re.compile(r"gt_title[^>]*>(.*?)</t[dh]>", re.DOTALL)
_CHART = re.compile(
    r'<figure class="bb-(?:chart|flame)".*?(?:aria-label="([^"]*)"|</figure>|\Z)',
    re.DOTALL,
)
_END = fenced("</details>", "{=html}")


def folded(cells: Sequence[NotebookNode]) -> list[NotebookNode]:
    """The cells of a page with all folded that is not its first section.

    Of the first section one chart and one short table are open.
    """
    opening, *sections = _sections(cells)
    kept = [list(_not_vacant(one)) for one in sections if _says_something(one)]
    charts = [c for section in kept for c in section if _charts(c) and not _is_long(c)]
    first = charts[0].id if charts else ""
    page = list(opening)
    for number, section in enumerate(kept):
        page += _first_open(section, first) if number == 0 else _closed(section, first)
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


def _first_open(section: Sequence[NotebookNode], first: str) -> list[NotebookNode]:
    """Open until a chart and a table were shown; a long table is not."""
    tables = charts = 0
    for n, cell in enumerate(section):
        if _is_long(cell):
            return [*section[:n], *_wrapped(section[n:], section[0].id, first)]
        tables, charts = tables + len(_tables(cell)), charts + len(_charts(cell))
        if tables and charts:
            rest = section[n + 1 :]
            return [*section[: n + 1], *_wrapped(rest, section[0].id, first)]
    return list(section)


def _closed(section: Sequence[NotebookNode], first: str) -> list[NotebookNode]:
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
    return [title, *_wrapped(rest, heading.id, first)]


def _wrapped(
    cells: Sequence[NotebookNode], name: str, first: str
) -> Iterator[NotebookNode]:
    """The cells, those that are not open between the ends of folds."""
    parts = groupby(cells, lambda cell: cell.id == first or OPEN in _tags(cell))
    number = 0
    for is_open, part in parts:
        inside = list(part)
        if is_open or not any(map(_shows, inside)):
            yield from inside
            continue
        number += 1
        fold = f"{name}-{number}" if number > 1 else name
        yield new_markdown_cell(_begin(_contents(inside)), id=f"{fold}-fold")
        yield from inside
        yield new_markdown_cell(_END, id=f"{fold}-end")


def _contents(cells: Sequence[NotebookNode]) -> str:
    """What a fold holds: ``Throughput over time, table of 9 rows``."""
    names = [name for cell in cells for name in (*_charts(cell), *_tables(cell))]
    more = len(names) - _NAMED
    return ", ".join([*names[:_NAMED], *([f"{more} more"] if more > 0 else [])])


def _begin(summary: str) -> str:
    words = f"<summary>{html.escape(summary)}</summary>"
    return fenced(f'<details class="bb-fold">\n{words}', "{=html}")


def _tags(cell: NotebookNode) -> list[str]:
    tags: list[str] = cell.metadata.get("tags", [])
    return tags


def _is_hand_written(cell: NotebookNode) -> bool:
    return HAND_WRITTEN in _tags(cell)


def _shows(cell: NotebookNode) -> bool:
    return bool(_tables(cell) or _charts(cell))


def _is_long(cell: NotebookNode) -> bool:
    """Has one of its tables more rows than a reader takes in?"""
    texts = _texts(cell)
    return any(b.count("<tr") > LONG for text in texts for b in _BODY.findall(text))


def _texts(cell: NotebookNode) -> list[str]:
    outputs = cell.get("outputs", [])
    return [output.get("data", {}).get("text/markdown", "") for output in outputs]


def _tables(cell: NotebookNode) -> list[str]:
    """What each of its tables is called."""
    return [_name(table) for text in _texts(cell) for table in _TABLE.findall(text)]


def _name(table: str) -> str:
    title = _TITLE.search(table)
    rows = sum(body.count("<tr") for body in _BODY.findall(table))
    size = counted(rows, "row")
    if title:
        words = html.unescape(re.sub("<[^>]*>", "", title[1])).strip()
        return f"{words} ({size})"
    return f"table of {size}" if rows else "table"


def _charts(cell: NotebookNode) -> list[str]:
    """What each of its charts is called."""
    kinds = [kind for o in cell.get("outputs", ()) for kind in o.get("data", ())]
    names = [name for text in _texts(cell) for name in _CHART.findall(text)]
    pictures = sum(kind.startswith("image/") for kind in kinds)
    return [html.unescape(name) or "chart" for name in (*names, *[""] * pictures)]
