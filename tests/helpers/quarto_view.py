"""A post as Quarto reads it: the markdown that it makes of the cells, through pandoc.

After `mdFromCodeCell`, `parse_floatreftargets` and `resolvePathGlobs` of Quarto 1.9.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pypandoc
from nbformat import NotebookNode
from ruamel.yaml import YAML

FLOATS = ("fig", "tbl", "lst")  # what a label or an id makes a numbered thing


@dataclass(frozen=True)
class Div:
    """A div of the document: what Quarto tells a numbered table or figure by."""

    id: str
    attributes: dict[str, str]
    ends_in_text: bool

    @property
    def numbered(self) -> bool:
        return self.id.partition("-")[0] in FLOATS

    @property
    def captioned(self) -> bool:
        """A table's is an option of its cell; a last paragraph would be taken for one."""
        if self.id.startswith("fig-"):
            return self.ends_in_text
        return "tbl-cap" in self.attributes and not self.ends_in_text


def options_of(cell: NotebookNode) -> dict[str, Any]:
    """The options in the first lines of a code cell."""
    lines = re.match(r"(#\|.*(?:\n|$))*", cell.source)[0].splitlines()
    return YAML(typ="safe").load("\n".join(line[2:].strip() for line in lines)) or {}


def divs_of(notebook: NotebookNode) -> list[Div]:
    """The divs of the document that Quarto's filters get."""
    text = "\n\n".join(_markdown(cell) for cell in notebook.cells[1:])
    return list(_divs(json.loads(pypandoc.convert_text(text, "json", "markdown"))))


def classes_of(notebook: NotebookNode) -> set[str]:
    """Every class of the HTML that outputs hold, and of the divs written by hand."""
    html = (output.data.get("text/markdown", "") for output in _displayed(notebook))
    names = {n for text in html for c in re.findall(r'\sclass="([^"]*)"', text)
             for n in c.split()}  # fmt: skip
    written = "\n".join(c.source for c in notebook.cells if c.cell_type == "markdown")
    return names | set(re.findall(r"^:::+ \{.*?\.([\w-]+)", written, re.MULTILINE))


def files_of(root: Path, globs: list[str]) -> set[str]:
    """What Quarto publishes as it is: without a leading slash, from every folder."""
    anchored = (g[1:] if g.startswith("/") else f"**/{g}" for g in globs)
    paths = (path for glob in anchored for path in root.glob(glob) if path.is_file())
    return {path.relative_to(root).as_posix() for path in paths}


def _displayed(notebook: NotebookNode) -> Iterator[NotebookNode]:
    outputs = (o for c in notebook.cells for o in c.get("outputs", []))
    return (output for output in outputs if "data" in output)


def _markdown(cell: NotebookNode) -> str:
    if cell.cell_type != "code":
        return str(cell.source)
    options = options_of(cell)
    gone = {"remove-cell", "hide-cell"} & set(cell.metadata.get("tags", []))
    if gone or options.get("include") is False:
        return ""
    label, alone = options.get("label", ""), len(cell.outputs) == 1
    on_output = bool(label) and alone and not label.startswith("tbl-")
    name = cell.id if on_output or not label else label
    captions = (f" {k}={json.dumps(v)}" for k, v in options.items() if k == "tbl-cap")
    parts = [f"::: {{#{name} .cell{''.join(captions)}}}"]
    for output in cell.outputs:
        mark = f"#{label} " if on_output and not _image(output) else ""
        parts += [f"::: {{{mark}.cell-output}}", _text(output)]
        parts += [options.get("fig-cap", "")] if mark else []
        parts += [":::"]
    return "\n\n".join([*parts, ":::"])


def _image(output: NotebookNode) -> bool:
    return any(kind.startswith("image/") for kind in output.get("data", {}))


def _text(output: NotebookNode) -> str:
    data = output.get("data", {"text/plain": output.get("text", "")})
    if "text/markdown" in data:
        return str(data["text/markdown"])
    return "![](picture)" if _image(output) else f"```\n{data['text/plain']}\n```"


def _divs(tree: Any) -> Iterator[Div]:
    if isinstance(tree, dict):
        if tree.get("t") == "Div":
            (name, _, pairs), blocks = tree["c"]
            text = len(blocks) > 1 and blocks[-1]["t"] == "Para"
            yield Div(name, dict(pairs), text)
        tree = list(tree.values())
    if isinstance(tree, list):
        for part in tree:
            yield from _divs(part)
