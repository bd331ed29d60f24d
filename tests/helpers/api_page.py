"""Writes api.qmd anew, after a public name or a docstring has changed.

python tests/helpers/api_page.py
"""

from __future__ import annotations

from pathlib import Path

from benchbook import charts, notebook, tables
from benchbook.posts.api import api_page

FILE = Path(__file__).parents[2] / "api.qmd"


def page() -> str:
    """The page of the library as it is."""
    return api_page({"bb": notebook, "charts": charts, "tables": tables})


if __name__ == "__main__":
    FILE.write_text(page(), encoding="utf-8")
