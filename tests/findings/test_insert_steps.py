"""The sentences on the steps of the insert benchmark: of those that a study has."""

import re
from pathlib import Path

import pytest
from places import ROOT

from benchbook.findings.insert_steps import COMMITS, insert_steps
from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import driver_named
from benchbook.study.study import Study

pytestmark = pytest.mark.unit

STUDY = Path("study.yml")


def said(*cells, **options):
    """The text behind its first sentence."""
    study = Study(
        slug="s", path=STUDY, title="?", template="engines", base={"engine": "null"},
        cells=tuple(Cell("null", tuple(map(Step.parse, c.split()))) for c in cells),
        driver=driver_named("ingest", STUDY), options=options,
    )  # fmt: skip
    text = str(insert_steps(study).data)
    return text.removeprefix("The steps are those of the insert benchmark. ")


def test_only_steps_that_are_there_are_told():
    assert said("l.i0:rows=10 l.x") == (
        "`l.i0` inserts in key order into new tables that have a primary key alone, "
        "100 rows per transaction. `l.x` creates the secondary indexes."
    )


def test_two_steps_that_do_the_same_are_told_together():
    assert said("l.i1:rows=10 l.i2:rows=10") == (
        "`l.i1` and `l.i2` insert and delete as many of the oldest rows, 50 and 5 rows "
        "per transaction."
    )


def test_without_deletes_no_step_is_said_to_delete():
    """Not the queries' writers either."""
    assert said("l.i1:rows=10 qp100.L2:seconds=1", no_delete="1") == (
        "`l.i1` inserts, 50 rows per transaction; nothing is deleted. `qp` are point "
        "queries while writers insert at a rate: the number is rows per second of each "
        "client."
    )


def test_queries_of_2022_have_writers_that_only_insert():
    text = said("qr100.L1:seconds=1 qp100.L2:seconds=1 q100.1:seconds=1")

    assert (
        "`qr` and `qp` are range and point queries while writers insert and delete"
        in text
    )
    assert "`q` are range queries while writers insert at a rate" in text


def test_rows_per_transaction_are_those_of_the_study():
    assert ", 20 rows per transaction." in said("l.i1:rows=10:rows_per_commit=20")


def test_rows_per_transaction_that_cells_do_not_share_are_left_out():
    text = said("l.i1:rows=10", "l.i1:rows=10:rows_per_commit=20")

    assert text == "`l.i1` inserts and deletes as many of the oldest rows."


def test_scans_are_told_from_the_first_to_the_last():
    assert said("scan.q1 scan.q4") == "`scan.q1` to `scan.q4` read one index each, whole."


def test_the_drivers_own_rows_per_transaction_are_these():
    text = (ROOT / "bench" / "ingest" / "steps.c").read_text()
    own = dict(re.findall(r'LOAD\("([^"]+)", "[^"]*",\s*(\d+)', text))

    assert own == COMMITS
