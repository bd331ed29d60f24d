"""The seeded benchmarks: their noise, their scores, and that each table is made."""

import sys

import numpy as np
import pandas as pd
import pytest
from places import ROOT
from scipy import stats

from benchmath.ratios.relative import relative

# Appended: a benchmark must not hide a module of another package.
sys.path.append(str(ROOT / "tests/benchmarks"))

import changepoint_score
import changepoint_speed
import false_alarms
import gate_errors
import import_files
import import_speed
import instructions_repeat
import interval_coverage
import median_coverage
import noise_kinds
import peers
import power
import program_pages
import reports
import shifted_kinds
import shifted_noise
import suite_coverage

pytestmark = pytest.mark.unit


@pytest.fixture(autouse=True)
def without_otava(monkeypatch):
    """Unit tests start no process, so Otava is not run even where it is installed."""
    monkeypatch.setenv("OTAVA_PYTHON", "no/such/python")


def random(seed=1):
    return np.random.default_rng(seed)


@pytest.mark.parametrize("kind", ["normal", "skewed", "heavy", "correlated", "bimodal"])
def test_noise_has_mean_0_and_stddev_1(kind):
    """A kind without a disturbance of its own is standardised."""
    noise = noise_kinds.KINDS[kind](random(), (400, 200))

    assert abs(noise.mean()) < 0.02
    assert abs(noise.std() - 1) < 0.02


@pytest.mark.parametrize("kind", ["normal", "correlated", "bimodal"])
def test_inflation_is_that_of_the_mean(kind):
    """The stddev of a mean of 200 runs is the inflation over the root of 200."""
    means = noise_kinds.KINDS[kind](random(), (2000, 200)).mean(axis=1)

    expected = noise_kinds.INFLATION.get(kind, 1.0)
    assert means.std() * np.sqrt(200) == pytest.approx(expected, rel=0.05)


def test_skewed_noise_leans_to_slow_runs():
    """Its skewness is about -2, that of an exponential upside down."""
    noise = noise_kinds.skewed(random(), (100_000,))

    assert -2.3 < stats.skew(noise) < -1.7


def test_versions_change_between_versions():
    """Each change of a series of versions is the first point of a version."""
    series = noise_kinds.versions(random(), "normal")

    starts = {0, *(np.flatnonzero(np.diff(series.groups)) + 1)}
    assert series.changes
    assert set(series.changes) <= starts


def test_z_of_a_change_is_its_size_over_the_standard_error():
    """ln 1.1 between levels of 10 and 40 points, noise 0.1: 0.0953 / 0.1 / sqrt(1/8)."""
    z = noise_kinds.standard_errors(50, [10], np.log([1.1]), 0.1)

    assert [pytest.approx(0.0953102 / 0.1 * np.sqrt(8))] == list(z)


def test_series_are_a_function_of_the_seed():
    """The same seed gives the same series, another seed others."""
    one, again, other = (
        next(noise_kinds.each_kind(noise_kinds.commits, seed, 1)) for seed in (1, 1, 2)
    )

    assert list(again.values) == list(one.values)
    assert list(other.values) != list(one.values)


def test_run_order_there_and_back():
    """Interleaved trials of three versions run 1 2 3, 3 2 1; in blocks 1 1 2 2 3 3."""
    assert [[0, 5], [1, 4], [2, 3]] == reports.run_order(3, 2, True).tolist()
    assert [[0, 1], [2, 3], [4, 5]] == reports.run_order(3, 2, False).tolist()


def test_drawn_change_is_in_its_steps_alone():
    """Without noise version 1 reads 0.9 of version 0 in step 1, and 1 in step 0."""
    report = reports.Report(steps=2, cov=0.0, changed={1: 0.9}, changed_steps=[1])

    values = reports.draw(report, reports.step_noise(report, 1, random()), random())

    ratios = values[0, :, 1] / values[0, :, 0]
    assert ratios.tolist() == [pytest.approx([1.0] * 3), pytest.approx([0.9] * 3)]


def test_machines_of_a_frame_are_judged_apart():
    """The intervals of a machine are the same alone and among others."""
    report = reports.Report(versions=3, steps=4, steps_differ=0.5)
    values = reports.draw(report, reports.step_noise(report, 3, random()), random())

    among = relative(reports.metric_frame(values), {"version": "v0"})
    alone = relative(reports.metric_frame(values[:1]), {"version": "v0"})

    columns = ["version", "step", "relative", "low", "high", "p"]
    first = among[among["machine"] == "m0"]
    pd.testing.assert_frame_equal(alone[columns], first[columns].reset_index(drop=True))


def test_interval_of_known_noise_covers():
    """The z interval of a known stddev holds the truth in 95% of 4,000 comparisons."""
    report = reports.Report(trials=4, changed={1: 0.95})
    values = reports.draw(report, reports.step_noise(report, 4000, random()), random())
    log_ratio = np.log(values[:, 0, 1]).mean(axis=-1) - np.log(values[:, 0, 0]).mean(
        axis=-1
    )

    inside = np.abs(log_ratio - np.log(0.95)) < 1.96 * 0.01 * np.sqrt(2 / 4)

    assert 0.94 < inside.mean() < 0.96


def test_peer_welch_is_scipys():
    """1 and 4 against 2 and 8: the ratio is half, its interval Welch's on logarithms."""
    low, high = peers.welch_interval(np.array([1.0, 4]), np.array([2.0, 8]))

    half = 4.302652729911275 * np.sqrt(np.log(4) ** 2 / 2)
    assert low == pytest.approx(0.5 * np.exp(-half))
    assert high == pytest.approx(0.5 * np.exp(half))


def test_bootstrap_of_equal_runs_has_no_width():
    """Three runs of 10 against three of 20 resample to 2 every time."""
    low, high = peers.bootstrap_interval(
        np.full((1, 3), 20.0), np.full((1, 3), 10.0), random()
    )

    assert ([2.0], [2.0]) == (low.tolist(), high.tolist())


def test_benjamini_hochberg_rejects_up_to_the_last_below_the_line():
    """Of .01, .02, .03, .9 at 5% the first three lie below .0125, .025, .0375."""
    flagged = peers.rejected(np.array([0.9, 0.03, 0.01, 0.02]))

    assert [False, True, True, True] == flagged.tolist()


@pytest.mark.parametrize("name", ["kernel_cpd", "pelt", "bic_segmentation"])
def test_peer_detectors_find_a_plain_step(name):
    """Twenty numbers, 20% lower from index 10 on."""
    step = [100, 101, 99, 100, 102, 98, 100, 101, 99, 100]
    series = np.array(step + [0.8 * value for value in step])

    assert [10] == getattr(peers, name)(series)


def test_ratios_of_plain_changes_are_held():
    """Each kind of noise has a row, all together one more, with shares in %."""
    table = changepoint_score.ratio_intervals(noise_kinds.versions, 1, 18)

    assert ["kind", "changes", "held", "half_width"] == list(table.columns)
    assert table["changes"].iloc[:-1].sum() == table["changes"].iloc[-1]
    assert table["held"].between(0, 100).all()


def test_a_find_counts_once():
    """Changes at 10 and 12, one find at 11: one change is found, not two."""
    assert 1 == len(changepoint_score.matched([10, 12], [11], margin=2))
    assert [] == changepoint_score.matched([10, 12], [11], margin=0)


def test_scores_by_hand():
    """Two changes, three finds, one exact and one 2 off: F1@0 40%, F1@2 80%."""
    sizes, z = (0.9, 1.1), (4.0, 6.0)
    series = noise_kinds.Series("normal", np.ones(50), (10, 30), sizes, z, None)

    row = changepoint_score.scores([series], [[10, 20, 32]])

    assert row["F1@0"] == pytest.approx(40)
    assert row["F1@2"] == pytest.approx(80)
    assert row["precision"] == pytest.approx(200 / 3)
    assert (100, 100) == (row["z3-5"], row["z>5"])


@pytest.mark.slow
def test_coverage_table():
    """One row per kind, number of runs and method, with shares in %."""
    table = interval_coverage.coverage(1, 42, kinds=["normal"], runs=[1, 3])

    columns = ["noise", "runs", "method", "coverage", "half_width", "silent"]
    assert columns == list(table.columns)
    assert 2 * len(interval_coverage.USUAL) == len(table)
    single = table[(table["runs"] == 1) & (table["method"] == "Welch")].iloc[0]
    assert 100 == single["silent"]


def test_median_table():
    """Tests that err together cover as one does, tests that err apart more."""
    table = median_coverage.median_coverage(1, 200, tests=[9], apart=[0.0])
    alike = table[table["apart"] == "evenly by 0"].set_index("correlation")["coverage"]

    assert ["tests", "apart", "correlation", "coverage"] == list(table.columns)
    assert 6 == len(table)
    assert 100 == alike[0.0]
    assert 90 < alike[1.0] < 99


@pytest.mark.slow
def test_suite_table():
    """One row per shared effect, number of runs and method."""
    table = suite_coverage.suite_coverage(1, 20, runs=[3], luck=[0.0, 0.01])

    columns = ["shared %", "runs", "method", "coverage", "half_width"]
    assert columns == list(table.columns)
    assert 2 * len(suite_coverage.METHODS) == len(table)
    ours = table[table["method"] == "benchbook suite"].set_index("shared %")["half_width"]
    assert ours[1.0] > 2 * ours[0.0]


@pytest.mark.slow
def test_power_table():
    """One row per number of runs, change and method; nothing to find without change."""
    table = power.power(1, 2, runs=[3], names=["one -5%", "none"])

    columns = ["runs", "change", "method", "found", "false_share", "any_false"]
    assert columns == list(table.columns)
    assert 2 * len(power.METHODS) == len(table)
    assert table.loc[table["change"] == "none", "found"].isna().all()


@pytest.mark.slow
def test_verdict_rates_sum_to_100():
    """Each comparison has one of the verdicts."""
    table = power.verdict_rates(1, 10, runs=[1, 3])

    assert [100.0] * len(table) == table[list(power.VERDICTS)].sum(axis=1).tolist()


@pytest.mark.slow
def test_gate_exits_sum_to_100():
    """Each gate has one exit code; other alarms are among the regressed."""
    table = gate_errors.gate_errors(1, 2, tests=[3], noise=[("normal", 0.01, 5)])

    assert [100.0] * len(table) == table[["fine", "regressed", "undecided"]].sum(
        axis=1
    ).tolist()
    assert (table["other"] <= table["regressed"]).all()


@pytest.mark.slow
def test_alarms_of_versions():
    """Every method has a share of alarmed series, or none where it is not installed."""
    table = false_alarms.of_versions(1, 4)

    assert ["method", "alarmed", "of_six"] == list(table.columns)
    missing = table.loc[table["alarmed"].isna(), "method"]
    assert ["Otava, its defaults"] == list(missing)
    assert (table["of_six"].dropna() <= table["alarmed"].dropna()).all()


@pytest.mark.slow
def test_alarms_of_commits():
    """One column per kind of noise."""
    table = false_alarms.of_commits(1, 2, kinds=["normal"])

    assert ["method", "normal"] == list(table.columns)


@pytest.mark.slow
@pytest.mark.parametrize("make", [noise_kinds.commits, noise_kinds.versions])
def test_changepoint_tables(make):
    """Scores per detector, and per detector and kind of noise."""
    kinds = len(noise_kinds.KINDS)

    overall, by_kind = changepoint_score.table(make, 1, kinds, ["benchbook", "Pelt l2"])

    assert ["benchbook", "Pelt l2"] == list(overall["detector"])
    assert 2 * kinds == len(by_kind)


def test_growth_is_the_exponent_of_time_over_length():
    """Four times the time for twice the points, from 500 points on: exponent 2."""
    seconds = {100: 9.0, 500: 1.0, 1000: 4.0, 2000: 16.0}

    assert 2.0 == pytest.approx(changepoint_speed.growth(seconds))


def test_a_slow_detector_is_spared_longer_series():
    """One that needs 1 ms a point is out of patience after 1,000 of them."""
    seconds = changepoint_speed.timed(lambda series: 0.0011 * series.size, 1)

    assert [100, 200, 500, 1000] == list(seconds)


def test_a_ratio_of_speeds_by_hand():
    """Best 8 s over best 2 s is 4; single turns are 8/4 and 12/2; processors 6 over 3."""
    seconds = {"theirs": [(8.0, 6.0), (12.0, 9.0)], "ours": [(4.0, 5.0), (2.0, 3.0)]}

    assert {"ours/theirs": "4.00", "range/theirs": "2.00-6.00", "cpu/theirs": "2.00"} == (
        import_speed.ratio(seconds, "theirs", "ours")
    )


@pytest.mark.slow
def test_import_speed_of_texts(tmp_path):
    """One row per format; that all rows are read is checked before the clock runs."""
    table = import_speed.texts(tmp_path, 1, 200, turns=1)

    assert list(import_files.KINDS) == list(table["format"])
    assert (table["ours ms"] > 0).all()


@pytest.mark.slow
def test_import_speed_of_json_lines_and_gz(tmp_path):
    """A run of 50 samples is loaded; gz of two formats is read."""
    loaded = import_speed.json_lines(tmp_path / "json", 1, 50, turns=1)
    packed = import_speed.packed(tmp_path, 1, 200, turns=1)

    assert [50] == list(loaded["samples"])
    assert list(import_speed.MEMORY_OF) == list(packed["format"])


@pytest.mark.slow
def test_import_speed_of_memory(tmp_path):
    """A child per format tells its samples and less than a GiB."""
    table = import_speed.memory(tmp_path, 1, [200])

    assert [*import_speed.MEMORY_OF, "json lines"] == list(table["format"])
    assert table["peak MiB"].between(10, 1024).all()


@pytest.mark.parametrize("kind", shifted_kinds.COMMIT_KINDS)
def test_shifted_commits_are_series_of_rates(kind):
    """100 to 1,000 positive values, each change at least eight points from the next."""
    series = shifted_kinds.commits(random(), kind)

    ends = [0, *series.changes, series.values.size]
    assert 100 <= series.values.size <= 1000
    assert (series.values > 0).all()
    assert 8 <= min(np.diff(ends))


@pytest.mark.parametrize("kind", shifted_kinds.VERSION_KINDS)
def test_shifted_versions_change_between_versions(kind):
    """Three to five runs of each version, changes at the first run of one."""
    series = shifted_kinds.versions(random(), kind)

    assert set(np.bincount(series.groups)) <= {3, 4, 5}
    assert (series.values > 0).all()
    assert all(series.groups[at] == series.groups[at - 1] + 1 for at in series.changes)


def test_copies_and_runs_are_told_apart():
    """Means 11 and 15, of variance 8, half of 2 of which is that of runs of one copy."""
    runs = pd.DataFrame({"copy": [0, 0, 1, 1], "us": [10.0, 12, 14, 16]})
    [row] = program_pages.spread(runs).to_dict("records")

    assert (7**0.5 / 0.13, 2**0.5 / 0.13) == pytest.approx(
        (row["between"], row["within"])
    )
    assert 15 / 11 == row["slowest"]
    assert 0.1056 == pytest.approx(row["p"], abs=0.0001)


def test_trades_by_hand():
    """A plain step is found at every alpha, three runs that vary are never alarmed."""
    runs, groups = np.array([100.0, 100.4, 99.7] * 6), np.repeat(np.arange(6), 3)
    stepped = np.where(groups < 3, runs, 0.9 * runs)
    changing = noise_kinds.Series("quiet", stepped, (9,), (0.9,), (40.0,), groups)
    flat = noise_kinds.Series("quiet", runs, (), (), (), groups)

    table = shifted_noise.trades([changing], [flat])

    assert 6 == len(table)
    assert 5 == table["alpha"][2]
    for column in ("F1@0", "precision", "recall"):
        assert {100.0} == set(table[column])
    assert {0.0} == set(table["alarmed"])


def test_difference_is_of_counts_per_operation():
    """10 and 11 per operation have the median 10.5; 1 is 9.52% of it."""
    rows = [("e", "s", 1, 1000, 100), ("e", "s", 2, 2200, 200)]
    columns = ["engine", "step", "turn", "instructions", "operations"]
    [row] = instructions_repeat.repeatability(
        pd.DataFrame(rows, columns=columns)
    ).to_dict("records")

    assert (2, 100, 10.5) == (row["runs"], row["operations"], row["instructions_o"])
    assert 9.5238 == pytest.approx(row["differ_pct"], abs=0.0001)
