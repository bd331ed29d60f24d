"""Do 95% intervals of a ratio hold the truth in 95% of cases, and how wide are they?

Seven versions of 42 steps, the last three 5% slower; the last is compared with the
first. All columns see the same runs: of the two versions alone, of all versions of the
step, or of all versions and steps of the machine.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import peers
from noise_kinds import Random
from reports import Report, again_frame, draw, metric_frame, rebuilt_frame, step_noise
from script import arguments, show

from benchmath.ratios.floor import noise_floor
from benchmath.ratios.relative import relative

TRUTH = 0.95
STEPS, VERSIONS = 42, 7
RUNS = (1, 3, 5, 10, 20)
Bounds = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Case:
    """Simulated runs with what they were drawn from."""

    report: Report
    run_sd: np.ndarray
    values: np.ndarray
    random: Random

    def two(self) -> np.ndarray:
        """First and last version, each step of each machine as a machine of its own."""
        return self.all()[:, :, [0, -1]]

    def all(self) -> np.ndarray:
        """All versions, each step of each machine as a machine of its own."""
        return self.values.reshape(-1, 1, *self.values.shape[2:])


def simulated(report: Report, series: int, random: Random) -> Case:
    """``series`` comparisons, rounded to whole machines."""
    machines = max(1, round(series / report.steps))
    run_sd = step_noise(report, machines, random)
    return Case(report, run_sd, draw(report, run_sd, random), random)


def welch(case: Case) -> Bounds:
    """Welch on the logarithms of the two versions; nothing for one run."""
    base, me = np.moveaxis(case.two()[:, 0], 1, 0)
    if base.shape[-1] == 1:
        return np.full(len(me), np.nan), np.full(len(me), np.nan)
    return peers.welch_interval(me, base)


def bootstrap(case: Case) -> Bounds:
    """Percentile bootstrap of the ratio of means of the two versions."""
    base, me = np.moveaxis(case.two()[:, 0], 1, 0)
    return peers.bootstrap_interval(me, base, case.random)


def two_versions(case: Case) -> Bounds:
    """benchbook, from the runs of the two versions."""
    return _last_version(case, case.two())


def seven_versions(case: Case) -> Bounds:
    """benchbook, from the runs of all versions of the step."""
    return _last_version(case, case.all())


def forty_two_steps(case: Case) -> Bounds:
    """benchbook, from all runs of the machine."""
    return _last_version(case, case.values)


def calibrated(case: Case) -> Bounds:
    """benchbook, from the two versions and ten A/A runs of each step of the machine."""
    quiet = replace(case.report, versions=2, trials=5, steps=1, loud=1.0, changed={})
    again = draw(quiet, case.run_sd.reshape(-1, 1), case.random)
    return _last_version(case, case.two(), noise_floor(again_frame(again)))


def builds_on_record(case: Case) -> Bounds:
    """benchbook, from all runs of the machine and those of four builds of one version."""
    arms = replace(case.report, versions=4, trials=3, changed={}, interleaved=False)
    floor = noise_floor(rebuilt_frame(draw(arms, case.run_sd, case.random)))
    return _last_version(case, case.values, floor)


METHODS: dict[str, Callable[[Case], Bounds]] = {
    "Welch": welch,
    "bootstrap": bootstrap,
    "2 versions": two_versions,
    "7 versions": seven_versions,
    "42 steps": forty_two_steps,
    "calibrated": calibrated,
    "four builds": builds_on_record,
}
USUAL = [name for name in METHODS if name != "four builds"]


def scored(case: Case, methods: Iterable[str] = METHODS) -> Iterator[dict[str, object]]:
    """One row per method: coverage, mean half-width, share without interval, all in %."""
    for method in methods:
        low, high = METHODS[method](case)
        known = np.isfinite(low)
        held = (low <= TRUTH) & (high >= TRUTH)
        yield {
            "noise": case.report.kind,
            "runs": case.report.trials,
            "method": method,
            "coverage": 100 * held[known].mean() if known.any() else np.nan,
            "half_width": 50 * (high - low)[known].mean() if known.any() else np.nan,
            "silent": 100 * (1 - known.mean()),
        }


def coverage(
    seed: int,
    series: int,
    kinds: Iterable[str] = ("normal", "skewed", "correlated"),
    runs: Iterable[int] = RUNS,
    methods: Iterable[str] = USUAL,
    **options: Any,
) -> pd.DataFrame:
    """The scores of each method, per kind of noise and number of runs a side.

    ``options`` are those of a Report. The noise differs by half from step to step.
    """
    methods = list(methods)
    slower = {version: TRUTH for version in range(VERSIONS // 2 + 1, VERSIONS)}
    rows: list[dict[str, object]] = []
    for i, kind in enumerate(kinds):
        for n in runs:
            report = Report(
                versions=VERSIONS, trials=n, steps=STEPS, kind=kind, changed=slower,
                **{"steps_differ": 0.5, **options},
            )  # fmt: skip
            random = np.random.default_rng([seed, i, n])
            rows += scored(simulated(report, series, random), methods)
    return pd.DataFrame(rows)


def printed(scores: pd.DataFrame) -> pd.DataFrame:
    """A column per method: coverage and the half-width, both in %."""
    known = scores["coverage"].notna()
    texts = [
        f"{row.coverage:.1f} ±{row.half_width:.2f}" if row_known else "none"
        for row, row_known in zip(scores.itertuples(), known, strict=True)
    ]
    table = scores.assign(text=texts)
    order = list(dict.fromkeys(scores["method"]))
    wide = table.pivot(index=["noise", "runs"], columns="method", values="text")
    kinds = list(dict.fromkeys(scores["noise"]))
    return wide[order].reindex(kinds, level="noise").reset_index()


def _last_version(
    case: Case, values: np.ndarray, floor: pd.DataFrame | None = None
) -> Bounds:
    """The intervals of the last version, in the order of machines and steps."""
    frame = metric_frame(values, case.report.interleaved)
    table = relative(frame, {"version": "v0"}, floor=floor)
    last = table[table["version"] == f"v{values.shape[2] - 1}"]
    machine = last["machine"].str[1:].astype(int)
    order = np.lexsort((last["step"].str[1:].astype(int), machine))
    bounds = last[["low", "high"]].to_numpy(dtype=float)[order]
    return bounds[:, 0], bounds[:, 1]


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=2100)

    def shown(title: str, *about: Any, **options: Any) -> None:
        show(title, printed(coverage(asked.seed, asked.series, *about, **options)))

    size = f"{asked.series} comparisons, seed {asked.seed}"
    shown(
        f"Coverage and half-width of 95% intervals in %: {size}\n{peers.versions()}\n"
        "Trials of the versions interleaved; correlated: AR(1) of 0.3 from run to run",
        interleaved=True,
    )
    some = (3, 5, 10)
    shown("All trials of a version in a row", ["correlated"], some)
    shown("Slow drift, interleaved", ["drift"], some, interleaved=True)
    shown("The last version is four times as noisy", ["normal"], some, loud=4.0)
    shown(
        "Builds differ by 1% (four builds: of one version, three runs each, on record)",
        ["normal"], some, ["Welch", "7 versions", "42 steps", "four builds"],
        build_sd=0.01,
    )  # fmt: skip


if __name__ == "__main__":
    main()
