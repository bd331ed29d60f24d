"""How often a bisection by noisy sessions names the right commit, and what that takes.

Simulated walks: a rate falls once among so many commits, by so many times one run's
coefficient of variation. A row per case: `python tests/benchmarks/bisect_walks.py`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from typing import NamedTuple

import numpy as np

from benchbook.sets.bisect import MOST_OF_ENDS, MOST_SESSIONS
from benchmath.changes.bisect import (
    SURE,
    Session,
    belief,
    candidates,
    fall_of,
    next_question,
)

HEAD = "commits  change  CoV  unbuildable | ends shown  right  sessions  builds\n"
MARGIN = 0.02


class Found(NamedTuple):
    """Whether the ends are shown, the commits named, and what that took."""

    shown: bool
    named: tuple[int, ...]
    sessions: int
    builds: int


def search(
    session: Callable[[int], Session],
    commits: int,
    unbuildable: Collection[int] = (),
    most: int = MOST_SESSIONS,
) -> Found:
    """The search of `bisect`: the ends first, then the median of the belief."""
    sessions: list[Session] = []
    for _ in range(MOST_OF_ENDS):
        sessions.append(session(0))
        fall = fall_of(sessions)
        if fall.is_shown or fall.is_within(MARGIN):
            break
    if not fall.is_shown:
        return Found(False, (), len(sessions), 2)
    probabilities, last, asked = belief(commits, sessions), 0, set()
    while len(sessions) < most:
        named, sure = candidates(probabilities, unbuildable)
        if sure >= SURE:
            return Found(True, named, len(sessions), 2 + len(asked))
        last = next_question(probabilities, unbuildable, last)
        asked.add(last)
        sessions.append(session(last))
        probabilities = belief(commits, sessions)
    return Found(True, (), len(sessions), 2 + len(asked))


def walk(
    commits: int, change: float, cov: float, broken: float, rng: np.random.Generator
) -> tuple[bool, bool, int, int]:
    """(ends shown, right, sessions, builds) of one search."""
    first_bad = int(rng.integers(1, commits + 1))
    unbuildable = {
        int(i) for i in np.flatnonzero(rng.random(commits) < broken) if 0 < i < commits
    }
    drop = np.log(1 - change)

    def session(at: int) -> Session:
        noise = rng.normal(0.0, cov, 3)
        good, middle, bad = noise + np.array([0.0, drop * (at >= first_bad), drop])
        return Session(at, middle - (good + bad) / 2 if at else 0.0, bad - good)

    found = search(session, commits, unbuildable)
    return found.shown, first_bad in found.named, found.sessions, found.builds


def main(walks: int = 1000) -> None:
    rng = np.random.default_rng(1)
    sys.stdout.write(HEAD)
    for commits, change, cov, broken in (
        (1000, 0.03, 0.015, 0.0), (1000, 0.03, 0.015, 0.05), (1000, 0.03, 0.03, 0.0),
        (100, 0.03, 0.015, 0.0), (10, 0.03, 0.015, 0.0), (1000, 0.03, 0.003, 0.0),
        (100, 0.0, 0.015, 0.0),
    ):  # fmt: skip
        done = [walk(commits, change, cov, broken, rng) for _ in range(walks)]
        shown = [one for one in done if one[0]]
        right = np.mean([one[1] for one in shown]) if shown else float("nan")
        middle = [np.median([one[i] for one in shown or done]) for i in (2, 3)]
        sys.stdout.write(
            f"{commits:7} {change:7.1%} {cov:4.1%} {broken:11.0%} | "
            f"{len(shown) / walks:10.1%} {right:6.1%} {middle[0]:9.0f} {middle[1]:7.0f}\n"
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
