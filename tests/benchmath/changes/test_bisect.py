"""A search by noisy answers: what moves the belief, and where the next question goes."""

from __future__ import annotations

import numpy as np
import pytest

from benchmath.changes.bisect import (
    Session,
    belief,
    candidates,
    fall_of,
    next_question,
)

pytestmark = pytest.mark.unit
# The last commit is at .8 of the first, give or take 1%.
ENDS = [Session(0, 0.0, np.log(0.8) + e) for e in (-0.01, 0.0, 0.01)]
UP, DOWN = (sign * -np.log(0.8) / 2 for sign in (1, -1))


def asked(*answers: tuple[int, float]) -> list[Session]:
    return [*ENDS, *(Session(at, middle, np.log(0.8)) for at, middle in answers)]


def test_fall_has_students_interval():
    """Mean log(.8), standard error .01 / sqrt(3), 4.303 of them with 2 df."""
    fall = fall_of(ENDS)

    assert 0.8 == pytest.approx(fall.ratio)
    assert 0.8 * np.exp(-4.3027 * 0.01 / np.sqrt(3)) == pytest.approx(fall.low, abs=1e-4)
    assert fall.is_shown


def test_two_sessions_show_nothing():
    """However far the ends are apart."""
    assert not fall_of(ENDS[:2]).is_shown


def test_ends_that_differ_by_less_than_the_margin_are_alike():
    """Ratios of .995, 1 and 1.005: a mean of 1 less 4.303 x .005 / sqrt(3), 1.2%."""
    fall = fall_of([Session(0, 0.0, e) for e in (-0.005, 0.0, 0.005)])

    assert fall.is_within(0.02)
    assert not fall.is_within(0.01)


def test_two_sessions_are_not_alike():
    assert not fall_of([Session(0, 0.0, 0.0)] * 2).is_within(0.02)


def test_before_the_first_answer_all_are_alike():
    assert [0.0, 0.25, 0.25, 0.25, 0.25] == pytest.approx(list(belief(4, ENDS)))


def test_answer_moves_the_belief_to_its_side():
    """Commit 2 of 4 is as good as the first: 3 or 4 is the first bad one."""
    probabilities = belief(4, asked((2, UP), (2, UP)))

    assert probabilities[3] == pytest.approx(probabilities[4])
    assert probabilities[3] + probabilities[4] > 0.95


def test_answer_halfway_between_says_nothing():
    assert [0.25] * 4 == pytest.approx(list(belief(4, asked((2, 0.0))))[1:])


def test_wrong_answer_is_recovered():
    """One stray session among five is outvoted."""
    answers = asked((2, UP), *[(2, DOWN)] * 4)

    assert belief(4, answers)[1:3].sum() > 0.95


def test_question_is_at_the_median():
    even = np.array([0.0, *[0.1] * 10])

    assert 5 == next_question(even)
    assert 4 == next_question(even, broken={5, 6})


def test_question_stays_until_it_is_settled():
    """Another commit has to be built."""
    probabilities = np.array([0.0, 0.3, 0.5, 0.1, 0.1])

    settled = np.array([0.0, 0.05, 0.3, 0.6, 0.05])

    assert 1 == next_question(probabilities, last=1)
    assert 2 == next_question(settled, last=1)


def test_nothing_is_left_to_ask():
    assert 0 == next_question(np.array([0.0, 0.5, 0.5]), broken={1})


def test_commits_that_do_not_build_cannot_be_told_apart():
    """2 and 3 do not build: what is first bad of 2, 3 and 4 is not known."""
    named, sure = candidates(np.array([0.0, 0.1, 0.3, 0.3, 0.3]), broken={2, 3})

    assert ((2, 3, 4), 0.9) == (named, pytest.approx(sure))
