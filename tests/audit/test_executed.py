"""What counts as another page: everything that is read, not the last digit of a fit."""

from __future__ import annotations

import pytest
from nbformat import v4

from benchbook.audit.executed import differences


def page(text: str):
    """A notebook of one cell that shows a text."""
    output = v4.new_output("display_data", data={"text/markdown": text})
    return v4.new_notebook(cells=[v4.new_code_cell("show()", id="a", outputs=[output])])


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ("the rate is 1.07", "the rate is 1.08"),
        ('{"value": 1.068122378}', '{"value": 1.068124378}'),
        ('{"value": 1.068122378}', '{"other": 1.068122378}'),
        ("1.068122378 and 1.5", "1.5"),
        ("1.068122", "1.068123"),
    ],
)
def test_another_number_or_word_is_a_difference(said, given):
    """Six digits, the words around, and how many numbers there are."""
    assert 1 == len(differences(page(said), page(given)))


@pytest.mark.parametrize(
    ("said", "given"),
    [
        ('{"value": 1.068122378}', '{"value": 1.068122377}'),
        ('{"ideal": 1.06812238}', '{"ideal": 1.068122379}'),
        ("106.1253735, 2.000000000", "106.1253736, 2.000000001"),
        ("50832.61691", "50832.61581"),
    ],
)
def test_a_digit_that_nobody_is_shown_is_none(said, given):
    """Another processor rounds the same fit another way."""
    assert [] == differences(page(said), page(given))


@pytest.mark.parametrize(
    ("given", "differing"), [("bab", 0), ("ba", 0), ("abc", 1), ("a", 1), ("", 1)]
)
def test_claims_are_compared_as_a_set(given, differing):
    """Neither their order nor that one is made twice is another page; a lost one is."""
    pages = [page("a and b"), page("a and b")]
    for one, subjects in zip(pages, ("ab", given), strict=True):
        claims = [{"subject": subject, "value": 1} for subject in subjects]
        one.cells[0].outputs[0].metadata = {"benchbook": {"claims": claims}}

    assert differing == len(differences(*pages))


def test_an_edited_text_is_told_where_to_write():
    """What is written into a cell of the template is lost; a cell of one's own stays."""
    pages = [v4.new_notebook(cells=[v4.new_markdown_cell(text, id="a")]) for text in "ab"]
    [found] = differences(*pages)

    assert str(found).endswith(
        "to say more, write in a Markdown cell of your own beside it"
    )
