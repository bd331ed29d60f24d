"""Writes api.qmd and library/ anew, after a public name or a docstring has changed.

python tests/helpers/api_page.py

Pages of everything public: signatures and docstrings, as ordinary Markdown.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import benchbook
from benchbook import charts, tables
from benchbook.templates import common

ROOT = Path(__file__).parents[2]
INDEX = "api.qmd"
FOLDER = "library"
_INDEX = """---
title: What a notebook can call
description: Every public function of the library, by subject.
toc: true
---

`import benchbook as bb`, `from benchbook import charts, tables`; a template's notebook
calls `common` and its `own` names of `benchbook.templates`. `help(bb.collect)` says the
same. A frame is a pandas data frame.

"""
_HEAD = """---
title: "{title}"
description: Public functions of the library and their parameters.
toc: true
toc-depth: 2
---

::: {{.bb-api}}

"""
_SPECIAL = re.compile(r"([\\`*_{}\[\]()<>#+!|~@&:$^-])")
_CODE = re.compile(r"``(.+?)``", re.DOTALL)


class _Words:
    """An annotation that prints as it is written."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def api_pages(modules: Mapping[str, ModuleType]) -> dict[str, str]:
    """A page per module and one that leads to them, by the file below the checkout.

    ``modules`` are by the name that a notebook has for each, `own-TEMPLATE` for what a
    template's own notebook calls.
    """
    index = [_INDEX]
    pages = {}
    for name, module in modules.items():
        file = f"{FOLDER}/{name}.qmd"
        public = public_names(module)
        index += [f"## {_title(name)}", "", _contents(file, name, public), ""]
        pages[file] = api_page(name, module)
    return {INDEX: "\n".join(index), **pages}


def api_page(name: str, module: ModuleType) -> str:
    """The page of a module: an entry per function, then its constants."""
    public = public_names(module)
    parts = [_HEAD.format(title=_title(name))]
    parts += [_entry(name, n, f) for n, f in public.items() if callable(f)]
    constants = [f"`{n}`" for n, value in public.items() if not callable(value)]
    if constants:
        parts.append(f"Units and names of columns: {', '.join(constants)}.\n")
    return "\n".join([*parts, ":::\n"])


def _title(name: str) -> str:
    own = name.removeprefix("own-")
    return name if own == name else f"own, of template {own}".replace("_", "-")


def _contents(file: str, module: str, public: Mapping[str, Any]) -> str:
    """The functions of a module as links to their entries."""
    links = [f"[`{n}`]({file}#{module}.{n})" for n, f in public.items() if callable(f)]
    return f"[{module}]({file}): {', '.join(links)}" if links else f"[{module}]({file})"


def public_names(module: ModuleType) -> dict[str, Any]:
    """What a module gives, by name: functions, classes, constants; no modules."""
    names = (n for n in dir(module) if not n.startswith("_") and n != "annotations")
    values = {n: getattr(module, n) for n in sorted(names, key=str.lower)}
    return {n: value for n, value in values.items() if not inspect.ismodule(value)}


def _entry(module: str, name: str, of: Callable[..., Any]) -> str:
    summary, _, rest = (inspect.getdoc(of) or "").partition("\n\n")
    called = module if module.isidentifier() else "own"
    lines = [f"## {name.replace('_', chr(92) + '_')} {{#{module}.{name}}}", ""]
    lines += ["```python", f"{called}.{name}{_signature(of)}", "```", ""]
    lines += [_text(summary), ""]
    if rest:
        lines += ["~~~text", *_harmless(rest), "~~~", ""]
    return "\n".join(lines)


def _signature(of: Callable[..., Any]) -> str:
    try:
        signature = inspect.signature(of)
    except ValueError:  # of a class without one
        return ""
    parameters = [_plain(p) for p in signature.parameters.values()]
    returns = _words(signature.return_annotation)
    written = signature.replace(parameters=parameters, return_annotation=returns)
    return str(written)


def _plain(parameter: inspect.Parameter) -> inspect.Parameter:
    return parameter.replace(annotation=_words(parameter.annotation))


def _words(annotation: Any) -> Any:
    """As it is written; of a frame with its columns the frame."""
    if hasattr(annotation, "__metadata__"):
        annotation = annotation.__origin__
    return _Words(annotation) if isinstance(annotation, str) else annotation


def _text(paragraph: str) -> str:
    """One paragraph; only ``code`` is markup."""
    parts = _CODE.split(" ".join(paragraph.split()))
    return "".join(
        f"`{part}`" if n % 2 else _SPECIAL.sub(r"\\\1", part)
        for n, part in enumerate(parts)
    )


def _harmless(text: str) -> Iterator[str]:
    """The lines; none of them ends the block that they stand in."""
    for line in text.splitlines():
        yield f" {line}" if line.lstrip().startswith("~~~") else line


def modules() -> dict[str, ModuleType]:
    """What a notebook imports, by what it calls it; a template's own by its title."""
    found = {"bb": benchbook, "charts": charts, "tables": tables, "common": common}
    for folder in sorted((ROOT / "src/benchbook/templates").glob("*/__init__.py")):
        name = folder.parent.name
        found[f"own-{name}"] = import_module(f"benchbook.templates.{name}")
    return found


def pages() -> dict[str, str]:
    """The pages of the library as it is, by their files."""
    return api_pages(modules())


def there() -> dict[str, str]:
    """The pages in the checkout."""
    files = [ROOT / "api.qmd", *(ROOT / FOLDER).glob("*.qmd")]
    return {f.relative_to(ROOT).as_posix(): f.read_text("utf-8") for f in files}


if __name__ == "__main__":
    (ROOT / FOLDER).mkdir(exist_ok=True)
    for name in there().keys() - pages().keys():
        (ROOT / name).unlink()
    for name, text in pages().items():
        (ROOT / name).write_text(text, encoding="utf-8")
