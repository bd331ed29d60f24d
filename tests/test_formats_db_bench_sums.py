"""Reports and sums of db_bench: every figure under its column, nothing guessed."""

from __future__ import annotations

import pytest

from benchbook.formats import db_bench_sums
from benchbook.formats.db_bench_sdev import printed_sdev
from benchbook.formats.parsed import Row
from db_bench_files import COLUMNS, HEADER, SUM, found, row, text_file
from sysbench_files import told

pytestmark = pytest.mark.unit


def read(text: str, name: str = "sum.byrx.txt"):
    """What the format makes of a text, which it must recognise."""
    file = text_file(text, name)
    assert db_bench_sums.recognises(file)
    return db_bench_sums.read(file)


def test_every_column_is_a_row_with_its_unit():
    """Names in the vocabulary, unit and direction of each, the line they stand in."""
    parsed = read(HEADER + row())

    expected = {
        "ops_sec": (1000.0, "operations/s", "higher"),
        "mb_sec": (40.1, "MB/s", "higher"),
        "lsm_sz": (16.0, "GB", "lower"),
        "blob_sz": (0.0, "GB", "lower"),
        "c_wgb": (15.9, "GB", "lower"),
        "w_amp": (2.0, "ratio", "lower"),
        "c_mbps": (399.7, "MB/s", "none"),
        "c_wsecs": (40.0, "s", "lower"),
        "c_csecs": (39.0, "s", "lower"),
        "b_rgb": (0.0, "GB", "lower"),
        "b_wgb": (0.0, "GB", "lower"),
        "usec_op": (1.0, "us", "lower"),
        "p50": (0.5, "us", "lower"),
        "p99": (2.0, "us", "lower"),
        "p99_9": (4.0, "us", "lower"),
        "p99_99": (1170.0, "us", "lower"),
        "pmax": (17698.0, "us", "lower"),
        "uptime": (41.0, "s", "none"),
        "stall_pct": (34.1, "%", "lower"),
        "nstall": (295.0, "count", "lower"),
        "u_cpu": (1.7, "1000 s", "none"),
        "s_cpu": (0.2, "1000 s", "none"),
        "rss": (16.8, "GB", "lower"),
    }
    assert expected == {r.metric: (r.value, r.unit, r.direction) for r in parsed.rows}
    assert {2} == {r.line for r in parsed.rows}
    assert [] == parsed.problems


def test_a_row_says_what_was_run():
    """Step as the archives name it, clients of .t4, version, the rate as main figure."""
    first = read(HEADER + row()).rows[0]

    assert first == Row(
        2, "readrandom.t4", "ops_sec", 1000.0, "operations/s", "higher", main=True, dop=4,
        trial=1, version="7.9.1", engine="rocksdb",
    )  # fmt: skip


def test_percentiles_are_of_a_closed_loop():
    """Response times run from the actual start."""
    rows = read(HEADER + row()).rows

    timed = {"p50", "p99", "p99_9", "p99_99", "pmax"}
    assert timed == {r.metric for r in rows if r.clock == "actual"}


def test_what_a_step_counts():
    """Writes are inserts, reads and scans of ranges are queries."""
    tests = ["fillseq.wal_disabled.v400", "overwriteandwait.t4.s0", "fwdrange.t4"]
    rows = read(HEADER + "".join(row(test=test) for test in tests)).rows

    assert ["insert", "insert", "query"] == [r.op for r in rows if r.main]
    assert [0, 4, 4] == [r.dop for r in rows if r.main]


@pytest.mark.parametrize(
    ("text", "gigabytes"),
    [("16GB", 16.0), ("16.0GB", 16.0), ("944MB", 0.921875), ("1.5TB", 1536.0)],
)
def test_sizes_are_gigabytes(text: str, gigabytes: float):
    """Whatever unit the size is printed with."""
    assert [("readrandom.t4", "lsm_sz", gigabytes, 1)] == found(
        read(HEADER + row(lsm_sz=text)), "lsm_sz"
    )


@pytest.mark.parametrize("absent", ["NA", "", "na"])
def test_what_is_not_there_is_no_row(absent: str):
    """Neither 0 nor a problem."""
    parsed = read(HEADER + row(rss=absent, Nstall=absent, w_amp=absent))

    assert not {"rss", "nstall", "w_amp"} & {r.metric for r in parsed.rows}
    assert (20, []) == (len(parsed.rows), parsed.problems)


def test_repeats_of_a_version_are_trials():
    """In the order of the file; another version starts at 1."""
    lines = [row(ops_sec=1), row(ops_sec=2, version="8.0.0"), row(ops_sec=3)]
    parsed = read(HEADER + "".join(lines))

    expected = [("7.9.1", 1, 1.0), ("8.0.0", 1, 2.0), ("7.9.1", 2, 3.0)]
    assert expected == [(r.version, r.trial, r.value) for r in parsed.rows if r.main]


def test_a_step_that_failed_is_told():
    """Its row has no figures."""
    empty = dict.fromkeys(COLUMNS[1:23], "")
    failed = row(**{**empty, "ops_sec": "failed"})
    failed = failed.replace("\t40.1\t", "\t\t")
    parsed = read(HEADER + failed + row(ops_sec=5))

    assert [(2, "readrandom.t4 of 7.9.1 failed")] == told(parsed)
    assert [("readrandom.t4", "ops_sec", 5.0, 1)] == found(parsed, "ops_sec")


@pytest.mark.parametrize("columns", [27, 29])
def test_a_row_that_does_not_fit_its_header(columns: int):
    """It is not read: nobody knows which column is missing."""
    cells = row().rstrip("\n").split("\t")
    line = "\t".join([*cells, "x"][:columns]) + "\n"
    parsed = read(HEADER + line + row(ops_sec=7))

    assert [(2, f"{columns} columns instead of 28: not read")] == told(parsed)
    assert [3] == sorted({r.line for r in parsed.rows})


def test_columns_are_found_by_their_names():
    """Another order, and no column githash, as the script of RocksDB itself prints."""
    parsed = read("ops_sec\ttest\tversion\tp99\n900\treadrandom.t1\t8.0.0\t11\n")

    assert [
        ("readrandom.t1", "ops_sec", 900.0, 1),
        ("readrandom.t1", "p99", 11.0, 1),
    ] == (found(parsed))


@pytest.mark.parametrize("name", ["p99", ""])
def test_a_header_that_cannot_be_believed(name: str):
    """A column twice or without a name: its rows are not read."""
    parsed = read(HEADER.replace("mb_sec", name) + row())

    assert ([], 2) == (parsed.rows, len(parsed.problems))
    assert "a column twice" in parsed.problems[0].text


def test_a_column_that_is_not_known():
    """Kept without a unit, and told."""
    parsed = read(HEADER.replace("mb_sec", "new_col") + row())

    assert [("new_col", "", "none")] == [
        (r.metric, r.unit, r.direction) for r in parsed.rows if r.metric == "new_col"
    ]
    assert [(1, "unknown column new_col: read without a unit")] == told(parsed)


@pytest.mark.parametrize("cell", ["12x", "nan", "inf", "-nan", "1e999", "٣"])
def test_a_cell_that_is_no_number(cell: str):
    """Told with its column; the rest of the row is read."""
    parsed = read(HEADER + row(p99=cell))

    assert [(2, f"p99: {cell!r} is no number")] == told(parsed)
    assert 22 == len(parsed.rows)


def test_comments_of_a_report():
    """report.tsv begins with what its columns mean."""
    parsed = read("# ops_sec - operations per second\n" + HEADER + row())

    assert (23, []) == (len(parsed.rows), parsed.problems)


REPORTS = "bm.lc.nt1.d0/6.29.gcc/report.tsv\nbm.lc.nt1.d0/6.29.clang.lto/report.tsv\n\n"


def test_builds_of_one_version_are_no_trials():
    """The list of reports above the blocks tells them apart."""
    rows = row(version="6.29.5") + row(version="6.29.5", ops_sec=2000)
    parsed = read(REPORTS + HEADER + rows)

    expected = [({"compiler": "gcc"}, 1, 1000.0), ({"compiler": "clang.lto"}, 1, 2000.0)]
    assert expected == [(r.dims, r.trial, r.value) for r in parsed.rows if r.main]
    assert [] == parsed.problems


def test_a_list_of_reports_that_does_not_fit():
    """Repeats are trials, and it is told that they may be builds."""
    rows = "".join(row(version="6.29.5", ops_sec=rate) for rate in (1, 2, 3))
    parsed = read(REPORTS + HEADER + rows)

    assert [1, 2, 3] == [r.trial for r in parsed.rows if r.main]
    assert [5] == [p.line for p in parsed.problems]


def test_columns_that_a_script_counted_wrong():
    """RocksDB 10.3 prints one column more: a version's GB of blobs that are not there."""
    shifted = {"version": "10.3.4", "c_wsecs": 574, "c_csecs": 28, "b_wgb": 0}
    parsed = read(
        HEADER
        + row(**shifted, b_rgb=0)
        + row(**shifted, b_rgb=7060, test="overwrite.t4.s0")
        + row(version="10.2.3", c_wsecs=29, c_csecs=22)
    )  # fmt: skip

    assert [28.0, 28.0] == [r.value for r in parsed.rows if r.metric == "c_wsecs_correct"]
    assert [0.0, 0.0] == [r.value for r in parsed.rows if r.metric == "b_rgb_correct"]
    assert [574.0, 574.0, 29.0] == [r.value for r in parsed.rows if r.metric == "c_wsecs"]
    assert [3] == [p.line for p in parsed.problems]


def test_the_lines_of_a_sdev_file():
    """Mean, population stddev and their ratio of the block above are rows of its step."""
    parsed = read(SUM, "sum.byrx.txt.sdev")

    step = "fillseq.wal_disabled.v400"
    expected = [
        (step, "ops_sec_mean", 973679.0), (step, "ops_sec_stddev", 6144.4),
        (step, "ops_sec_cov", 0.006),
    ]  # fmt: skip
    assert expected == [(r.step, r.metric, r.value) for r in parsed.rows if r.line == 5]
    assert [] == parsed.problems


@pytest.mark.parametrize(
    ("results", "expected"),
    [
        ((82397, 82989, 82401), ("82595.7", "278.1", "0.003")),  # not an integer: %.6g
        ((10, 20, 30), ("20", "8.2", "0.408")),  # sqrt(200/3) = 8.165
        ((4000000, 4000001), ("4e+06", "0.5", "0.000")),  # %.6g of 4000000.5
    ],
)
def test_how_awk_prints_a_mean(results, expected):
    """Integers as integers, others with six digits; stddev divides by n."""
    assert expected == printed_sdev(results)


def test_a_mean_that_does_not_follow_from_its_rows():
    """Kept as printed, and told with what the rows give."""
    parsed = read(SUM.replace("mean=973679", "mean=973670"))

    assert 973670.0 == next(r.value for r in parsed.rows if r.metric == "ops_sec_mean")
    assert [5] == [p.line for p in parsed.problems]
    assert "973679 6144.4 0.006" in parsed.problems[0].text


def test_a_file_that_ends_within_a_line():
    """The cut line is not read."""
    parsed = read(HEADER + row() + row(ops_sec=5).rstrip("\n"))

    assert [(3, "the file ends within this line: not read")] == told(parsed)
    assert {2} == {r.line for r in parsed.rows}


def test_when_each_row_was_measured():
    """Dates and revisions as printed, one per row."""
    table = read(HEADER + row(date="2025-05-9T01:44:24")).series["db_bench_runs"]

    assert {
        "line": [2], "step": ["readrandom.t4"], "date": ["2025-05-9T01:44:24"],
        "version": ["7.9.1"], "job_id": [""], "githash": ["afa92034d9"],
    } == table.to_pydict()  # fmt: skip


def test_other_files_are_not_recognised():
    """Other tables with tabs, empty text."""
    others = ["", "col-1\tcol-2\n", "mb_sec\tops_sec\ttest\n", "ops_sec\tmb_sec\n"]

    assert [False] * 4 == [db_bench_sums.recognises(text_file(text)) for text in others]


def test_a_file_without_a_row_says_so():
    """A header alone."""
    assert [(0, "no row")] == told(read(HEADER))


def test_a_copied_row_is_no_trial():
    """A row that repeats another, date and all, is the same run: told, read once."""
    parsed = read(HEADER + row() + row() + row(ops_sec=2000))

    rates = [(r.value, r.trial) for r in parsed.rows if r.metric == "ops_sec"]
    assert [(1000.0, 1), (2000.0, 2)] == rates
    assert [(3, "repeats line 2: read once")] == told(parsed)


def test_seconds_are_no_megabytes():
    """The seconds of a V2 line under mb_sec are told by their three decimals."""
    parsed = read(HEADER + row(mb_sec="1800.002"))

    assert [] == [r for r in parsed.rows if r.metric == "mb_sec"]
    assert [(2, "mb_sec: '1800.002' are seconds: not read")] == told(parsed)


def test_sizes_with_a_comma():
    """Scripts of 2022 left the comma of RocksDB's line behind the size of blobs."""
    parsed = read(HEADER + row(blob_sz="1.5GB,"))

    assert [1.5] == [r.value for r in parsed.rows if r.metric == "blob_sz"]
    assert [] == parsed.problems
