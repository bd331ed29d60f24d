"""The answer at the top of a page says what the claims of its sentences say."""

import pytest

from benchbook.audit.answer import answer_contradictions, shape_contradictions
from benchbook.finding import Claim

TITLE = "Did it get slower from 5.5 to 9.7?"


def tallied(verdict: str, count: int, of: int = 6) -> Claim:
    return Claim("9.7", "count", count=count, of=of, where={"verdict": verdict})


SLOWER = [tallied("regressed", 4), tallied("improved", 1)]


def said(answer: str, claims: list[Claim], title: str = TITLE) -> list[str]:
    return [str(one) for one in answer_contradictions(title, answer, claims)]


@pytest.mark.parametrize(
    "answer",
    [
        "Yes, in four of six steps: it loads at 0.65.",
        "Yes: 9.7.4 is slower than 5.5.9 in 4, most in l.i1, and faster in one.",
        "It is slower in 4 of 6 tests.",
        "In one of six steps it is faster.",
    ],
)
def test_answer_of_the_claims_is_believed(answer):
    """Numbers in words, versions with points, sides in either order."""
    assert [] == said(answer, SLOWER)


@pytest.mark.parametrize(
    ("answer", "word"),
    [
        ("No: nothing to see.", "'No'"),
        ("It is slower than 5.5 in five, most in l.i1.", "slower than 5.5 in 5"),
        ("It is slower in none of 6 tests.", "slower in 0"),
        ("Faster in 2 steps: faster in two.", "faster in 2"),
        ("In three of six steps it is slower.", "3 of 6 steps"),
    ],
)
def test_answer_that_claims_deny_is_found(answer, word):
    """Another verdict, another count, none where there are some."""
    contradictions = said(answer, SLOWER)

    assert any(word in one for one in contradictions), contradictions


def test_comparisons_that_differ_are_as_many_as_are_significant():
    """With or without of how many; a version has points, and ends no sentence."""
    claims = [Claim("all", "significant", 0.2, count=4, of=30)]
    four = "Of 30 comparisons with 3.54.1 only four differ."

    assert [] == said(four, claims) == said("4 differ, by 1 percent.", claims)
    assert "4 differ" in said(four.replace("four differ", "one differs"), claims)[0]
    assert said("Only one differs significantly.", claims)


def test_no_is_right_where_nothing_is_slower():
    """Faster in all six denies that it got slower."""
    faster = [tallied("improved", 6)]

    assert [] == said("No: it is faster in all six steps.", faster)
    assert said("Yes: it is.", faster)


def test_page_without_verdicts_is_not_asked_for_them():
    """A yes of published figures stands on no verdict."""
    assert [] == said("Yes: 0.56 of it.", [Claim("figures", "rows", count=3)])


def test_answer_has_a_number_and_the_interval_that_there_is():
    """A bare ratio is not enough where the finding has intervals."""
    claims = [Claim("a", "is", 1.2, 1.1, 1.3)]

    assert [] == list(shape_contradictions("1.20 [1.10, 1.30] times.", claims))
    assert [] == list(shape_contradictions("Undecided? 9 runs would decide it.", claims))
    assert ["no interval"] == [c.says for c in shape_contradictions("1.20.", claims)]
    assert ["no number", "no interval"] == [
        c.says for c in shape_contradictions("Much.", claims)
    ]
