"""What the output of db_bench gives to the tables of the store."""

import re

import pytest
from db_bench_files import BANNER, HISTOGRAM, dump

from benchbook.store.db_bench import read_db_bench
from benchbook.store.tool_result import Output
from benchmath.latency.buckets import percentile

pytestmark = pytest.mark.unit
SECOND = 10**9
HALF = SECOND // 2
V2 = (
    "readrandom   :  2.500 micros/op 400 ops/sec 2.500 seconds 1000 operations;"
    "   39.2 MB/s (979 of 1000 found)\n"
)
V1 = "readrandom   :  2.500 micros/op 400 ops/sec;   39.2 MB/s (979 of 1000 found)\n"
RATES = "secs_elapsed,interval_qps\n1,300\n2,500\n"
LOG = """\
t EVENT_LOG_v1 {"time_micros": 7000002, "job": 2, "event": "flush_started"}
t EVENT_LOG_v1 {"time_micros": 7000003, "job": 2, "event": "flush_finished"}
"""
RUN = {"mono_ns": 3 * SECOND, "real_ns": 5 * SECOND}
WRITER = (
    "2026/11/23-16:00:31  ... thread 0: (100,100) ops and (50.0,50.0) ops/second in "
    "(2.000000,2.000000) seconds\n"
)


def step(name="readrandom", op="query"):
    times = {"start_ns": 4 * SECOND, "end_ns": 6 * SECOND + HALF}
    return {"step": name, "op": op, "dop": 1, **times}


@pytest.fixture
def output(tmp_path):
    """A function that makes the output of a step, with its files beside it."""

    def make(text, rates=RATES, log=LOG):
        for suffix, said in ((".r.csv", rates), (".LOG", log)):
            (tmp_path / f"a.log{suffix}").write_text(said)
        return Output(text, "a.log", tmp_path, RUN)

    return make


def test_counters_are_those_of_the_result(output):
    """The rate has more digits than the seconds."""
    result = read_db_bench(output(BANNER + V2 + HISTOGRAM), [step()])

    expected = {"ops": 1000, "rows": None, "elapsed_ns": 2 * SECOND + HALF}
    assert {"query": expected} == result.counted


def test_a_release_that_prints_rates_alone_is_counted_by_its_histogram(output):
    """It has 1,000 values; at 400 a second they took 2.5 s."""
    result = read_db_bench(output(BANNER + V1 + HISTOGRAM), [step()])

    counted = result.counted["query"]
    assert (1000, 2 * SECOND + HALF) == (counted["ops"], counted["elapsed_ns"])


def test_a_batch_counts_once_in_the_histogram(output):
    """1,000 batches of ten keys."""
    text = "# db_bench --batch_size=10\n" + BANNER + V1.replace("read", "multiread")
    result = read_db_bench(output(text + HISTOGRAM), [step("multireadrandom")])

    assert 10_000 == result.counted["query"]["ops"]


def test_samples_are_the_report_and_what_it_leaves(output):
    """300 and 500 of 1,000 operations are told; 200 fall to the last half second."""
    samples = read_db_bench(output(BANNER + V2 + HISTOGRAM), [step()]).samples

    assert [
        (5 * SECOND, SECOND, 300),
        (6 * SECOND, SECOND, 500),
        (6 * SECOND + HALF, HALF, 200),
    ] == [(s["t_ns"], s["interval_ns"], s["ops"]) for s in samples]  # fmt: skip


def test_what_a_writer_did_beside_the_clients_is_no_sample_of_theirs(output):
    """It did 50 in each second, and the report counts every thread."""
    text = BANNER + WRITER + V2.replace("readrandom", "readwhilewriting") + HISTOGRAM
    samples = read_db_bench(output(text), [step("readwhilewriting")]).samples

    assert [250, 450, 300] == [s["ops"] for s in samples]


def test_percentiles_of_the_histogram_are_those_that_are_printed(output):
    """P50 3.00 in (2, 3] and P99 within (2, 88], to the width of a bucket."""
    text = HISTOGRAM.replace("P99: 9.90", "P99: 86.28")
    [hist] = read_db_bench(output(BANNER + V2 + text), [step()]).hists
    counts = [(bucket, count) for bucket, count in hist["counts"]]

    assert 1000 == sum(count for _, count in counts)
    assert 2000 == pytest.approx(percentile(counts, 500), rel=0.01)
    assert 86_280 == pytest.approx(percentile(counts, 990), rel=0.01)


def test_figures_are_those_of_an_import_with_their_lines(output):
    """What the store counts by itself is not among them."""
    text = BANNER + V2 + HISTOGRAM + dump("1800.1", "4.10", "12.50")
    tables = read_db_bench(output(text), [step()]).tables
    figures = {row["metric"]: row for row in tables["tool_figure"]}

    assert 47.8 == figures["stall_pct"]["value"]
    assert 12.5 / 4.04 == pytest.approx(figures["w_amp_correct"]["value"])
    assert 40.1 == figures["p99_99"]["value"]
    assert 7 + BANNER.count("\n") + 1 > figures["p99_99"]["line"] > BANNER.count("\n")
    assert not {"ops_sec", "p99", "pmax"} & figures.keys()


def test_the_tree_is_told_by_dump_and_level(output):
    """L0, L6 and their sum, of the one dump that is the last."""
    text = BANNER + V2 + HISTOGRAM + dump("1800.1", "4.10", "12.50")
    rows = read_db_bench(output(text), [step()]).tables["lsm_level"]

    assert [("L0", 6, 0.8, 4.1, True), ("L6", 121, 0.0, 8.4, True),
            ("Sum", 127, 0.0, 12.5, True)] == [
        (r["level"], r["files"], r["score"], r["write_gb"], r["final"]) for r in rows
    ]  # fmt: skip


def test_jobs_are_told_on_the_clock_of_the_run(output):
    """7.000002 s of a wall clock that showed 5 s when the other one showed 3 s."""
    [job] = read_db_bench(output(BANNER + V2 + HISTOGRAM), [step()]).tables["lsm_job"]

    assert (5 * SECOND + 2000, 5 * SECOND + 3000) == (job["start_ns"], job["end_ns"])


def test_a_step_without_a_result_gives_nothing(output):
    """db_bench was stopped before it was done."""
    assert None is read_db_bench(output(BANNER), [step()])


def test_a_step_that_shapes_the_tree_has_no_result(output):
    """Its compaction table is all that it says."""
    shaped = output(BANNER + dump("10.0", "0.10", "0.10"))
    result = read_db_bench(shaped, [step("flush_mt_l0", "index")])

    assert ({}, 3) == (result.counted, len(result.tables["lsm_level"]))


OF_ONE = (
    "# db_bench --threads=1 --key_size=20 --value_size=400 --report_file=/x/a.log.r.csv\n"
)
EXACT = (
    "readrandom   :  2500.000 micros/op 400 ops/sec 2.500 seconds 1000 operations;"
    "    0.2 MB/s (979 of 1000 found)\n"
)


@pytest.mark.parametrize(
    ("printed", "instead", "why"),
    [
        ("1000 operations", "10000 operations", "ops = 10,000, but elapsed_s * ops_sec"),
        ("2500.000 micros", "25000.000 micros", "usec_op * ops_sec = "),
        ("2.500 seconds", "25.000 seconds", "ops = 1,000, but elapsed_s * ops_sec"),
        ("0.2 MB/s", "2.0 MB/s", "1048576 * mb_sec = "),
        ("Count: 1000", "Count: 10000", "ops = 1,000, but histogram = 10,000"),
        ("threads=1", "threads=10", "threads = 10, but clients_of_the_step = 1"),
        ("/x/a.log", "/x/b.log", "it is the output that was to be in b.log"),
    ],
)  # fmt: skip
def test_a_figure_times_ten_contradicts_the_others(output, printed, instead, why):
    """Each law of db_bench's output, and what was another step's."""
    text = OF_ONE + BANNER + EXACT + HISTOGRAM
    assert read_db_bench(output(text), [step()])
    with pytest.raises(ValueError, match=re.escape(why)):
        read_db_bench(output(text.replace(printed, instead)), [step()])


def test_a_report_of_ten_times_as_much_is_refused(output):
    """Its seconds have 300 and 500 of 1000 operations."""
    ten = RATES.replace("300", "3000").replace("500", "5000")
    with pytest.raises(ValueError, match="ops_of_writer = 1,000, but operations_of_rep"):
        read_db_bench(output(OF_ONE + BANNER + EXACT + HISTOGRAM, ten), [step()])


def test_a_step_that_took_longer_than_it_was_there_is_refused(output):
    """The driver saw it end after a quarter of a second."""
    short = step() | {"end_ns": 4 * SECOND + SECOND // 4}
    with pytest.raises(ValueError, match=r"elapsed_s = 2\.5, but seconds_of_the_step"):
        read_db_bench(output(OF_ONE + BANNER + EXACT + HISTOGRAM), [short])
