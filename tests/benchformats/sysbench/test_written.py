"""Own figures in the field's layouts, read back by our importers digit for digit."""

import pytest

from benchformats.parsed import TextFile
from benchformats.sysbench import met_tables, qps_tables
from benchformats.sysbench.written import (
    field_name,
    o_met,
    qps_abs,
    qps_csv,
    qps_rel,
    ratio_text,
)

pytestmark = pytest.mark.unit

TAGS = ["x.pg1323_o2.x10a.pk1", "x.pg1806_o2.x10a.pk1"]
RATES = {
    "point-query.pre": {TAGS[0]: 24441.4, TAGS[1]: 12220.7},
    "read-only.pre.range10": {TAGS[0]: 300.0, TAGS[1]: 333.4},
    "scan": {TAGS[0]: 4_321_000.0, TAGS[1]: 5_432_100.0},
}
COSTS = {
    "point-query.pre": {
        "cpu/o": {TAGS[0]: 0.0150031, TAGS[1]: 0.016},
        "cs/o": {TAGS[0]: 34.74, TAGS[1]: 17.37},
        "r/o": {TAGS[0]: 0.0, TAGS[1]: 0.0},
        "rKB/o": {TAGS[0]: 0.0, TAGS[1]: 2.0},
        "o/s": {TAGS[0]: 24441.4, TAGS[1]: 12220.7},
    },
    "update-index": {"o/s": {TAGS[0]: 1.0, TAGS[1]: 1.0}},
}


def read_back(reader, text, name):
    file = TextFile(name, text)
    assert reader.recognises(file)
    parsed = reader.read(file)
    assert [] == parsed.problems
    return [(row.step, row.metric, row.tag, row.value) for row in parsed.rows]


def test_rates_are_read_back():
    """Integers; a scan in thousands of rows per second, in the field's names."""
    rows = read_back(qps_tables, qps_abs(RATES, TAGS), "qps.abs")

    assert [
        ("point-query.pre_range=100", "qps", TAGS[0], 24441.0),
        ("point-query.pre_range=100", "qps", TAGS[1], 12221.0),
        ("read-only.pre_range=10", "qps", TAGS[0], 300.0),
        ("read-only.pre_range=10", "qps", TAGS[1], 333.0),
        ("scan_range=100", "qps", TAGS[0], 4321.0),
        ("scan_range=100", "qps", TAGS[1], 5432.0),
    ] == rows


def test_ratios_are_read_back():
    """Of all but the first to the first, with two digits."""
    rows = read_back(qps_tables, qps_rel(RATES, TAGS), "qps.rel")

    assert [("rel_qps", TAGS[1], 0.5), ("rel_qps", TAGS[1], 1.11),
            ("rel_qps", TAGS[1], 1.26)] == [row[1:] for row in rows]  # fmt: skip


def test_csv_is_known_as_the_twin_of_its_table():
    """It names no columns, so the importer reads the table beside it."""
    text = qps_csv(RATES, TAGS)

    assert "point-query.pre_range=100,24441,12221" == text.splitlines()[0]
    assert qps_tables.recognises(TextFile("qps.abs.csv", text))


def test_costs_are_read_back():
    """Absolute, then relative to the first; a test without cpu/o has no block."""
    rows = read_back(met_tables, o_met(COSTS, TAGS, 4), "o.met")
    of = {(metric, tag): value for _, metric, tag, value in rows}

    assert {"point-query.pre_range=100"} == {row[0] for row in rows}
    assert (0.0150031, 0.016) == tuple(of["cpu_o", tag] for tag in TAGS)
    assert (24441.4, 12220.7) == tuple(of["o_s", tag] for tag in TAGS)
    assert (1.07, 0.5, 1.0) == tuple(
        of[f"rel_{name}", TAGS[1]] for name in ("cpu_o", "cs_o", "r_o")
    )
    assert float("inf") == of["rel_rkb_o", TAGS[1]]


def test_names_of_the_field():
    """The range stands behind the name, .pre before it; without one it is 100."""
    assert ("read-only.pre", "10") == field_name("read-only.pre.range10")
    assert ("point-query", "100") == field_name("point-query")
    assert field_name("Other Name") is None


def test_ratios_of_nothing():
    """1 where both are 0, inf where only the base is."""
    assert ("1", "inf", "0.00") == (ratio_text(0, 0), ratio_text(2, 0), ratio_text(0, 2))
