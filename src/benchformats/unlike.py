"""Runs that are no trials of each other: too much of one failed, or it did other work."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

_MOST = 0.01  # of a run's operations
# Figures that say what a run's work was: of others its rates are not to be compared.
SETTINGS = frozenset(
    ("table_size", "tables", "entries", "key_size", "value_size", "write_rate",
     "read_rate")
)  # fmt: skip


def too_many_failed(failed: float, done: float) -> str:
    """Why a run's rates are not read; '' where no more failed than may.

    >>> too_many_failed(99000, 1000), too_many_failed(1, 99)
    ('a run of which 99,000 of 100,000 operations failed', '')
    """
    tried = failed + done
    if failed <= _MOST * tried:
        return ""
    return f"a run of which {failed:,.0f} of {tried:,.0f} operations failed"


def differing(runs: Sequence[tuple[Hashable, Mapping[str, str]]]) -> list[dict[str, str]]:
    """Of each run, a cell and its settings, those in which runs of that cell differ.

    >>> differing([("a", {"rows": "1"}), ("a", {"rows": "2"}), ("b", {"rows": "2"})])
    [{'rows': '1'}, {'rows': '2'}, {}]
    """
    said: dict[tuple[Hashable, str], set[str]] = {}
    names = list(dict.fromkeys(name for _, settings in runs for name in settings))
    for cell, settings in runs:
        for name in names:
            said.setdefault((cell, name), set()).add(settings.get(name, ""))
    return [
        {name: value for name, value in settings.items() if len(said[cell, name]) > 1}
        for cell, settings in runs
    ]
