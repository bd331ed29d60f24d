"""How often is a true change found among 42 tests, and how many finds are false?

Reports of 42 steps of 7 versions, noise 1%; the last version is compared with the
first, and 42 p-values are judged together by Benjamini and Hochberg's procedure.
"""

from collections.abc import Callable, Iterable

import numpy as np
import pandas as pd
import peers
from reports import Report, again_frame, draw, metric_frame, step_noise
from script import arguments, show

from benchmath.ratios.floor import noise_floor
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import MARGIN, verdicts

STEPS, VERSIONS = 42, 7
VERDICTS = ("improved", "regressed", "equivalent", "undecided", "no interval")
# Which of the 42 steps changed, and to which ratio.
CHANGES: dict[str, tuple[int, float]] = {
    "one -5%": (1, 0.95),
    "one -3%": (1, 0.97),
    "ten -5%": (10, 0.95),
    "none": (0, 1.0),
}


def welch(values: np.ndarray) -> np.ndarray:
    """p of Welch's test on the logarithms of the two versions."""
    return peers.welch_p(values[:, :, -1], values[:, :, 0])


def two_versions(values: np.ndarray) -> np.ndarray:
    """benchbook's p from the runs of the two versions."""
    return _last_p(values[:, :, [0, -1]])


def seven_versions(values: np.ndarray) -> np.ndarray:
    """benchbook's p from all runs of the machine."""
    return _last_p(values)


METHODS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "Welch": welch,
    "pooled variance, 7 versions": peers.pooled_p,
    "benchbook, 2 versions": two_versions,
    "benchbook, 7 versions": seven_versions,
}


def power(
    seed: int, reports: int, runs: Iterable[int] = (3, 5), names: Iterable[str] = CHANGES
) -> pd.DataFrame:
    """Found and false, in %, per number of runs, change and method.

    Columns: runs, change, method; found, of the true changes; false_share, mean share
    of false ones among the flagged of a report (FDR; 0 if none is flagged); any_false,
    of the reports.
    """
    rows: list[dict[str, object]] = []
    for n in runs:
        for i, name in enumerate(names):
            changed, ratio = CHANGES[name]
            report = Report(
                versions=VERSIONS, trials=n, steps=STEPS,
                changed={VERSIONS - 1: ratio}, changed_steps=range(changed),
            )  # fmt: skip
            random = np.random.default_rng([seed, i, n])
            values = draw(report, step_noise(report, reports, random), random)
            for method, p_of in METHODS.items():
                flagged = peers.rejected(p_of(values))
                row = {"runs": n, "change": name, "method": method}
                rows.append(row | _errors(flagged, changed))
    return pd.DataFrame(rows)


def verdict_rates(
    seed: int, cases: int, runs: Iterable[int] = (1, 3, 5, 10), cov: float = 0.01
) -> pd.DataFrame:
    """Share of each verdict in %, per true ratio and runs a side, at the margin.

    One run a side has the noise of ten A/A runs of its step.
    """
    rows: list[dict[str, object]] = []
    for i, ratio in enumerate((1.0, 0.99, 0.98, 0.97, 0.95)):
        for n in runs:
            random = np.random.default_rng([seed, i, n])
            rates = _rates(ratio, n, cases, cov, random)
            rows.append({"true ratio": f"{ratio:.2f}", "runs": n, **rates})
    return pd.DataFrame(rows)


def _last_p(values: np.ndarray) -> np.ndarray:
    """p of the last version against the first: an array of machines and steps."""
    table = relative(metric_frame(values), {"version": "v0"})
    last = table[table["version"] == f"v{values.shape[2] - 1}"]
    p = np.full(values.shape[:2], np.nan)
    machine, step = (last[c].str[1:].astype(int) for c in ("machine", "step"))
    p[machine, step] = last["p"]
    return p


def _errors(flagged: np.ndarray, changed: int) -> dict[str, float]:
    """``flagged``: reports, steps; the first ``changed`` steps did change."""
    false = flagged[:, changed:].sum(axis=1)
    found = flagged[:, :changed].mean() if changed else np.nan
    shares = false / np.maximum(flagged.sum(axis=1), 1)
    return {
        "found": 100 * found,
        "false_share": 100 * shares.mean(),
        "any_false": 100 * (false > 0).mean(),
    }


def _rates(
    ratio: float, runs: int, cases: int, cov: float, random: np.random.Generator
) -> dict[str, float]:
    report = Report(versions=2, trials=runs, cov=cov, changed={1: ratio})
    run_sd = step_noise(report, cases, random)
    frame = metric_frame(draw(report, run_sd, random))
    floor = None
    if runs == 1:
        again = Report(versions=2, trials=5, cov=cov)
        floor = noise_floor(again_frame(draw(again, run_sd, random)))
    table = verdicts(relative(frame, {"version": "v0"}, floor=floor), MARGIN)
    share = 100 * table["verdict"].value_counts(normalize=True)
    return {verdict: float(share.get(verdict, 0.0)) for verdict in VERDICTS}


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=300)
    size = f"seed {asked.seed}, {peers.versions()}"
    show(
        f"Found and false after Benjamini-Hochberg, in %: {asked.series} reports, {size}",
        power(asked.seed, asked.series),
    )
    cases = 4 * asked.series
    show(
        f"Verdicts in %, margin {MARGIN:.0%}, noise 1%: {cases} comparisons, {size}",
        verdict_rates(asked.seed, cases),
    )


if __name__ == "__main__":
    main()
