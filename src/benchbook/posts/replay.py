"""A template executed in this process, without a kernel: what the page ought to hold.

The display is the kernel's own formatter, so an output has the same kinds of data; what
is shown is kept as it was made too, because a sentence then still has its frames.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from nbformat import NotebookNode, from_dict
from nbformat.v4 import new_output

from benchbook.posts.clean import page_id
from benchmath.errors import UserError

_MAGIC = re.compile(r"^[%!].*$", re.MULTILINE)  # a kernel's own lines


@dataclass(frozen=True)
class Replay:
    """The executed notebook, and the objects shown, by the cell's id on the page."""

    notebook: NotebookNode
    objects: Mapping[str, tuple[Any, ...]]


def replay(template: Path, parameters: Mapping[str, Any], root: Path) -> Replay:
    """Execute the cells of a template in ``root``, as papermill's kernel would."""
    from papermill.iorw import load_notebook_node
    from papermill.parameterize import parameterize_notebook

    notebook = parameterize_notebook(load_notebook_node(str(template)), parameters)
    names: dict[str, Any] = {"__name__": "__main__"}
    every: dict[str, tuple[Any, ...]] = {}
    objects: list[Any] = []
    with contextlib.chdir(root), _displayed(objects.append):
        for cell in notebook.cells:
            if cell.cell_type != "code":
                continue
            objects.clear()
            text = _run(cell.source, names, objects.append)
            cell.outputs = [as_output(thing) for thing in objects]
            if text:
                cell.outputs.insert(0, new_output("stream", name="stdout", text=text))
            every[page_id(cell.id)] = tuple(objects)
    return Replay(notebook, every)


def _run(source: str, names: dict[str, Any], show: Callable[[Any], None]) -> str:
    """Execute a cell; the value of a last expression is shown. Returns what it prints."""
    tree = ast.parse(_MAGIC.sub("", source))
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            exec(compile(tree, "<cell>", "exec"), names)
            if isinstance(last, ast.Expr):
                value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)
                if value is not None:
                    show(value)
    except UserError:
        raise
    except Exception as error:
        what = f"{type(error).__name__}: {error}".splitlines()[0]
        raise UserError(f"cannot be executed again: {what}", 1) from error
    return printed.getvalue()


@contextlib.contextmanager
def _displayed(show: Callable[[Any], None]) -> Iterator[None]:
    """`from IPython.display import display` gives a function that hands things over."""
    from IPython import display as module

    def display(*things: Any, **_: Any) -> None:
        for thing in things:
            show(thing)

    before = module.display
    module.display = display
    try:
        yield
    finally:
        module.display = before


def as_output(thing: Any) -> NotebookNode:
    """As it comes out of a kernel, which sends keys in their order."""
    from IPython.core.formatters import DisplayFormatter

    data, metadata = DisplayFormatter().format(thing)
    sent = json.loads(json.dumps({"data": data, "metadata": metadata}, sort_keys=True))
    return new_output("display_data", **from_dict(sent))
