"""Logs of db_bench: each figure belongs to the benchmark that it was printed for."""

from __future__ import annotations

import pytest
from db_bench_files import (
    BANNER,
    HISTOGRAM,
    INTERVAL,
    LOG,
    NEW_STALLS,
    OLD_STALLS,
    RESULT,
    SHAPES,
    dump,
    found,
    text_file,
)
from sysbench_files import told

from benchformats.db_bench import log as db_bench

pytestmark = pytest.mark.unit

V1 = "readrandom   :      10.218 micros/op 97866 ops/sec;   39.2 MB/s (9 of 10 found)\n"


def read(text: str, name: str = "benchmark_overwriteandwait.t8.s0.log"):
    """What the format makes of a text, which it must recognise."""
    file = text_file(text, name)
    assert db_bench.recognises(file)
    return db_bench.read(file)


def values(parsed, *metrics: str) -> dict[str, float]:
    """Metric to value, of all rows or some."""
    return {r.metric: r.value for r in parsed.rows if r.metric in metrics or not metrics}


def test_a_line_of_rocksdb_7():
    """Rate, time per operation, MB/s, and what was counted."""
    parsed = read(RESULT)

    assert {
        "ops_sec": 127320.0, "usec_op": 7.854, "mb_sec": 51.0, "elapsed_s": 0.008,
        "ops": 1000.0,
    } == values(parsed)  # fmt: skip
    assert ["ops_sec"] == [r.metric for r in parsed.rows if r.main]


def test_an_older_line():
    """Rates alone, and how many keys one client found."""
    assert {
        "ops_sec": 97866.0, "usec_op": 10.218, "mb_sec": 39.2, "found": 9.0,
        "searched": 10.0,
    } == values(read(V1))  # fmt: skip


@pytest.mark.parametrize(
    ("name", "rows"), [("readrandom", []), ("readmissing", ["ops_sec"])]
)
def test_reads_that_find_nothing(name, rows):
    """An empty database is fast; only readmissing means to find nothing."""
    parsed = read(V1.replace("readrandom", name).replace("9 of 10", "0 of 10"))

    assert rows == [row.metric for row in parsed.rows if row.main]
    assert bool(rows) == (not any("not one key was found" in t for _, t in told(parsed)))


def test_time_per_operation_before_rocksdb_6():
    """Of 8 clients together; since then, of one."""
    old, new = BANNER.replace("7.8.3", "5.18"), BANNER
    line = "overwrite    :       4.000 micros/op 250000 ops/sec;  100.1 MB/s\n"

    assert 32.0 == values(read(old + line))["usec_op_correct"]
    assert "usec_op_correct" not in values(read(new + line))


def test_a_line_of_leveldb():
    """It prints the time of an operation and no rate."""
    text = "LevelDB:    version 1.23\nfillseq      :       1.765 micros/op;   62.7 MB/s\n"
    parsed = read(text, "o.leveldb")

    assert {"usec_op": 1.765, "mb_sec": 62.7} == values(parsed)
    assert {("leveldb", "1.23", "fillseq", "insert")} == {
        (r.engine, r.version, r.step, r.op) for r in parsed.rows
    }


def test_a_log_is_named_after_its_step():
    """Step and clients as the report has them; version from the banner."""
    rows = read(LOG).rows

    assert {("overwriteandwait.t8.s0", 8, "7.8.3", "rocksdb", "insert", 1)} == {
        (r.step, r.dop, r.version, r.engine, r.op, r.trial) for r in rows
    }


def test_another_log_has_the_names_of_its_benchmarks():
    """Clients are those of the command that was echoed."""
    rows = read(LOG, "o.x").rows

    assert {("overwrite", 8)} == {(r.step, r.dop) for r in rows}


def test_response_times_of_a_benchmark():
    """Percentiles, and the buckets they are from."""
    parsed = read(LOG)

    assert {
        "p50": 3.0, "p75": 3.61, "p99": 9.9, "p99_9": 18.02, "p99_99": 40.1,
        "avg": 3.1042, "stddev": 1.21, "pmin": 1.0, "pmax": 88.0,
    } == {r.metric: r.value for r in parsed.rows if r.clock == "actual"}  # fmt: skip
    buckets = parsed.series["db_bench_histogram"].to_pylist()
    assert [(0, 1, 7), (1, 2, 493), (2, 110, 500)] == [
        (b["low"], b["high"], b["count"]) for b in buckets if b["histogram"] == "write"
    ]


def test_read_latencies_of_levels_are_no_response_times():
    """They look alike and stand within the statistics; as series they are kept."""
    parsed = read(LOG)
    buckets = parsed.series["db_bench_histogram"].to_pylist()

    assert 98301.0 not in {r.value for r in parsed.rows}
    assert [46, 46] == [b["count"] for b in buckets if b["histogram"] == "level 0"]


def test_several_histograms_of_one_benchmark():
    """Reads and writes are different operations, and told apart."""
    reads = HISTOGRAM.replace("per write", "per read").replace("P99: 9.90", "P99: 7.70")
    parsed = read(RESULT + HISTOGRAM + reads, "o.x")

    assert [("insert", 9.9, "write"), ("query", 7.7, "read")] == [
        (r.op, r.value, r.dims["histogram"]) for r in parsed.rows if r.metric == "p99"
    ]


def test_buckets_that_are_not_all_there():
    """A histogram whose buckets do not hold what it counted."""
    lines = HISTOGRAM.splitlines(keepends=True)
    parsed = read(RESULT + "".join(lines[:6] + lines[7:]), "o.x")

    assert [(2, "its buckets do not hold 1000 values")] == told(parsed)


def test_a_bucket_that_cannot_be_read():
    """Told with its line; the others are read."""
    parsed = read(RESULT + HISTOGRAM.replace("49.300%  50.000%", "49.3"), "o.x")

    assert [(8, "a bucket that cannot be read")] == told(parsed)
    assert 2 == parsed.series["db_bench_histogram"].num_rows


def test_statistics_since_the_database_was_opened():
    """Those of the last dump behind the result, under the names of report.tsv."""
    parsed = read(LOG)

    assert {
        "uptime": 61.2, "flush_gb": 4.05, "c_wgb": 12.5, "c_mbps": 661.03, "c_rgb": 9.5,
        "ingest_gb": 4.04, "ingest_mbps": 54.69, "blob_sz": 0.0, "c_wsecs": 69.17,
        "c_csecs": 51.75, "b_rgb": 0.0, "b_wgb": 0.0, "lsm_sz": 1.54,
        "stall_s": 4462.143, "stall_pct": 47.8, "stall_level0_slowdown": 12.0,
        "stall_stop_for_pending_compaction_bytes": 3.0, "stall_memtable_slowdown": 1.0,
    } == {
        r.metric: r.value for r in parsed.rows
        if r.line > 60 and r.metric != "w_amp_correct"
    }  # fmt: skip


def test_write_amplification_counts_a_flush_once():
    """12.5 GB written by compaction, flushes among them, for 4.04 GB ingested."""
    assert 12.5 / 4.04 == values(read(LOG))["w_amp_correct"]


def test_too_little_ingested_for_a_ratio():
    """0.04 GB has one digit: no write amplification is made of it."""
    assert "w_amp_correct" not in values(read(LOG.replace("4.04 GB", "0.04 GB")))


def test_stalls_from_8_1_on():
    """Causes have other names, and another line counts them."""
    parsed = read(LOG.replace(OLD_STALLS, NEW_STALLS + ", Block cache x: 9"))

    assert {
        "stall_l0_file_count_limit_delays": 12.0, "stall_memtable_limit_stops": 0.0,
        "stall_total_delays": 13.0, "stall_s": 4462.143, "stall_pct": 47.8,
    } == {m: v for m, v in values(parsed).items() if m.startswith("stall_")}  # fmt: skip


def test_the_compaction_tables():
    """Per level and per priority, by the names of their columns; counts as numbers."""
    table = read(LOG).series["db_bench_compaction"].to_pylist()
    last = [line for line in table if line["dump"] == 2]

    expected = ["L0", "L6", "Sum", "Int", "Low"]
    assert (expected, "priority") == ([x["level"] for x in last], last[-1]["by"])
    level, total = last[1], last[2]
    assert (121, 3, 1536.0, 9.5, 8.4, 176.0, 1105.0, 16000.0) == (
        level["files"], level["compacting"], level["size_mb"], level["read_gb"],
        level["write_gb"], level["wr_mb_s"], level["keyin"], level["keydrop"],
    )  # fmt: skip
    assert (35e6, 3.1) == (total["keyin"], total["w_amp"])


def test_a_table_of_an_old_version():
    """Size(MB) was one number, and there was no time of the CPU."""
    text = (
        "** Compaction Stats [default] **\n"
        "Level   Files   Size(MB} Score Read(GB)  W-Amp Comp(sec) Comp(cnt)\n"
        "------------------\n"
        "  L0      2/0          37   0.5      1.5    1.0       3.2         4\n\n"
    )
    line = read(V1 + text, "o.x").series["db_bench_compaction"].to_pylist()[0]

    assert (37.0, 0.5, 1.5, 3.2) == (
        line["size_mb"], line["score"], line["read_gb"], line["comp_sec"],
    )  # fmt: skip


def test_a_column_more_moves_nothing():
    """RocksDB 10.3 added WPreComp(GB): seconds stay seconds."""
    text = LOG.replace(" Write(GB)", " Write(GB) WPreComp(GB)")
    for written in ("4.1", "8.4", "12.5", "0.1"):
        text = text.replace(f"       {written}   ", f"       {written} 7.7   ")
        text = text.replace(f"      {written}   ", f"      {written} 7.7   ")
    parsed = read(text)

    assert (69.17, 51.75) == tuple(values(parsed, "c_wsecs", "c_csecs").values())
    assert 7.7 == parsed.series["db_bench_compaction"].to_pylist()[0]["wprecomp_gb"]


def test_a_row_that_does_not_fit_its_table():
    """A value is missing: the row is not read, the others are."""
    parsed = read(LOG.replace("121/3    1.50 GB   0.0", "121/3    1.50 GB", 1))

    assert 1 == len(parsed.problems)
    assert "does not fit the header" in parsed.problems[0].text
    assert 9 == parsed.series["db_bench_compaction"].num_rows


def test_what_is_printed_while_a_benchmark_runs():
    """Belongs to the result that comes: the interval, and the dump behind it."""
    parsed = read(V1 + LOG, "o.x")
    interval = parsed.series["db_bench_intervals"].to_pylist()[0]

    assert ("overwrite", 1, 56000.0, 92000.0, 55487.2, 45604.7, 1.009241, 2.017334) == (
        interval["step"], interval["thread"], interval["interval_ops"], interval["ops"],
        interval["interval_ops_sec"], interval["ops_sec"], interval["interval_s"],
        interval["secs"],
    )  # fmt: skip
    stats = parsed.series["db_bench_stats"].to_pylist()
    assert [("overwrite", 1, 20.0), ("overwrite", 2, 61.2)] == [
        (s["step"], s["dump"], s["uptime"]) for s in stats
    ]


def test_a_log_that_breaks_off():
    """Intervals without a result have no step, and it is told."""
    parsed = read(BANNER + INTERVAL + dump("20.0", "1.250", "2.50"), "o.x")

    assert ([], [(0, "no result: no benchmark is finished")]) == (
        parsed.rows, told(parsed),
    )  # fmt: skip
    assert [("", "7.8.3")] == [
        (s["step"], s["version"]) for s in parsed.series["db_bench_stats"].to_pylist()
    ]


def test_several_results_of_one_process():
    """Repeats are trials, unless the LSM tree was changed by hand between them."""
    parsed = read(SHAPES, "o.point2")

    assert [("overwrite", 1, ""), ("readrandom", 1, ""), ("readrandom", 2, ""),
            ("readrandom", 1, "flush")] == [
        (r.step, r.trial, r.dims.get("after", "")) for r in parsed.rows if r.main
    ]  # fmt: skip


def test_results_of_other_sizes_are_no_trials():
    """Processes of one file say in their banners how many rows there are."""
    parsed = read(
        "RocksDB:    version 8.5\nEntries:    10\n" + V1
        + "RocksDB:    version 8.5\nEntries:    20\n" + V1.replace("97866", "97867"),
        "log",
    )  # fmt: skip

    assert [("10", 1), ("20", 1)] == [
        (row.dims["entries"], row.trial) for row in parsed.rows if row.main
    ]


def test_results_at_another_write_rate_are_no_trials():
    """The banner says at which rate writers write: 0 is as fast as they can."""
    parsed = read(
        "RocksDB:    version 8.5\nWrite rate: 0 bytes/second\n" + V1
        + "RocksDB:    version 8.5\nWrite rate: 2097152 bytes/second\n"
        + V1.replace("97866", "97867"),
        "log",
    )  # fmt: skip

    assert [("0", 1), ("2097152", 1)] == [
        (row.dims["write_rate"], row.trial) for row in parsed.rows if row.main
    ]


def test_what_the_banner_says_of_the_work_is_a_figure():
    """Rows and their sizes, of no operation and better in no direction."""
    banner = "Keys:       20 bytes each\nValues:     400 bytes each (200 bytes)\n"
    rows = read(f"RocksDB:    version 8.5\n{banner}Entries:    1000\n" + V1, "log").rows

    assert [
        ("key_size", 20.0, "bytes", "none", ""),
        ("value_size", 400.0, "bytes", "none", ""),
        ("entries", 1000.0, "count", "none", ""),
    ] == [(r.metric, r.value, r.unit, r.direction, r.op) for r in rows if not r.op]


def test_a_result_after_a_benchmark_that_compacts():
    """``compact`` is a compaction by hand that has a result of its own."""
    compact = "compact : 805767.000 micros/op 1 ops/sec 0.806 seconds 1 operations;\n"
    later = V1.replace("97866", "45123")
    parsed = read(BANNER + V1 + compact + later, "o.x")

    assert [("readrandom", ""), ("compact", ""), ("readrandom", "compact")] == [
        (r.step, r.dims.get("after", "")) for r in parsed.rows if r.main
    ]


def test_statistics_of_a_process_are_not_of_its_second_result():
    """They count from the opening of the database; the series has them."""
    parsed = read(SHAPES, "o.point2")

    assert "c_wgb" not in values(parsed)
    assert ["readrandom"] == [
        s["step"] for s in parsed.series["db_bench_stats"].to_pylist()
    ]


def test_statistics_after_a_change_by_hand():
    """What a compaction by hand wrote is not the benchmark's."""
    by_hand = "compact0 found 6 files to compact from L0 to l5\n"
    parsed = read(LOG + by_hand + dump("99.0", "4.050", "77.70"))

    assert {"uptime": 61.2, "c_wgb": 12.5} == values(parsed, "uptime", "c_wgb")
    stats = parsed.series["db_bench_stats"].to_pylist()
    assert [20.0, 61.2, 99.0] == [s["uptime"] for s in stats]


def test_statistics_after_a_benchmark_that_failed():
    """They count what it wrote too: no figures of the next result."""
    parsed = read(
        BANNER + RESULT.replace("7.854", "inf") + V1 + dump("9.0", "1.0", "2.0")
    )

    assert "c_wgb" not in values(parsed)


def test_a_command_is_that_of_the_log_below_it():
    """A second log without one does not have the clients of the first."""
    second = BANNER + V1
    parsed = read(LOG + second, "o.x")

    assert [("overwrite", 8), ("readrandom", 0)] == [
        (r.step, r.dop) for r in parsed.rows if r.main
    ]


def test_a_result_that_stands_there_twice():
    """Summaries are put behind logs: the same digits again are no second trial."""
    parsed = read(V1 + RESULT + "summary\n" + V1, "o.x")

    assert [
        ("readrandom", "ops_sec", 97866.0, 1),
        ("overwrite", "ops_sec", 127320.0, 1),
    ] == (found(parsed, "ops_sec"))
    assert [(4, "repeats line 1: read once")] == told(parsed)


def test_titles_of_results_without_their_logs():
    """What somebody wrote above them tells them apart."""
    other = V1.replace("97866", "45123")
    parsed = read(f"with bloom\n{V1}without bloom\n{other}{RESULT}", "o.all")

    assert ["with bloom", "without bloom", "without bloom"] == [
        r.dims["title"] for r in parsed.rows if r.main
    ]


def test_results_under_a_title_are_no_trials():
    """Nothing says what was done to the database between them."""
    other = V1.replace("97866", "45123")
    parsed = read(f"range\n{V1}{other}", "o.all")

    assert [("1", 1), ("2", 1)] == [
        (r.dims["result"], r.trial) for r in parsed.rows if r.main
    ]


def test_repeats_that_the_tool_asked_for():
    """A warm-up does not count; averages are no results."""
    warm = V1.replace("97866", "45123")
    text = (
        f"Warming up benchmark by running 1 times\n{warm}Running benchmark for 2 times\n"
        f"{V1}readrandom [AVG 2 runs] : 50024 (± 1830) ops/sec;   16.0 MB/sec\n"
    )

    assert [("readrandom", "ops_sec", 97866.0, 1)] == found(read(text, "o.x"), "ops_sec")


def test_a_benchmark_that_failed():
    """Neither its rate nor its response times count, nor are they another's."""
    bad = (
        "compress     :    2181.500 micros/op 145 ops/sec 0.014 seconds 2 operations; "
        "(compression failure)\n"
    )
    parsed = read(V1 + bad + HISTOGRAM, "o.x")

    assert {"readrandom"} == {r.step for r in parsed.rows}
    assert [(2, "compress: (compression failure): not read")] == told(parsed)
    assert {""} == set(parsed.series["db_bench_histogram"]["step"].to_pylist())


@pytest.mark.parametrize("rate", ["inf", "-5", "97,866", "9786x", ""])
def test_a_result_that_cannot_be_read(rate: str):
    """Told with its line."""
    parsed = read(RESULT + V1.replace("97866", rate), "o.x")

    assert [(2, "a result that cannot be read")] == told(parsed)
    assert {1} == {r.line for r in parsed.rows}


def test_progress_on_the_same_line():
    """Terminals overwrite it: only what is behind the last carriage return counts."""
    progress = "... finished 100 ops      \r... finished 200 ops      \r"

    assert 97866.0 == values(read(progress + V1, "o.x"))["ops_sec"]


def test_checksums_are_counted_in_bytes():
    """Their throughput is MB/s; the size of an operation is a dimension."""
    line = (
        "crc32c       :       0.212 micros/op 4708112 ops/sec 0.272 seconds "
        "1280000 operations; 18391.1 MB/s (4096 per op)\n"
    )
    rows = read(line, "o.x").rows

    assert [("mb_sec", 18391.1, "bytes", {"block_size": "4096"})] == [
        (r.metric, r.value, r.op, r.dims) for r in rows if r.main
    ]


def test_warnings_of_the_tool_are_told():
    """A build with assertions makes every figure doubtful."""
    warning = "WARNING: Assertions are enabled; benchmarks unnecessarily slow\n"

    assert [
        (1, "db_bench warns: Assertions are enabled; benchmarks unnecessarily slow")
    ] == told(read(warning + V1, "o.x"))


def test_a_line_below_the_tables_that_cannot_be_read():
    """Told with its line and name."""
    parsed = read(LOG.replace("Flush(GB): cumulative 4.050,", "Flush(GB): cumulative x,"))

    assert ["Flush(GB): cannot be read"] == [p.text for p in parsed.problems]
    assert "flush_gb" not in values(parsed)


def test_other_files_are_not_recognised():
    """A banner alone, prose about micros/op, other logs."""
    others = ["", BANNER, "how many micros/op\n", "micros/op : 5\n", "Uptime: 5\n"]

    assert not any(db_bench.recognises(text_file(text)) for text in others)


@pytest.mark.parametrize(
    ("version", "engine"), [("1.22", "leveldb"), ("3.8", "rocksdb"), ("4.0", "rocksdb")]
)
def test_rocksdb_was_called_leveldb(version: str, engine: str):
    """Until 2015 the banner of RocksDB said LevelDB, with RocksDB's own version."""
    parsed = read(f"LevelDB:    version {version}\n{V1}")

    assert {(engine, version)} == {(r.engine, r.version) for r in parsed.rows}


def test_counters_of_the_perf_context_follow():
    """With --perf_level the line of a result ends in the title of what follows it."""
    parsed = read(V1.rstrip("\n") + " PERF_CONTEXT:\nblock_read_count = 12\n")

    expected = {"ops_sec": 97866.0, "usec_op": 10.218, "mb_sec": 39.2, "found": 9.0,
                "searched": 10.0}  # fmt: skip
    assert expected == values(parsed)
    assert [] == parsed.problems


def test_a_line_that_lacks_its_end():
    """RocksDB 8.3 goes on behind the stalls; what runs is no count of stalls."""
    stalls = "write-buffer-manager-limit-stops: 3, num-running-compactions: 2"
    parsed = read(f"{V1}Write Stall (count): {stalls}\n")

    counts = {r.metric: r.value for r in parsed.rows if "_sec" not in r.metric}
    assert 3.0 == counts["stall_write_buffer_manager_limit_stops"]
    assert [] == [m for m in counts if "running" in m]
    assert [2.0] == parsed.series["db_bench_stats"]["running_compactions"].to_pylist()
