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
    made = folded([heading("One"), heading("Two", "How."), shown(TABLE)])

    assert ["one", "two", "two-fold", "two-intro", "shows", "two-end"] == ids(made)
    assert "## Two" == made[1].source
    assert "<summary>table of 1 row</summary>" in made[2].source
    assert "</details>" in made[-1].source


def test_first_chart_of_a_page_is_open_in_whatever_section():
    """What else the section has is folded around it, and so are later charts."""
    cells = [heading("One"), shown(TABLE, name="t"), heading("Two", "How."),
             shown(CHART, name="c"), shown(TABLE, name="u"), heading("Three"),
             shown(CHART, name="d")]  # fmt: skip

    made = folded(cells)
    assert ["one", "t", "two", "two-intro", "c", "two-fold", "u", "two-end"] == ids(made)[
        :8
    ]
    assert ["three", "three-fold", "d", "three-end"] == ids(made)[8:]


def test_what_a_template_leaves_open_is_never_folded():
    """Two curves that are the question stand side by side."""
    curves = [shown(CHART, name=name) for name in ("c", "d")]
    for curve in curves:
        curve.metadata["tags"] = ["open"]
    cells = [heading("One"), heading("Two"), shown(TABLE, name="t"), *curves,
             shown(TABLE, name="u")]  # fmt: skip

    made = ids(folded(cells))
    assert ["one", "two", "two-fold", "t", "two-end", "c", "d"] == made[:7]
    assert ["two-2-fold", "u", "two-2-end"] == made[7:]


def test_a_fold_names_what_is_in_it():
    """Titles of tables with their rows, names of charts; of many the first."""
    titled = TABLE.replace("<tbody>", '<td class="gt_title">A &amp; <b>B</b></td><tbody>')
    chart = CHART.replace("></", '><svg aria-label="Rate &lt; 1"></svg></')
    cells = [heading("One"), shown(CHART), heading("Two"), shown(titled, chart, name="x"),
             shown(TABLE, TABLE, name="y")]  # fmt: skip

    fold = next(cell for cell in folded(cells) if cell.id == "two-fold")
    said = "Rate &lt; 1, A &amp; B (1 row), table of 1 row, 1 more"
    assert f"<summary>{said}</summary>" in fold.source


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
