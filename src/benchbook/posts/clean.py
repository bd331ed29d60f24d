"""An executed notebook as a post: front matter, and outputs that need no other host.

Quarto adds scripts from a CDN to every notebook page that has a text/html output, so
nothing here leaves one behind: HTML becomes markdown holding a raw html block, and a
chart becomes a static SVG beside the spec that site/charts.js makes interactive.
"""

from __future__ import annotations

import hashlib
import html
import json
import logging
import re
from collections.abc import Iterable, Mapping, Sequence
from copy import copy, deepcopy
from dataclasses import dataclass, field
from typing import Any

from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell, new_output, new_raw_cell

from benchbook.escaped import markdown_text, set_aside, shown
from benchbook.finding import MIME_KEY
from benchbook.posts.folds import HAND_WRITTEN, folded
from benchbook.raw_html import chart_block, fenced, own_ids, shared_looks
from benchbook.study.published import Source
from benchmath.errors import UserError

VEGALITE = "application/vnd.vegalite.v5+json"
FINDING, HIDDEN = "finding", "remove-cell"
FRONT, ANSWER = "front-matter", "answer"  # ids of the first cells
SHORTCODE = "{{<"
SUMMARY = 240  # letters of a description

# Prefixes of what Quarto numbers: a cell whose id has one is a table or figure to it.
NUMBERED = re.compile(
    r"(fig|tbl|lst|eq|sec|thm|lem|cor|prp|cnj|def|exm|exr|sol|rem|alg|dia|"
    r"nte|tip|wrn|imp|cau)-"
)

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Head:
    """What a post says about itself before its first cell."""

    title: str
    description: str = ""
    date: str = ""
    categories: tuple[str, ...] = ()
    label: str = ""
    listed: Mapping[str, str] = field(default_factory=dict)  # what lists show of it
    answer: bool = False  # was the description written by hand? It comes first, then.
    sources: tuple[Source, ...] = ()  # whose figures they are, where they are published


def cleaned(executed: NotebookNode) -> NotebookNode:
    """The same cells and results, without times, paths and scripts of other hosts."""
    notebook = deepcopy(executed)
    language = NotebookNode(name="python")
    notebook.metadata = NotebookNode(kernelspec=_kernel(), language_info=language)
    notebook.cells = [_cell(cell, n) for n, cell in enumerate(notebook.cells, start=1)]
    _begin_with_text(notebook.cells)
    _share_looks(notebook.cells)
    return notebook


def framed(notebook: NotebookNode, head: Head, data: str) -> NotebookNode:
    """The post: front matter and answer before the cells, links to the data after them.

    What qualifies the answer (it is of a demo, of somebody else's figures) comes behind
    it: behind the finding, where no description was written by hand.
    """
    answer = [new_markdown_cell(answer_text(head.description), id=ANSWER)]
    first = [new_raw_cell(front_matter(head), id=FRONT), *answer * head.answer]
    behind = []
    if head.label:
        behind.append(new_markdown_cell(_div("callout-note", head.label), id="label"))
    if head.sources:
        behind.append(new_markdown_cell(sources_text(head.sources), id="whose"))
    at = 0 if head.answer else _after_finding(notebook.cells)
    body = [*notebook.cells[:at], *behind, *notebook.cells[at:]]
    page = copy(notebook)
    page.cells = [*first, *folded(body), new_markdown_cell(data, id="data")]
    return page


def answer_text(description: str) -> str:
    """The first cell that is read: what was found."""
    return _div("bb-answer", description)


def with_texts(front: str, texts: Mapping[str, str]) -> str:
    """The front matter with other texts in the lines of their keys."""
    lines = []
    for line in front.splitlines():
        key = line.partition(":")[0]
        lines.append(_line(key, texts[key]) if key in texts else line)
    return "\n".join(lines)


def _line(key: str, value: object) -> str:
    return f"{key}: {json.dumps(value, ensure_ascii=False)}"


def _div(name: str, text: str) -> str:
    return f"::: {{.{name}}}\n{text}\n:::"


def _after_finding(cells: Sequence[NotebookNode]) -> int:
    tagged = [FINDING in cell.metadata.get("tags", []) for cell in cells]
    return tagged.index(True) + 1 if any(tagged) else 0


def sources_text(sources: Sequence[Source]) -> str:
    """Who published the figures of a page that measures nothing, where and when."""
    texts = [f"{s.author}, [{s.title}]({s.url}) ({s.date})" for s in sources]
    whose = f"The figures are those of {'; '.join(texts)}."
    return f"{whose} They are recomputed here, not measured again."


def front_matter(head: Head) -> str:
    """The YAML that Quarto reads, its texts as Markdown; JSON strings are YAML."""
    fields = {
        "title": head.title,
        "description": head.description,
        "date": head.date,
        "categories": list(head.categories),
        **{name: markdown_text(value) for name, value in head.listed.items()},
    }
    lines = [_line(k, v) for k, v in fields.items() if v]
    return "\n".join(["---", *lines, "---"])


def finding(notebook: NotebookNode) -> str:
    """The sentence of the cell tagged `finding`, as plain text."""
    for cell in notebook.cells:
        if FINDING not in cell.metadata.get("tags", []):
            continue
        text = cell.source if cell.cell_type == "markdown" else _said(cell.outputs)
        paragraphs = [p for p in text.split("\n\n") if p.strip() and p.lstrip()[0] != "#"]
        if paragraphs:
            return _beginning(_plain(paragraphs[0]))
    return ""


def keep_hand_written(notebook: NotebookNode, before: NotebookNode | None) -> None:
    """Put back what a person wrote into cells tagged `hand-written`, matched by id.

    A cell that still holds the template's text of its time takes the template's new one.
    """
    cells = before.cells if before else []
    edited = {cell.id: cell.source for cell in cells if is_edited(cell)}
    for cell in notebook.cells:
        if HAND_WRITTEN in cell.metadata.get("tags", []):
            cell.metadata["default"] = _digest(cell.source)
            cell.source = edited.get(cell.id, cell.source)


def is_edited(cell: NotebookNode) -> bool:
    """Does it hold something else than the template's text of its time?"""
    default = cell.metadata.get("default")
    return bool(default) and default != _digest(cell.source)


def page_id(name: str) -> str:
    """The id that a cell of the template has on the page: none that Quarto numbers.

    It would show the cell under "Table 1", without a caption or with a sentence as one.
    """
    return f"cell-{name}"[:64] if NUMBERED.match(name) else name


def _kernel() -> NotebookNode:
    return NotebookNode(name="python3", display_name="Python 3", language="python")


def _cell(cell: NotebookNode, number: int) -> NotebookNode:
    """Without times and paths."""
    tags = list(cell.metadata.get("tags", []))
    if "injected-parameters" in tags:
        tags, cell.id = [*tags, HIDDEN], "injected-parameters"
    cell.metadata = NotebookNode(tags=tags) if tags else NotebookNode()
    if cell.cell_type == "code":
        cell.id = page_id(cell.id)
        outputs = [
            _output(o, cell, f"c{number}o{i}") for i, o in enumerate(cell.outputs, 1)
        ]
        cell.outputs = [output for output in outputs if output]
    return cell


def _output(output: NotebookNode, cell: NotebookNode, prefix: str) -> NotebookNode | None:
    if output.output_type == "stream":
        if output.name == "stdout":
            coded = SHORTCODE in output.text
            return _markdown(_verbatim(output.text)) if coded else output
        logger.warning("not in the post, from stderr of a cell: %s", output.text.strip())
        return None
    if output.output_type == "error":
        raise UserError(f"a cell failed: {output.ename}: {output.evalue}", exit_code=1)
    data = output.data
    if VEGALITE in data:
        return _markdown(chart_block(data[VEGALITE], prefix, _caption(cell)))
    if "text/markdown" in data:
        claims = output.get("metadata", {})
        return _markdown(data["text/markdown"], raw=False, metadata=claims)
    if "text/html" in data:
        return _markdown(_html(data["text/html"], prefix))
    for kind in ("image/svg+xml", "image/png", "text/plain"):
        if kind in data:
            if kind == "text/plain" and SHORTCODE in data[kind]:
                return _markdown(_verbatim(data[kind]))
            return new_output("display_data", data={kind: _image(data[kind])})
    raise UserError(
        f"an output of kind {', '.join(data)} cannot be published; "
        "show a table, a chart, an image or text"
    )


def _markdown(
    text: str, raw: bool = True, metadata: Mapping[str, Any] | None = None
) -> NotebookNode:
    """With what a sentence claims, which the page does not show."""
    markdown = fenced(text.strip(), "{=html}") if raw else text
    claims = {MIME_KEY: metadata[MIME_KEY]} if metadata and MIME_KEY in metadata else {}
    data = {"text/markdown": markdown}
    return new_output("display_data", data=data, metadata=claims)


def _html(text: str, prefix: str) -> str:
    """HTML that stays on this host; a table scrolls inside a container of its own."""
    if re.search(r"<script|<iframe|<(link|img)[^>]+//", text):
        raise UserError(
            "an output runs a script or loads from another host; Altair's charts do "
            'neither after alt.renderers.enable("mimetype")'
        )
    kind = "bb-table" if "<table" in text else "bb-html"
    return f'<div class="{kind}">\n{own_ids(text, prefix)}\n</div>'


def _verbatim(text: str) -> str:
    """Text as HTML: Quarto obeys shortcodes in code and output too."""
    return f"<pre>{html.escape(text, quote=False)}</pre>"


def _image(text: str) -> str:
    """matplotlib writes the time of day into its SVG files."""
    return re.sub(r"\s*<metadata>.*?</metadata>", "", text, flags=re.DOTALL)


def _begin_with_text(cells: list[NotebookNode]) -> None:
    """Hide the set-up above the first thing to read; the question is the title."""
    for cell in cells:
        if cell.cell_type == "markdown":
            cell.source = re.sub(r"\A\s*# [^\n]*\n*", "", cell.source)
        content = cell.source.strip() if cell.cell_type == "markdown" else cell.outputs
        tag = "hide-code" if content else HIDDEN
        cell.metadata["tags"] = sorted({*cell.metadata.get("tags", []), tag})
        if content:
            return


def _share_looks(cells: Iterable[NotebookNode]) -> None:
    known: dict[str, str] = {}
    for output in (output for cell in cells for output in cell.get("outputs", ())):
        data = output.get("data", {})
        if "text/markdown" in data:
            data["text/markdown"] = shared_looks(data["text/markdown"], known)


def _caption(cell: NotebookNode) -> str:
    match = re.search(r"^#\| fig-(?:alt|cap):\s*(.+)$", cell.source, re.MULTILINE)
    return match[1].strip("\"' ") if match else ""


def _said(outputs: Iterable[NotebookNode]) -> str:
    for output in outputs:
        data = output.get("data", {})
        text = data.get("text/markdown") or data.get("text/plain") or output.get("text")
        if text:
            return str(text).strip("'\"")
    return ""


def _plain(markdown: str) -> str:
    """Without the markup of a sentence; its names stay escaped."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", markdown)
    text = re.sub("`([^`]*)`", lambda code: set_aside(code[1]), text)
    markup = r"\*\*|__|`|</?code>|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)"
    return shown(" ".join(re.sub(markup, "", text).split()))


def _beginning(text: str) -> str:
    """The first sentences, as many as a list of posts has room for."""
    beginning, *rest = re.split(r"(?<=[.!?]) (?=[A-Z])", text)
    for sentence in rest:
        if len(beginning) + len(sentence) > SUMMARY:
            break
        beginning += f" {sentence}"
    return beginning


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
