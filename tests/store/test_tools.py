"""What sysbench's own output gives to the tables of the store."""

import re
from pathlib import Path

import pytest

from benchbook.store.sysbench import SCRIPTS
from benchbook.store.tool_result import Output
from benchbook.store.tools import TOOLS

pytestmark = pytest.mark.unit
SECOND = 10**9
OUTPUT = """\
# sysbench transaction.lua --threads=1 run
sysbench 1.0.20 (using system LuaJIT 2.1.0-beta3)

Number of threads: 1
Threads started!

[ 1s ] thds: 1 tps: 10.00 qps: 200.00 (r/w/o: 140.00/40.00/20.00) \
lat (ms,95%): 0.02 err/s: 0.00 reconn/s: 0.00
Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
       0.100 |***                                      7
       1.000 |****************************************  18
SQL statistics:
    queries performed:
        read:                            350
        write:                           100
        other:                           50
        total:                           500
    transactions:                        25     (10.00 per sec.)
    queries:                             500    (200.00 per sec.)
    ignored errors:                      2      (0.80 per sec.)
    reconnects:                          0      (0.00 per sec.)

General statistics:
    total time:                          2.5000s
    total number of events:              25

Latency (ms):
         min:                                    0.10
         avg:                                    0.80
         max:                                    1.00
         95th percentile:                        1.00
         sum:                                   20.00

Threads fairness:
    events (avg/stddev):           25.0000/0.00
    execution time (avg/stddev):   0.0200/0.00

"""


def step(op, elapsed_ns=2 * SECOND + SECOND // 2):
    return {
        "step": "read-write.range10", "op": op, "dop": 1, "start_ns": 5 * SECOND,
        "end_ns": 5 * SECOND + elapsed_ns, "target_ops_per_s": 0,
    }  # fmt: skip


def test_statements_events_and_retries_are_counted():
    """20 statements an event; an ignored error is an event begun again."""
    result = TOOLS["sysbench"](Output(OUTPUT), [step("query"), step("transaction")])

    assert {
        "query": {"ops": 500, "retries": 2},
        "transaction": {"ops": 25, "retries": 2},
    } == result.counted


def test_the_histogram_is_that_of_events():
    """100,000 ns is in bucket 1347 (99,840 to 100,351), 1,000,000 ns in 1780."""
    [hist] = TOOLS["sysbench"](Output(OUTPUT), [step("query"), step("transaction")]).hists

    assert ("transaction", "actual") == (hist["op"], hist["clock"])
    assert [[1347, 7], [1780, 18]] == hist["counts"]


def test_a_lost_interval_is_what_the_others_leave():
    """1 s with 200 statements is told, 1.5 s with 300 are not."""
    samples = TOOLS["sysbench"](Output(OUTPUT), [step("query")]).samples

    assert [
        (6 * SECOND, SECOND, 200),
        (7 * SECOND + SECOND // 2, 3 * SECOND // 2, 300),
    ] == [(s["t_ns"], s["interval_ns"], s["ops"]) for s in samples]


def test_a_moment_after_the_last_line_belongs_to_it():
    """What 1.0.20 does in its last 9 ms has no line of its own."""
    nine_more = SECOND + 9_000_000
    text = OUTPUT.replace("2.5000s", "1.0090s")
    text = text.replace("tps: 10.00 qps: 200.00", "tps: 24.70 qps: 494.00")
    text = text.replace("(10.00 per", "(24.78 per").replace("(200.00 per", "(495.54 per")
    [sample] = TOOLS["sysbench"](Output(text), [step("query", nine_more)]).samples

    assert (nine_more, 500) == (sample["interval_ns"], sample["ops"])


def test_statistics_that_are_cut_off_give_nothing():
    """A run that was killed has no counters."""
    assert None is TOOLS["sysbench"](Output(OUTPUT[:600]), [step("query")])


@pytest.mark.parametrize(
    ("printed", "instead", "why"),
    [
        ("total:                           500", "total: 5000",
         "queries = 5,000, but reads + writes + others = 500"),
        ("(200.00 per sec.)", "(2000.00 per sec.)",
         "queries = 500, but qps * seconds = 5,000"),
        ("(10.00 per sec.)", "(100.00 per sec.)",
         "transactions = 25, but tps * seconds = 250"),
        ("18\nSQL", "180\nSQL", "events = 25, but histogram = 187"),
        ("avg:                                    0.80", "avg: 8.00",
         "rtsum = 20, but rtavg * events = 200"),
        ("25.0000/0.00", "250.0000/0.00",
         "events = 25, but thread_events * threads = 250"),
        ("0.0200/0.00", "0.2000/0.00", "rtsum = 20, but 1000 * thread_s * threads = 200"),
        ("tps: 10.00", "tps: 100.00", "transactions = 25, but transactions_of_intervals"),
        ("qps: 200.00", "qps: 2000.00", "queries = 500, but queries_of_intervals ="),
        ("threads: 1", "threads: 10", "events = 25, but thread_events * threads = 250"),
    ],
)  # fmt: skip
def test_a_figure_times_ten_contradicts_the_others(printed, instead, why):
    """Each law of sysbench's output, and which two numbers break it."""
    with pytest.raises(ValueError, match=re.escape(why).replace(",", ",?")):
        TOOLS["sysbench"](Output(OUTPUT.replace(printed, instead)), [step("query")])


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"dop": 10}, "threads = 1, but clients_of_the_step = 10"),
        ({"end_ns": 30 * SECOND}, "total_time_s = 2.5, but seconds_of_the_step = 25"),
        ({"step": "point-query.range100"}, "script transaction.lua, the step runs point"),
        ({"step": "read-only.range100"}, "it is of a range of 10"),
    ],
)
def test_the_output_of_another_step_is_refused(changes, why):
    """By its threads, seconds, script and range; a user's script is not known here."""
    text = OUTPUT.replace("--threads=1", "--threads=1 --range=10")
    with pytest.raises(ValueError, match=re.escape(why)):
        TOOLS["sysbench"](Output(text), [step("query") | changes])
    if "step" in changes:
        own = Output(text, scripted=True)
        assert TOOLS["sysbench"](own, [step("query") | changes])


def test_scripts_are_those_of_the_steps():
    """As bench/sysbench/steps.tsv has them."""
    table = Path(__file__).parents[2] / "bench/sysbench/steps.tsv"
    lines = [line.split("\t") for line in table.read_text().splitlines()]
    of_steps = {name: file for name, kind, _, file, _ in lines if kind != "cleanup"}

    assert of_steps == {
        name: next(s for start, s in SCRIPTS if name.startswith(start))
        for name in of_steps
    }
