"""The key `explains` of study.yml: what another post found, and why."""

import pytest

from benchbook.study.published import Explains, explained_with, read_explains
from benchbook.views.sections import explained
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

ENTRY = {"post": "there", "because": "size", "text": "It has ten times the rows."}


@pytest.fixture
def file(tmp_path):
    for name in ("here", "there"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "study.yml").write_text("title: x\n")
    return tmp_path / "here/study.yml"


def test_an_entry_names_both_posts(file):
    one = Explains("here", "there", "size", "It has ten times the rows.")

    assert (one,) == read_explains([ENTRY], file)


@pytest.mark.parametrize("name", ["nowhere", "here"])
def test_a_post_that_is_not_there_is_refused(file, name):
    with pytest.raises(UserError, match=f"there is no other post '{name}'"):
        read_explains([ENTRY | {"post": name}], file)


def test_a_long_sentence_is_refused(file):
    """31 words; two sentences of 20 are none too many."""
    read_explains([ENTRY | {"text": ("word " * 20 + ". ") * 2}], file)
    with pytest.raises(UserError, match="has 31 words; write 30 at most"):
        read_explains([ENTRY | {"text": "word " * 31}], file)


def test_a_page_shows_what_others_say_of_it(file):
    """Written in one study.yml, shown by both, each with a link to the other."""
    [one] = read_explains([ENTRY], file)

    assert "- **size**, beside [there](../there/index.html): It has" in str(
        explained([one], "here", {}).data
    )
    assert "beside [here](../here/index.html)" in str(explained([one], "there", {}).data)
    assert [one] == explained_with("here", [one], file.parents[1])


@pytest.mark.parametrize(
    ("here", "there", "said"),
    [(6.0, 5.0, " The machine was 1.20 times as slow here (6 ms here, 5 there)."),
     (5.0, 6.0, " The machine was 1.20 times as slow there (5 ms here, 6 there)."),
     (5.0, 5.4, "")],
)  # fmt: skip
def test_a_page_says_that_the_machine_had_another_pace(file, here, there, said):
    [one] = read_explains([ENTRY], file)

    text = str(explained([one], "here", {"here": here, "there": there}).data)

    assert text.endswith(f"It has ten times the rows.{said}")
