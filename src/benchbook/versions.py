"""The order of versions: 5.7 < 8.0 < 10.2 < 10.11 < 18beta1 < 18.0.

It is used where nobody says an order; a study's versions stand as the study lists them.
"""

import re
from collections.abc import Iterable

# What precedes a release, in the order in which it is published.
_BEFORE = ("dev", "preview", "alpha", "beta", "rc")
_ONE_NUMBER = {"postgres": 10}  # from that version on a branch is its first number
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


def begins_with(version: str, first: str) -> bool:
    """Is it that version, or one of its releases? 15.20 is of 15, 1.50 is not."""
    return version == first or version.startswith(f"{first}.")


def branch(engine: str, version: str) -> str:
    """What changes with a feature release: 17.11 of Postgres to 17, others to 10.11."""
    parts = version.split(".")
    first = int(parts[0]) if parts[0].isdigit() else 0
    return parts[0] if first >= _ONE_NUMBER.get(engine, 10**9) else ".".join(parts[:2])


def _part(part: str) -> tuple[int, int, str]:
    if part.isdigit():
        return _NUMBER, int(part), ""
    if part in _BEFORE:
        return _PRERELEASE, _BEFORE.index(part), ""
    return _WORD, 0, part
