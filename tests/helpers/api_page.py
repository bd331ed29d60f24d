"""Writes api.qmd anew, after a public name or a docstring has changed.

python tests/helpers/api_page.py
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

import benchbook
from benchbook import charts, tables
from benchbook.posts.api import api_page
from benchbook.templates import common

ROOT = Path(__file__).parents[2]
FILE = ROOT / "api.qmd"


def modules() -> dict[str, ModuleType]:
    """What a notebook imports, by what it calls it; a template's own by its title."""
    found = {"bb": benchbook, "charts": charts, "tables": tables, "common": common}
    for folder in sorted((ROOT / "src/benchbook/templates").glob("*/__init__.py")):
        name = folder.parent.name
        found[f"own-{name}"] = import_module(f"benchbook.templates.{name}")
    return found


def page() -> str:
    """The page of the library as it is."""
    return api_page(modules())


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
