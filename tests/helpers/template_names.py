"""What each template's notebook calls, read from its cells."""

from __future__ import annotations

import re

import nbformat
from places import ROOT

ROOMS = ("bb", "charts", "common", "own", "tables")
_CALL = re.compile(rf"\b({'|'.join(ROOMS)})\.(\w+)")


def calls_of(template: str) -> set[tuple[str, str]]:
    """(what it is called by, name) of everything that the notebook's cells use."""
    path = ROOT / "notebooks" / f"{template}.ipynb"
    cells = nbformat.read(path, as_version=4).cells  # type: ignore[no-untyped-call]
    return set(_CALL.findall("\n".join(c.source for c in cells if c.cell_type == "code")))


TEMPLATES = sorted(path.stem for path in (ROOT / "notebooks").glob("*.ipynb"))
CALLS = {template: calls_of(template) for template in TEMPLATES}
NAMES_OF_TEMPLATES = {t: {name for _, name in calls} for t, calls in CALLS.items()}
