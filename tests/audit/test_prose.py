"""Hand-written sentences against the page that they stand on."""

import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from benchbook.audit.prose import Known, long_sentences, prose_contradictions
from benchbook.audit.words import blocks_of, sentences
from benchbook.finding import MIME_KEY

pytestmark = pytest.mark.unit
TABLE = """```{=html}
<table><thead><tr><th id="a">step</th><th id="b">new</th>
<th id="c">cpu/o<br><span>µs</span></th></tr></thead><tbody>
<tr><td headers="a" class="gt_row gt_left">l.i0</td>
<td headers="b" class="gt_row gt_right">1.26</td>
<td headers="c" class="gt_row gt_right">4.92</td></tr>
<tr><td headers="a" class="gt_row gt_left">l.x</td>
<td headers="b" class="gt_row gt_right">1.08</td>
<td headers="c" class="gt_row gt_right">15,487</td></tr></tbody></table>
```"""


def found(text, claims=(), **known):
    """What the audit says of a text on a page with the table and these claims."""
    claimed = {MIME_KEY: {"claims": list(claims)}}
    outputs = [
        new_output("display_data", {"text/markdown": TABLE}),
        new_output("display_data", {"text/markdown": ""}, metadata=claimed),
    ]
    first, shown = new_code_cell(""), new_code_cell("", outputs=outputs)
    page = new_notebook(cells=[first, shown, new_markdown_cell(text, id="questions")])
    of_page = Known(**{"steps": ("l.i0", "l.x"), "written": {"questions": text}} | known)
    return [str(one) for one in prose_contradictions(of_page.written, page, of_page)]


@pytest.mark.parametrize(
    "text",
    [
        "A row takes 4.92 µs.",
        "A row takes 4.9 µs.",  # within the rounding in which it is written
        "It loads 26% faster.",
        "Index creation makes 15,487.",
        "It writes 15 KB.",  # of 15,487 bytes
        "It takes 4,920 ns.",  # of 4.92 µs
        "It is 0.79 times as slow.",  # 1 / 1.26
    ],
)
def test_number_of_a_table_may_be_written(text):
    assert [] == found(text)


def test_number_off_by_one_digit_is_listed_with_the_nearest():
    """The sentence, its number, and the cell that it may have meant."""
    (only,) = found("A row takes 4.82 µs.")

    assert only == (
        "questions: says 4.82 in 'A row takes 4.82 µs.'; "
        "the data give nearest 4.92 (l.i0, cpu/o µs)"
    )


@pytest.mark.parametrize("text", ["It is 26.", "It is 0.79.", "It is 15."])
def test_number_is_in_the_unit_that_follows(text):
    """Percent of 1.26, its inverse and thousands of 15,487 are said as such."""
    assert len(found(text)) == 1


@pytest.mark.parametrize(
    "portion", ["up to half of", "a third of", "two thirds of", "twice", "double"]
)
def test_portion_in_words_needs_its_number_beside_it(portion):
    """No table can bear out a word; a number beside it is looked up."""
    (only,) = found(f"Others took {portion} the time.")

    assert "no number beside it" in only
    assert [] == found(f"It loads 26% faster, {portion} what was lost.")


def test_number_of_another_step_is_no_number_of_this_one():
    """1.26 stands on the page, in the row of l.i0."""
    (only,) = found("The gain of `l.x` (1.26) is that of sorting.")

    assert "nearest 1.08 (l.x, new)" in only
    assert [] == found("The gain of `l.i0` (1.26) is that of sorting.")


def test_share_of_a_rate_is_a_ratio():
    """4.92 stands on the page, as a time."""
    claim = {"subject": "new l.x", "relation": "is", "value": 1.08, "unit": "ratio"}

    (only,) = found("It runs at 4.92 of the rate of old.", [claim])
    assert "nearest 1.08 (new l.x)" in only
    assert [] == found("It runs at 1.08 of the rate of old.", [claim])


def test_interval_of_no_ratio_is_listed_with_the_nearest():
    claim = {"subject": "new", "relation": "is", "value": 1.33, "low": 1.31, "high": 1.35}

    (only,) = found("It is at 1.33 [1.30, 1.35].", [claim])
    assert "1.33 [1.30, 1.35]" in only
    assert "nearest 1.33 [1.31, 1.35]" in only


@pytest.mark.parametrize(
    "text",
    [
        "Published was [0.39 of gcc](https://example.org/post).",
        "Published was 0.39 (https://example.org/post).",
        "From data/published/checksums_2022.csv: 0.39.",
        "From [a post](https://example.org/post):\n\n| clang | 0.39 |\n|---|---|\n",
    ],
)
def test_number_with_its_source_is_somebody_elses(text):
    """In the sentence, or in the one before a table."""
    assert [] == found(text)


def test_source_of_one_sentence_is_none_of_the_next():
    (only,) = found("See [a post](https://example.org/post). It was 0.39.")

    assert "0.39" in only


def test_opinion_is_marked_and_ends():
    """Nothing in the block is checked, everything behind it is."""
    text = "::: {.opinion}\nI guess 0.39.\n:::\n\nIt is 0.38."

    (only,) = found(text)
    assert "0.38" in only


@pytest.mark.parametrize(
    "text", ["With 2,000,000 rows.", "gcc 12 made it.", "On 3 May 2022."]
)
def test_settings_names_and_dates_are_no_amounts(text):
    assert [] == found(text, settings=(2000000.0,), names=("gcc 12",))


def test_unknown_version_is_listed():
    (only,) = found("As 9.7.4 did.", names=("8.0.12",))

    assert "9.7.4" in only
    assert "no such version" in only
    assert [] == found("As 9.7.4 did.", names=("9.7.4",))


def test_unknown_step_is_listed():
    """A step that some driver has, and not this page."""
    (only,) = found("Steps `l.i2` and `l.x`.", every_step=("l.x", "l.i2"))

    assert "step l.i2" in only


def test_column_that_the_page_prints_is_not_missing():
    (only,) = found("The CPU (`cpu/o`) is missing here.")

    assert "cpu/o is missing" in only
    assert [] == found("The CPU (`machine cpu/o`) is missing here.")


def test_hand_written_text_bears_no_number_out():
    """A number is not on the page because somebody wrote it there."""
    assert len(found("It was 0.39.\n\nAs said, 0.39.")) == 2


def test_headings_and_comments_are_no_sentences():
    assert ["One. Two.", "- Three."] == blocks_of(
        "## Open 7\n<!-- 8\n9 -->\nOne.\nTwo.\n- Three.\n"
    )


def test_sentence_ends_at_a_point_before_a_blank():
    """Not behind e.g., and not inside a version."""
    text = "In 9.7.4, e.g. Debian's, it fell. `l.x` rose. l.i1 too. (So did 5.6.) Yes."

    assert 5 == len(sentences(text))


def test_sentences_have_at_most_30_words():
    """Told with how many it has."""
    (only,) = long_sentences({"description": f"{'A ' * 30}end. {'B ' * 29}end."})

    assert only.startswith("description: 31 words, more than 30: A A")
