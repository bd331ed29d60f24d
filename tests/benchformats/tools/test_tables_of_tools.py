"""Tables and lists that tools keep beside their JSON: JMH, hyperfine, data.js."""

from __future__ import annotations

import pytest
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tool_files import (
    CUSTOM,
    DATA_JS,
    FILES,
    HYPERFINE_CSV,
    JMH_CSV,
    JMH_SCSV,
    found,
    text_file,
    told,
)

from benchformats import formats
from benchformats.benchmark_action import custom, history
from benchformats.hyperfine import csv as hyperfine_csv
from benchformats.jmh import csv as jmh_csv
from benchformats.parsed import CUT

pytestmark = pytest.mark.unit

NEW = ("hyperfine_csv", "jmh_csv", "benchmark_action", "benchmark_action_custom")


def test_jmh_score_is_the_figure():
    """The mode is the metric, its error one that no direction is better of; secondary
    results and percentiles are those of the JSON."""
    parsed = jmh_csv.read(text_file(JMH_CSV))

    assert [
        ("org.example.Sort.quick", "thrpt", 11.5, "ops/ms", "higher"),
        ("org.example.Sort.quick", "thrpt_error", 0.125, "ops/ms", "none"),
        ("org.example.Sort.quick", "gc_alloc_rate_norm", 24.0, "B/op", "lower"),
        ("org.example.Sort.quick", "gc_alloc_rate_norm_error", 0.0, "B/op", "none"),
        ("org.example.Sort.slow", "sample", 2.5, "us/op", "lower"),
        ("org.example.Sort.slow", "p99_9", 9.0, "us/op", "lower"),
    ] == found(parsed)
    assert ["thrpt", "sample"] == [row.metric for row in parsed.rows if row.main]
    assert ({"size": "1000"}, 4) == (parsed.rows[0].dims, parsed.rows[0].dop)
    assert ({}, []) == (parsed.rows[-1].dims, told(parsed))


@pytest.mark.parametrize("text", [JMH_SCSV, JMH_SCSV.replace(",", ".")])
def test_jmh_semicolons_with_either_decimal_sign(text):
    """JMH prints six decimals and no separators: a comma is the decimal sign."""
    assert [("thrpt", 1234.5), ("thrpt_error", 0.125)] == [
        (row.metric, row.value) for row in jmh_csv.read(text_file(text)).rows
    ]


def test_jmh_quoted_decimal_commas():
    """Between commas such a number is quoted."""
    text = JMH_CSV.replace("11.500000,0.125000", '"11,500000","0,125000"')

    assert found(jmh_csv.read(text_file(JMH_CSV))) == found(jmh_csv.read(text_file(text)))


@pytest.mark.parametrize("cell", ["1.234.5", '"1,234"', "NaN", "-1.000000", ""])
def test_jmh_score_that_is_no_figure_is_told(cell):
    """With its line; the others are read."""
    parsed = jmh_csv.read(text_file(JMH_CSV.replace("11.500000", cell)))

    [(line, why)] = told(parsed)
    assert (2, True) == (line, "is no figure" in why)
    assert {3, 4, 5} == {row.line for row in parsed.rows}


def test_hyperfine_csv():
    """The median is the figure; a template is the step where the file tells it."""
    parsed = hyperfine_csv.read(text_file(HYPERFINE_CSV))

    assert [
        ("sort {n}", "median", 0.2, "s", "lower"),
        ("sort {n}", "mean", 0.25, "s", "lower"),
        ("sort {n}", "stddev", 0.05, "s", "none"),
        ("sort {n}", "min", 0.2, "s", "lower"),
        ("sort {n}", "max", 0.3, "s", "lower"),
        ("sort {n}", "user", 0.125, "s", "lower"),
        ("sort {n}", "system", 0.0625, "s", "lower"),
    ] == found(parsed)[:7]
    assert [("1", 2), ("2", 3)] == [
        (row.dims["n"], row.line) for row in parsed.rows if row.main
    ]
    assert [] == told(parsed)


def test_hyperfine_csv_without_median():
    """Early versions had none: the mean is the figure."""
    text = "command,mean,stddev,user,system,min,max\nx,0.2,0.01,0.1,0.1,0.1,0.3\n"
    file = text_file(text)

    assert hyperfine_csv.recognises(file)
    assert ["mean"] == [row.metric for row in hyperfine_csv.read(file).rows if row.main]


def test_hyperfine_csv_tells_what_is_no_time():
    """By line."""
    text = HYPERFINE_CSV.replace("0.25,0.05", "0,25,0.05").replace("0.5,,", "fast,,")

    assert [2, 3] == sorted(line for line, _ in told(hyperfine_csv.read(text_file(text))))


def test_data_js_has_commits():
    """The commit is the version, its time `started`; the further figures of Go are
    metrics, and not read again; a name that is there twice is told."""
    parsed = history.read(text_file(DATA_JS))

    assert [
        ("Set", "value", 7716.5, "ns/op", "lower"),
        ("Set", "b_op", 344.0, "B/op", "lower"),
        ("hits", "value", 0.5, "share", "higher"),
        ("hits", "value", 0.75, "share", "higher"),
    ] == found(parsed)
    assert [True, False, True, True] == [row.main for row in parsed.rows]
    assert {"c1"} == {row.version for row in parsed.rows}
    assert {"suite": "Go", "started": "2024-01-01T01:00:00Z"} == parsed.rows[0].dims
    own = {"suite": "Own", "started": "2024-01-01T00:00:00Z"}
    assert [own, own | {"occurrence": "2"}] == [row.dims for row in parsed.rows[2:]]
    assert [7, 7, 15, 16] == [row.line for row in parsed.rows]
    assert [(16, "hits: here twice, told apart by occurrence=2")] == told(parsed)


@pytest.mark.parametrize(
    ("tool", "unit", "direction"),
    [
        ("customSmallerIsBetter", "ops/s", "lower"), ("benchmarkjs", "ops/sec", "higher"),
        ("pytest", "iter/sec", "higher"), ("cargo", "ns/iter", "lower"),
        ("catch2", "us", "lower"), ("googlecpp", "ns/iter", "lower"),
        ("jmh", "ops/ms", "higher"), ("jmh", "ms/op", "lower"), ("go", "MB/s", "higher"),
        ("go", "widgets", "lower"), ("julia", "ns", "lower"), ("new", "widgets", "none"),
    ],
)  # fmt: skip
def test_data_js_tools_say_what_is_better(tool, unit, direction):
    """The user's choice, else the unit, else what the tool counts."""
    text = DATA_JS.replace("customBiggerIsBetter", tool).replace("share", unit)

    assert direction == history.read(text_file(text)).rows[-1].direction


def test_data_js_that_was_cut_or_ends_a_statement():
    """Nothing of half a script; a semicolon is no more text."""
    cut = history.read(text_file(DATA_JS[: len(DATA_JS) // 2]))

    assert ([], 1) == (cut.rows, len(told(cut)))
    assert found(history.read(text_file(DATA_JS))) == found(
        history.read(text_file(DATA_JS.rstrip() + ";\n"))
    )


def test_custom_lists():
    """The unit says what is better, or nobody."""
    parsed = custom.read(text_file(CUSTOM))

    assert [
        ("Set p99", "value", 12.5, "ms", "lower"),
        ("Get rate", "value", 51000.0, "ops/s", "higher"),
        ("hits", "value", 0.5, "share", "none"),
    ] == found(parsed)
    assert ([2, 3, 4], []) == ([row.line for row in parsed.rows], told(parsed))


def test_custom_entry_without_a_figure_is_told():
    """A text is no figure."""
    text = CUSTOM.replace("51000", '"51000"')

    assert [(3, "Get rate: no name and figure: not read")] == told(
        custom.read(text_file(text))
    )


@pytest.mark.parametrize("text", [JMH_CSV, HYPERFINE_CSV])
def test_a_line_in_which_the_file_ends_is_told(text):
    """Its last number may lack digits."""
    [module] = [one for one in formats() if one.recognises(text_file(text))]
    parsed = module.read(text_file(text[:-1]))

    assert (len(text.splitlines()), CUT) in told(parsed)


@pytest.mark.parametrize("name", NEW)
@settings(max_examples=60, deadline=2000, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged(name: str, data: st.DataObject):
    """No crash; every figure and problem is of a line of the file."""
    path, text = FILES[name]
    bad = text_file(data.draw(damaged(text)), path)
    [module] = [one for one in formats() if one.name == name]
    module.recognises(bad)
    parsed = module.read(bad)

    lines = range(max(1, len(bad.lines)) + 1)
    assert all(one.line in lines for one in (*parsed.rows, *parsed.problems))
    assert all(row.value == row.value and row.metric for row in parsed.rows)
