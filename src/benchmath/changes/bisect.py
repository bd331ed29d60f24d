"""Where in a row of commits a rate fell: a search by answers that may be wrong.

Each session measures three commits side by side: the first one, which is good, the last
one, which is bad, and one between them. Its answer is how far the middle one lies from
halfway between the ends, on a logarithmic scale. A walk that halves the commits by each
answer cannot recover from a wrong one. Here every answer only moves a belief, the
probability of each commit to be the first bad one, and the next question is asked at its
median (probabilistic bisection: Horstein 1963; Waeber, Frazier and Henderson 2013).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from benchmath.intervals import half_width, student_p

LEAST_SESSIONS = 3  # that tell how far the ends differ by chance
ENDS_ERROR = 0.01  # that ends are called different which are not, over all looks
SURE = 0.97  # of the commit that is named; simulated walks are right a little less often
SETTLED = 0.9  # of an answer, before another commit is asked: each has to be built


class Session(NamedTuple):
    """Logarithms of what one session says; ``at`` is the commit in the middle, or 0."""

    at: int
    middle: float  # of the middle commit over the geometric mean of the ends
    ends: float  # of the last commit over the first


@dataclass(frozen=True)
class Fall:
    """How much the last commit is below the first: ratio with interval, and its p."""

    ratio: float
    low: float
    high: float
    p: float
    sessions: int

    @property
    def is_shown(self) -> bool:
        """Over all looks: the errors that single ones may make add up to ENDS_ERROR."""
        n = self.sessions
        return n >= LEAST_SESSIONS and self.ratio < 1 and self.p < _share(n)

    def is_within(self, margin: float) -> bool:
        """Whether the interval leaves out a fall by the margin: there is none to find."""
        return self.sessions >= LEAST_SESSIONS and self.low > 1 - margin


def _share(n: int) -> float:
    """Of the error of all looks, what that after ``n`` sessions may use."""
    first = LEAST_SESSIONS
    return ENDS_ERROR * (first - 1) / (n * (n - 1))


def fall_of(sessions: Sequence[Session]) -> Fall:
    """The mean of the sessions' ratios of the ends, with Student's interval."""
    ends = np.array([one.ends for one in sessions])
    n, mean = len(ends), float(ends.mean())
    if n < 2:
        return Fall(float(np.exp(mean)), 0.0, np.inf, 1.0, n)
    error = float(ends.std(ddof=1) / np.sqrt(n))
    half = float(half_width(np.array(error), n - 1))
    low, high = np.exp([mean - half, mean + half])
    p = float(student_p(np.exp(mean), error, n - 1))
    return Fall(float(np.exp(mean)), float(low), float(high), p, n)


def belief(commits: int, sessions: Sequence[Session]) -> np.ndarray:
    """The probability of each commit, 1 to ``commits``, to be the first bad one.

    Element 0 is the good end, which is never it. All were alike before the first answer.
    An answer is distributed as Student's t around half of what the ends differ by, above
    or below; the ends, which all sessions have, tell how far and how wide.
    """
    ends = np.array([one.ends for one in sessions])
    half = -float(ends.mean()) / 2
    # Of one rate the variance is s2: of the ends' ratio 2 s2, of the middle's 1.5 s2.
    variance = float(ends.var(ddof=1)) * (0.75 + 0.25 / len(ends))
    df = len(ends) - 1
    logs = np.zeros(commits + 1)
    for one in sessions:
        if not one.at:
            continue
        good, bad = (
            -(df + 1) / 2 * np.log1p((one.middle - side) ** 2 / (df * variance))
            for side in (half, -half)
        )
        logs[1 : one.at + 1] += bad
        logs[one.at + 1 :] += good
    logs[0] = -np.inf
    weights = np.exp(logs - logs.max())
    return weights / weights.sum()


def next_question(
    probabilities: np.ndarray, broken: Collection[int] = (), last: int = 0
) -> int:
    """The commit to ask about, 0 where nothing is left to ask.

    The nearest to the median of the belief that is not ``broken``; the one asked ``last``
    until its answer is settled.
    """
    is_bad = np.cumsum(probabilities)
    if last and 1 - SETTLED < is_bad[last] < SETTLED:
        return last
    end = len(probabilities) - 1
    there = [i for i in range(1, end) if i not in broken]
    if not there:
        return 0
    return min(there, key=lambda i: abs(is_bad[i] - 0.5))


def candidates(
    probabilities: np.ndarray, broken: Collection[int] = ()
) -> tuple[tuple[int, ...], float]:
    """The commits of which one is the first bad one, and how probable that is.

    One commit, or those that cannot be told apart: the broken ones and the next that can
    be measured.
    """
    end = len(probabilities) - 1
    groups: list[list[int]] = [[]]
    for i in range(1, end + 1):
        groups[-1].append(i)
        if i not in broken:
            groups.append([])
    best = max(filter(None, groups), key=lambda group: probabilities[group].sum())
    return tuple(best), float(probabilities[best].sum())
