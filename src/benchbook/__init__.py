"""Benchbook: a laboratory for storage-engine and DBMS performance.

A notebook needs this module, `benchbook.tables` and `benchbook.charts`. What it uses is
listed in `benchbook.notebook`, imported at the first use of one of its names, so that the
command starts quickly.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as of typing, which takes as long to import as Python to start
if TYPE_CHECKING:
    from typing import Any

    from benchbook.notebook import *  # noqa: F403

# jsonschema imports it where it is installed (JupyterLab brings it): two seconds of every
# command and notebook, to check IRIs, of which there are none here. None: not to be had.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def __getattr__(name: str) -> Any:
    """A public name, out of `benchbook.notebook`."""
    from importlib import import_module

    rooms = ("charts", "tables")  # asked for before they are imported, as modules
    if name == "__all__" or not (name.startswith("_") or name in rooms):
        notebook = import_module("benchbook.notebook")
        if hasattr(notebook, name):
            return getattr(notebook, name)
    raise AttributeError(f"module 'benchbook' has no attribute {name!r}")


def __dir__() -> list[str]:
    from importlib import import_module

    return [*import_module("benchbook.notebook").__all__, "charts", "tables"]
