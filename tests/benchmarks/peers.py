"""What others would do with the same numbers: intervals, tests, changepoint detectors.

Vectorised: the last axis holds the runs, the others the simulated comparisons.
"""

import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from importlib import metadata
from pathlib import Path

import numpy as np
import ruptures
from scipy import stats

LEVEL = 0.95
_HERE = Path(__file__).parent
_ROOT = _HERE.parent.parent
_INSTALL = (
    "Otava is left out. To install it: python3 -m venv build/otava && "
    "build/otava/bin/pip install -r tests/benchmarks/requirements.txt"
)


def welch_interval(me: np.ndarray, base: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Ratio of geometric means: Welch's interval on the logarithms."""
    found = stats.ttest_ind(np.log(me), np.log(base), axis=-1, equal_var=False)
    interval = found.confidence_interval(LEVEL)
    return np.exp(interval.low), np.exp(interval.high)


def bootstrap_interval(
    me: np.ndarray, base: np.ndarray, random: np.random.Generator, resamples: int = 1000
) -> tuple[np.ndarray, np.ndarray]:
    """Ratio of arithmetic means: percentile interval, both sides resampled."""
    ratios = np.array(
        [_resampled(me, random) / _resampled(base, random) for _ in range(resamples)]
    )
    tail = 100 * (1 - LEVEL) / 2
    low, high = np.percentile(ratios, [tail, 100 - tail], axis=0)
    return low, high


def welch_p(me: np.ndarray, base: np.ndarray) -> np.ndarray:
    """Two-sided p of Welch's test on the logarithms."""
    return stats.ttest_ind(np.log(me), np.log(base), axis=-1, equal_var=False).pvalue


def pooled_p(values: np.ndarray) -> np.ndarray:
    """Two-sided p of the last version against the first, variance pooled over all.

    ``values``: ..., versions, runs.
    """
    logs = np.log(values)
    count, runs = logs.shape[-2:]
    error = np.sqrt(logs.var(axis=-1, ddof=1).mean(axis=-1) * 2 / runs)
    difference = logs[..., -1, :].mean(axis=-1) - logs[..., 0, :].mean(axis=-1)
    return 2 * stats.t.sf(np.abs(difference / error), count * (runs - 1))


def rejected(p: np.ndarray, alpha: float = 0.05) -> np.ndarray:
    """Benjamini and Hochberg's procedure over the last axis."""
    return stats.false_discovery_control(p, axis=-1, method="bh") <= alpha


def welch_neighbours(values: np.ndarray, groups: np.ndarray) -> list[int]:
    """First indexes of versions that Welch with BH tells from the version before."""
    starts = [int(i) for i in np.flatnonzero(np.diff(groups)) + 1]
    parts = np.split(values, starts)
    pairs = zip(parts[1:], parts[:-1], strict=True)
    p = np.array([welch_p(after, before) for after, before in pairs])
    return [start for start, hit in zip(starts, rejected(p), strict=True) if hit]


def bic_segmentation(values: np.ndarray) -> list[int]:
    """Least squares on the logarithms, the number of levels by BIC (at most 9)."""
    logs = np.log(values)[:, None]
    n = len(values)
    search = ruptures.Dynp(model="l2", min_size=2, jump=1).fit(logs)
    best, chosen = np.inf, [n]
    for changes in range(min(9, n // 2)):
        ends = search.predict(n_bkps=changes) if changes else [n]
        residual = search.cost.sum_of_costs(ends)
        bic = n * np.log(residual / n) + (2 * changes + 2) * np.log(n)
        if bic < best:
            best, chosen = bic, ends
    return [int(end) for end in chosen[:-1]]


def kernel_cpd(values: np.ndarray) -> list[int]:
    """ruptures' KernelCPD, rbf kernel, on standardised logarithms.

    Gamma and penalty are those that scored best with seed 100 of changepoint_score.py.
    """
    search = ruptures.KernelCPD(kernel="rbf", min_size=2, params={"gamma": 0.1})
    return _found(search, values, penalty=0.8)


def pelt(values: np.ndarray) -> list[int]:
    """Pelt with least squares, on standardised logarithms; penalty as above.

    KernelCPD with the linear kernel is the same search in C: the same answers.
    """
    search = ruptures.KernelCPD(kernel="linear", min_size=2)
    return _found(search, values, penalty=8.0)


def otava(series: Iterable[Sequence[float] | np.ndarray]) -> list[list[int]] | None:
    """Otava's defaults on each series; None where it is not installed."""
    python = _otava_python()
    if python is None:
        return None
    lines = "".join(json.dumps([float(v) for v in one]) + "\n" for one in series)
    command = [python, str(_HERE / "otava_lines.py")]
    run = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in run.stdout.splitlines()]


def versions() -> str:
    """The peers and their versions, as one line."""
    found = [f"{name} {metadata.version(name)}" for name in ("ruptures", "scipy")]
    return ", ".join([*found, _otava_version()])


def hint() -> None:
    """Say how to install Otava where it is not."""
    if _otava_python() is None:
        print(f"\n{_INSTALL}")  # noqa: T201


def _otava_python() -> str | None:
    """The interpreter that has Otava: $OTAVA_PYTHON, or that of build/otava."""
    python = Path(os.environ.get("OTAVA_PYTHON", _ROOT / "build/otava/bin/python"))
    return str(python) if python.exists() else None


def _otava_version() -> str:
    python = _otava_python()
    if python is None:
        return "no apache-otava"
    ask = "from importlib.metadata import version; print(version('apache-otava'))"
    run = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True)
    return f"apache-otava {run.stdout.strip()}"


def _resampled(values: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Mean of one resample of each comparison's runs."""
    drawn = random.integers(0, values.shape[-1], values.shape)
    return np.take_along_axis(values, drawn, axis=-1).mean(axis=-1)


def _standardised(values: np.ndarray) -> np.ndarray:
    """Logarithms in units of the noise: of neighbours' differences, robustly."""
    logs = np.log(values)
    noise = stats.median_abs_deviation(np.diff(logs), scale="normal") / np.sqrt(2)
    return (logs / max(float(noise), 1e-9))[:, None]


def _found(search: ruptures.KernelCPD, values: np.ndarray, penalty: float) -> list[int]:
    """Positions at a penalty in units of ln n."""
    ends = search.fit_predict(_standardised(values), pen=penalty * np.log(len(values)))
    return [int(end) for end in ends[:-1]]
