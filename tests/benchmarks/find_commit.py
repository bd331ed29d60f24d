"""One of many commits is slower: who names it, how often wrongly, in how many runs?

A simulated machine measures one run of one commit at a time: its own noise of one stddev
of 1.5%, and, where it drifts, a pace that wanders by as much over minutes.
Every tool asks it as its documentation says:

- Benchbook's `bisect`: sessions of three runs side by side, the ends first
- `git bisect run` with a judge, which measures the good end and the commit, ten runs
  each, one after the other, and calls the commit bad if it is slower: by the ratio of
  hyperfine, further from 1 than its stddev; by benchstat's Mann-Whitney U at .05; by
  Brunner and Munzel's test of the package benchstats, at .0005
- `asv find`: the mean of ten runs of a commit, once; of two halves that with the larger
  step
- git-bayesect (its class, where it is installed): a run fails if it is slower than
  halfway between ten runs of either end; until a commit is 95% sure

`git bisect` and `asv find` name a commit whatever there is, so without a change each name
is a false alarm.

    python tests/benchmarks/find_commit.py --seed 1 --series 200
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pandas as pd
from bisect_walks import search
from scipy import stats
from script import arguments, show

from benchmath.changes.bisect import SURE, Session

COV = 0.015
RUNS = 10  # of a side, where a tool does not choose
MEMORY = 50  # runs after which a drifting machine has forgotten its pace
MOST = 1000  # runs that anyone may take
COMMITS = 1000


class Machine:
    """Logarithms of the times of runs; counts the runs, and the commits that it built."""

    def __init__(
        self, first_bad: int, change: float, drifts: bool, random: np.random.Generator
    ) -> None:
        self.first_bad, self.step = first_bad, np.log1p(change)
        self.random, self.drift = random, COV * drifts
        self.pace, self.runs = self.drift * random.normal(), 0
        self.built: set[int] = set()

    def run(self, *commits: int) -> np.ndarray:
        """Runs side by side: what a moment does to one, it does to all."""
        self.runs += len(commits)
        self.built |= set(commits)
        keep = 1 - len(commits) / MEMORY
        wander = self.drift * np.sqrt(1 - keep**2)
        self.pace = keep * self.pace + wander * self.random.normal()
        slower = self.step * (np.array(commits) >= self.first_bad)
        return slower + self.pace + COV * self.random.normal(size=len(commits))

    def runs_of(self, commit: int) -> np.ndarray:
        """Ten, one after the other."""
        return np.concatenate([self.run(commit) for _ in range(RUNS)])


Named = int | None  # the commit, or none
Judge = Callable[[np.ndarray, np.ndarray], bool]


def benchbook(machine: Machine, last: int) -> Named:
    """`bisect`: nothing is asked that the ends do not show."""

    def session(at: int) -> Session:
        good, middle, bad = -machine.run(0, at, last)
        return Session(at, middle - (good + bad) / 2 if at else 0.0, bad - good)

    return next(iter(search(session, last, most=MOST // 3).named), None)


def git_bisect(judge: Judge) -> Callable[[Machine, int], Named]:
    """`git bisect run`, which believes every answer."""

    def halving(machine: Machine, last: int) -> Named:
        good, bad = 0, last
        while bad - good > 1:
            middle = (good + bad) // 2
            if judge(machine.runs_of(0), machine.runs_of(middle)):
                bad = middle
            else:
                good = middle
        return bad

    return halving


def by_hyperfine(base: np.ndarray, me: np.ndarray) -> bool:
    """Slower by more than the stddev that is printed beside the ratio."""
    a, b = np.exp(base), np.exp(me)
    ratio = b.mean() / a.mean()
    error = ratio * np.hypot(a.std(ddof=1) / a.mean(), b.std(ddof=1) / b.mean())
    return bool(ratio - 1 > error)


def by_benchstat(base: np.ndarray, me: np.ndarray) -> bool:
    """Mann-Whitney U, and the median slower."""
    p = stats.mannwhitneyu(base, me).pvalue
    return bool(p < 0.05 and np.median(me) > np.median(base))


def by_benchstats(base: np.ndarray, me: np.ndarray) -> bool:
    """Brunner and Munzel, one-sided; of runs that do not overlap it is sure."""
    if base.max() < me.min() or me.max() < base.min():
        return bool(base.max() < me.min())
    return bool(stats.brunnermunzel(base, me, alternative="less").pvalue < 0.0005)


def asv_find(machine: Machine, last: int) -> Named:
    """A commit's value is measured once; the search goes where the larger step is."""
    values: dict[int, float] = {}

    def value(commit: int) -> float:
        if commit not in values:
            values[commit] = float(np.exp(machine.runs_of(commit)).mean())
        return values[commit]

    low, high = 0, last
    while high - low > 1:
        middle = (low + high) // 2
        before = value(middle) - value(low)
        behind = value(high) - value(middle)
        low, high = (low, middle) if before >= behind else (middle, high)
    return high


def git_bayesect(machine: Machine, last: int) -> Named:
    """Its own class; its index 0 is the newest commit."""
    import git_bayesect as peer

    halfway = (machine.runs_of(0).mean() + machine.runs_of(last).mean()) / 2
    bisector = peer.Bisector(np.ones(last + 1))
    while machine.runs < MOST:
        sure = bisector.distribution
        if sure.max() >= SURE:
            return last - int(sure.argmax())
        at = bisector.select()
        bisector.record(at, bool(machine.run(last - at)[0] > halfway))
    return None


def searches() -> dict[str, Callable[[Machine, int], Named]]:
    """By the names of the tools; what is not installed is left out."""
    tools: dict[str, Callable[[Machine, int], Named]] = {
        "benchbook bisect": benchbook,
        "git bisect, hyperfine": git_bisect(by_hyperfine),
        "git bisect, benchstat": git_bisect(by_benchstat),
        "git bisect, benchstats": git_bisect(by_benchstats),
        "asv find": asv_find,
    }
    try:
        import git_bayesect as _  # noqa: F401
    except ImportError:
        return tools
    return tools | {"git-bayesect": git_bayesect}


class Walk(NamedTuple):
    """Whether anything was named, and the right commit; runs and commits built."""

    named: bool
    right: bool
    runs: int
    builds: int


def table_of(seed: int, walks: int, change: float, drifts: bool) -> pd.DataFrame:
    """A row per tool: shares in %, medians of runs and builds."""
    rows = []
    for name, look in searches().items():
        random = np.random.default_rng([seed, round(1000 * change), drifts])
        done = []
        for _ in range(walks):
            first_bad = int(random.integers(1, COMMITS + 1))
            machine = Machine(first_bad, change, drifts, random)
            found = look(machine, COMMITS)
            right = change > 0 and found == first_bad
            done.append(Walk(found is not None, right, machine.runs, len(machine.built)))
        frame = pd.DataFrame(done)
        shares = {
            "named": 100 * frame["named"].mean(),
            "right": 100 * frame["right"].mean(),
            "wrong": 100 * (frame["named"] & ~frame["right"]).mean(),
        }
        middle = frame[["runs", "builds"]].median().to_dict()
        rows.append({"tool": name, **shares, **middle})
    return pd.DataFrame(rows)


def main() -> None:
    asked = arguments(__doc__, 200)
    for change in (0.05, 0.03, 0.0):
        for drifts in (False, True):
            title = f"{change:.0%} slower at one of {COMMITS} commits, noise {COV:.1%}"
            title += ", in a pace that drifts" if drifts else ""
            show(title, table_of(asked.seed, asked.series, change, drifts))


if __name__ == "__main__":
    main()
