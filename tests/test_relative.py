"""Relative throughput: bases, intervals, partners, labels, the published convention."""

import math

import pandas as pd
import pytest

from benchbook.analysis.frames import tied_labels
from benchbook.analysis.relative import published_ratio, relative, summary
from benchbook.errors import UserError

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


def test_interval_is_welch_on_logarithms():
    """Logs 0, ln 2 against ln 4, ln 8: ratio 4, two equal variances, 2 df, t 4.3027."""
    rows = frame(cell([1, 2]), cell([4, 8], version="2"))

    row = only(relative(rows, {"version": "1"}))

    half = 4.302652729911275 * math.sqrt(math.log(2) ** 2 / 2)
    assert math.isclose(4, row["relative"])
    assert math.isclose(4 * math.exp(-half), row["low"])
    assert math.isclose(4 * math.exp(half), row["high"])
    assert not row["detected"]
    assert pd.isna(row["better"])


def test_one_run_has_a_ratio_and_no_interval():
    """A single run gives a ratio, NaN bounds, a note, and no claim of a difference."""
    rows = frame(cell([100, 101]), cell([50], version="2"))

    row = only(relative(rows, {"version": "1"}))

    assert math.isclose(50 / math.sqrt(10100), row["relative"])
    assert math.isnan(row["low"]) and math.isnan(row["high"])
    assert pd.isna(row["detected"])
    assert "1 run of me: no interval" == row["note"]


def test_single_runs_on_both_sides_say_so_once():
    """One run each side reads `1 run: no interval`."""
    rows = frame(cell([100]), cell([50], version="2"))

    assert "1 run: no interval" == only(relative(rows, {"version": "1"}))["note"]


def test_single_base_run_is_named():
    """Where only the base has one run, the note says it is the base's."""
    rows = frame(cell([100]), cell([50, 51], version="2"))

    note = only(relative(rows, {"version": "1"}))["note"]

    assert "1 run of the base: no interval" == note


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
    assert "no base run for this cell" == table.loc["l.x", "note"]


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
    assert ["1 run: no interval"] == list(table["note"].unique())


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
    assert "a run of 0: no ratio" == row["note"]


def test_unknown_base_lists_what_exists():
    """A base value that matches nothing names the values that exist."""
    rows = frame(cell([1], version="5.6.51"), cell([2], version="8.0.36"))

    with pytest.raises(UserError, match=r"no run has version '5.6.5', only 5.6.51, 8.0"):
        relative(rows, {"version": "5.6.5"})


def test_unknown_base_dimension_lists_dimensions():
    """A base dimension that does not exist names those that do."""
    with pytest.raises(UserError, match="no dimension 'verson'; dimensions are machine,"):
        relative(frame(cell([1])), {"verson": "1"})


def test_unknown_metric_lists_metrics():
    """A metric that no row has names the metrics that exist."""
    with pytest.raises(UserError, match="no row has the metric 'p98'; the frame has ips"):
        relative(frame(cell([1])), {"version": "1"}, metric="p98")


def test_base_alone_gives_an_empty_table():
    """Where only the base was measured there is nothing to compare, and no error."""
    assert relative(frame(cell([1, 2])), {"version": "1"}).empty


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


@pytest.mark.parametrize(
    ("me", "base", "expected"),
    [
        (0, 0, "1"),
        (0.077, 0, "inf"),
        (7.408, 90.665, "0.08"),
        (0.007467, 0.006937, "1.08"),
        (3845, 3966, "0.97"),
        (5977.0, 8032.0, "0.74"),
    ],
)
def test_published_convention(me, base, expected):
    """0/0 prints 1, anything over 0 prints inf, the rest is C's %.2f."""
    assert expected == published_ratio(me, base)


def test_published_rows_reproduce():
    """update-inlist of MariaDB 10.3.39 and 10.11.7 against 10.2.44, as published."""
    base = [0.006937, 36.076, 0, 0, 90.665, 3966]
    ma103 = [0.007467, 35.345, 0, 0, 89.534, 3845]
    ma1011 = [0.004253, 8.595, 0.077, 0.306, 33.099, 3856]

    expected = "1.08 0.98 1 1 0.99 0.97 | 0.61 0.24 inf inf 0.37 0.97"
    printed = [
        " ".join(published_ratio(m, b) for m, b in zip(me, base, strict=True))
        for me in (ma103, ma1011)
    ]

    assert expected == " | ".join(printed)
