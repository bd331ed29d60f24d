"""The order of versions: 5.7 < 8.0 < 10.2 < 10.11 < 18beta1 < 18.0.

It is used where nobody says an order; a study's versions stand as the study lists them.
"""

import re
from collections.abc import Iterable

# What precedes a release, in the order in which it is published.
_BEFORE = ("dev", "preview", "alpha", "beta", "rc")
_PRERELEASE, _END, _WORD, _NUMBER, _NAME = range(5)

Key = tuple[tuple[int, int, str], ...]


def version_key(version: str) -> Key:
    """A key to sort version strings by.

    Runs of digits count as numbers, so 10.2 < 10.11. A word that announces a release
    comes before it (18beta1 < 18 < 18.0), any other word after it (1.0.2 < 1.0.2a).
    Separators and a `v` or word in front of the first number (v8.5, mysql-8.0) do not
    count. What has no number (a branch: main) comes last, by name.
    """
    text = version.lower()
    number = re.search(r"\d", text)
    if not number:
        return ((_NAME, 0, text),)
    parts = re.findall(r"\d+|[a-z]+", text[number.start() :])
    return (*map(_part, parts), (_END, 0, ""))


def in_version_order(versions: Iterable[str]) -> list[str]:
    """The distinct versions, oldest first; equal keys stay in the order given."""
    return sorted(dict.fromkeys(versions), key=version_key)


def _part(part: str) -> tuple[int, int, str]:
    if part.isdigit():
        return _NUMBER, int(part), ""
    if part in _BEFORE:
        return _PRERELEASE, _BEFORE.index(part), ""
    return _WORD, 0, part
