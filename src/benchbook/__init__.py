"""Benchbook: a laboratory for storage-engine and DBMS performance.

`import benchbook as bb` shows what a person needs; what templates call is in
`benchbook.templates`. A name is imported at its first use, so that the command starts
quickly.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as of typing, which takes as long to import as Python to start
if TYPE_CHECKING:
    from typing import Any

    from benchbook import charts as charts
    from benchbook import tables as tables
    from benchbook import templates as templates
    from benchbook.results.collect import collect as collect
    from benchbook.sets.history import history as history
    from benchbook.store.query import query as query

# jsonschema imports it where it is installed (JupyterLab brings it): two seconds of every
# command and notebook, to check IRIs, of which there are none here. None: not to be had.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]

_WHERE = {
    "collect": "results.collect",
    "history": "sets.history",
    "query": "store.query",
}
__all__ = [*_WHERE, "charts", "tables", "templates"]


def __getattr__(name: str) -> Any:
    """A public name, out of the module that has it."""
    from importlib import import_module

    if name in _WHERE:
        return getattr(import_module(f"benchbook.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'benchbook' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
