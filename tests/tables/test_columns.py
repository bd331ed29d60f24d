"""How wide a table gets, and what it does where that is too much for its page."""

import re

import pandas as pd
import pytest
from engine_frames import cell, frames
from table_text import shown

from benchbook import tables
from benchbook.tables.columns import PAGE, TYPES, Column, fitting, narrowed, width
from benchbook.tables.look import small, text
from benchbook.tables.moved import first_last_table
from benchbook.templates.published.table import published_tables
from benchmath.hazard import Hazard
from benchmath.ratios.relative import relative, summary
from benchmath.ratios.verdicts import verdicts

pytestmark = pytest.mark.unit

BASE = {"version": "11.22"}
MANY = tuple((f"step-number-{i:02}", "query", 5_000.0, 12) for i in range(14))


def one(value, right=True, title="n", unit=""):
    """Width of a table of one cell in the largest type, without its padding."""
    cells, columns = pd.DataFrame({"a": [value]}), [Column("a", title, unit, right)]
    return width(cells, columns, TYPES[0]) - 2 * TYPES[0].beside


def many_steps():
    metric = frames([cell("11.22"), cell("12.22", 0.5)], steps=MANY)["metric"]
    return verdicts(relative(metric, BASE)), summary(metric)


def test_numbers_do_not_break_and_words_do():
    """Ten digits are ten times one; a text of many words takes eleven em of 0.95 * 17."""
    assert 10 * one("1", title="") == pytest.approx(one("1" * 10))
    assert 11 * 0.95 * 17 == pytest.approx(one("many words " * 9, right=False))
    assert 11 * 0.95 * 17 < one("many words " * 9)


def test_the_widest_line_of_a_cell_counts():
    """What is small below a number takes eight tenths of its room."""
    lines = f"1<br>{small('1' * 10)}"

    assert 0.8 * one("1" * 10) == pytest.approx(one(lines))


def test_a_long_name_takes_several_lines():
    """It may break after dots and dashes; without any it may not."""
    assert 11 * 0.95 * 17 == pytest.approx(one(text("points-notcovered-si." * 3), False))
    assert 11 * 0.95 * 17 < one(text("x" * 60), False)


def test_the_largest_type_that_fits_is_taken():
    """One column of ten digits has the size of the page, thirty of them the smallest."""
    cells = pd.DataFrame({f"c{i}": ["1" * 10] for i in range(30)})
    columns = [Column(name, "n", "", True) for name in cells.columns]

    assert TYPES[0] == fitting(cells, columns[:1])
    assert TYPES[-1] == fitting(cells, columns)
    middle = fitting(cells, columns[:7])
    assert middle == TYPES[1] and width(cells, columns[:7], middle) <= PAGE


def test_flags_never_break_after_their_dash():
    """-O2 stays whole in a cell that may break."""
    assert '<span class="bb-word">-O2</span>' in text("gcc -O2")


def test_steps_are_rows_where_they_do_not_fit():
    """Fourteen steps of two versions: a row per step, the base in the first column."""
    ratios, values = many_steps()

    lines = shown(tables.ratios_by_step(ratios, values, BASE))

    assert lines[0] == "step | 11.22 (base) | 12.22" or "queries/s" in lines[0]
    assert 14 == sum(line.startswith("step-number-") for line in lines)
    assert any(line.startswith("First column: the base") for line in lines)


def test_hazards_of_a_turned_table_mark_the_same():
    """Of a step its name, of a version its column, of both the number."""
    ratios, values = many_steps()
    hazards = [
        Hazard("x", "of the step", {"step": "step-number-03"}),
        Hazard("x", "of the version", {"me": "12.22"}),
        Hazard("x", "of the cell", {"me": "12.22", "step": "step-number-05"}),
    ]

    lines = shown(tables.ratios_by_step(ratios, values, BASE, hazards))

    marks = {line[2:]: line[0] for line in lines if line[1:].startswith(" of the ")}
    of = {line[:14]: line for line in lines if line.startswith("step-number-")}
    assert of["step-number-03"].startswith(f"step-number-03{marks['of the step']} |")
    assert f"| {marks['of the cell']} 0.50" in of["step-number-05"]
    assert any(line.endswith(f"12.22{marks['of the version']}") for line in lines[:3])


def test_few_steps_stay_columns():
    """What fits is laid out as reports publish it."""
    metric = frames([cell("11.22"), cell("12.22", 0.5)])["metric"]

    (first, *_) = shown(tables.values_by_step(summary(metric), ["version"]))

    assert first.startswith("version | l.i0 rows/s | l.x")


def ends(**metrics):
    rows = [
        {"test": "scan", "metric": name, "unit": "KB", "first_version": "1",
         "last_version": "2", "first": first, "last": last}
        for name, (first, last) in metrics.items()
    ]  # fmt: skip
    return pd.DataFrame(rows)


def test_both_ends_stand_in_one_cell():
    """The first above the last, a column per metric; one that is 0 has none."""
    table = first_last_table(ends(throughput=(100, 50), rkb_o=(1.5, 3), wkb_o=(0, 0)))

    assert [
        "test | version | throughput KB | rKB/o KB",
        "scan | 1 2 | 100 50 | 1.50 3",
    ] == (shown(table)[:2])


def test_metrics_that_are_small_throughout_are_in_millionths():
    """3e-06 is 3 of 10⁻⁶; beside larger ones it is nothing."""
    lines = shown(first_last_table(ends(a=(3e-6, 12e-6), b=(3e-6, 2.5))))

    assert "a 10⁻⁶ KB | b KB" in lines[0]
    assert "scan | 1 2 | 3 12 | ≈0 2.50" == lines[1]


def test_columns_that_say_nothing_are_left_out():
    """All missing or empty; the first column names the rows and stays."""
    frame = pd.DataFrame({"a": ["", ""], "b": [None, None], "c": ["x", ""]})

    assert "a | c" == shown(tables.plain_table(frame))[0]


def test_truth_is_said_in_words():
    """yes and no."""
    frame = pd.DataFrame({"a": ["x", "y"], "holds": [True, False]})

    assert ["x | yes", "y | no"] == shown(tables.plain_table(frame))[1:]


def test_costs_have_their_published_names():
    """client_cpu_o in µs is client cpu/o; what is no cost keeps its name."""
    frame = pd.DataFrame({"step": ["a"], "client_cpu_o": [1.5], "server_rkb_o": [2.5]})
    units = {"client_cpu_o": "us", "server_rkb_o": "KB"}

    lines = shown(tables.plain_table(frame, units=units))

    assert "step | client cpu/o µs | server rKB/o KB" == lines[0]


def test_tiny_numbers_are_nothing_beside_large_ones():
    """2e-05 in a column with 3 is ≈0; in a column of its like it is a number."""
    frame = pd.DataFrame({"s": ["x", "y"], "a": [3.0, 2e-5], "b": [4e-5, 2e-5]})

    lines = shown(tables.plain_table(frame, units={"a": "KB", "b": "KB"}))

    assert ["x | 3 | 4e-05", "y | ≈0 | 2e-05"] == lines[1:]


def test_undecided_ratios_say_once_what_would_decide():
    """A ? in the cells; below the table the least and the most of further runs."""
    ratios, values = many_steps()
    ratios.loc[ratios.index[:3], "verdict"] = "undecided"
    ratios.loc[ratios.index[:3], "further_runs"] = [9, 2, 600]

    page = tables.ratios_by_step(ratios, values, BASE).as_raw_html()

    assert "undecided: 2 to 600 further runs per side would decide" in page
    assert not re.search(r"\?\S*\+\d", page)


def test_a_table_of_nothing_has_no_headings():
    """Only the sentence."""
    none = pd.DataFrame({"step": [], "me": []})

    (only,) = shown(tables.instructions_table(none))

    assert "No run of this study was made under callgrind." == only


def test_the_first_column_stays_in_view():
    """The first column is sticky with the background of the page."""
    page = tables.plain_table(pd.DataFrame({"a": ["x"]})).as_raw_html()

    assert re.search(r":first-child[^}]*position: sticky", page)
    assert "var(--bb-paper" in page


def figures(versions):
    blank = {"table": "t", "step": "l.i0", "metric": "ips", "unit": "rows/s"}
    blank |= {"direction": "higher", "relative_to": "", "machine": "m", "engine": ""}
    blank |= {"printed_raw": "", "remark": "", "date": "", "raw": 0.0, "value": 1.0}
    return pd.DataFrame(
        [blank | {"version": v, "printed": f"{1000 + i}"} for i, v in enumerate(versions)]
    )


def test_forty_published_versions_are_rows():
    """They do not fit the page as columns."""
    (table,) = published_tables(
        figures([f"1.{i}" for i in range(40)]), {"version": "1.0"}
    )

    lines = shown(table)

    assert any(line.startswith("1.39 | 1039") for line in lines)


def test_intervals_take_two_lines_where_nothing_else_fits():
    """Of thirty columns; of one they stay in a line."""
    names = [f"c{i}" for i in range(30)]
    cells = pd.DataFrame({name: [f"1.5<br>{small('1.2 to 1.8')}"] for name in names})
    columns = [Column(name, "n", "", True) for name in names]

    assert "1.2 to<br>1.8" in narrowed(cells, columns)["c0"].iloc[0]
    assert "1.2 to 1.8" in narrowed(cells, columns[:1])["c0"].iloc[0]


def test_a_long_flag_may_break_where_its_parts_do():
    """After `_` and `=`, never after its dash."""
    flag = text("-DEXTRA_PERCENT=3")

    assert "-DEXTRA_</span><wbr>" in flag
    assert "-<" not in flag
