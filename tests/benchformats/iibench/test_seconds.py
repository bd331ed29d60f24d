"""What the insert benchmark's client prints per second, and below."""

from __future__ import annotations

from collections.abc import Iterator

import pyarrow as pa
import pytest
from iibench_files import BUCKETS, CREATED, SECONDS_12, SECONDS_17, seconds_file
from sysbench_files import told
from text_blocks import reader

from benchformats.iibench import seconds as iibench_seconds
from benchformats.iibench.seconds import SERIES, read, recognises, stream
from benchformats.parsed import TextFile

pytestmark = pytest.mark.unit

HEADER = SECONDS_12.split("\n")[1] + "\n"
TOTALS = "Totals: 1.0 secs, 1300.0 rows/sec, 1300 rows, 0 insert retry, 0 query retry\n"
SECOND = "1.0\t1.0\t1201\t1201\t88\t88\t7525\t940\t1300\t90\t0\t0\n"


def test_twelve_columns():
    """A row per second, numbered by its line; -1 is as printed."""
    table = read(seconds_file(SECONDS_12)).series[SERIES]

    assert {
        "line": [3, 4, 5], "run": [1, 1, 1], "i_sec": [1.0, 1.0, 1.1],
        "t_sec": [1.0, 2.0, 3.1], "i_ips": [1201, 998, 702], "t_ips": [1201, 1101, 977],
        "i_qps": [88, 91, 85], "t_qps": [88, 90, 88], "max_i": [7525, 2318, 2504],
        "max_q": [940, -1, 1033], "t_ins": [1300, 2300, 3000], "t_query": [90, 181, 274],
        "retry_i": [0, 2, 0], "retry_q": [0, 0, 1],
    } == table.to_pydict()  # fmt: skip


def test_seventeen_columns():
    """Deletes have a rate, a longest response time, a count and retries of their own."""
    table = read(seconds_file(SECONDS_17)).series[SERIES]

    assert [(999, 999, 3877, 950, 0), (1003, 1001, 3901, 1950, 3)] == [
        tuple(row[name] for name in ("i_dps", "t_dps", "max_d", "t_del", "retry_d"))
        for row in table.to_pylist()
    ]
    assert 2 + 17 == table.num_columns
    assert {pa.int64(), pa.float64()} == set(table.schema.types)


def test_what_stands_below_the_seconds():
    """Totals, buckets of response times by their upper bound, queries."""
    rows = read(seconds_file(SECONDS_12)).rows
    found = {(r.line, r.op, r.metric): (r.value, r.unit) for r in rows}

    assert {
        (7, "insert", "rt_256us"): (0, "count"), (7, "insert", "rt_1ms"): (21, "count"),
        (7, "insert", "rt_gt"): (0, "count"), (7, "insert", "rt_max"): (0.007525, "s"),
        (9, "query", "rt_4ms"): (43, "count"), (10, "query", "queries"): (274, "count"),
        (10, "query", "fetched"): (9.985, "rows"),
        (11, "index", "create_index_s"): (61.2, "s"),
        (12, "insert", "ips"): (967.7, "rows/s"), (12, "insert", "elapsed_s"): (3.1, "s"),
        (12, "insert", "rows"): (3000, "count"), (12, "insert", "retries"): (2, "count"),
        (12, "query", "retries"): (1, "count"),
    }.items() <= found.items()  # fmt: skip
    assert 2 * 11 + 8 == len(rows)


def test_retries_of_three_kinds():
    """Since there are deletes, one text has three counts."""
    rows = read(seconds_file(SECONDS_17)).rows

    assert [("insert", 0), ("delete", 3), ("query", 0)] == [
        (r.op, r.value) for r in rows if r.metric == "retries"
    ]


@pytest.mark.parametrize(
    ("path", "step", "main"),
    [("l.i0/o.ib.dop8.1", "", False), ("l.i0/o.ib", "", True), ("q100.1/o.ib", "", False),
     ("q.L1.ips100/o.ib", "", False), ("r.4t/o.ci.64m", "load", True)],
)  # fmt: skip
def test_whose_rate_is_the_steps(path: str, step: str, main: bool):
    """One client's, or in the background of queries, is not; unnamed steps are loads."""
    rate = next(r for r in read(TextFile(path, SECONDS_12)).rows if r.metric == "ips")

    assert (step, main) == (rate.step, rate.main)


def test_queries_of_a_step_that_is_not_named():
    """They show that it is no load; which step it is, nothing says."""
    parsed = read(TextFile("results/ib.res.qr100.1", SECONDS_12 + CREATED))
    inserts = SECOND.replace("\t90\t0\t0\n", "\t0\t0\t0\n") + CREATED + TOTALS
    alone = read(TextFile("results/ib.res.li0.1", HEADER + inserts))

    assert {"create all with inplace", "create 1"} == {r.step for r in parsed.rows}
    assert ["nothing says of which step the figures below the seconds are: not read"] == [
        text for _, text in told(parsed)
    ]
    assert 3 == parsed.series[SERIES].num_rows
    assert "load" in {row.step for row in alone.rows}


def test_times_of_creating_indexes():
    """Of a step of their own, by the table's size; hours are counted."""
    file = TextFile("in.byMem/r.4t/o.ci.128m", SECONDS_12 + CREATED)
    rows = [r for r in read(file).rows if r.op == "index" and r.step != "load"]

    assert [("create all with inplace", "elapsed_s", 560.74, "128m"),
            ("create all with inplace", "wall_s", 561, "128m"),
            ("create 1", "elapsed_s", 3907, "128m")] == [
        (r.step, r.metric, r.value, r.dims["size"]) for r in rows
    ]  # fmt: skip
    assert [] == read(file).problems


def test_times_of_commands_that_failed():
    """Neither theirs nor that of the script around them; the next is read."""
    text = CREATED.replace(
        "create 1\n", "create 1\nCommand exited with non-zero status 1\n"
    )
    wall = "3910 seconds : create one at a time\n562 seconds : create all again\n"
    parsed = read(TextFile("in.byMem/r.4t/o.ci.128m", SECONDS_12 + text + wall))
    first = SECONDS_12.count("\n") + CREATED.count("\n")

    assert {"create all with inplace", "create all again", "load"} == {
        row.step for row in parsed.rows
    }
    assert [
        (first - 1, "the command failed: its time is not read"),
        (first + 2, "of a command that failed: not read"),
    ] == told(parsed)


@pytest.mark.parametrize("line", ["Bulk with mcrsmb = 64", "No bulk"])
def test_how_indexes_are_created(line: str):
    """Said between a step's name and its time, by scripts for MyRocks."""
    text = CREATED.replace("create 1\n", f"create 1\n{line}\n")
    parsed = read(TextFile("rx/r.rx.mcrs64m/o.ci.128m", SECONDS_12 + text))

    assert 3907 == next(r.value for r in parsed.rows if r.step == "create 1")
    assert [] == parsed.problems


def test_a_second_header_begins_a_run():
    """Both runs are read, told apart; the second's totals are not."""
    parsed = read(seconds_file(SECONDS_12 + SECONDS_12))

    assert [1, 1, 1, 2, 2, 2] == parsed.series[SERIES]["run"].to_pylist()
    assert (25, "a second time in this file: totals: not read") in told(parsed)
    assert 1 == sum(r.metric == "ips" for r in parsed.rows)


def test_other_columns_in_the_same_file():
    """A series has one kind of columns per file: what begins otherwise is told."""
    parsed = read(seconds_file(SECONDS_12 + SECONDS_17))

    assert 3 == parsed.series[SERIES].num_rows
    assert (14, "other columns than before: its seconds are not read") in told(parsed)


@pytest.mark.parametrize(
    "damaged",
    ["1.0\t2.0\t998\t1101\t91\t90\t2318\t0\t2300\t181\t2\n",  # short
     "1.0\t2.0\t998\t1101\t91\t90\t2318\t0\t2300\t181\t2\t0\t0\n",
     "1.0\t2.0\t998\t11 1\t91\t90\t2318\t0\t2300\t181\t2\t0\n",
     "1.0\t2.\t998\t1101\t91\t90\t2318\t0\t2300\t181\t2\t0\n",
     "1.0\t2.0\t998\t0x11\t91\t90\t2318\t0\t2300\t181\t2\t0\n",
     "1.0\t2.0\t998\tnan\t91\t90\t2318\t0\t2300\t181\t2\t0\n",
     "1.0\t2.0\t-98\t1101\t91\t90\t2318\t0\t2300\t181\t2\t0\n",
     "1.0\t2.0\t998\t1101\t91\t90\t2318\t0\t" + "9" * 19 + "\t181\t2\t0\n"],
)  # fmt: skip
def test_a_damaged_second(damaged: str):
    """It is told with its line, and the others are read."""
    parsed = read(seconds_file(HEADER + SECOND + damaged + SECOND))

    assert [(3, "not a second of these columns: not read")] == told(parsed)
    assert [2, 4] == parsed.series[SERIES]["line"].to_pylist()


def test_a_file_cut_within_a_line():
    """The last number may lack digits."""
    parsed = read(seconds_file(HEADER + SECOND + SECOND[:-1]))

    assert [(3, "the file ends within this line: not read")] == told(parsed)
    assert 1 == parsed.series[SERIES].num_rows


def test_seconds_without_a_header():
    """Which columns they have is not guessed."""
    parsed = read(seconds_file(SECOND * 3))

    assert [] == list(parsed.series)
    assert [(n, "no known header: not read") for n in (1, 2, 3)] == told(parsed)


def test_many_damaged_seconds_are_told_as_one():
    """A hundred one by one, the rest together."""
    parsed = read(seconds_file(HEADER + "x\t1\n" * 250))

    assert 101 == len(parsed.problems)
    assert (2, "and 150 more lines from here on: not read") in told(parsed)


def test_buckets_of_other_bounds_are_not_read():
    """Without the header that is known, a count has no bucket."""
    text = f"{HEADER}{SECOND}Insert rt:  {BUCKETS.replace('4ms', '5ms')}\n"
    text += "Insert rt:  0 1 2 3 4 5 6 7 8 9 0.011000\n"
    parsed = read(seconds_file(text))

    assert [] == parsed.rows
    assert [(4, "insert: response times without their header: not read")] == told(parsed)


def test_totals_that_contradict_themselves():
    """1300 rows per second of one second are 1300 rows, and not 9."""
    text = HEADER + SECOND + TOTALS.replace(" 1300 rows,", " 9 rows,")
    parsed = read(TextFile("l.i0/o.ib.dop1.1", text))

    assert [] == parsed.rows
    why = "clients * rows = 9, but ips * elapsed_s = 1,170 to 1,430: not believed"
    assert [(3, why)] == told(parsed)


def test_a_large_file_in_blocks():
    """Lines and runs are counted through, the pieces have equal columns."""

    def texts() -> Iterator[str]:
        yield HEADER + SECOND * 2
        yield SECOND * 3
        yield (
            SECOND + "Totals: 3.1 secs, 967.7 rows/sec, 3000 rows, 2 insert retry, "
            "1 query retry\n"
        )

    file = TextFile("l.i0/o.ib.dop1.1", HEADER, reader=reader(texts()))
    parts = list(stream(file))
    tables = [part.series[SERIES] for part in parts if part.series]

    assert [[2, 3], [4, 5, 6], [7]] == [t["line"].to_pylist() for t in tables]
    assert 1 == len({t.schema for t in tables})
    assert [8] == [r.line for p in parts for r in p.rows if r.metric == "ips"]


@pytest.mark.parametrize(
    ("text", "known"),
    [(SECONDS_12, True), (SECONDS_17, True), ("i_sec\tt_sec\tother\n", False),
     ("i_sec\tt_sec\n", False), ("i_sec\tt_sec\ti_ips\ti_ips\n", False),
     (SECOND, False)],
)  # fmt: skip
def test_recognised_by_the_header(text: str, known: bool):
    """Not by the name, and only if all columns are known."""
    assert known == recognises(TextFile("notes", text))
    assert not recognises(TextFile("o.ib.dop8.1", "nothing\n"))
    assert "iibench_seconds" == iibench_seconds.NAME
