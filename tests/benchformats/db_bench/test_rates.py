"""What db_bench reports while it runs: operations of intervals, read in blocks."""

from __future__ import annotations

import pytest
from db_bench_files import RATES, text_file
from sysbench_files import told
from text_blocks import reader

from benchformats.db_bench import rates as db_bench_rates
from benchformats.parsed import TextFile

pytestmark = pytest.mark.unit

HEADER = "secs_elapsed,interval_qps\n"


def series(text: str, name: str = "report.csv") -> dict[str, list]:
    """The columns of the series made of a text."""
    return db_bench_rates.read(text_file(text, name)).series["db_bench_rates"].to_pydict()


def test_operations_of_an_interval_become_a_rate():
    """The tool does not divide by its 5 seconds: 184320 operations are 36864 a second."""
    assert {
        "line": [2, 3, 4, 5],
        "secs_elapsed": [5, 10, 15, 20],
        "interval_qps": [184320, 190001, 0, 177003],
        "interval_qps_correct": [36864.0, 38000.2, 0.0, 35400.6],
    } == series(RATES)


def test_a_second_that_was_skipped_is_no_longer_interval():
    """Seconds are rounded: the interval is the distance that occurs most often."""
    rates = series(HEADER + "1,100\n2,110\n4,120\n5,130\n")

    assert [100.0, 110.0, 120.0, 130.0] == rates["interval_qps_correct"]


def test_the_step_that_a_file_is_named_after():
    """benchmark.sh writes a file per step."""
    rates = series(RATES, "benchmark_readrandom.t24.log.r.csv")

    assert (["readrandom.t24"] * 4, [24] * 4) == (rates["step"], rates["dop"])


@pytest.mark.parametrize("line", ["4", "4,", "4,5,6", "x,5", "4,0x10", "4,1.5", "-1,5"])
def test_a_line_that_is_no_pair_of_numbers(line: str):
    """Told with its line; lines behind it keep their numbers."""
    parsed = db_bench_rates.read(text_file(HEADER + f"1,100\n{line}\n3,110\n"))

    assert [(3, "not seconds and operations: not read")] == told(parsed)
    assert [2, 4] == parsed.series["db_bench_rates"]["line"].to_pylist()


def test_many_bad_lines_are_counted():
    """The first hundred are told one by one."""
    parsed = db_bench_rates.read(text_file(HEADER + "1,100\n" + "x\n" * 1000))

    assert 101 == len(parsed.problems)
    assert (0, "more than 100 lines are not seconds and operations") == told(parsed)[-1]


def test_a_line_without_its_end():
    """It may lack digits: not read."""
    parsed = db_bench_rates.read(text_file(HEADER + "1,100\n2,11"))

    assert [(3, "the file ends within this line: not read")] == told(parsed)
    assert [100] == parsed.series["db_bench_rates"]["interval_qps"].to_pylist()


def test_seconds_that_go_back():
    """Two runs in one file, or lines out of order: told once."""
    parsed = db_bench_rates.read(text_file(HEADER + "1,5\n2,5\n1,6\n2,6\n1,7\n"))

    assert [4] == [p.line for p in parsed.problems]
    assert 5 == parsed.series["db_bench_rates"].num_rows


def test_a_large_file_is_read_in_blocks():
    """Lines, interval and order carry over; the columns are the same in all blocks."""
    blocks = [HEADER + "2,10\n4,20\n", "6,30\n8,40\n", "10,50\n9,60\n"]
    file = TextFile("r.csv", blocks[0], reader=reader(blocks))
    pieces = list(db_bench_rates.stream(file))

    assert [2, 2, 2] == [p.series["db_bench_rates"].num_rows for p in pieces]
    assert 1 == len({p.series["db_bench_rates"].schema for p in pieces})
    whole = db_bench_rates.read(file).series["db_bench_rates"].to_pydict()
    assert [2, 3, 4, 5, 6, 7] == whole["line"]
    assert [5.0, 10.0, 15.0, 20.0, 25.0, 30.0] == whole["interval_qps_correct"]
    assert [7] == [p.line for piece in pieces for p in piece.problems]


def test_a_file_without_an_interval():
    """The benchmark was shorter than one."""
    parsed = db_bench_rates.read(text_file(HEADER))

    assert ({}, [(0, "no interval was reported")]) == (parsed.series, told(parsed))


def test_what_is_recognised():
    """The header in the first line, and nothing else."""
    texts = [RATES, HEADER, "", "1,2\n", "seconds,qps\n1,2\n", "\n" + RATES]

    expected = [True, True, False, False, False, False]
    assert expected == [db_bench_rates.recognises(text_file(text)) for text in texts]
