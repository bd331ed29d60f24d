"""Do 95% intervals of a geometric mean over the steps of a suite hold the truth?

Steps of one run are measured by one process after one build and one load: a run may be
good or bad in all of them. Then more steps do not make the mean much surer.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd
from peers import LEVEL
from reports import Report, draw, metric_frame, step_noise
from scipy import stats
from script import arguments, show

from benchmath.ratios.suite import suite

STEPS, VERSIONS, TRUTH = 10, 3, 0.97
LUCK = (0.0, 0.005, 0.01)
METHODS = ("t over the steps", "bootstrap of the steps", "benchbook suite")


def suite_coverage(
    seed: int, series: int, runs: Iterable[int] = (3, 5, 10), luck: Iterable[float] = LUCK
) -> pd.DataFrame:
    """Coverage and mean half-width in %, per shared effect, number of runs and method.

    The last of three versions, 3% slower, against the first; noise of a step 1%.
    """
    rows = []
    for i, luck_sd in enumerate(luck):
        for n in runs:
            random = np.random.default_rng([seed, i, n])
            report = Report(
                versions=VERSIONS, trials=n, steps=STEPS, luck_sd=luck_sd,
                interleaved=True, changed={VERSIONS - 1: TRUTH},
            )  # fmt: skip
            values = draw(report, step_noise(report, series, random), random)
            bounds = [_over_steps(values), _resampled(values, random), _ours(values)]
            for method, (low, high) in zip(METHODS, bounds, strict=True):
                row = {"shared %": 100 * luck_sd, "runs": n, "method": method}
                row["coverage"] = 100 * np.mean((low <= TRUTH) & (high >= TRUTH))
                rows.append(row | {"half_width": 50 * np.mean(high - low)})
    return pd.DataFrame(rows)


def _log_ratios(values: np.ndarray) -> np.ndarray:
    """Of each machine and step: the last version over the first."""
    means = np.log(values).mean(axis=-1)
    return means[:, :, -1] - means[:, :, 0]


def _over_steps(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Student's interval that takes the steps' ratios for independent values."""
    found = stats.ttest_1samp(_log_ratios(values), 0, axis=1).confidence_interval(LEVEL)
    return np.exp(found.low), np.exp(found.high)


def _resampled(
    values: np.ndarray, random: np.random.Generator, resamples: int = 1000
) -> tuple[np.ndarray, np.ndarray]:
    """Percentile interval from resampling the steps' ratios."""
    ratios = _log_ratios(values)
    drawn = random.integers(0, STEPS, (resamples, STEPS))
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(ratios[:, drawn].mean(axis=2), [tail, 100 - tail], axis=1)
    return np.exp(low), np.exp(high)


def _ours(values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    table = suite(metric_frame(values, interleaved=True), {"version": "v0"})
    last = table[table["version"] == f"v{VERSIONS - 1}"]
    return last["low"].to_numpy(dtype=float), last["high"].to_numpy(dtype=float)


def main() -> None:
    """Print the table."""
    asked = arguments(__doc__, series=1000)
    size = f"{asked.series} comparisons, seed {asked.seed}"
    scores = suite_coverage(asked.seed, asked.series)
    texts = scores.assign(
        text=[f"{r.coverage:.1f} ±{r.half_width:.2f}" for r in scores.itertuples()]
    )
    table = texts.pivot(index=["shared %", "runs"], columns="method", values="text")
    show(
        f"Geometric mean of {STEPS} steps, noise of a step 1%: {size}\n"
        "Coverage and half-width of 95% intervals in %, by what the steps of a run share",
        table[list(METHODS)].reset_index(),
    )


if __name__ == "__main__":
    main()
