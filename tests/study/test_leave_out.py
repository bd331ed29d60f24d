"""Which steps a further load leaves out: by what is open, and what steps leave behind."""

from pathlib import Path

import pytest

from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import driver_named
from benchbook.study.leave_out import made_steps, only_reads, steps_left_out
from benchbook.study.study import Study
from benchbook.study.workload import Workload, WorkloadStep

pytestmark = pytest.mark.unit

STUDY = Path("study.yml")
READS = tuple(WorkloadStep(f"r{n}", "read", reads=True) for n in (1, 2, 3, 4))
SQL = Workload("w", Path("workload"), "", READS)


def study(driver="sql", workload=SQL):
    return Study(
        slug="s", path=STUDY, title="?", template="ab", base={"version": "old"}, cells=(),
        driver=driver_named(driver, STUDY), order="turns", workload=workload,
    )  # fmt: skip


def arm(text):
    return Cell("null", tuple(map(Step.parse, text.split())))


def left_out(text, *wanted, of=None):
    """The steps that are left out of one arm's, as words."""
    return " ".join(steps_left_out([arm(text)], wanted, of or study()))


def test_readers_that_are_decided_are_left_out_alone():
    """The first one stays: it is the one that finds the caches as the load left them."""
    assert "r2 r4" == left_out("load index r1 r2 r3 r4", "r3")


def test_a_writer_before_what_is_open_stays():
    """What it wrote is what the open step reads."""
    assert "r2" == left_out("load r1 r2 w1 r3", "r3")
    assert "" == left_out("load w1 w2 w3", "w3")


def test_a_writer_behind_what_is_open_is_left_out():
    """Nobody sees what it writes; nor does anybody need what it reads first."""
    assert "r2 r3 w1 r4 w2" == left_out("load r1 r2 r3 w1 r4 w2", "r1")


def test_a_reader_behind_a_writer_stays_for_those_behind_it():
    """Else another step would be the first to read what was written."""
    assert "r2" == left_out("load r1 r2 w1 r3 r4", "r4")


def test_cleanup_and_indexes_stay_with_what_is_behind_them():
    """They are no comparisons, but later steps find what they leave."""
    assert "r2 tidy" == left_out("load index r1 r2 w1 tidy", "w1")
    assert "" == left_out("load index tidy r1", "r1")


def test_nothing_wanted_leaves_nothing_out():
    """That session is not made at all."""
    assert "" == left_out("load r1 r2")


def test_all_arms_leave_out_the_same():
    """One needs w1 before its open step, so the other makes it too, though it is last."""
    one, other = arm("load r1 r3 r2 w1"), arm("load r1 w1 r2 r3")

    assert ("r3", "w1") == steps_left_out([one], ["r2"], study())
    assert ("r3",) == steps_left_out([one, other], ["r2"], study())


def test_an_arm_without_a_step_would_be_none():
    """One that has none of the open steps makes all of its own."""
    assert () == steps_left_out([arm("load r1"), arm("r2 r3")], ["r1"], study())


def test_query_steps_of_the_insert_benchmark_have_writers():
    """Unless a number of queries is asked for; scans only read."""
    ingest = study("ingest", None)

    assert not only_reads(Step.parse("qr100.L1:seconds=10"), ingest)
    assert only_reads(Step.parse("qr100.L1:queries=1000"), ingest)
    assert only_reads(Step("scan.q2"), ingest)
    assert not only_reads(Step("cleanup"), ingest)


def test_insert_benchmark_keeps_its_writers():
    """A query step writes: it stays before an open one, as all before it."""
    steps = "l.i0:rows=9 l.x l.i1:rows=9 qr100.L1:seconds=1 qp100.L2:seconds=1 scan"
    ingest = study("ingest", None)

    assert "qp100.L2 scan" == left_out(steps, "qr100.L1", of=ingest)
    assert "" == left_out(steps, "scan", of=ingest)


def test_calculations_depend_on_nothing():
    """Not even the first of them stays."""
    assert "crc32c xxh3" == left_out(
        "crc32c xxhash xxh3", "xxhash", of=study("micro", None)
    )


def test_a_run_makes_the_others():
    """In their order."""
    steps = arm("load r1 r2 r3").steps

    assert ["load", "r2"] == [s.step for s in made_steps(steps, ("r1", "r3"))]
