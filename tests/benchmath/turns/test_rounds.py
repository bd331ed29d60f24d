"""Which turns count, and beside which they stand."""

import pytest
from turn_frames import session, sessions

from benchmath.errors import UserError
from benchmath.turns.rounds import paired_rounds

pytestmark = pytest.mark.unit

OLD = {"version": "old"}


def test_start_and_cut_turns_do_not_count():
    """Of four rounds the first starts the step and the last is cut."""
    rounds = paired_rounds(*session("a", {"old": [1, 2, 3, 4], "new": [5, 6, 7, 8]}), OLD)

    assert [False, True, True, False] == rounds["counts"].tolist()
    assert [5, 6, 7, 8] == rounds["ops"].tolist()
    assert [1, 2, 3, 4] == rounds["ops_base"].tolist()


def test_side_that_ended_has_nothing_in_later_rounds():
    """The base's third turn is its last; the arm went on alone."""
    rounds = paired_rounds(*session("a", {"old": [1, 2, 3], "new": [5, 6, 7, 8]}), OLD)

    assert [False, True, True, False] == rounds["counts"].tolist()
    assert [False, True, False, False] == rounds["counts_base"].tolist()
    assert [1, 2, 3, 0] == rounds["ops_base"].tolist()


def test_base_is_that_of_the_same_session():
    """Each of two sessions has a base arm; cpu_ns is of client and server."""
    arms = {"old": [1, 2, 3], "new": [4, 5, 6]}
    more = {"old": [11, 12, 13], "new": [14, 15, 16]}
    rounds = paired_rounds(*sessions(a=arms, b=more), OLD)

    assert ["a"] * 3 + ["b"] * 3 == rounds["session"].tolist()
    assert [1, 2, 3, 11, 12, 13] == rounds["ops_base"].tolist()
    assert {50_000_000} == set(rounds["cpu_ns"])


def test_session_without_the_base_is_left_out():
    """Its arms took no turns with it."""
    with_base, without = {"old": [1, 2], "new": [1, 2]}, {"new": [3, 4], "newer": [5, 6]}
    rounds = paired_rounds(*sessions(a=with_base, b=without), OLD)

    assert {"a"} == set(rounds["session"])


def test_unknown_base_is_said():
    """What there is is named."""
    turns, runs = session("a", {"old": [1, 2], "new": [1, 2]})
    with pytest.raises(UserError, match=r"no run has version 'older'; available: old"):
        paired_rounds(turns, runs, {"version": "older"})
