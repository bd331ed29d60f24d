"""Do the tests of a study help one another to find changes between versions?

Studies of many tests over the same versions, in nine kinds of noise: each test on its
own, and with the evidence of the others. Without a change; with noise that all tests
share at a version, which no test can tell from a change; with one boundary at which a
share of the tests changes. A third of the tests of such a study changes at a boundary
of its own too. A find counts at its exact place only.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from noise_kinds import INFLATION, KINDS, Random
from script import arguments, show

from benchmath.changes.panel import Judged, detect_together
from benchmath.changes.series import VersionSeries
from benchmath.changes.shift import OWN

Z_BINS = {"z<3": (0, 3), "z3-5": (3, 5), "z5-10": (5, 10), "z>10": (10, np.inf)}
SHARES = (0.1, 0.5, 0.9)
ALONE = 0.3  # share of the tests with a change where the others have none


@dataclass(frozen=True)
class Size:
    """Versions of a study, its tests, and the runs of each."""

    versions: int
    tests: int
    runs: int

    @property
    def text(self) -> str:
        """``14 x 42 x 1``: versions, tests, runs."""
        return f"{self.versions} x {self.tests} x {self.runs}"


@dataclass(frozen=True)
class Simulated:
    """A test, and its true changes: version that begins the new level, and z."""

    series: VersionSeries
    z: dict[int, float]


SIZES = [Size(v, t, runs) for v, t in ((14, 42), (8, 10)) for runs in (1, 3)]
# What all tests of a study share: per version, and at one version, in stddevs of a run.
SHARED_NOISE = {"independent": (0.0, 0.0), "shared": (0.5, 0.0), "bad day": (0.0, 3.0)}


def simulated(
    random: Random, size: Size, share: float = 0.0, noise: str = "independent"
) -> list[Simulated]:
    """The tests of a study, of which a share changes at one boundary by 1% to 20%."""
    together = int(random.integers(1, size.versions))
    each, once = SHARED_NOISE[noise]
    common = each * random.standard_normal(size.versions)
    common[random.integers(size.versions)] -= once
    tests = []
    for number in range(size.tests):
        at = {together} if random.random() < share else set()
        if share and random.random() < ALONE:
            at.add(int(random.integers(1, size.versions)))
        kind = list(KINDS)[number % len(KINDS)]
        tests.append(_test(random, size, kind, sorted(at), common))
    return tests


def scores(size: Size, share: float, seed: int, count: int) -> list[dict[str, object]]:
    """Recall by z and F1 in %, of the tests alone and together; finds and false ones."""
    tests: list[Simulated] = []
    panel: list[Judged] = []
    for number in range(_studies(count, size)):
        random = np.random.default_rng([seed, size.versions, size.runs, number])
        study = simulated(random, size, share)
        tests += study
        panel += detect_together([test.series for test in study])
    known = [set(test.z) for test in tests]
    finds = [_finds(one) for one in panel]
    every = [set(found) for found in finds]
    own = [{at for at, whose in found.items() if whose == OWN} for found in finds]
    shared = [one - two for one, two in zip(every, own, strict=True)]
    of = {"study": f"{size.text}, {share:.0%} change"}
    alone = {"tests": "alone"} | scored(tests, own, known) | counted(own, known)
    together = {"tests": "together"} | scored(tests, every, known)
    return [of | alone, of | together | counted(shared, known)]


def alarms(size: Size, noise: str, seed: int, count: int) -> dict[str, object]:
    """Share in % of the tests without a change that are cut, alone and together."""
    alone = together = 0
    studies = _studies(count, size)
    for number in range(studies):
        random = np.random.default_rng([seed, size.versions, size.runs, number])
        study = simulated(random, size, noise=noise)
        for one in detect_together([test.series for test in study]):
            alone += OWN in one.evidence
            together += bool(one.evidence)
    tests = studies * size.tests
    row: dict[str, object] = {"study": size.text, "noise": noise, "tests": tests}
    return row | {"alone": 100 * alone / tests, "together": 100 * together / tests}


def _studies(count: int, size: Size) -> int:
    """How many studies have so many tests."""
    return max(1, round(count / size.tests))


def _test(
    random: Random, size: Size, kind: str, cuts: Sequence[int], common: np.ndarray
) -> Simulated:
    """Runs with a noise of 0.3% to 4%; half of the tests have one of builds as well."""
    cov = float(np.exp(random.uniform(np.log(0.003), np.log(0.04))))
    build_sd = cov * float(random.choice([0, 0, 0.5, 1]))
    steps = np.exp(random.uniform(np.log(0.01), np.log(0.2), len(cuts)))
    steps = np.log1p(steps * random.choice([-1, 1], len(cuts)))
    level = random.normal(0, build_sd, size.versions) + cov * common
    for cut, step in zip(cuts, steps, strict=True):
        level[cut:] += step
    logs = np.repeat(level, size.runs)
    logs = logs + cov * KINDS[kind](random, (logs.size,))
    if kind == "rounded":
        logs = np.round(logs / cov) * cov
    error = np.hypot(cov * INFLATION.get(kind, 1.0) / np.sqrt(size.runs), build_sd)
    lengths = np.diff([0, *cuts, size.versions])
    z = np.abs(steps) / (error * np.sqrt(1 / lengths[:-1] + 1 / lengths[1:]))
    series = VersionSeries(
        test=kind,
        labels={},
        versions=tuple(map(str, range(size.versions))),
        places=tuple(range(size.versions)),
        values=1000 * np.exp(logs),
        groups=np.repeat(np.arange(size.versions), size.runs),
    )
    return Simulated(series, dict(zip(cuts, z.tolist(), strict=True)))


def _finds(judged: Judged) -> dict[int, str]:
    """The version that each find begins with, and whose evidence it rests on."""
    assert judged.series.versions is not None
    at = [int(judged.series.versions[c.position]) for c in judged.detection.changes]
    return dict(zip(at, judged.evidence, strict=True))


def scored(
    tests: Sequence[Simulated], finds: Sequence[set[int]], known: Sequence[set[int]]
) -> dict[str, object]:
    """F1, and recall by z."""
    right = sum(len(f & k) for f, k in zip(finds, known, strict=True))
    both = sum(map(len, finds)) + sum(map(len, known))
    row: dict[str, object] = {"F1@0": 200 * right / max(both, 1)}
    z = np.array([z for test in tests for z in test.z.values()])
    hit = [at in f for test, f in zip(tests, finds, strict=True) for at in test.z]
    for name, (low, high) in Z_BINS.items():
        inside = (z >= low) & (z < high)
        row[name] = 100 * np.array(hit)[inside].mean() if inside.any() else np.nan
    return row


def counted(finds: Sequence[set[int]], known: Sequence[set[int]]) -> dict[str, object]:
    """The finds, and the share in % that is false."""
    made = sum(map(len, finds))
    false = sum(len(f - k) for f, k in zip(finds, known, strict=True))
    return {"finds": made, "false": 100 * false / made if made else np.nan}


def main() -> None:
    """Print the tables."""
    asked = arguments(__doc__, series=840)
    size = f"{asked.series} tests a row, seed {asked.seed}; versions x tests x runs"
    quiet = [
        alarms(size, noise, asked.seed, asked.series)
        for noise in SHARED_NOISE
        for size in SIZES
    ]
    show(f"Tests without a change that are cut, in %\n{size}", pd.DataFrame(quiet))
    rows = [
        row
        for size in SIZES
        for share in SHARES
        for row in scores(size, share, asked.seed, asked.series)
    ]
    show(
        "Recall by z, F1 and false finds in %; finds of `together`: the shared ones\n"
        f"{size}",
        pd.DataFrame(rows),
    )


if __name__ == "__main__":
    main()
