"""Geometric means over the steps of groups and of the suite, with intervals."""

import math

import numpy as np
import pandas as pd
import pytest

from benchmath.ratios.suite import suite

pytestmark = pytest.mark.unit

ROW = {
    "machine": "m1", "machine_id": "id1", "engine": "sqlite", "dop": 1, "op": "query",
    "main": True, "clock": "", "metric": "qps", "unit": "queries/s",
    "direction": "higher",
}  # fmt: skip


def runs(version, *values, **changed):
    """A run per mapping of steps to values."""
    return [
        ROW | {"version": version, "step": step, "value": float(value)} | changed
        | {"trial": trial, "run_id": f"{version} {trial}"}
        for trial, steps in enumerate(values, 1)
        for step, value in steps.items()
    ]  # fmt: skip


def frame(*cells):
    return pd.DataFrame([row for rows in cells for row in rows])


def only(table):
    """The one row of a table."""
    assert 1 == len(table)
    return table.iloc[0]


def test_geometric_mean_of_the_steps():
    """Ratios 2 and 8: geometric mean 4, over two steps, one suite."""
    rows = frame(
        runs("1", {"a": 10, "b": 10}, {"a": 10, "b": 10}),
        runs("2", {"a": 20, "b": 80}, {"a": 20, "b": 80}),
    )

    row = only(suite(rows, {"version": "1"}))

    assert 4 == pytest.approx(row["relative"])
    assert ("suite", "suite", 2, "") == tuple(row[["group", "step", "steps", "missing"]])
    assert (2, 2, "2", "1") == tuple(row[["n", "n_base", "me", "base"]])


def test_luck_of_a_run_is_not_averaged_out():
    """Runs twice as fast in both steps: the spread of the mean is that of a step."""
    base = runs("1", {"a": 1, "b": 10}, {"a": 2, "b": 20})
    rows = frame(base, runs("2", {"a": 1, "b": 10}, {"a": 2, "b": 20}))

    row = only(suite(rows, {"version": "1"}))

    assert math.log(2) / math.sqrt(2) == pytest.approx(row["se"])
    assert 2 == row["df"]


def test_opposite_luck_cancels_in_a_run():
    """What one step of a run gains the other loses: the mean has no spread."""
    base = runs("1", {"a": 1, "b": 2}, {"a": 2, "b": 1})
    rows = frame(base, runs("2", {"a": 2, "b": 4}, {"a": 4, "b": 2}))

    row = only(suite(rows, {"version": "1"}))

    assert 0 == pytest.approx(row["se"], abs=1e-12)
    assert 2 == pytest.approx(row["relative"])


def test_groups_then_the_suite():
    """Groups in the order of the mapping, the suite last; a step without group is out."""
    rows = frame(
        runs("1", {"a": 1, "b": 1, "c": 1, "d": 1}),
        runs("2", {"a": 2, "b": 4, "c": 1, "d": 100}),
    )

    table = suite(rows, {"version": "1"}, {"b": "y", "a": "x", "c": "x", "d": None})

    assert ["y", "x", "suite"] == list(table["group"])
    assert [4, math.sqrt(2), 2] == pytest.approx(table["relative"])
    assert [1, 2, 3] == list(table["steps"])


def test_only_steps_that_all_have_count():
    """Version 3 lacks step b: the others are compared without it too, and it is named."""
    rows = frame(
        runs("1", {"a": 1, "b": 1, "c": 1}),
        runs("2", {"a": 2, "b": 50, "c": 2}),
        runs("3", {"a": 4, "c": 4}),
    )

    table = suite(rows, {"version": "1"})

    assert [2, 4] == pytest.approx(table["relative"])
    assert [2, 2] == list(table["steps"])
    assert ["b", "b"] == list(table["missing"])


def test_step_with_a_run_of_zero_is_missing():
    """A step in which a run made nothing has no geometric mean: left out, and named."""
    rows = frame(runs("1", {"a": 1, "b": 1}), runs("2", {"a": 2, "b": 0}))

    row = only(suite(rows, {"version": "1"}))

    assert (2, 1, "b") == (pytest.approx(row["relative"]), row["steps"], row["missing"])


def test_machines_have_their_own_steps():
    """What one machine lacks is no reason to leave it out on another."""
    rows = frame(
        runs("1", {"a": 1, "b": 1}),
        runs("2", {"a": 2, "b": 2}),
        runs("1", {"a": 1, "b": 1}, machine="m2", machine_id="id2"),
        runs("2", {"a": 3}, machine="m2", machine_id="id2"),
    )
    rows["run_id"] = rows["machine"] + rows["run_id"]

    table = suite(rows, {"version": "1"}).set_index("machine")

    assert [2, 1] == list(table["steps"])
    assert [2, 3] == pytest.approx(table["relative"])


def test_no_step_in_common():
    """Versions without a common step stay in the table, without a ratio."""
    rows = frame(runs("1", {"a": 1}), runs("2", {"b": 2}))

    row = only(suite(rows, {"version": "1"}))

    assert math.isnan(row["relative"]) and math.isnan(row["low"])
    assert (0, "a, b", "no step in common") == tuple(row[["steps", "missing", "note"]])


def test_runs_of_one_step_are_joined_by_trial():
    """A run per step: the trial is the measurement, its spread that of the means."""
    rows = frame(
        runs("1", {"a": 1, "b": 10}, {"a": 2, "b": 20}),
        runs("2", {"a": 1, "b": 10}, {"a": 2, "b": 20}),
    )
    rows["run_id"] += rows["step"]

    row = only(suite(rows, {"version": "1"}))

    assert math.log(2) / math.sqrt(2) == pytest.approx(row["se"])
    assert "" == row["note"]


def test_incomplete_run_is_left_out():
    """A run that broke off after step a has no mean over the steps."""
    rows = frame(
        runs("1", {"a": 1, "b": 1}, {"a": 2, "b": 2}),
        runs("2", {"a": 1, "b": 1}, {"a": 2, "b": 2}, {"a": 99}),
    )

    row = only(suite(rows, {"version": "1"}))

    assert (2, 1) == (row["n"], pytest.approx(row["relative"]))
    assert "1 run without all steps left out" == row["note"]


def test_steps_of_unrelated_runs_are_added():
    """No trials and a run per step: variances are added, and the note says so.

    Each step's ratio has the variance (ln 2)^2 / 2 on 2 df, their mean half of it.
    """
    rows = frame(
        runs("1", {"a": 1, "b": 10}, {"a": 2, "b": 20}),
        runs("2", {"a": 1, "b": 10}, {"a": 2, "b": 20}),
    )
    rows["run_id"] += rows["step"]

    row = only(suite(rows.drop(columns="trial"), {"version": "1"}))

    assert math.log(2) / 2 == pytest.approx(row["se"])
    assert 2 == row["df"]
    assert "steps added as independent: no run or trial has them all" == row["note"]


def test_interleaved_runs_are_paired():
    """Trials that differ by a factor of 16 are no noise of the suite."""
    trials = [1, 16, 4, 2, 8]
    rows = frame(
        runs("1", *({"a": t, "b": t} for t in trials)),
        runs("2", *({"a": 2 * t, "b": 2 * t} for t in trials)),
    )
    rows["position"] = 2 * rows["trial"] + (rows["version"] == "2")

    row = only(suite(rows, {"version": "1"}))

    assert row["paired"]
    assert 0 == pytest.approx(row["se"], abs=1e-12)


FLOOR = {"machine": "m1", "engine": "sqlite", "dop": 1, "op": "query", "clock": ""}
FLOOR |= {"metric": "qps", "run_sd": 0.02, "run_df": 8.0}


def test_floor_of_the_steps_is_added():
    """One run a side, two steps of stddev 2%: their mean has 2% / sqrt 2, with 16 df."""
    rows = frame(runs("1", {"a": 1, "b": 1}), runs("2", {"a": 2, "b": 2}))
    floor = pd.DataFrame([FLOOR | {"step": s} for s in ("a", "b")])

    row = only(suite(rows, {"version": "1"}, floor=floor))

    assert (0.02, 16) == (pytest.approx(row["se"]), pytest.approx(row["df"]))
    assert row["note"].endswith("noise floor of the steps added as independent")


def test_floor_of_the_suite_is_taken():
    """A floor of the suite itself knows how the steps of a run move together."""
    rows = frame(runs("1", {"a": 1, "b": 1}), runs("2", {"a": 2, "b": 2}))
    of_suite = {"machine": "m1", "step": "suite", "run_sd": 0.03, "run_df": 5.0}

    row = only(suite(rows, {"version": "1"}, floor=pd.DataFrame([of_suite])))

    assert 0.03 * math.sqrt(2) == pytest.approx(row["se"])
    assert "independent" not in row["note"]


def test_floor_that_lacks_a_step_says_nothing():
    """With a step unknown the noise of the mean is unknown."""
    rows = frame(runs("1", {"a": 1, "b": 1}), runs("2", {"a": 2, "b": 2}))

    row = only(suite(rows, {"version": "1"}, floor=pd.DataFrame([FLOOR | {"step": "a"}])))

    assert math.isnan(row["low"])
    assert "1 run, no noise on record: no interval" == row["note"]


def test_direction_counts_for_costs():
    """Half the cost in all steps is better, with or without runs that hold them all."""
    cost = {"metric": "cpu_o", "unit": "us", "direction": "lower"}
    rows = frame(
        runs("1", {"a": 10, "b": 20}, {"a": 10.1, "b": 20.2}, **cost),
        runs("2", {"a": 5, "b": 10}, {"a": 5.05, "b": 10.1}, **cost),
    )

    row = only(suite(rows, {"version": "1"}, metric="cpu_o"))

    assert row["better"]
    assert ("us", "lower", "cpu_o") == tuple(row[["unit", "direction", "metric"]])


def test_mixed_units_have_none():
    """Inserts and queries have a geometric mean of ratios, but no common unit."""
    rows = frame(runs("1", {"a": 1, "b": 1}), runs("2", {"a": 2, "b": 2}))
    rows.loc[rows["step"] == "b", ["op", "metric", "unit"]] = ["insert", "ips", "rows/s"]

    row = only(suite(rows, {"version": "1"}))

    assert ("", "higher", 2) == (row["unit"], row["direction"], row["steps"])


def test_step_without_group_raises():
    """A step that the mapping forgets raises and is named."""
    rows = frame(runs("1", {"a": 1, "b": 1}), runs("2", {"a": 2, "b": 2}))

    with pytest.raises(ValueError, match="no group is given for step b"):
        suite(rows, {"version": "1"}, {"a": "x"})


def test_suite_intervals_cover():
    """Of 300 ratios of 5 correlated steps (3 runs a side, seed 4) 5% exclude 1."""
    rng = np.random.default_rng(4)
    rows = frame(
        *(
            runs(
                f"v{v}",
                *(dict(zip("abcde", 100 * np.exp(x), strict=True)) for x in logs),
                machine=f"m{m}",
                machine_id=f"m{m}",
            )
            for m in range(100)
            for v in range(4)
            for logs in [rng.normal(0, 0.01, (3, 5)) + rng.normal(0, 0.01, (3, 1))]
        )
    )
    rows["run_id"] = rows["machine"] + rows["run_id"]

    table = suite(rows, {"version": "v0"})

    assert 0.05 == pytest.approx(table["detected"].mean(), abs=0.03)
