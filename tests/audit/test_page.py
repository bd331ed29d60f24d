"""A page against itself: what its description says of intervals."""

import json

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output, new_raw_cell

from benchbook.audit.page import page_contradictions
from benchbook.audit.prose import Known
from benchbook.finding import MIME_KEY


def page(description, text="", claims=()):
    """A notebook whose one output shows a text and carries claims."""
    output = new_output(
        "display_data",
        {"text/markdown": text},
        metadata={MIME_KEY: {"claims": list(claims)}},
    )
    head = new_raw_cell(f"---\ndescription: {json.dumps(description)}\n---")
    return new_notebook(cells=[head, new_code_cell("", outputs=[output])])


def said(notebook: nbformat.NotebookNode) -> list[str]:
    return [str(one) for one in page_contradictions(notebook, Known())]


def test_interval_of_a_table_row_is_the_pages_own():
    """Ratio, low and high stand beside each other."""
    table = "| l.i0 | 1.13 | 1.10 to 1.15 |"

    assert [] == said(page("Faster: 1.13 [1.10, 1.15].", table))


def test_interval_of_another_ratio_is_a_contradiction():
    """Each of the three numbers stands on the page, but not as one ratio."""
    table = "| l.i0 | 1.13 | 1.10 to 1.15 |\n| l.i1 | 1.33 | 1.31 to 1.35 |"

    (only,) = said(page("Faster: 1.13 [1.10, 1.35].", table))
    assert "1.13 [1.10, 1.35]" in only
    assert "no such interval" in only


def test_neighbours_that_nobody_calls_an_interval_are_none():
    """79, 78 and 79 stand side by side, each in a column of its own."""
    table = "| moved | 79 | 78 | 79 |\n| moved | 77 | 75 to 79 |"

    assert [] == said(page("Moved: 77% [75, 79].", table))
    (only,) = said(page("Moved: 79% [78, 79].", table))
    assert "no such interval" in only


@pytest.mark.parametrize("text", ["by 13% [10, 15]", "by 13% in l.i0 [10, 15]"])
def test_percent_of_a_claimed_ratio(text):
    """+13% is a ratio of 1.13."""
    claim = {"subject": "l.i0", "relation": "given", "value": 1.13, "low": 1.1,
             "high": 1.15}  # fmt: skip

    assert [] == said(page(f"Faster {text}.", claims=[claim]))


def test_runs_that_are_missing_stand_between_a_ratio_and_its_interval():
    """`?` is undecided, +2 the further runs that would decide."""
    table = "| 0.984 | ? +2 | 0.967 to 1.002 |"

    assert [] == said(page("As fast: 0.984 [0.967, 1.002].", table))


def test_nanoseconds_of_microseconds():
    """181 ns is 0.181 µs."""
    table = "| +0.181 | +0.172 to +0.189 |"

    assert [] == said(page("It takes 181 ns [172, 189].", table))


def test_ratio_may_be_turned_round():
    """0.5 [0.4, 0.8] of one is 2.0 [1.25, 2.5] of the other."""
    assert [] == said(page("Twice as fast: 2.0 [1.25, 2.50].", "| 0.5 | 0.4 to 0.8 |"))


@pytest.mark.parametrize(("placement", "found"), [("split", 0), ("same", 1)])
def test_two_dots_of_one_name_are_a_contradiction(placement, found):
    """Of two placements, where the chart names one."""
    rows = [
        {"step": "l.i1", "placement": "same", "relative": 0.3, "low": 0.2, "high": 0.4},
        {
            "step": "l.i1",
            "placement": placement,
            "relative": 0.5,
            "low": 0.4,
            "high": 0.6,
        },
    ]
    data = json.dumps({"$schema": "", "datasets": {"a": rows}})
    spec = f'<script type="application/json">{data}</script>'

    assert found == sum("several: 0.3 and 0.5" in one for one in said(page("", spec)))
