"""Does the interval of a group's median ratio hold the truth?

It goes from the median of the tests' lower ends to that of their upper ends, which asks
nothing of how the tests depend on each other.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from script import arguments, show

from benchmath.ratios.beside import group_medians

ERROR = 0.03  # standard error of a test's logarithm
APART = (0.0, 1.0, 3.0, 10.0)  # standard errors from the middle to the farthest test
TESTS = (6, 9, 10, 11)  # of the published groups
SHARED = (0.0, 0.5, 1.0)  # correlation of the tests' errors


def median_coverage(
    seed: int, series: int, tests: Iterable[int] = TESTS, apart: Iterable[float] = APART
) -> pd.DataFrame:
    """Coverage in % by number of tests, how far apart they are, and correlation."""
    truths = {
        (n, f"evenly by {a:g}"): np.linspace(-a, a, n) * ERROR
        for n in tests
        for a in apart
    }
    truths[9, "5 alike, 4 far above"] = np.repeat([0.0, 1.0], [5, 4])
    return pd.DataFrame(
        {"tests": n, "apart": words, "correlation": shared,
         "coverage": 100 * _covered(truth, shared, series, seed)}
        for (n, words), truth in truths.items()
        for shared in SHARED
    )  # fmt: skip


def _covered(truth: np.ndarray, shared: float, series: int, seed: int) -> float:
    random = np.random.default_rng(seed)
    own = random.standard_normal((series, truth.size))
    error = np.sqrt(shared) * random.standard_normal((series, 1))
    logs = truth + ERROR * (error + np.sqrt(1 - shared) * own)
    judged = pd.DataFrame({
        "me": np.repeat(np.arange(series), truth.size), "base": "", "group": "g",
        "margin": 0.02, "relative": np.exp(logs).ravel(),
        "low": np.exp(logs - 1.96 * ERROR).ravel(),
        "high": np.exp(logs + 1.96 * ERROR).ravel(),
    })  # fmt: skip
    median = group_medians(judged)
    middle = np.median(np.exp(truth))
    return float(np.mean((median["low"] <= middle) & (middle <= median["high"])))


def main() -> None:
    """Print the table."""
    asked = arguments(__doc__, series=2000)
    scores = median_coverage(asked.seed, asked.series)
    table = scores.pivot(index=["tests", "apart"], columns="correlation")["coverage"]
    show(
        f"Median of a group's ratios: {asked.series} groups, seed {asked.seed}\n"
        "Coverage in %, by how many standard errors the farthest test is from the middle "
        "and the correlation of the tests' errors",
        table.reset_index(),
    )


if __name__ == "__main__":
    main()
