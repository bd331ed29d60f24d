"""Tables made of db_bench sums: rates and ratios told apart by their figures."""

from __future__ import annotations

import pytest
from db_bench_files import ABS, REL, TABLE_CSV, TABLE_TSV, text_file
from sysbench_files import told

from benchformats.db_bench import tables as db_bench_tables
from benchformats.parsed import Row

pytestmark = pytest.mark.unit


NEITHER = "readrandom.t24: neither operations/s nor ratios of two decimals"


def read(text: str, name: str = "fmt.byrx.abs1.tsv"):
    """What the format makes of a text, which it must recognise."""
    file = text_file(text, name)
    assert db_bench_tables.recognises(file)
    return db_bench_tables.read(file)


def test_a_table_of_rates():
    """Integers under versions, the step last."""
    parsed = read(TABLE_TSV)

    assert Row(
        3, "revrangewhilewriting.t36", "ops_sec", 535640.0, "operations/s", "higher",
        main=True, dop=36, trial=1, version="9.9.3", engine="rocksdb",
    ) == parsed.rows[4]  # fmt: skip
    assert (6, []) == (len(parsed.rows), parsed.problems)


def test_ratios_under_a_name_of_rates():
    """fmt.*.abs1.csv holds ratios in some folders: figures tell, not names."""
    parsed = read(TABLE_CSV, "fmt.byrx.lru.abs1.csv")

    expected = [("9.8.4", 1.0), ("9.9.3", 1.03), ("10.10.0", 1.0)]
    assert expected == [(r.version, r.value) for r in parsed.rows if r.line == 2]
    assert {("rel_ops_sec", "ratio", False, "9.8.4")} == {
        (r.metric, r.unit, r.main, r.dims["relative_to"]) for r in parsed.rows
    }


def test_a_version_twice_is_two_trials():
    """As in the sums that the table is made of."""
    text = "10.2.1\t10.2.1\ttest\n5\t7\treadrandom.t24\n"
    parsed = read(text, "fmt.byrx.lru.abs1.tsv")

    assert [(1, 5.0), (2, 7.0)] == [(r.trial, r.value) for r in parsed.rows]
    assert {"block_cache": "lru"} == parsed.rows[0].dims


def test_a_table_without_versions():
    """Columns are numbered; without a version a rate is no step's main figure."""
    parsed = read(ABS, "abs.byrx.4x.tsv")

    expected = [("1", "", 1377175.0, False), ("2", "", 1366408.0, False)]
    assert expected == [
        (r.dims["column"], r.version, r.value, r.main) for r in parsed.rows if r.line == 2
    ]
    assert [(0, "no header names the versions: columns are numbered")] == told(parsed)


def test_ratios_without_versions():
    """A csv has the step first."""
    parsed = read(REL, "rel2.byrx.4x.csv")

    assert [("readrandom.t8", "2", "a version left out", 1.0)] == [
        (r.step, r.dims["column"], r.dims["relative_to"], r.value)
        for r in parsed.rows[3:]
    ]


def test_ratios_with_their_base_but_without_versions():
    """1.00 throughout: it is the base."""
    parsed = read("fillseq.x,1.00,0.91\nreadrandom.t8,1.00,NA\n", "rel.csv")

    assert {"column 1"} == {r.dims["relative_to"] for r in parsed.rows}


def test_a_table_of_both_block_caches():
    """Each version twice: they are no trials, and what ratios are to is a column."""
    text = "10.2.1\t10.2.1\ttest\n1.00\t1.77\treadwhilewriting.t24\n"
    parsed = read(text, "fmt.byrx.both.abs0.tsv")

    assert [("lru", 1, 1.0, "column 1"), ("hcc", 1, 1.77, "column 1")] == [
        (r.dims["block_cache"], r.trial, r.value, r.dims["relative_to"])
        for r in parsed.rows
    ]
    assert [0] == [p.line for p in parsed.problems]


def test_a_table_that_begins_with_its_base():
    """csum2: another build's, whose version the builds of the table have too."""
    text = "test,6.29.5,6.29.5,7.0.4,\nfillseq.x,1.00,1.03,1.04\n"
    parsed = read(text, "csum2.byrx.clang.lto.csv")

    expected = [("6.29.5", None), ("6.29.5", "clang.lto"), ("7.0.4", "clang.lto")]
    assert expected == [(r.version, r.dims.get("compiler")) for r in parsed.rows]
    assert {("column 1", 1)} == {(r.dims["relative_to"], r.trial) for r in parsed.rows}
    assert ["column 1"] == [p.text.split(":")[0] for p in parsed.problems]


@pytest.mark.parametrize(
    ("row", "told_of_it"),
    [
        ("5\treadrandom.t24", "readrandom.t24: 1 figures for 2 versions: not read"),
        ("5\t1.03\treadrandom.t24", NEITHER),
        ("5\t1.5\treadrandom.t24", NEITHER),
        ("5\t7\twhatever", "not a step and its figures"),
    ],
)  # fmt: skip
def test_a_row_that_is_not_believed(row: str, told_of_it: str):
    """Told with its line; the others are read."""
    parsed = read(f"9.8.4\t9.9.3\ttest\n{row}\n5\t7\tfwdrange.t24\n")

    assert [(2, told_of_it)] == told(parsed)
    assert [3, 3] == [r.line for r in parsed.rows]


def test_a_cell_that_is_not_there():
    """No row for it; the versions of the others stay theirs."""
    parsed = read("9.8.4\t9.9.3\ttest\nNA\t7\tfwdrange.t24\n")

    assert [("9.9.3", 7.0)] == [(r.version, r.value) for r in parsed.rows]


def test_other_tables_are_not_recognised():
    """Tables of sysbench and of create index, lists, prose."""
    others = [
        "", "col-1\tcol-2\n5\t6\tscan_range=100\n", "hot-points_range=100,24,23\n",
        "threads,t1,t2\n1,5,6\n", "test\tresult\n", "a,b,test\n", "read,1,2\n",
    ]  # fmt: skip

    assert not any(db_bench_tables.recognises(text_file(text)) for text in others)
