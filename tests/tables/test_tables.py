"""Tables: what the reader sees, footnotes, units, and nothing that a page must load."""

import re

import pandas as pd
import pytest
from table_text import shown

from benchbook import tables
from benchbook.tables.comparison import ratio_cell
from benchbook.tables.look import Column, Numbers, across, table
from benchbook.tables.scaling import by_clients_table, scaling_table
from benchmath.frames import Kind
from benchmath.hazard import Hazard
from benchmath.hazards.writers import service_level
from benchmath.prose import number
from benchmath.ratios.groups import group_summary
from benchmath.ratios.relative import relative, summary
from benchmath.scaling import efficiency, scaling
from benchmath.variation.cov import coefficient_of_variation
from benchmath.variation.spread import drift

pytestmark = pytest.mark.unit


def cell(values, **changed):
    row = {
        "machine": "m1", "engine": "sqlite", "version": "1", "build": "gcc -O2",
        "config": "wal", "step": "l.i0", "op": "insert", "main": True, "clock": "",
        "metric": "ips", "unit": "rows/s", "direction": "higher",
    } | changed  # fmt: skip
    return [
        row | {"value": float(v), "run_id": f"{changed}{t}", "position": t}
        for t, v in enumerate(values, 1)
    ]


def frame(*cells):
    return pd.DataFrame([row for rows in cells for row in rows])


TWO = frame(
    cell([100, 101, 102]),
    cell([50, 51, 52], version="2"),
    cell([100, 101, 102], step="l.i1"),
    cell([101, 101, 103], version="2", step="l.i1"),
)


def test_relative_table_shows_ratio_interval_and_tilde():
    """A detected ratio with its interval, and ~ before one whose interval holds 1."""
    lines = shown(tables.relative_table(relative(TWO, {"version": "1"})))

    assert "step | 2 ratio | base 1 rows/s" == lines[0]
    assert "l.i0 | 0.505 0.487 to 0.523 | 101" == lines[1]
    assert lines[2].startswith("l.i1 | ~ 1.01 0.98 to 1.03 | 101")
    assert "Ratio to 1; higher is better." in lines


def test_missing_base_cell_is_blank_with_a_footnote():
    """A cell without base stays in the table, empty, and the footnote says why."""
    rows = pd.concat([TWO, frame(cell([5], version="2", step="l.x", op="index"))])

    lines = shown(tables.relative_table(relative(rows, {"version": "1"})))

    assert "l.x | a |" == lines[3]
    assert "a no base run for this cell: the base has no l.x" in lines


def test_hazard_of_a_step_marks_its_row():
    """A hazard of a step is a footnote at the step's name."""
    hazard = Hazard("short step", "l.i0 ran for 2 s only", {"step": "l.i0"})

    table = tables.relative_table(relative(TWO, {"version": "1"}), hazards=[hazard])

    lines = shown(table)
    assert lines[1].startswith("l.i0a |")
    assert "a l.i0 ran for 2 s only" in lines


def test_hazard_of_the_base_is_marked_as_such():
    """What concerns the base's side marks the ratio too, when the base is given."""
    hazard = Hazard("SLA missed", "missed", {"version": "1", "step": "l.i0"})
    table = relative(TWO, {"version": "1"})

    lines = shown(tables.relative_table(table, hazards=[hazard], base={"version": "1"}))

    assert "a base: missed" in lines


def test_footnote_of_a_whole_column_marks_the_header():
    """A note that holds for every row stands once, at the column's header."""
    single = frame(
        cell([1]), cell([2], version="2"), cell([1], step="l.i1"),
        cell([2], version="2", step="l.i1"),
    )  # fmt: skip

    lines = shown(tables.relative_table(relative(single, {"version": "1"})))

    assert "step | 2 ratioa | base 1 rows/s" == lines[0]
    assert "l.i0 | 2.00 | 1" == lines[1]


def test_several_units_get_a_column():
    """Where rows differ in unit, a column names it and the header points there."""
    rows = frame(
        cell([1, 2]),
        cell([3, 4], step="q", op="query", metric="qps", unit="queries/s"),
    )

    lines = shown(tables.throughput_table(summary(rows)))

    assert (
        "step | geometric mean see unit | 95% interval see unit | unit | n runs"
        == (lines[0])
    )
    assert "| queries/s | 2" in lines[2]


def test_cov_table_shows_both_forms_and_the_verdict():
    """CoV with n-1, over c4 = 0.8862, by the MAD of 2 and as published; the verdict."""
    lines = shown(tables.cov_table(coefficient_of_variation(frame(cell([98, 100, 102])))))

    assert "CoV % (n-1) | 95% interval % | verdict" in lines[0]
    assert "| 2.00 | " in lines[1]
    assert "| cannot tell with 3 trials | 3 | 2.26 | 4.43 | 1.63 | 100" in lines[1]


def test_summary_table_of_one_pair_names_it():
    """One pair of versions stands above the statistics, not in a column."""
    groups = group_summary(relative(TWO, {"version": "1"}), {"l.i0": "a", "l.i1": "a"})

    lines = shown(tables.summary_table(groups))

    assert any("relative throughput, 2 / 1" in line for line in lines)
    assert any(line.startswith("a | 2 | 0.76 | 0.76 | 0.50 | 1.01") for line in lines)


def test_drift_table_shows_no_detectable_trend():
    """A slope whose interval holds 0 has the ~."""
    lines = shown(tables.drift_table(drift(frame(cell([100, 101, 100])))))

    assert lines[1].startswith("l.i0 | ~ +0.00 | ")
    assert lines[1].endswith("| +0.0 | 3")


def test_missing_and_failed_runs_are_listed():
    """Failed runs say why, others that they were not measured."""
    missing = pd.DataFrame([{"machine": "m1", "cell": "sqlite wal", "trial": 3}])
    failed = pd.DataFrame(
        [{"machine": "m1", "tag": "x", "trial": 1, "reason": "disk <full>"}]
    )

    lines = shown(tables.missing_table(missing, failed))

    assert "m1 | x | 1 | disk <full&gt;" in lines
    assert "m1 | sqlite wal | 3 | not measured" in lines


def test_nothing_missing_is_said():
    """No missing and no failed run: one sentence instead of an empty table."""
    empty = pd.DataFrame(columns=["machine", "cell", "trial"])
    failed = pd.DataFrame(columns=["machine", "tag", "trial", "reason"])

    lines = shown(tables.missing_table(empty, failed))

    assert "Nothing is missing: every planned run is there." in lines


def test_numbers_need_a_unit():
    """A column of numbers without a unit is refused by name."""
    with pytest.raises(ValueError, match="no unit is given for column ns"):
        tables.plain_table(pd.DataFrame({"a": ["x"], "ns": [1]}))


def test_plain_table_shows_unit_under_the_name():
    """The header is the given name with the unit below."""
    table = tables.plain_table(
        pd.DataFrame({"a": ["x"], "t": [1234567]}), units={"t": "ns"}, names={"t": "time"}
    )

    assert ["a | time ns", "x | 1,234,567"] == shown(table)


def test_plain_table_finds_units_and_heads_in_the_frame():
    """Those of its kind; what is given counts before them."""
    kind = Kind("times", {"t": "ns", "n": "runs"}, {"t": "time"})
    frame = kind.shown(pd.DataFrame({"a": ["x"], "t": [12], "n": [3]}))

    assert ["a | time ns | n runs", "x | 12 | 3"] == shown(tables.plain_table(frame))
    assert "a | t s | n runs" == shown(tables.plain_table(frame, None, {"t": "s"},
                                                          {"t": "t"}))[0]  # fmt: skip


def test_a_note_of_one_value_stands_in_its_column():
    """Values laid out as columns; a row without one has an empty cell."""
    frame = pd.DataFrame({"k": ["a", "a", "b"], "by": ["x", "y", "x"], "v": [1, 2, 3]})
    columns = [Column("k"), *(
        Numbers(by, of=by, cell=lambda row: str(row["v"]),
                notes=lambda row: ["doubtful"] * (row["v"] == 2))
        for by in "xy"
    )]  # fmt: skip

    rows = shown(table(across(frame, ["k"], "by"), columns))

    assert ["k | x | y", "a | 1 | a 2", "b | 3 |", "a doubtful"] == rows


def test_builds_are_listed_once():
    """Runs of one build are one row with their count."""
    runs = pd.DataFrame({"engine": ["s"] * 3, "version": ["1"] * 3, "build": list("aab")})

    assert ["s | 1 | a | 2", "s | 1 | b | 1"] == shown(tables.builds_table(runs))[1:]


def test_page_loads_nothing_and_the_table_scrolls():
    """No script, no link, no address; the container scrolls; numbers are tabular."""
    html = tables.relative_table(relative(TWO, {"version": "1"})).as_raw_html()

    assert not re.search(r"<script|<link|https?://|@import|url\(", html)
    assert "overflow-x:auto" in html
    assert "tabular-nums" in html


def test_same_frame_gives_the_same_html():
    """A table's id follows from its content: posts do not change by themselves."""
    one, two = (
        tables.relative_table(relative(TWO, {"version": "1"})).as_raw_html()
        for _ in range(2)
    )

    assert one == two


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (812345.4, "812,345"),
        (99.96, "100.0"),
        (12.34, "12.3"),
        (1.234, "1.23"),
        (0.1234, "0.123"),
        (0.00045, "0.00045"),
        (3.0, "3"),
        (float("nan"), ""),
        (float("inf"), "no bound"),
    ],
)
def test_numbers_print_at_reading_precision(value, expected):
    """Thousands separated, three digits where it matters, nothing for a missing value."""
    assert expected == number(value)


def test_tables_of_nothing_are_tables():
    """Where only the base was measured, tables come out empty and say so."""
    rows = frame(cell([1, 2]))

    nothing = relative(rows, {"version": "1"})

    assert "Nothing to compare yet." in shown(tables.relative_table(nothing))
    (only,) = shown(tables.sla_table(service_level(rows)))
    assert "Missed: less than 0.95 of the target." == only


def clients(*rates):
    """Runs of 1, 2, 4 ... clients, two of each rate."""
    return frame(*(cell([r, r], dop=2**n, op="query") for n, r in enumerate(rates)))


def test_law_is_shown_with_intervals_and_lack_of_fit():
    """With sigma .19 and kappa .01 the peak is at 9 clients, 2.78 times one."""
    law = scaling(clients(*(
        1000 * n / (1 + 0.19 * (n - 1) + 0.01 * n * (n - 1)) for n in (1, 2, 4, 8, 16)
    )))  # fmt: skip

    text = "\n".join(shown(scaling_table(law)))

    assert "9.00 9 to 9" in text or "9 9 to 9" in text or "9.00 9.00 to 9.00" in text
    assert "2.78" in text
    assert "peaks" in text


def test_refused_law_says_why_in_a_footnote():
    """Two numbers of clients: no parameters, and the reason."""
    text = "\n".join(shown(scaling_table(scaling(clients(1000, 1500)))))

    assert "refused" in text
    assert "2 numbers of clients: a law takes 5" in text


def test_efficiency_has_a_column_per_number_of_clients():
    """1, 2 and 4 clients; 1500 of 2000 are .750."""
    runs = clients(1000, 1500, 2000)
    ratios = efficiency(relative(runs, {"dop": "1"}), summary(runs))

    text = shown(by_clients_table(ratios, "efficiency"))

    assert "1 client | 2 clients | 4 clients" in text[0]
    assert "0.750" in text[1]


@pytest.mark.parametrize(("q", "coloured"), [(0.04, True), (0.2, False)])
def test_colour_is_of_what_stands_among_all_comparisons(q, coloured):
    """A change that Benjamini-Hochberg calls not significant has none."""
    row = {
        "relative": 0.9, "low": 0.85, "high": 0.95, "detected": True, "better": False,
        "verdict": "regressed", "arrow": "", "q": q,
    }  # fmt: skip

    assert coloured == ("bb-worse" in ratio_cell(row))
