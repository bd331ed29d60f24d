"""The order of versions: 5.7 < 8.0 < 10.2 < 10.11 < 18beta1 < 18.0.

It is used where nobody says an order; a study's versions stand as the study lists them.
"""

import re
from collections.abc import Iterable

# What precedes a release, in the order in which it is published.
_BEFORE = {
    word: place
    for place, words in enumerate((
        ("dev", "devel", "nightly", "snapshot", "canary", "edge"),
        ("preview", "pre", "ea", "dmr", "m", "milestone"),
        ("alpha", "a"),
        ("beta", "b"),
        ("rc", "c", "cr"),
    ))
    for word in words
}  # fmt: skip
_LETTERS = frozenset("abcm")  # before a number 3.13.0a1 announces, 1.0.2a alone follows
_ONE_NUMBER = {"postgres": 10}  # from that version on a branch is its first number
_PRERELEASE, _END, _WORD, _NUMBER, _NAME = range(5)

Key = tuple[tuple[int, int, str], ...]


def version_key(version: str) -> Key:
    """A key to sort version strings by.

    Runs of digits count as numbers, so 10.2 < 10.11. A word that announces a release
    comes before it (18devel < 18beta1 < 18rc1 < 18 < 18.0; 3.13.0a1, 1.0-M1, -SNAPSHOT),
    any other word after it (1.0.2 < 1.0.2a).
    Separators and a `v` or word in front of the first number (v8.5, mysql-8.0) do not
    count. What has no number (a branch: main) comes last, by name.
    """
    text = version.lower()
    number = re.search(r"\d", text)
    if not number:
        return ((_NAME, 0, text),)
    parts = re.findall(r"\d+|[a-z]+", text[number.start() :])
    numbered = [*(part.isdigit() for part in parts[1:]), False]
    return (*map(_part, parts, numbered), (_END, 0, ""))


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


def _part(part: str, numbered: bool) -> tuple[int, int, str]:
    """One part of a version; ``numbered`` where a number follows it."""
    if part.isdigit():
        return _NUMBER, int(part), ""
    if part in _BEFORE and (numbered or part not in _LETTERS):
        return _PRERELEASE, _BEFORE[part], ""
    return _WORD, 0, part
