"""Ratios of turns against the rounds that count, and over steps against whole ones."""

import pandas as pd
import pytest
from turn_frames import sessions

from benchbook.audit.ratios import ratio_contradictions

pytestmark = pytest.mark.unit

ROW = {"me": "new", "step": "q", "metric": "throughput", "noise": "turns", "value": 104.0,
       "value_base": 100.0, "relative": 1.05, "low": 1.04, "high": 1.06}  # fmt: skip


def said(**changed) -> list[str]:
    frame = pd.DataFrame([ROW | changed])
    return [str(c) for c in ratio_contradictions("x", frame, pd.DataFrame())]


def test_a_ratio_of_turns_may_differ_from_that_of_the_steps():
    assert [] == said()


def test_but_not_by_more_than_its_interval_and_a_step_explain():
    assert 1 == len(said(value=110.0))


def test_a_ratio_of_runs_may_not():
    assert 1 == len(said(noise="pooled"))


# The first round and the last are slow ones of the new version: all rounds give .9.
TURNS, RUNS = sessions(
    a={"old": [100] * 14, "new": [40] + [100] * 12 + [20]},
    b={"old": [100] * 14, "new": [40] + [121] * 12 + [20]},
    c={"old": [100] * 14, "new": [40] + [400] * 12 + [20]},
)
METRIC = RUNS.assign(
    step="s", op="query", value=1.0, trial=RUNS["run_id"].str[0].map(ord), dop=1
)
OF_TURNS = {
    "base": "old",
    "step": "s",
    "op": "query",
    "version": "new",
    "dop": 1,
    "value": 90.0,
}


def of_rounds(**changed) -> list[str]:
    frame = pd.DataFrame([ROW | OF_TURNS | {"value": 1.0, "value_base": 1.0} | changed])
    found = ratio_contradictions("x", frame, METRIC, TURNS, {"version": "old"})
    return [str(c) for c in found if "a ratio" in str(c)]


def test_a_ratio_of_turns_is_that_of_the_rounds_that_count():
    """1, 1.21 and 4 in three loads: the cube root of 4.84."""
    right = 4.84 ** (1 / 3)

    assert [] == of_rounds(relative=right, low=1.5, high=2)
    assert 1 == len(of_rounds(relative=right * 1.001, low=1.5, high=2))


def test_a_row_may_have_another_base():
    """Old over new is the inverse of new over old."""
    turned = {"version": "old", "base": "new", "low": 0.5, "high": 0.7}

    assert [] == of_rounds(relative=4.84 ** (-1 / 3), **turned)
    assert 1 == len(of_rounds(relative=4.84 ** (1 / 3), **turned))


def test_a_ratio_that_stopped_is_that_of_its_loads():
    """After two loads the root of 1.21."""
    stopped = {"note": "stopped when decided, after 2 loads"}

    assert [] == of_rounds(relative=1.1, low=1, high=1.2, **stopped)
    assert 1 == len(of_rounds(relative=1.1, low=1, high=1.2))


def test_a_step_of_few_rounds_is_that_of_all_its_turns():
    """Ten rounds: the slow ones at both ends count as well."""
    turns, runs = sessions(a={"old": [100] * 10, "new": [10] + [100] * 8 + [90]})
    metric = METRIC[METRIC["run_id"].isin(runs["run_id"])]
    row = ROW | OF_TURNS | {"relative": 0.9, "low": 0.8, "high": 1, "value": 0.5}
    found = ratio_contradictions("x", pd.DataFrame([row]), metric, turns,
                                 {"version": "old"})  # fmt: skip

    assert [] == [c for c in found if "a ratio" in str(c)]
