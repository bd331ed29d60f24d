"""Writes api.qmd and library/ anew, after a public name or a docstring has changed.

python tests/helpers/api_page.py
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import benchbook
from benchbook import charts, tables
from benchbook.posts.api import FOLDER, api_pages
from benchbook.templates import common

ROOT = Path(__file__).parents[2]


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
