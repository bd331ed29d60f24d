"""o.sum.*, o.qps.*: blocks of sb.r of several DBMS, and what some hold besides."""

import pytest

from benchformats.parsed import Parsed, Problem, TextFile
from benchformats.sysbench import qps_tables

pytestmark = pytest.mark.unit

TITLE = "sb.r.qps.point-query.warm.range100.pk1\n"
TAG = "x.fbmy56.x6a.pk1"


def read(line: str) -> Parsed:
    return qps_tables.read(TextFile("o.sum.rx", f"{TITLE}{line}\n"))


def test_a_label_before_the_tag_is_no_figure():
    """One value and the label of sb.r: one figure, and of no particular dop."""
    parsed = read(f"12000\trocksdb point-query.warm range=100\t{TAG}")

    assert (
        [("point-query.warm_range=100", 12000.0, {"range": "100", "pk": "1"})],
        [],
    ) == (
        [(row.step, row.value, row.dims) for row in parsed.rows],
        parsed.problems,
    )


def test_a_label_of_another_test_is_not_believed():
    """Title and label differ: the line is told and not read."""
    parsed = read(f"12000\trocksdb insert range=100\t{TAG}")

    told = "the line is of insert_range=100, its title of point-query.warm_range=100: "
    assert Parsed(problems=[Problem(2, told + "not read")]) == parsed


def test_a_run_that_failed_leaves_its_label():
    """A DBMS without a value is told, not passed over."""
    label = "rocksdb point-query.warm range=100"
    parsed = read(f"12000\t{label}\t{TAG}\n{label}\tx.fbmy80.x6a.pk1")

    assert ([12000.0], [Problem(3, "no value: the run failed")]) == (
        [row.value for row in parsed.rows],
        parsed.problems,
    )


def test_a_scan_with_one_decimal_has_no_known_unit():
    """Some rates of scans were put in by hand, as a million by the seconds it took."""
    head = f"col-1 : {TAG}\n\ncol-1\n"
    parsed = qps_tables.read(TextFile("qps.abs.tsv", head + "1234.5\tscan_range=100\n"))

    assert ([(1234.5, "")], [Problem(4, "scan: not known in what unit")]) == (
        [(row.value, row.unit) for row in parsed.rows],
        parsed.problems,
    )
