"""Whether a rate goes up and down, in sentences whose numbers have claims."""

import pytest
from sawtooth_frames import SHAPES

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.posts.audit import _texts
from benchbook.templates.sawtooth.finding import sawtooth_finding

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("name", SHAPES)
def test_every_number_and_word_has_a_claim_that_holds(name):
    """Whatever was found, an auditor derives what is said from the frames."""
    said = sawtooth_finding(SHAPES[name])

    assert [] == claim_contradictions("cell", said.claims, said.frames)
    assert [] == unclaimed(said.data, said.claims, _texts(said.frames))
    assert [] == list(unborne(said.data, said.claims))


def test_period_and_depth_come_first():
    """Of two cases that with a cycle, though the other stands first."""
    text = sawtooth_finding(SHAPES["found and not"]).data

    assert text.startswith(
        "**up**: the rate of overwrite goes up and down with a period of "
    )
    assert "about as long up as down" in text
    assert "**level**: overwrite has no period (3 runs of 60 s" in text


def test_no_period_is_said_with_what_would_find_one():
    """The depth of a sine that would be found about every second time."""
    text = sawtooth_finding(SHAPES["none found"]).data

    assert text.startswith("**No period is found** in any of the 2 cases.")
    assert "would be found about every second time" in text


def test_the_tree_and_stalls_stand_beside_it():
    """Only what was computed of files of L0, their compactions and stalled writers."""
    text = sawtooth_finding(SHAPES["one case"]).data

    assert "RocksDB delayed or stopped its writers for 12.5%" in text
    assert "most often by l0 delays" in text
    assert "The number of files of L0 has a period of 10" in text
    quiet = sawtooth_finding(SHAPES["nothing stalled"]).data
    assert "RocksDB neither delayed nor stopped its writers." in quiet


def test_short_steps_have_no_answer():
    """Twenty seconds are too few for a period."""
    text = sawtooth_finding(SHAPES["too short"]).data

    assert text == "Nothing that writes lasts 30 seconds, too short for a period."
