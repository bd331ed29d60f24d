"""Which edits of a post stay, and which are refused with where to write them."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from benchbook.posts.kept import RECORD, check_edits, record, with_additions
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


def page(*cells):
    """A post as it was written, with its record."""
    made = new_notebook(cells=list(cells))
    made.metadata["benchbook"] = {RECORD: record(made)}
    return made


def text(source: str, name: str, **metadata):
    return new_markdown_cell(source, id=name, metadata=metadata)


def shows(said: str, name: str = "code"):
    output = new_output("display_data", data={"text/markdown": said})
    return new_code_cell("f(x)", id=name, outputs=[output])


def refusal(post) -> str:
    with pytest.raises(UserError) as error:
        check_edits(post, "posts/a/index.ipynb", "ab")
    return str(error.value)


def test_an_untouched_post_is_fine():
    check_edits(page(text("# A", "a"), shows("5% slower")), "", "ab")


def test_a_heading_is_refused():
    post = page(text("## A", "a"))
    post.cells[0].source = "## B"

    assert "'## B' was edited" in refusal(post)
    assert "in a Markdown cell of your own beside it" in refusal(post)


def test_a_sentence_that_code_makes_is_refused():
    post = page(shows("5% slower"))
    post.cells[0].outputs[0].data["text/markdown"] = "5% faster"

    assert "its code is in notebooks/ab.ipynb" in refusal(post)


def test_code_of_ones_own_is_refused():
    post = page(text("# A", "a"))
    post.cells.append(new_code_cell("g()", id="g"))

    assert "code belongs into notebooks/ab.ipynb" in refusal(post)


def test_hand_written_cells_are_anybodys():
    post = page(text("None yet.", "open", tags=["hand-written"]))
    post.cells[0].source = "Why?"

    check_edits(post, "", "ab")


def test_added_text_stays_behind_what_it_followed():
    before = page(text("a", "a"), text("b", "b"))
    before.cells[1:1] = [text("mine", "m"), text("mine too", "n")]
    again = page(text("a", "a"), text("new", "x"), text("b", "b"))
    with_additions(again, before)

    assert ["a", "m", "n", "x", "b"] == [cell.id for cell in again.cells]


def test_added_text_outlives_the_cell_it_followed():
    before = page(text("a", "a"), text("b", "b"))
    before.cells.append(text("mine", "m"))
    again = page(text("a", "a"), text("c", "c"))
    with_additions(again, before)

    assert ["a", "m", "c"] == [cell.id for cell in again.cells]


def test_a_post_without_a_record_has_no_additions():
    before = new_notebook(cells=[text("old", "old")])
    again = page(text("a", "a"))
    with_additions(again, before)
    check_edits(before, "", "ab")

    assert ["a"] == [cell.id for cell in again.cells]
