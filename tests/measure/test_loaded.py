"""What `run` measured is in the store when it ends."""

import time

import pytest
from studies import NULL_STUDY

from benchbook.store.query import query

pytestmark = pytest.mark.engine
ONE = NULL_STUDY.replace("trials: 2", "trials: 1").replace("[0, 3]", "[0]")


def loaded(checkout):
    return len(query("FROM runs", project=checkout.project))


@pytest.mark.slow
def test_run_loads_what_it_measured(checkout):
    """So that `compare --study` right after it has something to compare."""
    checkout.study("s", NULL_STUDY)
    run = checkout.call("run", "s")
    compare = checkout.call("compare", "--study", "s", "0", "3")

    assert (0, 0, 4) == (run.returncode, compare.returncode, loaded(checkout))


@pytest.mark.slow
def test_a_detached_run_loads_too(checkout):
    """The same in the process that it starts."""
    checkout.study("s", ONE)
    started = checkout.call("run", "s", "--detach")
    assert 0 == started.returncode
    until = time.monotonic() + 60
    while not checkout.project.store.exists() and time.monotonic() < until:
        time.sleep(0.1)

    assert 1 == loaded(checkout)


@pytest.mark.slow
def test_a_store_that_cannot_be_written_costs_no_run(checkout):
    """The runs stand, and one sentence says what to do."""
    checkout.study("s", ONE)
    checkout.project.store.with_name("benchbook.duckdb.new").mkdir()
    checkout.project.store.write_text("no database")
    run = checkout.call("run", "s")

    assert (0, 1) == (run.returncode, len(checkout.runs("s")))
    assert "measured, but not loaded" in run.stderr.splitlines()[-1]
    assert "`benchbook load` makes it anew" in run.stderr


@pytest.mark.slow
def test_a_damaged_run_folder_is_named(checkout):
    """A folder that cannot be believed is left to `load`, which says why."""
    checkout.study("s", ONE)
    checkout.call("run", "s")
    [folder] = checkout.runs("s")
    (folder / "stderr.log").write_text("changed")
    checkout.project.store.unlink()
    run = checkout.call("run", "s")

    assert 0 == run.returncode
    assert "1 run folder of s not loaded, such as s/testbox" in run.stderr
