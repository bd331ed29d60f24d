"""Changes between versions: exact positions, honest noise, no cut inside a version."""

import numpy as np
import pytest
from corpus import corpus

from benchmath.changes.panel import detect_together
from benchmath.changes.series import VersionSeries
from benchmath.changes.shift import Shift
from benchmath.changes.versions.detector import VersionShifts
from benchmath.changes.versions.model import usual_hazard

pytestmark = pytest.mark.unit

SINGLE = [100, 101, 99, 100, 102, 98, 100, 90, 91, 89, 90, 92]
RUNS = [
    100.0, 100.4, 99.7, 100.2, 99.9, 100.1, 99.8, 100.3, 100.0,
    94.8, 95.1, 95.3, 95.0, 94.7, 95.2, 94.9, 95.4, 95.0,
]  # fmt: skip
VERSIONS = [i // 3 for i in range(18)]


def flat(versions, repeats, seed, sd=0.01, build=0.0):
    """Runs of versions that do not differ, but for builds, and their groups."""
    random = np.random.default_rng(seed)
    logs = random.normal(0, sd, (versions, repeats))
    logs += random.normal(0, build, (versions, 1))
    return 100 * np.exp(logs.ravel()), np.repeat(np.arange(versions), repeats)


def version_shifts(y, groups=None, floor_sd=0.0):
    """Index of the first point of the first version of each new level."""
    return [shift.position for shift in VersionShifts().fit(y, groups, floor_sd).changes_]


def alarmed(series, **known):
    """How many series are cut."""
    return sum(bool(version_shifts(y, groups, **known)) for y, groups in series)


def test_step_between_single_runs():
    """Seven versions at 100, then five at 90: the new level starts at index 7."""
    assert [7] == version_shifts(SINGLE)


def test_step_between_repeated_versions():
    """5% lower from the fourth version on, whose first run is point 9."""
    assert [9] == version_shifts(RUNS, VERSIONS)


def test_two_steps():
    """Down 10% and up again, four versions of two runs each."""
    y = [100, 101, 99, 100, 100, 99, 101, 100]
    y = [*y, 90, 91, 89, 90, 90, 91, 90, 89, *y]

    assert [8, 16] == version_shifts(y, [i // 2 for i in range(24)])


def test_versions_that_all_differ_are_no_builds():
    """Five versions a third to thrice as fast as one another, three runs each.

    A build's effect of a dozen times the spread of runs would explain them all, but
    no build moves results by half.
    """
    y = [111, 99, 91, 30, 33, 34, 31, 22, 20, 7, 12, 7, 22, 21, 25]
    shifts = VersionShifts().fit(y, [i // 3 for i in range(15)]).changes_

    assert 3 == shifts[0].position
    assert shifts[0].p < 0.01


def test_two_versions_are_enough():
    """Three runs of 1% each, 5% apart: one boundary is held to what one may do."""
    y = [100, 101, 99, 95, 96, 94]

    assert [3] == version_shifts(y, [0, 0, 0, 1, 1, 1])


def test_last_version_can_be_a_change():
    """A release that is 10% slower is reported at once."""
    y = [100, 100.3, 99.8, 100.1, 99.9, 100.2, 100, 99.7, 100.3, 90, 90.2, 89.8]

    assert [9] == version_shifts(y, [i // 3 for i in range(12)])


def test_changes_carry_p():
    """A clear step is reported with a small p, at the same position as predicted."""
    fitted = VersionShifts().fit(RUNS, VERSIONS)

    assert [9] == [change.position for change in fitted.changes_]
    assert isinstance(fitted.changes_[0], Shift)
    assert 0 < fitted.changes_[0].p < 0.001


def test_chances_follow_what_is_expected():
    """The usual chances beforehand give the same again, others move those after."""
    fitted = VersionShifts().fit(SINGLE)
    usual = np.full(11, usual_hazard(11))

    assert fitted.chances_ == pytest.approx(fitted.chances_with(usual))
    granted = np.where(np.arange(11) == 2, 1.0, usual)
    assert 1 == fitted.chances_with(granted)[2]
    assert fitted.chances_with(usual / 100)[6] < fitted.chances_[6]


def test_p_of_one_boundary_is_that_of_its_chance():
    """The boundary of the change has the least p."""
    fitted = VersionShifts().fit(SINGLE)

    p = [fitted.p_at(boundary) for boundary in range(11)]
    assert 6 == p.index(min(p))
    assert p[6] < 0.05 < min(p[:6] + p[7:])


def test_nothing_to_tell_has_no_chances():
    """A constant series has no boundary to weigh, whatever is expected."""
    fitted = VersionShifts().fit([7] * 8)

    assert 0 == fitted.chances_.size == fitted.chances_with(np.full(7, 0.5)).size
    assert [] == fitted.outliers_between([4])


def test_interface_of_ruptures():
    """predict gives the ends of the segments, the last one the length of the series."""
    assert [9, 18] == VersionShifts().fit_predict(RUNS, VERSIONS)
    assert [9, 18] == VersionShifts().fit(RUNS, VERSIONS).predict(n_bkps=1)
    assert [18] == VersionShifts().fit(RUNS, VERSIONS).predict(alpha=1e-12)


def test_predict_wants_a_fit():
    """Nothing was fitted, so nothing can be predicted."""
    with pytest.raises(ValueError, match="fit the estimator"):
        VersionShifts().predict()


def test_a_version_is_never_cut():
    """The level falls in the middle of the third version: cuts are beside it only."""
    high, low = [100, 101, 99, 100], [90, 91, 89, 90]
    y = [*high, *high, 100, 101, 90, 91, *low, *low]

    assert version_shifts(y, [i // 4 for i in range(20)]) in ([8], [12], [8, 12])


@pytest.mark.parametrize("factor", [1e-6, 1 / 3, 1e9])
def test_unit_does_not_matter(factor):
    """The same positions in bytes, seconds or operations."""
    assert [7] == version_shifts(np.array(SINGLE) * factor)
    assert [9] == version_shifts(np.array(RUNS) * factor, VERSIONS)


def test_direction_does_not_matter():
    """Read backwards, the step is at the mirrored place."""
    assert [5] == version_shifts(SINGLE[::-1])


def test_equal_values_have_no_change():
    """A constant series has no noise to learn and nothing to report."""
    assert [] == version_shifts([7] * 8)


def test_too_few_points_have_no_change():
    """Up to three single runs cannot tell a step from noise."""
    assert [[], [], []] == [version_shifts(y) for y in ([], [1], [1, 2, 2])]


def test_one_version_has_no_change():
    """Four runs of one version have no boundary."""
    assert [] == version_shifts([100, 50, 100, 50], [0, 0, 0, 0])


def test_missing_values_are_left_out():
    """The position counts them: the new level starts at the first value of 90."""
    y = [100, None, 101, 99, 100, 102, 98, 100, float("nan"), 90, 91, 89, 90, 92]

    assert [9] == version_shifts(y)


def test_values_of_zero_and_below():
    """They have no logarithm; the step of ten is found on the linear scale."""
    assert [7] == version_shifts([0, 1, -1, 0, 1, 0, 1, 10, 11, 9, 10, 10])


def test_one_run_apart_is_no_change():
    """One of three runs at half the speed says nothing of its version."""
    y = [*RUNS[:9], 50.0, *RUNS[1:9]]

    assert [] == version_shifts(y, VERSIONS)


def test_one_version_apart_is_an_outlier():
    """40% lower once and back afterwards: named, and no change of level."""
    y = [100, 101, 99, 100, 102, 98, 60, 100, 101, 99, 100, 101]
    fitted = VersionShifts().fit(y)

    assert ([], [6]) == (fitted.changes_, fitted.outliers_)


def test_cold_first_runs_do_not_hide_a_step():
    """The first run of every version is 8% low; the step of 3% is still at version 4."""
    cold = [92, 100, 100.5, 99.8, 92.3, 100.2, 99.7, 100.1, 91.8, 99.9, 100.3, 100]
    low = [round(0.97 * value, 2) for value in cold]
    y, groups = [*cold, *cold[:4], *low], [i // 4 for i in range(28)]

    assert [16] == version_shifts(y, groups)


@pytest.mark.slow
@pytest.mark.parametrize("sd", [0.001, 0.01, 0.1])
@pytest.mark.parametrize("versions", [6, 14, 40])
def test_flat_single_runs_are_rarely_cut(versions, sd):
    """5% of series at most, whatever the noise: of 60, 7 may by chance be cut."""
    assert alarmed(flat(versions, 1, seed, sd) for seed in range(60)) <= 7


def test_flat_repeats_are_rarely_cut():
    """5% of series at most: of 60, 7 may by chance be cut."""
    assert alarmed(flat(9, 4, seed) for seed in range(60)) <= 7


def test_a_known_build_effect_is_no_change():
    """Builds differ by 1%, runs by .2%: with the floor given, 60 series stay whole."""
    series = [flat(7, 10, seed, sd=0.002, build=0.01) for seed in range(60)]

    assert alarmed(series, floor_sd=0.01) <= 7


def test_groups_are_checked():
    """Runs of a version stand together, and every point belongs to one."""
    with pytest.raises(ValueError, match="stand together"):
        version_shifts([1, 2, 3, 4], [0, 1, 0, 1])
    with pytest.raises(ValueError, match="one index per point"):
        version_shifts([1, 2, 3, 4], [0, 1])


def mysql_series():
    """Names of the versions and, by test, their queries per second."""
    file = corpus("sysbench_mysql_2024") / "qps.abs.my678.tsv"
    lines = [line.split("\t") for line in file.read_text().splitlines()]
    names = [line[0].partition(" : ")[2] for line in lines if " : " in line[0]]
    rows = [line for line in lines if len(line) == len(names) + 1]
    return names, {row[-1]: [float(value) for value in row[:-1]] for row in rows}


def test_values_at_the_end_of_the_range():
    """Differences of which would overflow."""
    levels = np.where(np.arange(20) < 10, -1.0, 1.0)
    noise = np.random.default_rng(1).uniform(0.9, 1.0, 20)

    assert [10] == version_shifts(1.7e308 * levels * noise)


@pytest.mark.corpus
def test_boundaries_of_mysql_releases():
    """14 versions, 42 tests, one run each: 5.6 to 5.7 and 5.7 to 8.0 where 4% apart.

    78 such boundaries. Each test alone misses five, all of the three noisiest tests;
    with the evidence of the others one of these is left.
    """
    names, series = mysql_series()
    majors = [name.removeprefix("x.my")[:2] for name in names]
    boundaries = [i for i in range(1, 14) if majors[i] != majors[i - 1]]
    steps = [
        {at for at in boundaries if abs(y[at] / y[at - 1] - 1) >= 0.04}
        for y in series.values()
    ]
    tests = [
        VersionSeries(
            test, {}, tuple(names), tuple(range(14)), np.array(y), np.arange(14)
        )
        for test, y in series.items()
    ]
    alone = [set(version_shifts(y)) for y in series.values()]
    together = [
        {change.position for change in judged.detection.changes}
        for judged in detect_together(tests)
    ]

    assert (42, [4, 8], 78) == (len(series), boundaries, sum(map(len, steps)))
    assert all(own <= cuts for own, cuts in zip(alone, together, strict=True))
    for cuts, least in ((alone, 73), (together, 77)):
        found = sum(len(at & cut) for at, cut in zip(steps, cuts, strict=True))
        assert found >= least
        assert sum(map(len, cuts)) <= 3 * len(series)
