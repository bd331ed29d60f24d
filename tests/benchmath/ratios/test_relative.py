"""Relative throughput: bases, intervals, partners, labels, the published convention."""

import math

import numpy as np
import pandas as pd
import pytest

from benchmath.errors import UserError
from benchmath.frames import tied_labels
from benchmath.ratios.relative import relative, summary

pytestmark = pytest.mark.unit


def cell(values, **changed):
    """The rows of one cell: a trial per value."""
    row = {
        "machine": "m1", "machine_id": "id1", "engine": "sqlite", "version": "1",
        "build": "gcc-12 -O2", "config": "wal", "dop": 1, "step": "l.i0", "op": "insert",
        "main": True, "clock": "", "metric": "ips", "unit": "rows/s",
        "direction": "higher",
    } | changed  # fmt: skip
    name = " ".join(f"{k}={v}" for k, v in changed.items())
    return [
        row | {"value": float(v), "trial": t, "run_id": f"{name} t{t}"}
        for t, v in enumerate(values, 1)
    ]


def frame(*cells):
    return pd.DataFrame([row for rows in cells for row in rows])


def only(table):
    """The one row of a table."""
    assert 1 == len(table)
    return table.iloc[0]


def test_halved_throughput_reads_one_half():
    """A version at half the base's geometric mean has relative throughput 0.50."""
    rows = frame(cell([100, 400]), cell([50, 200], version="2"))

    row = only(relative(rows, {"version": "1"}))

    assert math.isclose(0.5, row["relative"])
    assert math.isclose(200, row["value_base"])
    assert math.isclose(100, row["value"])
    assert ("2", "1", 2, 2) == (row["me"], row["base"], row["n"], row["n_base"])


def test_interval_is_students_on_logarithms():
    """Logs 0, ln 2 against ln 4, ln 8: ratio 4, pooled variance on 2 df, t 4.3027."""
    rows = frame(cell([1, 2]), cell([4, 8], version="2"))

    row = only(relative(rows, {"version": "1"}))

    half = 4.302652729911275 * math.sqrt(math.log(2) ** 2 / 2)
    assert math.isclose(4, row["relative"])
    assert math.isclose(4 * math.exp(-half), row["low"])
    assert math.isclose(4 * math.exp(half), row["high"])
    assert not row["detected"]
    assert pd.isna(row["better"])
    assert ("pooled", 2) == (row["noise"], row["df"])


def test_other_versions_share_their_variance():
    """Variances 1/2, 1/2 and 2 of (ln 2)^2 pool to 1: 3 df, t 3.1824."""
    rows = frame(cell([1, 2]), cell([4, 8], version="2"), cell([1, 4], version="3"))

    table = relative(rows, {"version": "1"}).set_index("me")

    assert [math.log(2)] * 2 == pytest.approx(table["se"])
    assert [math.log(2)] * 2 == pytest.approx(table["run_sd"])
    assert [3, 3] == list(table["df"])
    half = 3.182446305284263 * math.log(2)
    assert 4 * math.exp(half) == pytest.approx(table.loc["2", "high"])


def test_two_runs_against_four():
    """One variance, different numbers of runs: se^2 = s^2 (1/2 + 1/4), s^2 on 4 df."""
    rows = frame(cell([1, 2]), cell([1, 2, 1, 2], version="2"))

    row = only(relative(rows, {"version": "1"}))

    s2 = math.log(2) ** 2 * (1 / 2 + 1) / 4
    assert math.sqrt(s2 * 3 / 4) == pytest.approx(row["se"])
    assert 4 == row["df"]


def test_steps_of_a_machine_share_their_noise():
    """Three steps of like spread: one variance with the 6 df of all of them."""
    rows = frame(
        *(cell([1, 2], step=s, version=v) for s in ("a", "b", "c") for v in ("1", "2"))
    )

    table = relative(rows, {"version": "1"})

    assert [6] * 3 == pytest.approx(table["df"])


def test_machines_do_not_share_their_noise():
    """Three machines with a step each are three noises of 2 df."""
    rows = frame(
        *(cell([1, 2], machine=m, version=v) for m in ("a", "b", "c") for v in "12")
    )

    assert [2] * 3 == list(relative(rows, {"version": "1"})["df"])


def test_clearly_different_spread_is_welchs():
    """Three quiet versions pool; the noisy one is compared by plain Welch on logs."""
    quiet = {v: [100, 101, 102, 101, 100] for v in ("1", "2", "3")}
    noisy = [100, 200, 50, 300, 20]
    rows = frame(
        *(cell(values, version=v) for v, values in quiet.items()),
        cell(noisy, version="4"),
    )

    table = relative(rows, {"version": "1"}).set_index("me")

    a, b = (np.log(x).var(ddof=1) / 5 for x in (quiet["1"], noisy))
    assert ["pooled", "pooled", "own"] == list(table["noise"])
    assert math.sqrt(a + b) == pytest.approx(table.loc["4", "se"])
    assert (a + b) ** 2 / (a**2 / 4 + b**2 / 4) == pytest.approx(table.loc["4", "df"])
    assert [12, 12] == pytest.approx(table.loc[["2", "3"], "df"])
    assert "spread clearly different" in table.loc["4", "note"]


def test_single_run_borrows_its_spread():
    """One run of me: the base's two runs tell the spread, 1 df, t 12.706."""
    rows = frame(cell([1, 2]), cell([8], version="2"))

    row = only(relative(rows, {"version": "1"}))

    se = math.sqrt(math.log(2) ** 2 / 2 * 3 / 2)
    assert 8 / math.sqrt(2) == pytest.approx(row["relative"])
    assert row["relative"] * math.exp(12.706204736174694 * se) == pytest.approx(
        row["high"]
    )
    assert ("pooled", 1) == (row["noise"], row["df"])
    assert "1 run of me: noise of the other versions" == row["note"]


def test_single_base_run_is_named():
    """Where only the base has one run, the note says it is the base's."""
    rows = frame(cell([100]), cell([50, 51], version="2"))

    note = only(relative(rows, {"version": "1"}))["note"]

    assert "1 run of the base: noise of the other versions" == note


def test_single_runs_of_two_versions_have_no_interval():
    """Nothing repeats and there are no neighbours: no interval, and the note says why."""
    rows = frame(cell([100]), cell([50], version="2"))

    row = only(relative(rows, {"version": "1"}))

    assert "1 run, no noise on record: no interval" == row["note"]
    assert math.isnan(row["low"]) and math.isnan(row["p"]) and math.isnan(row["run_sd"])
    assert "" == row["noise"]
    assert pd.isna(row["detected"])


def test_neighbouring_versions_are_assumed_noise():
    """Steps of ln 2, ln 2 and ln 1/32: 1.3 df, and a note that it is an assumption."""
    values = {"1": 1, "2": 2, "3": 4, "4": 0.125}
    rows = frame(*(cell([x], version=v) for v, x in values.items()))

    table = relative(rows, {"version": "1"})

    sd = math.sqrt(math.log(2) ** 2 / 2 / (0.4549 + 1.1 / 3))
    assert [sd] * 3 == pytest.approx(table["run_sd"])
    assert [sd * math.sqrt(2)] * 3 == pytest.approx(table["se"])
    assert {"assumed"} == set(table["noise"])
    assert {"version"} == set(table["subject"])
    assert {"assumed noise: from the differences between neighbouring versions"} == set(
        table["note"]
    )


def test_equal_runs_have_no_spread():
    """Identical values give an interval of no width and a note, not a division by 0."""
    rows = frame(cell([10, 10]), cell([20, 20], version="2"))

    row = only(relative(rows, {"version": "1"}))

    assert (2, 2, 2) == (row["relative"], row["low"], row["high"])
    assert "no spread between runs" == row["note"]


def test_lower_is_better_for_costs():
    """For a cost a ratio below 1 is better."""
    cost = {"metric": "cpu_o", "unit": "us", "direction": "lower", "main": False}
    rows = frame(cell([10, 10.1, 10.2], **cost), cell([5, 5.1, 5.2], version="2", **cost))

    row = only(relative(rows, {"version": "1"}, metric="cpu_o"))

    assert row["detected"]
    assert row["better"]


def test_metric_without_direction_is_never_better():
    """Direction none: a difference is detected, but neither better nor worse."""
    target = {"metric": "target_ips", "direction": "none"}
    rows = frame(cell([10, 10.1], **target), cell([50, 50.1], version="2", **target))

    row = only(relative(rows, {"version": "1"}, metric="target_ips"))

    assert row["detected"]
    assert pd.isna(row["better"])


def test_each_cell_is_compared_with_its_equal():
    """Cells match in every dimension but the base's: wal with wal, dop 4 with dop 4."""
    rows = frame(
        cell([100]),
        cell([1000], config="rollback"),
        cell([10], dop=4),
        cell([200], version="2"),
        cell([500], version="2", config="rollback"),
        cell([30], version="2", dop=4),
    )

    table = relative(rows, {"version": "1"})

    found = {(r.config, r.dop): r.relative for r in table.itertuples()}
    expected = {("wal", 1): 2, ("rollback", 1): 0.5, ("wal", 4): 3}
    assert {k: pytest.approx(v) for k, v in expected.items()} == found


def test_cell_without_base_stays_with_a_note():
    """A cell that the base was not run for is listed, with NaN and the reason."""
    rows = frame(
        cell([100]),
        cell([100], version="2"),
        cell([50], version="2", step="l.x", op="index"),
    )

    table = relative(rows, {"version": "1"}).set_index("step")

    assert ["l.i0", "l.x"] == list(table.index)
    assert math.isnan(table.loc["l.x", "relative"])
    assert 0 == table.loc["l.x", "n_base"]
    assert "no base run for this cell: the base has no l.x" == table.loc["l.x", "note"]


def test_the_dimension_that_keeps_a_cell_from_its_base_is_named():
    """Both sides have the step, on another processor each."""
    rows = frame(cell([1, 2], cpu="A"), cell([1, 2], version="2", cpu="B"))

    row = only(relative(rows, {"version": "1"}))

    assert "no base run for this cell: cpu is B here and A there" == row["note"]


def test_base_of_two_dimensions():
    """Compiler and flags together are the base; a build's name does not block it."""
    rows = frame(
        cell([100], compiler="gcc-12", flags="-O2", build="gcc-12 -O2"),
        cell([150], compiler="gcc-12", flags="-O3", build="gcc-12 -O3"),
        cell([300], compiler="clang-19", flags="-O2", build="clang-19 -O2"),
    )

    table = relative(rows, {"compiler": "gcc-12", "flags": "-O2"})

    assert {"gcc-12 -O3": 1.5, "clang-19 -O2": pytest.approx(3)} == dict(
        zip(table["me"], table["relative"].round(9), strict=True)
    )


def test_values_that_do_not_speak_carry_their_dimension():
    """indexes 3 against 0 reads indexes=3, a config its name alone."""
    rows = frame(cell([1], indexes="0"), cell([2], indexes="3"))

    row = only(relative(rows, {"indexes": "0"}))

    assert ("indexes=3", "indexes=0") == (row["me"], row["base"])


def test_one_of_two_build_dimensions_matches_the_other():
    """Base compiler only: -O2 is compared with -O2, -O3 with -O3."""
    rows = frame(
        cell([100], compiler="gcc", flags="-O2", build="gcc -O2"),
        cell([200], compiler="gcc", flags="-O3", build="gcc -O3"),
        cell([300], compiler="clang", flags="-O2", build="clang -O2"),
        cell([400], compiler="clang", flags="-O3", build="clang -O3"),
    )

    table = relative(rows, {"compiler": "gcc"})

    assert [("-O2", 3.0), ("-O3", 2.0)] == list(
        zip(table["flags"], table["relative"].round(9), strict=True)
    )


def test_machine_can_be_the_base():
    """Base machine compares across machines; their ids may differ then."""
    rows = frame(cell([100]), cell([300], machine="m2", machine_id="id2"))

    assert 3 == pytest.approx(only(relative(rows, {"machine": "m1"}))["relative"])


def test_machines_are_not_compared_unless_asked():
    """Version 2 ran on another machine only: it has no base, and no ratio."""
    rows = frame(cell([100]), cell([300], version="2", machine="m2", machine_id="id2"))

    assert math.isnan(only(relative(rows, {"version": "1"}))["relative"])


def test_label_that_changed_with_the_version_is_noted():
    """A config that changed together with the version is compared, and said."""
    rows = frame(cell([100, 101]), cell([100, 102], version="2", config="rollback"))

    row = only(relative(rows, {"version": "1"}))

    assert "config changed too (wal to rollback)" == row["note"]
    assert not math.isnan(row["relative"])


def test_study_dimensions_are_never_tied():
    """Block size is no label: it must be equal, even where it follows from others."""
    rows = frame(
        cell([1], version="1", block_size="4096"),
        cell([2], version="2", block_size="8192"),
    )

    dimensions = ["machine", "version", "build", "block_size"]

    assert ["build"] == tied_labels(rows, {"version": "1"}, dimensions)
    assert math.isnan(only(relative(rows, {"version": "1"}))["relative"])


def test_explicit_dimensions_leave_out_a_tied_one():
    """A dimension left out of `dimensions` does not take part in the match."""
    rows = frame(cell([1], version="1", rate="100"), cell([2], version="2", rate="200"))

    table = relative(rows, {"version": "1"}, dimensions=("machine", "version"))

    assert 2 == pytest.approx(only(table)["relative"])


def test_pooled_cells_are_refused():
    """Leaving out a dimension that varies inside a cell raises and names it."""
    rows = frame(cell([1]), cell([2], config="rollback"), cell([3], version="2"))

    with pytest.raises(ValueError, match="mixes config wal, rollback"):
        relative(rows, {"version": "1"}, dimensions=("machine", "version"))


def test_two_machines_of_one_name_are_refused():
    """Runs of one machine name with two machine ids are not one machine."""
    rows = frame(cell([1]), cell([2], machine_id="id2"), cell([3], version="2"))

    with pytest.raises(ValueError, match="mixes machine_id id1, id2"):
        relative(rows, {"version": "1"})


def test_mixed_units_are_refused():
    """rows/s and krows/s in one metric raise instead of giving a ratio of 1000."""
    rows = frame(cell([1]), cell([2], version="2", unit="krows/s"))

    with pytest.raises(ValueError, match="mixes unit rows/s, krows/s"):
        relative(rows, {"version": "1"})


def test_nan_is_refused():
    """A NaN value raises and names its step."""
    rows = frame(cell([1]), cell([float("nan")], version="2", step="l.i1"))

    with pytest.raises(ValueError, match=r"no finite value of ips in step l\.i1"):
        relative(rows, {"version": "1"})


def test_run_counted_twice_is_refused():
    """A run with two values of one measurement is a mistake, not two trials."""
    rows = frame(cell([1]), cell([1]), cell([2], version="2"))

    with pytest.raises(ValueError, match="two values of ips in step"):
        relative(rows, {"version": "1"})


def test_zero_has_no_ratio():
    """A throughput of 0 has no geometric mean: NaN and a note."""
    rows = frame(cell([0, 10]), cell([5, 6], version="2"))

    row = only(relative(rows, {"version": "1"}))

    assert math.isnan(row["relative"])
    assert "a run of 0 has no ratio: the difference of the means" == row["note"]


def test_unknown_base_lists_what_exists():
    """A base value that matches nothing names the values that exist."""
    rows = frame(cell([1], version="5.6.51"), cell([2], version="8.0.36"))

    with pytest.raises(UserError, match=r"version '5.6.5'; available: 5.6.51, 8.0"):
        relative(rows, {"version": "5.6.5"})


def test_unknown_base_dimension_lists_dimensions():
    """A base dimension that does not exist names those that do, and no statistics."""
    dims = "machine, engine, version, build, config, dop$"
    with pytest.raises(UserError, match=f"no dimension 'verson'; available: {dims}"):
        relative(frame(cell([1])), {"verson": "1"})


def test_unknown_metric_lists_metrics():
    """A metric that no row has names the metrics that exist."""
    with pytest.raises(UserError, match="no row has the metric 'p98'; available: ips"):
        relative(frame(cell([1])), {"version": "1"}, metric="p98")


def test_base_alone_gives_an_empty_table():
    """Where only the base was measured there is nothing to compare, and no error."""
    assert relative(frame(cell([1, 2])), {"version": "1"}).empty


def interleaved(*cells):
    """Cells of one study whose trials were run one after the other, all cells of each."""
    rows = frame(*cells)
    order = rows.sort_values("trial", kind="stable").index
    return rows.assign(position=pd.Series(range(1, len(rows) + 1), index=order))


def test_interleaved_trials_are_paired():
    """Ratios of the trials 2 2 2 2 4 on trials that vary by 16: Student's on 4 df."""
    base = [1, 16, 4, 1, 2]
    rows = interleaved(cell(base), cell([2, 32, 8, 2, 8], version="2"))

    row = only(relative(rows, {"version": "1"}))

    assert math.log(2) * math.sqrt(0.2 / 5) == pytest.approx(row["se"])
    assert 4 == pytest.approx(row["df"])
    assert row["paired"]


def test_trials_that_were_not_interleaved_are_not_paired():
    """All runs of one version before those of the other: 8 df, not paired."""
    rows = frame(cell([1, 16, 4, 1, 2]), cell([2, 32, 8, 2, 8], version="2"))
    rows = rows.assign(position=range(1, 11))

    row = only(relative(rows, {"version": "1"}))

    assert 8 == row["df"]
    assert not row["paired"]


def test_lines_of_a_file_are_no_order_of_runs():
    """Trials that stand in turns in a printed table: 8 df, not paired."""
    rows = interleaved(cell([1, 16, 4, 1, 2]), cell([2, 32, 8, 2, 8], version="2"))

    row = only(relative(rows.assign(origin="published"), {"version": "1"}))

    assert 8 == row["df"]
    assert not row["paired"]


@pytest.mark.parametrize(("trials", "paired"), [(4, False), (5, True)])
def test_pairing_must_leave_four_degrees_of_freedom(trials, paired):
    """Two cells of 4 trials would leave 3: the trials stay in the noise."""
    rows = interleaved(cell(range(1, trials + 1)), cell([3] * trials, version="2"))

    assert paired == only(relative(rows, {"version": "1"}))["paired"]


def test_lost_run_ends_pairing():
    """Where a cell lacks a trial the group is compared unpaired."""
    rows = interleaved(cell([1, 16, 4, 1, 2, 3]), cell([2, 32, 8, 2, 8, 9], version="2"))

    row = only(relative(rows.iloc[:-1], {"version": "1"}))

    assert not row["paired"]


def begun(order, mine=(2, 32, 8, 2, 8)):
    """Five runs of version 1 (b) and 2 (m) that began in the order of these letters."""
    rows = frame(cell([1, 16, 4, 1, 2]), cell(mine, version="2"))
    places = {c: [i for i, d in enumerate(order, 1) if c == d] for c in "bm"}
    return rows.assign(position=[*places["b"], *places["m"]])


def test_runs_resumed_in_a_row_are_unpaired_and_said():
    """All of one version, then all of the other: trials do not make them neighbours."""
    row = only(relative(begun("bbbbbmmmmm"), {"version": "1"}))

    assert not row["paired"]
    assert (
        "runs of 1 and 2 were not interleaved: 5 of the 5 of 1 began before the first of "
        "2, so drift between hours can look like a difference"
    ) in row["note"]


def test_a_side_that_fell_behind_is_said():
    """One turn each, then a failure: four of the one before run 2 of the other."""
    row = only(relative(begun("bmbbbbmmmm"), {"version": "1"}))

    assert "5 of the 5 of 1 began before run 2 of the 5 of 2" in row["note"]


@pytest.mark.parametrize("order", ["bmmbbmmbbm", "bmbmbmbmbm", "mbbmmbmbbm"])
def test_any_order_of_turns_is_paired(order):
    """What alternates is paired, in the order planned or in another."""
    row = only(relative(begun(order), {"version": "1"}))

    assert row["paired"]
    assert "interleaved" not in row["note"]


def test_pairs_are_runs_that_began_together():
    """Trial 1 of version 2 was made again at the end: each is paired with its neighbour.

    Neighbours have the ratios 2 2 2 2 4, as ``test_interleaved_trials_are_paired``.
    """
    rows = frame(cell([1, 16, 4, 1, 2]), cell([8, 2, 32, 8, 2], version="2"))
    rows = rows.assign(position=[1, 3, 5, 7, 9, 10, 2, 4, 6, 8])

    row = only(relative(rows, {"version": "1"}))

    assert math.log(2) * math.sqrt(0.2 / 5) == pytest.approx(row["se"])


def test_more_runs_of_the_base_are_not_a_row():
    """Runs of the base alone, added later, are no reason to doubt the others."""
    rows = frame(cell([1, 2, 1, 2, 1, 2]), cell([3, 4, 3], version="2"))
    rows = rows.assign(position=[1, 4, 5, 7, 8, 9, 2, 3, 6])

    assert "interleaved" not in only(relative(rows, {"version": "1"}))["note"]


def test_published_runs_do_not_say_when_they_were_run():
    """The order of lines in a file is not the order of runs."""
    rows = begun("bbbbbmmmmm").assign(origin="published")

    assert "interleaved" not in only(relative(rows, {"version": "1"}))["note"]


def test_machines_are_never_paired():
    """Trials of two machines have nothing in common, whatever their positions."""
    rows = interleaved(cell([1, 2, 1, 2, 1]), cell([3, 4, 3, 4, 3], machine="m2"))

    row = only(relative(rows.drop(columns="machine_id"), {"machine": "m1"}))

    assert not row["paired"]
    assert 8 > row["df"]  # Satterthwaite's: each machine has a noise of its own


FLOOR = {
    "machine": "m1", "engine": "sqlite", "step": "l.i0", "op": "insert", "clock": "",
    "metric": "ips", "dop": 1, "run_sd": 0.03, "run_df": 10.0, "build_sd": 0.04,
    "build_df": 5.0, "load_sd": math.nan, "load_df": 0.0,
}  # fmt: skip


def floor(**changed):
    return pd.DataFrame([FLOOR | changed])


def test_single_runs_take_calibrated_noise():
    """One run a side and A/A runs on record: se^2 = 2 (.03^2 + .04^2) = .005.

    Degrees of freedom are Satterthwaite's: .005^2 / (.0018^2 / 10 + .0032^2 / 5).
    """
    rows = frame(cell([100]), cell([200], version="2"))

    row = only(relative(rows, {"version": "1"}, floor=floor()))

    assert math.sqrt(0.005) == pytest.approx(row["se"])
    assert 0.005**2 / (0.0018**2 / 10 + 0.0032**2 / 5) == pytest.approx(row["df"])
    assert (0.03, 0.04) == (pytest.approx(row["run_sd"]), pytest.approx(row["floor_sd"]))
    assert ("calibrated", "version") == (row["noise"], row["subject"])
    assert row["note"].startswith("calibrated noise")


def test_build_effect_is_added_to_measured_noise():
    """Runs (2 df) and two builds: se^2 = (ln 2)^2 / 2 + 2 .04^2."""
    rows = frame(cell([1, 2]), cell([4, 8], version="2"))

    row = only(relative(rows, {"version": "1"}, floor=floor()))

    assert math.sqrt(math.log(2) ** 2 / 2 + 0.0032) == pytest.approx(row["se"])
    assert ("pooled", "version") == (row["noise"], row["subject"])


def test_one_build_on_both_sides_has_no_build_effect():
    """Two configs of one build: no build effect, and the subject is no build's."""
    rows = frame(cell([1, 2]), cell([4, 8], config="rollback"))

    row = only(relative(rows, {"config": "wal"}, floor=floor()))

    assert math.log(2) / math.sqrt(2) == pytest.approx(row["se"])
    assert (0.0, "") == (row["floor_sd"], row["subject"])


def test_builds_without_a_floor_are_binaries():
    """Two builds and no record of what a build does: the subject is the binary."""
    rows = frame(cell([1, 2]), cell([4, 8], version="2"))

    row = only(relative(rows, {"version": "1"}))

    assert (0.0, "binary") == (row["floor_sd"], row["subject"])


def test_floor_of_another_step_says_nothing():
    """A noise floor without the step leaves the comparison as it is."""
    rows = frame(cell([1, 2]), cell([4, 8], version="2"))

    row = only(relative(rows, {"version": "1"}, floor=floor(step="l.x")))

    assert (0.0, "binary") == (row["floor_sd"], row["subject"])


def test_load_effect_is_added_where_loads_differ():
    """Configs of one build have a load each: 2 .02^2 on top of the runs' part."""
    rows = frame(cell([1, 2, 1, 2]), cell([1, 2, 1, 2], config="rollback"))
    known = floor(load_sd=0.02, load_df=9.0)

    row = only(relative(rows, {"config": "wal"}, floor=known))

    assert math.sqrt(2 * 0.02**2) == pytest.approx(row["floor_sd"] * math.sqrt(2))
    run_part = row["run_sd"] ** 2 / 2
    assert math.sqrt(run_part + 2 * 0.02**2) == pytest.approx(row["se"])


def test_ambiguous_floor_is_refused():
    """Two rows of the floor for one step raise: neither is right for the cell."""
    rows = frame(cell([1, 2]), cell([4, 8], version="2"))

    with pytest.raises(ValueError, match=r"two rows for step l\.i0"):
        relative(rows, {"version": "1"}, floor=pd.concat([floor(), floor()]))


def built(values, **changed):
    """Two runs of each build."""
    rows = cell(values, **changed)
    return [row | {"build_no": 1 + i // 2, "load_no": 1} for i, row in enumerate(rows)]


def test_builds_are_the_repetitions():
    """Two builds of two equal runs each are two values: 2 df, not 6; s^2 = (ln 2)^2/2."""
    rows = frame(built([1, 1, 2, 2]), built([4, 4, 8, 8], version="2"))

    row = only(relative(rows, {"version": "1"}))

    assert math.log(2) / math.sqrt(2) == pytest.approx(row["se"])
    assert 2 == row["df"]
    assert ("version", 4) == (row["subject"], row["n"])
    assert 0 == pytest.approx(row["run_sd"])
    assert math.log(2) / 2 == pytest.approx(row["floor_sd"])
    assert "repetitions are builds: 2+2" in row["note"]


def test_mean_is_that_of_builds():
    """Builds of 1 and 3 runs count alike: 1 and 4 have the geometric mean 2."""
    rows = frame(cell([1, 4, 4, 4]), cell([1, 4, 4, 4], version="2"))
    rows = rows.assign(build_no=[1, 2, 2, 2, 1, 2, 2, 2], load_no=1)

    row = only(relative(rows, {"version": "1"}))

    assert (2, 2) == (pytest.approx(row["value"]), pytest.approx(row["value_base"]))


def test_loads_are_the_repetitions_of_one_build():
    """One build, two loads of two runs: the load repeats."""
    rows = frame(built([1, 1, 2, 2]), built([4, 4, 8, 8], config="rollback"))
    rows = rows.assign(load_no=rows["build_no"], build_no=1)

    row = only(relative(rows, {"config": "wal"}))

    assert 2 == row["df"]
    assert "repetitions are loads: 2+2" in row["note"]


def test_rebuilt_arms_are_two_builds():
    """Arms of one version that differ in build_no are compared as builds."""
    rows = frame(cell([1, 2], arm="main"), cell([1, 2], arm="rebuilt-2"))
    rows = rows.assign(build_no=[1, 1, 2, 2], load_no=1)

    row = only(relative(rows, {"arm": "main"}, floor=floor()))

    assert ("version", 0.04) == (row["subject"], pytest.approx(row["floor_sd"]))


def test_dimension_named_like_a_statistic_survives():
    """A study's own dimension `level` is a dimension, whatever the analysis calls its."""
    rows = frame(cell([1, 2], level="9"), cell([4, 8], level="9", version="2"))

    assert "9" == only(relative(rows, {"version": "1"}))["level"]


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99, 0.999])
def test_interval_and_p_agree(level):
    """Detected exactly where p is below 1 - level, over ratios from 0.97 to 1.03."""
    cells = [cell([99, 100, 101.5])]
    cells += [cell([x, x + 1, x + 2], version=f"v{x}") for x in range(95, 105)]

    table = relative(frame(*cells), {"version": "1"}, level=level)

    assert list(table["p"] < 1 - level) == list(table["detected"])


def test_equal_runs_of_equal_versions_have_p_1():
    """No spread: p is 1 for the ratio 1 and 0 for any other."""
    rows = frame(cell([9, 9, 9]), cell([9, 9, 9], version="2"), cell([7, 7], version="3"))

    table = relative(rows, {"version": "1"})

    assert [1, 0] == list(table["p"])
    assert [0, 0] == list(table["se"])


def test_unit_and_scale_do_not_matter():
    """Everything in thousandths: ratio, interval and p stay."""
    rows = frame(cell([99, 104, 101]), cell([95, 93, 99], version="2"))

    table, scaled = (
        relative(r, {"version": "1"})
        for r in (rows, rows.assign(value=rows["value"] / 1e3))
    )

    columns = ["relative", "low", "high", "p", "df"]
    assert list(only(table)[columns]) == pytest.approx(list(only(scaled)[columns]))


def test_pooled_intervals_cover():
    """Of 2000 comparisons without a difference (seed 3; 3 runs) 5% exclude 1."""
    rng = np.random.default_rng(3)
    rows = frame(
        *(
            cell(100 * np.exp(rng.normal(0, 0.01, 3)), step=f"s{s}", version=f"v{v}")
            for s in range(400)
            for v in range(6)
        )
    )

    table = relative(rows, {"version": "v0"})

    assert 0.05 == pytest.approx(table["detected"].mean(), abs=0.02)


def test_summary_has_geometric_mean_and_range():
    """100 and 400: geometric mean 200, two runs, lowest and highest kept."""
    row = only(summary(frame(cell([100, 400]))))

    assert math.isclose(200, row["value"])
    assert (2, 100, 400, "") == (row["n"], row["min"], row["max"], row["note"])
    half = 12.706204736174694 * math.log(4) / math.sqrt(2) / math.sqrt(2)
    assert math.isclose(200 * math.exp(half), row["high"])


def test_summary_of_one_run_has_no_interval():
    """A single run keeps its value and says that there is no interval."""
    row = only(summary(frame(cell([100]))))

    assert math.isclose(100, row["value"])
    assert math.isnan(row["low"])
    assert "1 run: no interval" == row["note"]
