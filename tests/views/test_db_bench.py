"""Steps that do not count, clients of setups, versions in a row, and costs of trees."""

import pandas as pd
import pytest
from places import FIXTURES

from benchbook.results.collect import collect
from benchbook.views.db_bench import (
    tree_costs,
    version_to_version,
    with_dop_of_run,
    without_left_out,
)

pytestmark = pytest.mark.unit
LEFT_OUT = ["revrange", "overwritesome", "flush_mt_l0"]


@pytest.fixture(scope="module")
def versions():
    """Three versions, cached and from the device, two runs each."""
    return collect(FIXTURES / "posts" / "db_bench-versions", measure=False)


@pytest.fixture(scope="module")
def variance():
    """One version with one client and with two."""
    return collect(FIXTURES / "posts" / "db_bench-variance", measure=False)


def test_steps_that_shape_the_tree_do_not_count(versions):
    """The others keep their order."""
    counted = without_left_out(versions, LEFT_OUT)

    steps = ["fillseq", "readrandom", "overwriteandwait"]
    assert steps == list(dict.fromkeys(counted.metric["step"]))
    assert set(steps) == set(counted.steps["step"])
    for name in ("os", "trees", "devices"):
        assert getattr(versions, name)["step"].isin(LEFT_OUT).any()
        assert not getattr(counted, name)["step"].isin(LEFT_OUT).any()


def test_a_load_belongs_to_the_setup_of_its_run(variance):
    """It has one client, the run has two."""
    loads = variance.metric[variance.metric["step"] == "fillseq"]
    again = with_dop_of_run(variance).metric
    again = again[again["step"] == "fillseq"]

    assert {"1"} == set(loads["dop"].astype(str))
    assert {"1", "2"} == set(again["dop"].astype(str))
    assert 1 == again.groupby("run_id")["dop"].nunique().max()


def test_each_version_is_compared_with_the_one_before_it(versions):
    """Not all of them with the first; older ones come first."""
    pairs = version_to_version(without_left_out(versions, LEFT_OUT))

    assert ["7.8.3→9.10.0", "9.10.0→11.8.1"] == list(dict.fromkeys(pairs["me"]))
    of_step = pairs[(pairs["step"] == "readrandom") & (pairs["workload"] == "byrx")]
    assert [1, 1] == of_step.groupby("me").size().tolist()


def test_trees_have_a_row_for_each_step_that_writes(versions):
    """The slowdowns of releases that print no total are those of their causes."""
    table = tree_costs(without_left_out(versions, LEFT_OUT))

    assert ["fillseq", "overwriteandwait"] == list(dict.fromkeys(table["step"]))
    assert ["7.8.3", "9.10.0", "11.8.1"] == list(dict.fromkeys(table["version"]))
    load = table[(table["step"] == "fillseq") & (table["workload"] == "byrx")]
    assert 1.02 == pytest.approx(load["write_amp"].iloc[0], abs=0.01)
    old = versions.metric
    old = old[(old["version"] == "7.8.3") & (old["workload"] == "byrx")]
    old = old[(old["step"] == "fillseq") & (old["metric"] == "stall_memtable_slowdown")]
    assert old["value"].mean() == load["slowdowns"].iloc[0] > 0


def test_a_study_that_writes_nothing_has_no_trees(versions):
    """An empty table, no error."""
    reads = without_left_out(versions, [*LEFT_OUT, "fillseq", "overwriteandwait"])

    assert tree_costs(reads).empty
    assert isinstance(tree_costs(reads), pd.DataFrame)
