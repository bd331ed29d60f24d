"""What people write into a post: kept where they wrote it, or refused, never dropped.

A page records of each cell that it makes what it wrote there. A Markdown cell that it did
not write is somebody's and stays behind the cell that it stands behind. A cell that is
not as it was written was edited; what would be written over is refused with where it
belongs. Cells tagged `hand-written` are kept by ``keep_hand_written``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping

from nbformat import NotebookNode

from benchbook.audit.executed import OWN_CELL
from benchbook.posts.clean import is_edited
from benchbook.posts.folds import HAND_WRITTEN
from benchmath.errors import UserError

RECORD = "cells"  # in the notebook's own metadata, by the id of the cell
_IN_STUDY = {
    "front-matter": "title, description, date and categories",
    "answer": "description", "label": "label", "whose": "sources",
}  # fmt: skip
_FIRST = 60  # letters of an edited text that a sentence shows


def record(page: NotebookNode, before: NotebookNode | None = None) -> dict[str, str]:
    """What was written into each cell: its digest, by id; of nobody's own cells."""
    own = {cell.id for cell in additions(before)} if before else set()
    return {
        cell.id: _digest(cell)
        for cell in page.cells
        if cell.id not in own and not _is_hand_written(cell)
    }


def hand_written(page: NotebookNode, before: NotebookNode | None) -> list[NotebookNode]:
    """The cells whose text is a person's: those tagged and edited, and those that were
    added to the page as it was ``before``."""
    added = {cell.id for cell in additions(before)} if before else set()
    markdown = [cell for cell in page.cells if cell.cell_type == "markdown"]
    return [cell for cell in markdown if cell.id in added or is_edited(cell)]


def additions(before: NotebookNode) -> list[NotebookNode]:
    """The cells of a post that it did not make; none of one that recorded nothing."""
    made = _recorded(before)
    return [
        cell
        for cell in before.cells
        if made and cell.id not in made and not _is_hand_written(cell)
        and cell.source.strip()
    ]  # fmt: skip


def check_edits(before: NotebookNode, where: str, template: str) -> None:
    """UserError for an edit that executing the post again would drop."""
    for cell in additions(before):
        if cell.cell_type != "markdown":
            raise UserError(
                f"{where}: {_shown(cell.source)} is a cell that executing the post would "
                f"drop: code belongs into notebooks/{template}.ipynb, text into a "
                "Markdown cell; `--discard` drops it"
            )
    for cell in _edited(before):
        raise UserError(
            f"{where}: {_shown(cell.source)} was edited and would be written over: "
            f"{_place(cell, template)}; `--discard` drops the edit"
        )


def with_additions(page: NotebookNode, before: NotebookNode | None) -> None:
    """Put cells that somebody added behind the ones that they stand behind."""
    for cell, earlier in _behind(before) if before else ():
        there = {mine.id: n for n, mine in enumerate(page.cells)}
        if cell.id in there or cell.cell_type != "markdown":
            continue
        at = next((there[name] + 1 for name in earlier if name in there), 1)
        page.cells.insert(at, cell)


def _behind(before: NotebookNode) -> Iterator[tuple[NotebookNode, list[str]]]:
    """Each added cell, with the ids of those before it, the nearest first."""
    added = {cell.id for cell in additions(before)}
    for n, cell in enumerate(before.cells):
        if cell.id in added:
            yield cell, [mine.id for mine in reversed(before.cells[:n])]


def _edited(before: NotebookNode) -> Iterator[NotebookNode]:
    made = _recorded(before)
    for cell in before.cells:
        if cell.id in made and made[cell.id] != _digest(cell):
            yield cell


def _recorded(notebook: NotebookNode) -> Mapping[str, str]:
    made = notebook.metadata.get("benchbook", {}).get(RECORD, {})
    return made if isinstance(made, Mapping) else {}


def _place(cell: NotebookNode, template: str) -> str:
    """Where what was written into this cell belongs."""
    if cell.id in _IN_STUDY:
        return f"write {_IN_STUDY[cell.id]} in study.yml"
    if cell.cell_type == "code":
        return f"{OWN_CELL}; its code is in notebooks/{template}.ipynb"
    return f"{OWN_CELL}, or for all posts in notebooks/{template}.ipynb"


def _shown(source: str) -> str:
    text = " ".join(source.split())
    return repr(text if len(text) <= _FIRST else f"{text[:_FIRST]}...")


def _is_hand_written(cell: NotebookNode) -> bool:
    return HAND_WRITTEN in cell.metadata.get("tags", [])


def _digest(cell: NotebookNode) -> str:
    """Of its source, and of the text among its outputs: pictures nobody edits."""
    texts = [
        output.get("text") or output.get("data", {}).get("text/markdown", "")
        for output in cell.get("outputs", [])
    ]
    whole = json.dumps([cell.source.strip(), *texts])
    return hashlib.sha256(whole.encode()).hexdigest()[:12]
