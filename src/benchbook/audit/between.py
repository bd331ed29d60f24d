"""Posts against posts: ratios of the same pair and step that exclude each other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

from benchbook.audit.contradiction import Contradiction
from benchbook.sets.measured import Measured
from benchbook.study.published import Explains
from benchmath.hazards.pace import times_slower
from benchmath.prose import number


@dataclass(frozen=True)
class Apart:
    """Two posts that measured the same, and say different things of it."""

    one: Measured
    other: Measured

    def __str__(self) -> str:
        return f"{self.one.me} over {self.one.base}, {self.one.test}"

    @property
    def slower(self) -> str:
        """Whether the machine had another pace for one of them."""
        times = times_slower(self.one.pace_ms, self.other.pace_ms)
        if times == 1:
            return ""
        slow = max(self.one, self.other, key=lambda of: of.pace_ms)
        return f"; the machine was {number(times)} times as slow for {slow.post}"

    @property
    def posts(self) -> frozenset[str]:
        return frozenset((self.one.post, self.other.post))


def apart(measured: Iterable[Measured]) -> list[Apart]:
    """Every two ratios of the same pair and test in two posts that exclude each other.

    A pair counts once, the way in which it came first.
    """
    ways: dict[tuple[frozenset[str], str], str] = {}
    same: dict[tuple[str, str, str], list[Measured]] = {}
    for one in measured:
        way = ways.setdefault((frozenset((one.me, one.base)), one.test), one.me)
        if way == one.me:
            same.setdefault((one.me, one.base, one.test), []).append(one)
    return [
        Apart(one, other)
        for of in same.values()
        for one, other in combinations(of, 2)
        if one.post != other.post and one.excludes(other)
    ]


def between_posts(
    pairs: Sequence[Apart], entries: Sequence[Explains], posts: Iterable[str]
) -> Iterator[Contradiction]:
    """What no entry explains, and entries of ``posts`` that explain nothing."""
    explained = {frozenset((one.post, one.other)) for one in entries}
    for pair in pairs:
        if pair.posts not in explained:
            where = f"posts/{pair.one.post} and posts/{pair.other.post}: {pair}"
            why = "no `explains:` of either study.yml says why"
            gives = f"{pair.other}; {why}{pair.slower}"
            yield Contradiction(where, str(pair.one), gives)
    needed, audited = {pair.posts for pair in pairs}, set(posts)
    for one in entries:
        if {one.post, one.other} <= audited and {one.post, one.other} not in needed:
            where = f"posts/{one.post}/study.yml: explains: {one.other}"
            yield Contradiction(where, one.because, "no ratios that exclude each other")
