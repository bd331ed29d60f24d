"""What of a page is open, what opens on a click, and what does not appear."""

from __future__ import annotations

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from benchbook.posts.folds import folded

pytestmark = pytest.mark.unit
TABLE = '```{=html}\n<div class="bb-table"><table><tbody><tr></tr></tbody></table>\n```'
EMPTY = TABLE.replace("<tr></tr>", "\n")
CHART = '```{=html}\n<figure class="bb-chart"></figure>\n```'


def shown(*texts: str, name: str = "shows"):
    outputs = [new_output("display_data", {"text/markdown": text}) for text in texts]
    return new_code_cell("show()", outputs=outputs, id=name)


def heading(name: str, intro: str = ""):
    return new_markdown_cell(f"## {name}\n\n{intro}".strip(), id=name.lower())


def ids(cells) -> list[str]:
    return [cell.id for cell in cells]


def test_first_section_is_open_until_a_chart_and_a_table():
    """What follows them in the section is folded."""
    cells = [heading("One"), shown(CHART, name="c"), shown(TABLE, name="t"),
             shown(TABLE, name="more")]  # fmt: skip

    assert ["one", "c", "t", "one-fold", "more", "one-end"] == ids(folded(cells))


def test_long_table_is_folded():
    """Of forty tests a reader sees the chart."""
    long = TABLE.replace("<tr></tr>", 40 * "<tr></tr>")
    cells = [heading("One"), shown(CHART, name="c"), shown(long, name="t")]

    assert ["one", "c", "one-fold", "t", "one-end"] == ids(folded(cells))


def test_further_sections_keep_their_heading_in_sight():
    """The heading stands above the fold, its introduction in it."""
    made = folded([heading("One"), heading("Two", "How."), shown(TABLE, CHART)])

    assert ["one", "two", "two-fold", "two-intro", "shows", "two-end"] == ids(made)
    assert "## Two" == made[1].source
    assert "<summary>1 table and 1 chart</summary>" in made[2].source
    assert "</details>" in made[-1].source


def test_section_of_text_is_open():
    """Caveats and commands are read without a click."""
    cells = [heading("One"), heading("Two"), shown("- caveat")]

    assert ["one", "two", "shows"] == ids(folded(cells))


def test_section_with_nothing_in_it_does_not_appear():
    """A table without rows, a text of no letter, a cell that showed nothing."""
    cells = [heading("One"), heading("Two", "How."), shown(EMPTY), heading("Three"),
             shown("", name="b"), heading("Four"), new_code_cell("", id="d")]  # fmt: skip

    assert ["one"] == ids(folded(cells))


def test_empty_output_beside_others_is_left_out():
    """The cell stays with what it shows; the notebook it came from is not changed."""
    cell = shown(EMPTY, TABLE)
    (_, made) = folded([heading("One"), cell])

    assert [TABLE] == [output.data["text/markdown"] for output in made.outputs]
    assert 2 == len(cell.outputs)


def test_text_of_a_person_is_never_changed():
    """Its section is open, whatever it shows, and stays without anything shown."""
    written = heading("Two", "Mine.")
    written.metadata["tags"] = ["hand-written"]
    cells = [heading("One"), written, shown(TABLE)]

    assert ["one", "two", "shows"] == ids(folded(cells))
    assert "## Two\n\nMine." == folded(cells)[1].source
    assert ["one", "two"] == ids(folded([heading("One"), written, shown(EMPTY)]))[:2]


def test_what_is_before_the_first_heading_is_open():
    """The finding, and what a person says of the steps."""
    assert ["shows"] == ids(folded([shown(TABLE, TABLE)]))
