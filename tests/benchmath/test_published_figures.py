"""Published figures against each other: ratios half up, bases, what does not follow."""

from functools import partial

import pandas as pd
import pytest
from published_figures import BASE, HEADER, STUDY, line, read

from benchbook.published.figures import published_figures
from benchbook.study.study import load_study
from benchbook.templates.published.chart import published_dots
from benchbook.templates.published.finding import published_finding
from benchbook.templates.published.table import published_ratio_tables, published_tables
from benchbook.views.other_posts import measured_beside
from benchmath.errors import UserError
from benchmath.published import (
    compared_name,
    doubtful,
    in_panels,
    published_ratios,
    published_sources,
    ratio_checks,
)

pytestmark = pytest.mark.unit


@pytest.fixture
def figures(tmp_path):
    """Reads lines as the published table of a study."""
    return partial(read, tmp_path)


def test_bare_number_is_named_with_its_dimension():
    """8 alone says nothing; the names of engines speak for themselves."""
    assert "jobs=8" == compared_name({"jobs": "8"})
    assert "mysql 8.0.36" == compared_name({"engine": "mysql", "version": "8.0.36"})
    assert "no compiler given" == compared_name({"compiler": ""})


def test_ratio_is_of_the_printed_figures(figures):
    """44.50 over the printed 1.75 is 25.43; over the unrounded 1.745 it were 25.50."""
    found = figures(line("a", "l", "1.75", "wkb_i"), line("b", "l", "44.50", "wkb_i"))
    row = published_ratios(found, BASE).iloc[0]

    assert ("b", "a", "25.43", "") == (
        row["me"],
        row["base"],
        row["relative_text"],
        row["note"],
    )


def test_ratio_of_one_digit_says_what_it_may_be(figures):
    """66.49 over 0.01 lies between 66.485 / 0.015 and 66.495 / 0.005."""
    found = figures(line("a", "q", "0.01", "rkb_q"), line("b", "q", "66.49", "rkb_q"))
    row = published_ratios(found, BASE).iloc[0]

    assert "6649.00" == row["relative_text"]
    assert "few digits: between 4,432 and 13,299" == row["note"]


def test_base_of_zero_gives_no_ratio(figures):
    """Nothing is divided by 0."""
    found = figures(line("a", "q", "0", "rkb_q"), line("b", "q", "50.42", "rkb_q"))
    row = published_ratios(found, BASE).iloc[0]

    assert ("", "the base is 0: no ratio") == (row["relative_text"], row["note"])


def test_raw_figure_gives_a_ratio_of_its_own(figures):
    """20169 / 22122 is 0.91, the raw 20619 / 22122 is 0.93."""
    found = figures(
        line("a", "l", "22122"),
        line("b", "l", "20169", raw="20619", remark="two digits changed places"),
    )
    row = published_ratios(found, BASE).iloc[0]

    assert ("0.91", "0.93 by the raw data") == (row["relative_text"], row["note"])


def test_figure_without_a_base_has_no_ratio(figures):
    """Only what was published of the base too is compared."""
    found = figures(line("a", "l", "2"), line("b", "l", "1"), line("b", "q1", "7"))

    assert ["l"] == list(published_ratios(found, BASE)["step"])


def test_build_that_changes_with_the_step_takes_no_part(figures):
    """Scans of another build of the base are still the base's."""
    found = figures(
        line("a", "l", "4", build="aug"), line("b", "l", "1"),
        line("a", "q1", "6", build="jun"), line("b", "q1", "3"),
    )  # fmt: skip

    assert ["0.25", "0.50"] == list(published_ratios(found, BASE)["relative_text"])


def test_two_figures_of_one_cell_are_refused(figures):
    """Which one would count?"""
    found = figures(line("a", "l", "1"), line("a", "l", "2"))

    with pytest.raises(UserError, match="small: two figures of ips in step l for a"):
        published_ratios(found, BASE)


def test_published_ratio_is_checked_by_its_own_digits(figures):
    """2/3 is 0.67 and not 0.66; 0.7 has one digit and follows."""
    found = figures(
        line("a", "l", "3"), line("b", "l", "2"), line("c", "l", "2"),
        line("b", "l", "0.66", unit="ratio", relative_to="a"),
        line("c", "l", "0.7", unit="ratio", relative_to="a"),
    )  # fmt: skip
    checks = ratio_checks(found, BASE)

    assert [("b", "0.66", "0.67", False), ("c", "0.7", "0.7", True)] == list(
        checks[["me", "published", "recomputed", "follows"]].itertuples(
            index=False, name=None
        )
    )


def test_ratio_without_its_figures_is_not_checked(figures):
    """A ratio whose two figures were not published can be shown only."""
    found = figures(
        line("a", "q", "1"), line("b", "l", "0.7", unit="ratio", relative_to="a")
    )

    assert 0 == len(ratio_checks(found, BASE))
    assert 2 == len(published_tables(found, BASE)[0]._tbl_data)


def test_tables_print_the_published_digits(figures):
    """1.30 stays 1.30; what differs from the raw data has a footnote."""
    found = figures(
        line("a", "l", "1.30", "wkb_i"),
        line("b", "l", "26.20", "wkb_i", raw="67.92", remark="KB read"),
    )
    (table,) = published_tables(found, BASE)
    page = table.as_raw_html()

    assert "1.30" in page
    assert "the raw data give 67.92: KB read" in page
    assert "KB/row, lower is better" in page


def test_one_table_per_machine_with_its_units_as_groups(figures):
    """Two machines, two tables; rows of one unit stand under it."""
    found = figures(
        line("a", "l", "1"), line("b", "l", "2", "wkb_i"),
        line("a", "l", "3", machine="n"),
    )  # fmt: skip
    first, second = (t.as_raw_html() for t in published_tables(found, BASE))

    assert "rows/s, higher is better" in first
    assert "KB/row, lower is better" in first
    assert "KB/row" not in second


def test_compared_machines_stand_beside_each_other(figures):
    """With a machine as base there is one table for all."""
    found = figures(line("a", "l", "4"), line("a", "l", "1", machine="n"))
    base = {"machine": "m"}

    assert 1 == len(published_tables(found, base))
    assert ["0.25"] == list(published_ratios(found, base)["relative_text"])


def test_a_row_for_each_thing_that_differs(figures):
    """Two metrics of one unit in a step are two rows; one is the step alone."""
    found = figures(
        line("a", "l", "1", "wkb_i"), line("b", "l", "2", "wkb_i"),
        line("a", "l", "1", "rkb_i"), line("b", "l", "3", "rkb_i"),
        line("a", "q", "1", "rkb_i"), line("b", "q", "4", "rkb_i"),
    )  # fmt: skip
    ratios = published_ratios(found, BASE)

    assert ["l, wkb_i", "l, rkb_i", "q"] == list(in_panels(ratios, BASE)["row"])


def test_rows_of_two_dops_tell_them():
    """Dots of 22 and 44 clients do not share a row."""
    ratios = pd.DataFrame(
        {"step": "q", "metric": "cpu", "dop": ["22", "44"], "machine": "m", "unit": "us",
         "direction": "lower", "engine": "b", "value": 1.0, "date": "", "raw": 0.0,
         "remark": "", "table": "t", "printed": "1", "printed_raw": "",
         "relative_to": ""}
    )  # fmt: skip
    placed = in_panels(ratios, BASE)

    assert ["q, dop 22", "q, dop 44"] == list(placed["row"])
    assert {"m, cpu, us, lower is better"} == set(placed["panel"])


def test_chart_has_the_chosen_metrics_named_by_panel(figures):
    """Where a panel has one metric, its title names it and its rows are the steps."""
    found = figures(*(
        line(me, step, value, metric)
        for me, value in (("a", "1"), ("b", "2"))
        for step in ("l", "q", "r") for metric in ("rkb_i", "wkb_i")
    ))  # fmt: skip
    (chart,) = published_dots(published_ratios(found, BASE), BASE, ["rkb_i"])
    (rows,) = (d for d in chart.to_dict()["datasets"].values() if d)

    assert ["l", "q", "r"] == [row["row"] for row in rows]
    assert {"m, rkb_i, KB/row, lower is better"} == {row["panel"] for row in rows}


def test_two_dots_are_no_chart(figures):
    """The table says as much."""
    found = figures(line("a", "l", "1"), line("b", "l", "2"))

    assert [] == published_dots(published_ratios(found, BASE), BASE)


def test_finding_counts_what_the_tables_show(figures):
    """One figure of four is wrong, one ratio of one follows, one claim of two holds."""
    found = figures(
        line("a", "l", "4"), line("b", "l", "1", raw="2"), line("c", "l", "8"),
        line("c", "l", "2.0", unit="ratio", relative_to="a"),
    )  # fmt: skip
    claims = pd.DataFrame({"verdict": ["holds", "cannot be checked"]})
    text = published_finding(
        found,
        published_ratios(found, BASE),
        ratio_checks(found, BASE),
        claims,
        BASE,
    ).data

    assert 1 == len(doubtful(found))
    assert (
        "**4 published figures** and 2 ratios recomputed from them (the one that was "
        "published too is equal). **1** figure does not follow from the source's raw "
        "data. Of 2 claims 1 holds and 1 cannot be checked."
    ) == text


def test_finding_says_what_cannot_be_compared(figures):
    """One figure has no base beside it, two have a base of 0."""
    found = figures(
        line("a", "l", "4"), line("b", "l", "1"), line("b", "q", "1"),
        line("a", "r", "0"), line("b", "r", "1"), line("c", "r", "2"),
    )  # fmt: skip
    ratios = published_ratios(found, BASE)
    checks = ratio_checks(found, BASE)
    claims = pd.DataFrame({"verdict": []})
    text = published_finding(found, ratios, checks, claims, BASE).data

    assert (
        "3 figures have no ratio: the base of 1 was not published, that of 2 is 0."
    ) in text


def test_rows_without_any_ratio_are_left_out(figures):
    """A base of 0 in the whole row; a row with one ratio stays."""
    found = figures(
        line("a", "l", "4"), line("b", "l", "1"), line("a", "r", "0"), line("b", "r", "1")
    )
    (table,) = published_ratio_tables(published_ratios(found, BASE), BASE)

    assert ["l"] == list(table._tbl_data["step"])


def test_single_metric_is_named_above_its_columns(figures):
    """Rows say the step only."""
    found = figures(line("a", "l", "4"), line("b", "l", "1"))
    (table,) = published_tables(found, BASE)

    assert "as published: ips, rows/s, higher is better" in table.as_raw_html()


def test_more_than_two_machines_are_rows_of_one_table(figures):
    """As in the tables of many servers."""
    found = figures(*(
        line(me, "l", "1", machine=machine) for machine in "mno" for me in "ab"
    ))  # fmt: skip
    (table,) = published_tables(found, BASE)

    assert ["m", "n", "o"] == list(table._tbl_data["machine"])


def test_ratios_to_two_bases_are_two_columns(figures):
    """Not two blocks of rows, each half blank."""
    found = figures(
        line("c", "l", "0.9", unit="ratio", relative_to="a"),
        line("c", "l", "1.2", unit="ratio", relative_to="b"),
        line("a", "l", "1.0", unit="ratio", relative_to="a"),
    )
    (table,) = published_tables(found, BASE)
    cells = table._tbl_data[["me c to a", "me c to b"]]

    assert [("0.9", "1.2")] == list(cells.itertuples(index=False, name=None))


def test_sources_count_their_figures(figures):
    """Where the figures come from, and how many."""
    found = figures(line("a", "l", "1"), line("b", "l", "2"))

    assert [("small", "a.txt", "2017-11", 2)] == list(
        published_sources(found).itertuples(index=False, name=None)
    )


def test_nothing_is_shown_beside_without_a_post():
    """The template's default."""
    assert [] == measured_beside(None)


def test_dop_that_nobody_says_is_empty(tmp_path):
    """0 stands for it in the file."""
    folder = tmp_path / "data" / "published"
    folder.mkdir(parents=True)
    text = HEADER.replace("build", "dop") + line("a", "l", "1", build="0")
    (folder / "small.csv").write_text(text + line("b", "l", "1", build="8"))
    path = tmp_path / "posts" / "small" / "study.yml"
    path.parent.mkdir(parents=True)
    path.write_text(STUDY)

    assert ["", "8"] == list(published_figures(load_study(path))["dop"])
