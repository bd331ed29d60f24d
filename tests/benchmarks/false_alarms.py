"""How many series that did not change are called changed?

Repeats of one build share what the build did to them: they are no replicates of the
version. The first table has such series of versions, the second series of commits.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd
import peers
from noise_kinds import KINDS, Random
from reports import Report, draw, metric_frame, rebuilt_frame, step_noise
from script import arguments, show

from benchmath.changes.changepoints import changepoints
from benchmath.ratios.floor import noise_floor
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import CHANGES, verdicts

VERSIONS, REPEATS = 7, 10
BUILD_SD, RUN_SD = 0.01, 0.015
BUILDS_ON_RECORD, RUNS_ON_RECORD = 4, 3
POINTS = 100
# Per series the changes that were called; None where the tool is not installed.
Calls = Sequence[Sequence[object]] | None


def of_versions(seed: int, count: int, build_sd: float = BUILD_SD) -> pd.DataFrame:
    """Per method, without a change: 7 versions of 10 repeats each.

    Columns: alarmed, share in % of series in which anything is called a change; of_six,
    share of the six boundaries, for verdicts of the six versions that are compared with
    the first. Verdicts are calls at 95% each, "family" those that are left after
    Benjamini and Hochberg's procedure over the six.
    """
    random = np.random.default_rng([seed, 0])
    report = Report(versions=VERSIONS, trials=REPEATS, cov=RUN_SD, build_sd=build_sd)
    run_sd = step_noise(report, count, random)
    values = draw(report, run_sd, random)
    floor = _floor(run_sd, build_sd, random)
    build_sds = _by_machine(floor)["build_sd"].to_numpy(dtype=float)
    series = values.reshape(count, -1)
    groups = np.repeat(np.arange(VERSIONS), REPEATS)
    calls: dict[str, Calls] = {
        "Otava, its defaults": peers.otava(series),
        "Welch + BH, neighbours": [peers.welch_neighbours(y, groups) for y in series],
        "least squares, BIC": [peers.bic_segmentation(y) for y in series],
        "KernelCPD, rbf": [peers.kernel_cpd(y) for y in series],
        "benchbook changepoints": [changepoints(y, groups) for y in series],
        "benchbook changepoints, floor on record": [
            changepoints(y, groups, floor_sd=sd)
            for y, sd in zip(series, build_sds, strict=True)
        ],
    }
    for name, known in (("", None), (", floor on record", floor)):
        table = relative(metric_frame(values), {"version": "v0"}, floor=known)
        calls |= {
            f"benchbook verdicts{name}": _changed(table),
            f"benchbook family{name}": _flagged(table),
        }
    return _alarmed(calls).assign(
        of_six=[
            np.nan if found is None else 100 * np.mean([len(f) for f in found]) / 6
            for found in calls.values()
        ]
    )


def of_commits(
    seed: int, count: int, kinds: Sequence[str] = ("normal", "correlated")
) -> pd.DataFrame:
    """Share of series alarmed in %, per method and kind of noise: 100 points."""
    tables = []
    for i, kind in enumerate(kinds):
        random = np.random.default_rng([seed, 1, i])
        series = 1000 * np.exp(0.01 * KINDS[kind](random, (count, POINTS)))
        calls: dict[str, Calls] = {
            "Otava, its defaults": peers.otava(series),
            "Pelt, least squares": [peers.pelt(y) for y in series],
            "KernelCPD, rbf": [peers.kernel_cpd(y) for y in series],
            "benchbook changepoints": [changepoints(y) for y in series],
        }
        tables.append(_alarmed(calls, kind).set_index("method"))
    return pd.concat(tables, axis=1).reset_index()


def _floor(run_sd: np.ndarray, build_sd: float, random: Random) -> pd.DataFrame:
    """A/A arms of builds that are no part of the series."""
    arms = Report(versions=BUILDS_ON_RECORD, trials=RUNS_ON_RECORD, build_sd=build_sd)
    return noise_floor(rebuilt_frame(draw(arms, run_sd, random)))


def _changed(table: pd.DataFrame) -> Calls:
    """Per machine the versions that are improved or regressed against the first."""
    changed = verdicts(table)["verdict"].isin(CHANGES)
    return [[True] * int(n) for n in changed.groupby(table["machine"]).sum()]


def _flagged(table: pd.DataFrame) -> Calls:
    """Per machine the versions that its own family of six flags."""
    p = _by_machine(table)["p"].to_numpy(dtype=float).reshape(-1, VERSIONS - 1)
    return [list(np.flatnonzero(flags)) for flags in peers.rejected(p)]


def _by_machine(frame: pd.DataFrame) -> pd.DataFrame:
    """Rows in the order of the machines' numbers."""
    return frame.sort_values(
        "machine", key=lambda names: names.str[1:].astype(int), kind="stable"
    )


def _alarmed(calls: dict[str, Calls], column: str = "alarmed") -> pd.DataFrame:
    """Share of series with at least one call, in %."""
    shares = {
        method: np.nan if found is None else 100 * np.mean([len(f) > 0 for f in found])
        for method, found in calls.items()
    }
    return pd.DataFrame({"method": list(shares), column: list(shares.values())})


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=400)
    size = f"{asked.series} series, seed {asked.seed}, {peers.versions()}"
    for build_sd in (BUILD_SD, 0.0):
        show(
            f"Series alarmed in %: {VERSIONS} versions of {REPEATS} repeats, noise of a "
            f"run {RUN_SD:.1%}, of a build {build_sd:.0%}\n{size}",
            of_versions(asked.seed, asked.series, build_sd),
        )
    show(
        f"Series alarmed in %: {POINTS} points, correlated: AR(1) of 0.3\n{size}",
        of_commits(asked.seed, asked.series),
    )
    peers.hint()


if __name__ == "__main__":
    main()
