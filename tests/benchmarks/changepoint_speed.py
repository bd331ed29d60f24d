"""How long does a changepoint detector take, and how does that grow with the series?

Series of commits whose level alternates by 8% every 200 points, in heavy-tailed noise
(Student's t, 3 degrees of freedom) of 2%. Best time of several, one thread, with the
significance tests; beside it the ratio to sorting 200,000 doubles in the same minute,
which carries over between machines. Compiling is not in it: it is cached. How many kinds
of noise ours weighs depends on the series: hence the mean of several and the longest.
"""

import os

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMBA_NUM_THREADS"):
    os.environ[name] = "1"  # before NumPy is imported

import time  # noqa: E402
from collections.abc import Callable, Iterable  # noqa: E402

import numpy as np  # noqa: E402
import pandas as pd  # noqa: E402
import peers  # noqa: E402
from script import arguments, show  # noqa: E402

from benchmath.changes.commits.detector import CommitShifts  # noqa: E402

LENGTHS = (100, 200, 500, 1000, 2000, 5000, 10_000)
SEEDS = 8
PATIENCE = (
    1.0  # seconds a detector may take for one series before longer ones are left out
)
DETECTORS: dict[str, Callable[[np.ndarray], list[int]]] = {
    "benchbook": lambda series: CommitShifts().fit_predict(series)[:-1],
    "KernelCPD rbf": peers.kernel_cpd,
    "Pelt l2": peers.pelt,
}


def alternating(n: int, random: np.random.Generator) -> np.ndarray:
    """n points whose level is 8% higher in every second stretch of 200."""
    level = 1 + 0.08 * (np.arange(n) // 200 % 2)
    return 1000 * level * (1 + 0.02 * random.standard_t(3, n) / np.sqrt(3))


def best_seconds(call: Callable[[], object], times: int) -> float:
    """The shortest of so many calls, after one that does not count."""
    call()
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        taken.append(time.perf_counter() - start)
    return min(taken)


def sort_seconds() -> float:
    """Sorting 200,000 random doubles, the yardstick."""
    values = np.random.default_rng(0).random(200_000)
    return best_seconds(lambda: np.sort(values), 20)


def otava_seconds(series: np.ndarray, times: int) -> float:
    """Of one series in Otava's own process, without what it takes to start that."""
    one = best_seconds(lambda: peers.otava([series]), 3)
    return (best_seconds(lambda: peers.otava([series] * (times + 1)), 3) - one) / times


def growth(seconds: dict[int, float]) -> float:
    """The exponent of the time over the length, from 500 points on."""
    long = {n: s for n, s in seconds.items() if n >= 500}
    if len(long) < 2:
        return np.nan
    slope = np.polyfit(np.log(list(long)), np.log(list(long.values())), 1)[0]
    return float(slope)


def timed(clock: Callable[[np.ndarray], float], seed: int) -> dict[int, float]:
    """Seconds by length, until a series takes too long."""
    seconds: dict[int, float] = {}
    for n in LENGTHS:
        seconds[n] = clock(alternating(n, np.random.default_rng([seed, n])))
        if seconds[n] > PATIENCE:
            break
    return seconds


def mean_and_longest(
    clock: Callable[[np.ndarray], float], seeds: Iterable[int]
) -> tuple[dict[int, float], dict[int, float]]:
    """Over series of these seeds, by the lengths that all of them were asked for."""
    found = [timed(clock, seed) for seed in seeds]
    columns = {
        n: [one[n] for one in found] for n in LENGTHS if all(n in f for f in found)
    }
    return (
        {n: float(np.mean(seconds)) for n, seconds in columns.items()},
        {n: max(seconds) for n, seconds in columns.items()},
    )


def clocks(times: int) -> dict[str, Callable[[np.ndarray], float]]:
    """What times one series, by detector; without Otava where it is not installed."""
    found: dict[str, Callable[[np.ndarray], float]] = {
        name: lambda series, detect=detect: best_seconds(lambda: detect(series), times)
        for name, detect in DETECTORS.items()
    }
    if peers.otava([]) is not None:
        found["Otava"] = lambda series: otava_seconds(series, times)
    return found


def main() -> None:
    """One table, a row per detector and length."""
    asked = arguments(__doc__, series=7)
    sort = sort_seconds()
    rows = []
    for name, clock in clocks(asked.series).items():
        mean, longest = mean_and_longest(clock, range(asked.seed, asked.seed + SEEDS))
        for n, took in mean.items():
            figures = 1000 * took, 1000 * longest[n], took / sort, growth(mean)
            rows.append((name, n, *(f"{figure:.2f}" for figure in figures)))
    columns = ["detector", "points", "ms", "longest", "sorts", "exponent"]
    table = pd.DataFrame(rows, columns=columns)
    show(f"best of {asked.series}; a sort takes {1000 * sort:.2f} ms", table)
    peers.hint()
    print(f"\n{peers.versions()}")  # noqa: T201


if __name__ == "__main__":
    main()
