"""Tables of somebody's figures: which columns are what, and what is told of the rest."""

from __future__ import annotations

import pytest
import tidy_files as tidy

from benchformats.parsed import Parsed, TextFile
from benchformats.text.cells import number_or_why
from benchformats.tidy.columns import columns_said
from benchformats.tidy.figures import (
    direction,
    read,
    reader_of,
    recognises,
    split_unit,
)
from benchformats.tidy.hint import hint_of

pytestmark = pytest.mark.unit


def table(text: str) -> TextFile:
    return TextFile("runs.csv", text)


def told(parsed: Parsed) -> list[tuple[int, str]]:
    return [(problem.line, problem.text) for problem in parsed.problems]


def values(parsed: Parsed, *names: str) -> list[tuple[object, ...]]:
    return [tuple(getattr(row, name) for name in names) for row in parsed.rows]


def test_a_long_table_needs_no_mapping():
    """Columns called as in the vocabulary; the unit says which way is better."""
    parsed = read(table(tidy.LONG))
    columns = ("line", "step", "engine", "version", "trial", "metric", "value", "unit",
               "direction")  # fmt: skip

    assert [
        (2, "scan", "postgres", "15.4", 1, "latency", 12.5, "ms", "lower"),
        (3, "scan", "postgres", "15.4", 2, "latency", 12.75, "ms", "lower"),
        (4, "scan", "postgres", "16.1", 1, "latency", 11.0, "ms", "lower"),
    ] == values(parsed, *columns)
    assert [] == told(parsed)


def test_a_wide_table_has_a_metric_per_column():
    """Units stand in the header; words are dimensions; the only rate is the main."""
    parsed = read(table(tidy.WIDE))

    assert [
        ("a", "latency", 2.5, "ms", "lower", False),
        ("a", "qps", 400.0, "", "higher", True),
        ("b", "latency", 5.0, "ms", "lower", False),
        ("b", "qps", 200.0, "", "higher", True),
    ] == values(parsed, "step", "metric", "value", "unit", "direction", "main")
    assert [{"colour": "red"}, {"colour": "blue"}] == [r.dims for r in parsed.rows[::2]]


def test_a_count_beside_the_score_is_no_figure_by_its_place():
    """Of samples and score nobody can tell which is meant: nothing is read."""
    text = "test,version,samples,score,unit\na,1,25,1200,us/op\na,2,25,1560,us/op\n"
    parsed = read(table(text))

    assert [] == parsed.rows
    assert "numbers in samples, score: which are figures?" in told(parsed)[0][1]


def test_the_user_says_which_column_is_the_figure():
    """The other column is a dimension, or not read."""
    text = "test,version,samples,score,unit\na,1,25,1200,us/op\n"
    said = columns_said([("step", "test"), ("version", "version"), ("unit", "unit"),
                         ("values", "score")])  # fmt: skip
    parsed = reader_of(said)(table(text))

    assert [("score", 1200.0, "lower", True)] == values(
        parsed, "metric", "value", "direction", "main"
    )


def test_a_score_with_a_decimal_comma_is_no_dimension():
    """Else the count beside it would be the only figure."""
    text = 'test,version,n,score\na,1,25,"1234,500"\na,2,25,"1560,000"\n'

    assert not recognises(table(text))
    assert "decimal=comma" in hint_of(table(text))


def test_of_two_rates_none_is_the_throughput():
    """Not the first: `--metric` says which is meant."""
    parsed = read(table("test,version,reads_per_s,writes_per_s\na,1,5,6\n"))

    assert [False, False] == [row.main for row in parsed.rows]


def test_json_lines_are_a_table():
    """A member that is absent is an empty cell."""
    assert [("a", "1", 1.5, "s"), ("a", "2", 3.0, "s")] == values(
        read(table(tidy.JSON_LINES)), "step", "version", "value", "unit"
    )


def test_a_history_has_commits_and_times():
    """The commit is the version; when it was measured is in UTC."""
    parsed = read(table(tidy.HISTORY))
    dims = {"started": "2026-01-01T02:00:00Z", "branch": "main"}

    assert [("aaa0", "throughput", "higher"), ("aaa0", "p99", "lower")] == values(
        parsed, "version", "metric", "direction"
    )[:2]
    assert dims == parsed.rows[0].dims


@pytest.mark.parametrize(
    "text",
    [
        "a,b\n1,2\n",
        "time,value2\n1,2\n",
        "test,engine\nscan,pg\n",
        "test,test,qps\na,b,1\n",
        "some text, with a comma\nand more, of it\n",
        '{"a": {"b": 1}}\n',
        "test,9.8.4,10.1\na,1,2\n",
        "ops/sec\tmb/sec\ttest\n1\t2\ta\n",
    ],
)
def test_a_table_that_says_too_little_is_not_recognised(text):
    """No name of the vocabulary, no figures, a name twice, prose, nested JSON,
    versions side by side, another tool's report."""
    assert not recognises(table(text))


@pytest.mark.parametrize(
    ("text", "example"),
    [
        ("a,b\n1,2\n", "values=a"),
        ("what\tn\nx\t2\n", "step=what,values=n"),
        ("a b;version;ms\nx;1;1,5\n", "version=version,decimal=comma"),
        ("the test;took\nx;1.234,5\n", "'step=the test,values=took,decimal=comma'"),
    ],
)
def test_a_table_that_says_too_little_has_an_example(text, example):
    """How to say it, as a shell takes it."""
    assert not recognises(table(text))
    assert hint_of(table(text)).endswith(f"e.g. --columns {example}")


@pytest.mark.parametrize(
    "text", ["", "x\n", "test,engine\nscan,pg\n", "pg1222,33781\npg1323,33740\n",
             "some text, with a comma\nand more, of it\n", "a,b\n1,2\n1\n"],
)  # fmt: skip
def test_what_is_no_table_has_no_hint(text):
    """No figures, a header of figures, prose, rows of other lengths."""
    assert "" == hint_of(table(text))


def test_a_first_line_may_say_the_separator():
    """As Excel writes and reads it; lines are those of the file."""
    parsed = read(table("sep=;\ntest;version;qps, mean (1/s)\nscan;1;2.5\n"))

    assert [(3, "scan", 2.5)] == values(parsed, "line", "step", "value")
    assert [] == [p for p in told(parsed) if "cells" in p[1]]
    assert not recognises(table("sep=;"))


def test_a_mapping_without_the_decimal_sign_is_told():
    """The column that was meant has commas."""
    parsed = reader_of(columns_said([("version", "v")]))(table("v;ms\n1;2,506\n"))

    assert [(0, "no column of figures among v, ms: say decimal=comma in --columns")] == (
        told(parsed)
    )


def test_what_is_no_figure_is_told_with_its_line():
    """Short rows, gaps that are words, two notations; an empty cell is no figure."""
    text = (
        "test;engine;version;qps;ms\na;x;1;NaN;\nb;x;1;1,5;2\nc;x\nd;x;1;1,234;3\n"
        "e;x;1;1e999;4\nf;x;1;fast;5\n"
    )
    parsed = reader_of(columns_said([("values", "qps+ms"), ("better", "higher")]))(
        table(text)
    )

    assert [2.0, 3.0, 4.0, 5.0] == [row.value for row in parsed.rows]
    assert [
        (2, "qps: 'NaN' is no value"),
        (3, "qps: '1,5' has a comma: say decimal=comma in --columns"),
        (4, "2 cells, but the header has 5: row not read"),
        (5, "qps: '1,234' may be read in two ways: say decimal=dot or decimal=comma in "
            "--columns"),
        (6, "qps: '1e999' is too large"),
        (7, "qps: 'fast' is not a number"),
    ] == told(parsed)  # fmt: skip


@pytest.mark.parametrize(
    ("cell", "decimal", "value"),
    [
        ("1.234,5", "comma", 1234.5), ("1,5", "comma", 1.5), ("1.234", "comma", 1234.0),
        ("1,234.5", "dot", 1234.5), ("1\u202f234", "dot", 1234.0), ("-1e-3", "", -0.001),
        ("12", "comma", 12.0), ("1\u2019234,5", "comma", 1234.5),
    ],
)  # fmt: skip
def test_a_number_in_the_notation_that_was_said(cell, decimal, value):
    """Decimal commas and separators of thousands count where the user says so."""
    assert value == number_or_why(cell, decimal)


@pytest.mark.parametrize("cell", ["1.23.4", "1,23,4", "12 34", "1,2,3", "0x10", "١٢"])
@pytest.mark.parametrize("decimal", ["", "dot", "comma"])
def test_a_damaged_number_is_none(cell, decimal):
    """Groups have three digits; nothing is repaired."""
    assert isinstance(number_or_why(cell, decimal), str)


def test_a_mapping_names_columns():
    """Roles and dimensions by other names; what nobody named is told and not read."""
    text = "what,db,took,note\nscan,pg,1.5,x\n"
    said = columns_said([("step", "what"), ("engine", "db"), ("value", "took"),
                         ("better", "lower")])  # fmt: skip
    parsed = reader_of(said)(table(text))

    assert [("scan", "postgres", "took", 1.5, "lower")] == values(
        parsed, "step", "engine", "metric", "value", "direction"
    )
    assert [(1, "columns that nobody named, not read: note")] == told(parsed)


def test_a_column_that_is_not_there_is_told():
    """With those that are; nothing is read."""
    parsed = reader_of(columns_said([("value", "tooks")]))(table("what,took\na,1\n"))

    assert ([], [(0, "no column tooks; available: what, took")]) == (
        parsed.rows,
        told(parsed),
    )


@pytest.mark.parametrize(
    ("pairs", "why"),
    [
        ([("value", "")], "has no column"),
        ([("value", "a"), ("value", "b")], "twice"),
        ([("decimal", "point")], "available: dot, comma"),
        ([("Value", "a")], "lower-case"),
        ([("value", "a"), ("values", "b")], "one of them"),
    ],
)
def test_a_mapping_that_cannot_be_is_refused(pairs, why):
    """Before a file is opened."""
    with pytest.raises(ValueError, match=why):
        columns_said(pairs)


def test_a_row_with_no_count_or_no_time_is_not_read():
    """A trial of -1, a thirtieth of February."""
    text = (
        "test,time,trial,qps\na,2026-01-01,1,1\n"
        + "b,2026-02-30,1,2\nc,2026-01-01,-1,3\n"
    )
    said = columns_said([("time", "time"), ("trial", "trial"), ("values", "qps")])
    parsed = reader_of(said)(table(text))

    assert ["a"] == [row.step for row in parsed.rows]
    assert [3, 4] == [line for line, _ in told(parsed)]


def test_markup_and_formulas_are_no_metric():
    """A metric has letters, digits and underscores only; other names are one line."""
    parsed = read(table('test,version,"=cmd|x (ms)"\n"a\x1b[31mb",1,2\n'))

    assert [("a [31mb", "cmd_x", "ms")] == values(parsed, "step", "metric", "unit")


def test_tables_put_together_are_read_as_far_as_their_columns_go():
    """The same header again is none of the rows; below another one nothing is read."""
    text = "test,latency (ms)\na,10\ntest,latency (ms)\na,11\ntest,latency (us)\na,9000\n"
    parsed = read(table(text))

    assert [10.0, 11.0] == [row.value for row in parsed.rows]
    assert [(5, "another header: not read from here on")] == told(parsed)


@pytest.mark.parametrize("cells", [("12", "timeout", "failed"), ("12ms", "13ms", "-")])
def test_a_column_of_figures_and_words_is_no_dimension(cells):
    """It tells by its name that it is measured: each row were a cell of its own."""
    rows = "".join(f"a,1,{cell},100\n" for cell in cells)
    parsed = read(table(f"test,version,latency (ms),qps\n{rows}"))

    assert [] == parsed.rows
    [(_, why)] = told(parsed)
    assert "say it with --columns values=latency (ms), or latency_ms=latency (ms)" in why


def test_gaps_make_a_column_of_figures_no_dimension():
    """Most runs have no value there; what is left is a figure."""
    rows = "".join(f"a,1,{cell},100\n" for cell in ("12", "-", "NaN"))
    parsed = read(table(f"test,version,latency (ms),qps\n{rows}"))

    assert [12.0] == [row.value for row in parsed.rows if row.metric == "latency"]
    assert [{}] * 4 == [row.dims for row in parsed.rows]


def test_a_quoted_cell_over_lines_is_not_read():
    """The rows behind it are, under their own line."""
    parsed = read(table('test,version,qps\n"a\nb",1,2\nc,1,3\n'))

    assert [(4, "c")] == values(parsed, "line", "step")
    assert [2] == [line for line, _ in told(parsed)]


@pytest.mark.parametrize(
    ("header", "unit", "way"),
    [
        ("ops/s", "ops/s", "higher"),
        ("ops_per_s", "ops/s", "higher"),
        ("ops_per_sec", "ops/sec", "higher"),
        ("ops/sec", "ops/sec", "higher"),
        ("ops_sec", "ops/sec", "higher"),
        ("req/s", "req/s", "higher"),
        ("rows/sec", "rows/sec", "higher"),
        ("hits/sec", "hits/sec", "higher"),
        ("queries/ms", "queries/ms", "higher"),
        ("ops per ms", "ops/ms", "higher"),
        ("rows_per_ms", "rows/ms", "higher"),
        ("mb_per_s", "mb/s", "higher"),
        ("mb_sec", "mb/sec", "higher"),
        ("read MB/s", "MB/s", "higher"),
        ("100%/s", "/s", "higher"),
        ("p99 ops/s", "ops/s", "higher"),
        ("ops/s p99", "ops/s", "higher"),
        ("ops (per s)", "per s", "higher"),
        ("rate (ops_sec)", "ops_sec", "higher"),
        ("throughput_mb", "", "higher"),
        ("bandwidth_gib", "", "higher"),
        ("kops_s", "kops/s", "higher"),
        ("read_bw_mb", "", "higher"),
        ("tps p99", "", "higher"),
        ("p99_qps", "", "higher"),
        ("ips_p50", "", "higher"),
        ("ops_p50", "", "higher"),
        # What its name and its unit say is not one thing.
        ("throughput (MB)", "MB", "none"),
        ("throughput_ms", "ms", "none"),
        ("qps latency", "", "none"),
        ("time_saved_s", "s", "none"),
        ("read_mb", "mb", "none"),
        ("gc ms/s", "ms/s", "none"),
        ("gc time/min", "time/min", "none"),
        ("p99_ms at 1000 ops/s", "s", "none"),
        # What costs.
        ("p99", "", "lower"),
        ("latency_ms", "ms", "lower"),
        ("read_ms", "ms", "lower"),
        ("latency at 1000 qps (ms)", "ms", "lower"),
        ("cpu_us", "us", "lower"),
        ("size_mb", "mb", "lower"),
        ("elapsed_s", "s", "lower"),
        ("time_sec", "sec", "lower"),
        ("qps", "", "higher"),
        ("throughput (ops/s)", "ops/s", "higher"),
        ("ops", "", "higher"),
        ("total_ops", "", "none"),
        ("size", "", "none"),
    ],
)
def test_a_rate_is_no_time_for_its_ending(header, unit, way):
    """Its unit is the whole ending; where name and unit disagree nobody can tell."""
    metric, told = split_unit(header)

    assert (unit, way) == (told, direction(metric, told))


@pytest.mark.parametrize(
    ("header", "way"),
    [
        ("errors per second", "lower"),
        ("aborts/s", "lower"),
        ("page_faults/s", "lower"),
        ("misses/s", "lower"),
        ("retries/s", "lower"),
        ("stalls/s", "lower"),
        ("failed/s", "lower"),
        ("queries (errors/s)", "lower"),
        ("error_rate", "lower"),
        ("miss rate p99", "lower"),
        ("deadlocks_per_min", "lower"),
        ("errors", "none"),
        ("error rate (%)", "none"),
        ("hit_rate", "higher"),
        ("default_ops/s", "higher"),
        ("failover (ops/s)", "higher"),
        ("drop_table (ops/s)", "higher"),
        ("packets dropped/s", "lower"),
    ],
)
def test_more_of_what_went_wrong_is_worse(header, way):
    """As of sysbench's errors per second."""
    assert way == direction(*split_unit(header))


def runs(head: str, *cells: str) -> TextFile:
    """Three runs of each setting in two versions."""
    rows = [f"A,v{v},{cell},{1000 * v + at}" for v in (1, 2) for cell in cells
            for at in range(3)]  # fmt: skip
    return table("\n".join([f"step,version,{head},qps", *rows]) + "\n")


@pytest.mark.parametrize(
    ("head", "cells"), [("cache_mb", ("128", "1024")), ("seconds", ("10", "60"))]
)
def test_a_parameter_with_a_unit_is_no_figure(head, cells):
    """It would else be a figure, and its cells repetitions of one another."""
    [(_, why)] = told(read(runs(head, *cells)))
    said = columns_said([("values", "qps"), ("setting", head)])
    parsed = reader_of(said)(runs(head, *cells))

    assert f"numbers in {head}, qps: which are figures?" in why
    assert "values=qps+..." in why
    assert {*cells} == {row.dims["setting"] for row in parsed.rows}


@pytest.mark.parametrize(
    "text",
    [
        # A size of its own in each run, in each version, and in each test.
        "step,version,size_mb,qps\nA,v1,7,1\nA,v1,8,2\nA,v2,7,3\nA,v2,9,4\n",
        "step,version,size_mb,qps\nA,v1,7,1\nA,v1,7,2\nA,v2,8,3\nA,v2,8,4\n",
        "step,version,size_mb,qps\nA,v1,7,1\nB,v1,8,2\nA,v2,7,3\nB,v2,8,4\n",
        "step,version,p99_ms,qps\nA,v1,7,1\nA,v1,8,2\nA,v2,7,3\nA,v2,8,4\n",
    ],
)
def test_what_was_measured_is_no_parameter(text):
    """It does not repeat in every version, or its name says what it is."""
    assert [] == told(read(table(text)))
