"""Runs of one file that were told to do other work: they are no trials of each other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence


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
