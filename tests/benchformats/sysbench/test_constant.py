"""Interval lines of constant shape: read at once, and never another line with them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sysbench_files import RUN, told
from text_blocks import reader

from benchformats.parsed import Block, TextFile
from benchformats.sysbench.output import read, stream
from benchformats.sysbench.series import intervals, sorted_out

pytestmark = pytest.mark.unit

BANNER = "sysbench 1.0.20 (using LuaJIT)\n"
SQL = (
    "[ 7s ] thds: 16 tps: 812.40 qps: 16248.01 (r/w/o: 11373.61/3249.60/1624.80)"
    " lat (ms,99%): 6.32 err/s: 0.20 reconn/s: 0.30"
)
EPS = "[ 8s ] thds: 2 eps: 730.11 lat (ms,95%): 2.76"


def rows(text):
    table = read(TextFile("x", BANNER + text)).series.get("sysbench_interval")
    return [] if table is None else table.to_pylist()


def counts(text):
    """Lines per constant shape, and all others."""
    lines = sorted_out(Block(1, text.encode()))
    found = {"tps": 0, "eps": 0}
    for at, table in lines.constant:
        found["eps" if "eps" in table.column_names else "tps"] += len(at)
    return [*found.values(), len(lines.other)]


def test_each_number_of_a_line_is_in_its_column():
    """All twelve of a line of a test with SQL differ here."""
    assert [1, 0, 0] == counts(f"{SQL}\n")
    assert [
        {"line": 2, "run": 1, "second": 7, "dop": 16, "tps": 812.40, "qps": 16248.01,
         "reads_s": 11373.61, "writes_s": 3249.60, "other_s": 1624.80, "eps": None,
         "lat_ms": 6.32, "percentile": 99.0, "err_s": 0.20, "reconn_s": 0.30}
    ] == rows(f"{SQL}\n")  # fmt: skip


def test_a_test_without_sql_has_its_own_shape():
    """eps, latency and its percentile; all else is NULL."""
    [row] = rows(f"{EPS}\n")

    assert [0, 1, 0] == counts(f"{EPS}\n")
    known = {name: value for name, value in row.items() if value is not None}
    assert {"line": 2, "run": 1, "second": 8, "dop": 2, "eps": 730.11, "lat_ms": 2.76,
            "percentile": 95.0} == known  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("err/s: 0.20 reconn/s: 0.30", "err/s 0.20 reconn/s 0.30"),
        ("tps: 812.40", "tps: 812."),
        ("tps: 812.40", "tps: -812.40"),
        ("tps: 812.40", "tps: 8e2"),
        ("tps: 812.40", "tps: nan"),
        ("tps: 812.40", "tps: ٨١٢"),
        ("tps: 812.40", "tps:  812.40"),
        ("tps: 812.40", "tps: 1234567890123456789"),
        ("qps: 16248.01 ", ""),
        ("thds: 16 ", "thds: 16 17 "),
        ("3249.60/1624.80", "3249.60:1624.80"),
        ("3249.60/1624.80", "3249.60/1624.80/5"),
        ("(ms,99%)", "(ms,99.9%)"),
        ("reconn/s: 0.30", "reconn/s: 0.30[ 8s ] thds: 16"),
        ("[ 7s ]", "x [ 7s ]"),
    ],
)
def test_a_line_of_another_shape_is_not_taken_for_this_one(old, new):
    """Whether it is understood is for the patterns of all versions to say."""
    assert [0, 0, 1] == counts(SQL.replace(old, new) + "\n")


def test_lines_of_all_shapes_keep_their_order():
    """Shapes are read one after the other; the table is in order of line."""
    old = SQL.replace("err/s:", "err/s").replace("[ 7s ]", "[   9s ]")
    found = rows(f"{EPS}\n{old}\n{SQL}\nwords\n{EPS}\n")

    assert [(2, 8), (3, 9), (4, 7), (6, 8)] == [(r["line"], r["second"]) for r in found]


def test_a_line_in_which_the_file_ends_is_not_read():
    """Its last number may lack digits."""
    parsed = read(TextFile("x", f"{BANNER}{SQL}\n{SQL}"))

    assert [2] == parsed.series["sysbench_interval"]["line"].to_pylist()
    assert (3, "the file ends within this line: not read") in told(parsed)


def test_blocks_of_a_large_file_give_what_the_file_gives():
    """Lines and runs are numbered on from block to block, wherever they are cut."""
    text = RUN + f"{SQL}\n" + RUN + f"{EPS}\n"
    lines = text.splitlines(keepends=True)
    whole = read(TextFile("x", text))

    for size in (1, 7, 30):
        pieces = ["".join(lines[i : i + size]) for i in range(0, len(lines), size)]
        large = TextFile("x", text[:100], reader=reader(pieces))
        assert whole == read(large)
        assert len(pieces) + 1 == len(list(stream(large)))


number = st.from_regex(r"[0-9]{1,18}(\.[0-9]{1,18})?", fullmatch=True)


@given(st.lists(st.tuples(number, number, number, number), min_size=1, max_size=20))
@pytest.mark.slow
def test_numbers_are_those_of_the_other_way_of_reading(found):
    """Digit by digit: an older way of printing errors sends a line to the patterns."""
    texts = [
        f"[ 1s ] thds: 1 tps: {a} qps: {b} (r/w/o: {c}/{d}/{a}) lat (ms,95%): {b}"
        f" err/s: {c} reconn/s: {d}\n"
        for a, b, c, d in found
    ]
    slow = "".join(texts).replace("err/s:", "err/s")
    at_once, _ = intervals(sorted_out(Block(1, "".join(texts).encode())), [])
    by_pattern, _ = intervals(sorted_out(Block(1, slow.encode())), [])

    assert [0, 0, len(found)] == counts(slow)
    assert by_pattern == at_once
    assert [float(a) for a, *_ in found] == at_once["tps"].to_pylist()
