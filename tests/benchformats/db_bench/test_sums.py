"""Reports and sums of db_bench: every figure under its column, nothing guessed."""

from __future__ import annotations

import pytest
from db_bench_files import COLUMNS, HEADER, OLD, SUM, found, row, text_file
from sysbench_files import told

from benchformats.db_bench import sums as db_bench_sums
from benchformats.db_bench.sdev import printed_sdev
from benchformats.parsed import Row

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


def test_the_ratio_of_two_rows():
    """A file of two runs has it below each step; it says nothing new."""
    rows = row(ops_sec=1000) + row(ops_sec=981)

    assert [] == read(HEADER + rows + "0.981\n").problems
    assert [(4, "'0.990': the rows above give 0.981")] == told(
        read(HEADER + rows + "0.990\n")
    )
    assert [(3, "neither a header nor a row")] == told(
        read(HEADER + row(ops_sec=1000) + "0.981\n")
    )


def main_figures(parsed) -> list[tuple]:
    """(what is said of the set-up, trial, ops_sec) of the rows."""
    return [(r.dims, r.trial, r.value) for r in parsed.rows if r.main]


def test_a_file_named_after_compiler_or_cache():
    """What tells its rows from those of the files beside it."""
    compiled = read(HEADER + row(), "sum.iobuf.clang.lto.txt")
    cached = read(HEADER + row(), "sum.byrx.hcc.txt")

    assert [({"compiler": "clang.lto"}, 1, 1000.0)] == main_figures(compiled)
    assert [({"block_cache": "hcc"}, 1, 1000.0)] == main_figures(cached)


def test_both_block_caches_in_one_file():
    """Each version twice: LRU, then the hyper clock cache. They are no trials."""
    parsed = read(HEADER + row() + row(ops_sec=1770), "sum.byrx.both.txt")

    expected = [({"block_cache": "lru"}, 1, 1000.0), ({"block_cache": "hcc"}, 1, 1770.0)]
    assert expected == main_figures(parsed)
    assert [0] == [p.line for p in parsed.problems]


def test_the_base_of_a_comparison():
    """sum2 begins with a version of another build; copied, it is of this one."""
    rows = row(version="6.29.5") + row(version="6.29.5", ops_sec=1030)
    parsed = read(HEADER + rows, "sum2.byrx.clang.lto.txt")

    expected = [({}, 1, 1000.0), ({"compiler": "clang.lto"}, 1, 1030.0)]
    assert expected == main_figures(parsed)
    assert ["6.29.5"] == [p.text.split(":")[0] for p in parsed.problems]
    copied = read(HEADER + row() + row(), "sum2.byrx.gcc.txt")
    assert [({"compiler": "gcc"}, 1, 1000.0)] == main_figures(copied)


LONG = [("9.8.0", 1), ("9.9.3", 2)]  # reports: version, and ops_sec to know them by
SHORT = [("9.9.3", 3), ("9.10.0", 4)]


def of_step(test: str, reports: list[tuple[str, int]]) -> str:
    """A row of each report."""
    return "".join(row(test=test, version=v, ops_sec=rate) for v, rate in reports)


def test_reports_with_different_steps():
    """A version of both is no trial: rows stand in the order of the reports."""
    parsed = read(
        HEADER + of_step("fillseq.x", LONG) + of_step("fillseq.x", SHORT)
        + "\n" + HEADER + of_step("fwdrange.t4", LONG) + of_step("overwrite.t4.s0", SHORT)
        + "\n" + HEADER + of_step("overwrite.t4.s0", LONG)
    )  # fmt: skip

    assert {("1", 1, 1.0), ("1", 1, 2.0), ("2", 1, 3.0), ("2", 1, 4.0)} == {
        (r.dims["reports"], r.trial, r.value) for r in parsed.rows if r.main
    }
    assert 10 == len([r for r in parsed.rows if r.main])
    assert [(3, "9.9.3")] == [(p.line, p.text.split(":")[0]) for p in parsed.problems]


def test_reports_with_different_steps_that_are_not_told_apart():
    """Nothing says which rows of a version that they share are of one run."""
    parsed = read(
        HEADER + of_step("fillseq.x", LONG) + of_step("fillseq.x", SHORT)
        + "\n" + HEADER + of_step("fwdrange.t4", LONG) + of_step("overwrite.t4.s0", SHORT)
        + "\n" + HEADER + of_step("overwrite.t4.s0", LONG[:1])
    )  # fmt: skip

    assert {"9.8.0", "9.10.0"} == {r.version for r in parsed.rows}
    assert ["not read"] == [p.text[-8:] for p in parsed.problems]


def test_a_report_of_one_version_has_all_steps():
    """Its steps stand in one block, and may be repeated."""
    parsed = read(HEADER + row() + row(test="fwdrange.t4") + row(ops_sec=2), "report.tsv")

    assert [1, 1, 2] == [r.trial for r in parsed.rows if r.main]
    assert [] == parsed.problems


def test_reports_that_follow_one_another():
    """One block with the steps of several: repeats are trials."""
    first = of_step("fillseq.x", [("9.8.0", 1)]) + of_step(
        "readrandom.t4", [("9.8.0", 2)]
    )
    others = of_step("fillseq.x", [("9.9.3", 3), ("9.8.0", 4)])
    parsed = read(HEADER + first + others)

    assert [1, 1, 1, 2] == [r.trial for r in parsed.rows if r.main]
    assert [] == parsed.problems


def test_gigabytes_said_to_be_megabytes():
    """A script for RocksDB 5 wrote MB behind the size, and MB/s as seconds."""
    load = {"test": "fillseq.wal_disabled.v400", "lsm_sz": "16MB", "c_wsecs": 477}
    small = {"lsm_sz": "16MB", "c_wgb": "0.0", "c_wsecs": 9, "version": "8.0.0"}
    parsed = read(
        HEADER + row(version="5.18.4", c_wgb="16.0", **load)
        + row(version="5.18.4", lsm_sz="33MB", c_wsecs=479) + row(**small)
    )  # fmt: skip

    sizes = [(r.metric, r.value) for r in parsed.rows if r.metric.startswith("lsm_sz")]
    assert [
        ("lsm_sz", 0.015625), ("lsm_sz_correct", 16.0), ("lsm_sz", 0.0322265625),
        ("lsm_sz_correct", 33.0), ("lsm_sz", 0.015625),
    ] == sizes  # fmt: skip
    assert [9.0] == [r.value for r in parsed.rows if r.metric == "c_wsecs"]
    assert [2] == [p.line for p in parsed.problems]


def test_time_per_operation_of_all_clients_together():
    """Until RocksDB 6.0; since then of one, as where there is one."""
    parsed = read(
        HEADER
        + row(ops_sec=250000, usec_op="4.0", test="overwrite.t8.s0", version="5.0.2")
        + row(ops_sec=250000, usec_op="32.0", test="overwrite.t8.s0", version="6.0.2")
        + row(ops_sec=250000, usec_op="4.0", test="overwrite.t1.s0", version="5.0.2")
    )

    assert [("overwrite.t8.s0", "usec_op_correct", 32.0, 1)] == found(
        parsed, "usec_op_correct"
    )
    assert [(2, "5.0.2")] == [(p.line, p.text.split(":")[0]) for p in parsed.problems]


IN_2021 = (
    OLD.replace("Size-GB\tL0_MB\tSum_GB\tW-Amp\tW-MB/s", "total_size_gb\tlevel0_size_gb"
                "\tsum_gb\twrite_amplification\twrite_mbps")
    .replace("/sec", "_sec").replace("/op", "_op").replace("\tp", "\tpercentile_")
    .replace("Uptime\tStall-time\tStall%\tTest\n", "uptime\tstall_time\tstall_percent"
             "\ttest_name\ttest_date\trocksdb_version\tjob_id\n")
    .replace("s1\n", "s1\t2021-11-20T10:11:12.000+00:00\t6.26\t\n")
)  # fmt: skip


@pytest.mark.parametrize(("text", "version"), [(OLD, ""), (IN_2021, "6.26")])
def test_older_headers(text: str, version: str):
    """Figures under the names of today; the size has a unit that nobody knows."""
    parsed = read(text, "report.txt")

    assert {
        "ops_sec": (90000.0, "operations/s"), "mb_sec": (36.0, "MB/s"),
        "l0_wgb": (24.5, "GB"), "c_wgb": (98.0, "GB"), "w_amp": (4.0, "ratio"),
        "c_mbps": (27.8, "MB/s"), "usec_op": (11.1, "us"), "p50": (9.1, "us"),
        "p75": (12.0, "us"), "p99": (40.0, "us"), "p99_9": (90.0, "us"),
        "p99_99": (210.0, "us"), "uptime": (3600.0, "s"), "stall_s": (62.5, "s"),
        "stall_pct": (1.7, "%"),
    } == {r.metric: (r.value, r.unit) for r in parsed.rows}  # fmt: skip
    assert {("overwrite.t1.s1", 1, version)} == {
        (r.step, r.dop, r.version) for r in parsed.rows
    }
    told_of_it = "the size of the LSM tree is over 1024 in an unknown unit: not read"
    assert [(1, told_of_it)] == told(parsed)


def test_a_report_of_leveldb():
    """The only one with an average: its engine is another."""
    text = "ops/sec\tmb/sec\tusec/op\tavg\tp50\tTest\n"
    parsed = read(text + "98039\t39.2\t10.2\t10.1\t9.8\toverwrite.t1.s0\n", "report.txt")

    assert {("leveldb", "overwrite.t1.s0")} == {(r.engine, r.step) for r in parsed.rows}
    assert {
        "ops_sec": 98039.0, "mb_sec": 39.2, "usec_op": 10.2, "avg": 10.1, "p50": 9.8,
    } == {r.metric: r.value for r in parsed.rows}  # fmt: skip
    assert [] == parsed.problems
