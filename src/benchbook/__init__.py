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
    from benchbook.sets.verbs import changes as changes
    from benchbook.sets.verbs import check as check
    from benchbook.sets.verbs import compare as compare
    from benchbook.sets.verbs import load as load
    from benchbook.store.query import query as query

# jsonschema imports them where they are installed (JupyterLab brings them): two seconds
# of every command and notebook, to check URIs and durations, of which there are none
# here. None: not to be had.
for _format in ("rfc3987_syntax", "rfc3986_validator", "uri_template", "isoduration"):
    sys.modules.setdefault(_format, None)  # type: ignore[arg-type]

_WHERE = {
    "load": "sets.verbs",
    "compare": "sets.verbs",
    "changes": "sets.verbs",
    "check": "sets.verbs",
    "collect": "results.collect",
    "history": "sets.history",
    "query": "store.query",
}
_ROOMS = ("charts", "tables", "templates")
__all__ = [*_WHERE, *_ROOMS]


def __getattr__(name: str) -> Any:
    """A public name, out of the module that has it."""
    from importlib import import_module

    if name in _ROOMS:
        return import_module(f"benchbook.{name}")
    if name in _WHERE:
        return getattr(import_module(f"benchbook.{_WHERE[name]}"), name)
    raise AttributeError(f"module 'benchbook' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
