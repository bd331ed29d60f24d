"""Do the table of ratios and the changepoints of one study say the same?

Studies of 2 to 8 versions, 3 trials and 6 steps. A version whose 95% interval against the
first one lies far beyond 1 has to lie behind some change; without a true change a step
must not be cut.
"""

import numpy as np
import pandas as pd
from noise_kinds import Random
from reports import Report, draw, metric_frame, step_noise
from script import arguments, show

from benchmath.changes.boundaries import outlying_versions, version_changes
from benchmath.ratios.relative import relative

VERSIONS = (2, 3, 5, 8)
STEPS, TRIALS = 6, 3
COVS = (0.01, 0.08)
MOVED = 0.5  # share of the versions of a step that differ from the one before
FAR = 1.1  # an interval is far from 1 where it leaves out this and its inverse


def study(
    random: Random, versions: int, cov: float, build_sd: float, changing: bool
) -> pd.DataFrame:
    """The metric frame of a study; changes are of 3% to 150%, up or down."""
    report = Report(versions, TRIALS, STEPS, cov=cov, build_sd=build_sd, steps_differ=0.4)
    values = draw(report, step_noise(report, 1, random), random)
    if changing:
        sizes = np.exp(random.uniform(np.log(0.03), np.log(1.5), (STEPS, versions)))
        steps = np.log1p(sizes) * random.choice([-1, 1], sizes.shape)
        steps *= random.random(steps.shape) < MOVED
        values *= np.exp(np.cumsum(steps, axis=1))[None, :, :, None]
    return metric_frame(values)


def compared(frame: pd.DataFrame) -> tuple[int, int]:
    """The comparisons far from 1, and those of them with no change on the way."""
    table = relative(frame, {"version": "v0"})
    changes = version_changes(frame)
    changes = changes[changes["detected"]]
    apart = outlying_versions(frame)
    far = table[(table["low"] > FAR) | (table["high"] < 1 / FAR)]
    missed = 0
    for row in far.itertuples():
        ways = changes.loc[changes["step"] == row.step, "place"]
        listed = apart["test"].str.contains(str(row.step)) & (
            apart["version"] == row.version
        )
        missed += not ((ways <= int(str(row.version)[1:])).any() or listed.any())
    return len(far), missed


def row(versions: int, cov: float, build_sd: float, seed: int, count: int) -> dict:
    """Shares in % over ``count`` studies with changes and as many without."""
    far = missed = cut = 0
    for number in range(count):
        random = np.random.default_rng([seed, versions, number])
        of_study, without = compared(study(random, versions, cov, build_sd, True))
        far, missed = far + of_study, missed + without
        flat = version_changes(study(random, versions, cov, build_sd, False))
        cut += flat.loc[flat["detected"], "test"].nunique()
    share = 100 * missed / far if far else np.nan
    names = {"versions": versions, "cov": f"{cov:.0%}", "builds": f"{build_sd:.0%}"}
    return names | {"far": far, "missed": share, "alarmed": 100 * cut / (count * STEPS)}


def main() -> None:
    """Print the table."""
    asked = arguments(__doc__, series=60)
    rows = [
        row(versions, cov, build_sd, asked.seed, asked.series)
        for versions in VERSIONS
        for cov in COVS
        for build_sd in (0.0, cov)
    ]
    show(
        "Comparisons far from 1, share in % with no change on the way; steps without a "
        f"change that are cut, in %\n{asked.series} studies of {STEPS} steps a row, "
        f"{TRIALS} trials, seed {asked.seed}",
        pd.DataFrame(rows),
    )


if __name__ == "__main__":
    main()
