"""Response times by second of a study: which steps, ops, arms and trials."""

import shutil
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from places import FIXTURES

from benchbook.results.collect import collect
from benchbook.templates.inserts.analysis import response_times_over_time
from benchmath.errors import UserError


@pytest.fixture(scope="module")
def timed(tmp_path_factory):
    """The fixture study `inserts`: a second with one insert and one query of each run."""
    copy = shutil.copytree(FIXTURES, tmp_path_factory.mktemp("over-time") / "copy")
    results = collect(Path(copy) / "posts" / "inserts" / "study.yml", measure=False)
    rows = [
        (run, step, op, 1.0, 1024, 1)
        for run in results.runs["run_id"]
        for step, op in (("qp100.L2", "insert"), ("qp100.L2", "query"))
    ]
    columns = ["run_id", "step", "op", "second", "lower_ns", "count"]
    return replace(results, times=pd.DataFrame(rows, columns=columns))


def test_trials_of_an_arm_are_added_up(timed):
    """Two trials of each arm, of the main op alone."""
    table = response_times_over_time(timed)

    assert [2, 2] == table["count"].tolist()
    assert 2 == table["test"].nunique()
    assert [1.024, 1.024] == table["lower_us"].tolist()


def test_one_trial_may_be_looked_at(timed):
    """An event of one run is not halved by the others."""
    assert [1, 1] == response_times_over_time(timed, trial=2)["count"].tolist()


def test_another_op_may_be_asked_for(timed):
    """The writers beside the queries."""
    assert [2, 2] == response_times_over_time(timed, op="insert")["count"].tolist()


def test_a_step_that_is_not_there_is_named(timed):
    """A misspelt step is no empty chart."""
    with pytest.raises(UserError, match=r"there is no step qr100\.L9"):
        response_times_over_time(timed, ["qr100.L9"])


def test_runs_without_times_have_no_cells(timed):
    """Older runs, and drivers that have none."""
    assert response_times_over_time(replace(timed, times=pd.DataFrame())).empty
