"""What does not hold is said before what was found."""

import pytest

from benchbook.finding import Finding
from benchbook.findings.premises import behind, sentence
from benchmath.hazards.premises import Evidence, Premise


def premise(name, *evidence, met=False):
    """(cell, step, value, limit)"""
    return Premise(name, met, tuple(Evidence(*row, "") for row in evidence))


SMALL = premise(
    "larger_than_memory",
    ("myrocks", "l.i1", 366.2, 512.0),
    ("myrocks", "q", 400.1, 512.0),
)
BUSY = premise("alone", ("", "l.i0", 89.1, 10.0), ("", "l.i1", 85.2, 10.0))


def test_finding_whose_premises_hold_is_as_it_was():
    """Met ones and those that nobody recorded add no word."""
    holds = [premise("alone", ("", "a", 1.0, 10.0), met=True), premise("paced", met=None)]

    assert "It is faster." == behind(holds, Finding("It is faster.")).data
    assert "It is faster." == behind([], Finding("It is faster.")).data


def test_question_that_is_not_answered():
    """The first sentence says which premise, with its numbers, then what was measured."""
    text = behind([BUSY, SMALL], Finding("It is 24 times as fast.")).data

    assert text == (
        "**Measured beside other load**: others than client and server took 85.2 to "
        "89.1% of the busy CPU time of runs of l.i0 and l.i1.\n\n"
        "**The question is not answered as asked**: the database of myrocks is not "
        "larger than memory: 366 to 400 MB after l.i1 and q, of 512 MB. "
        "What was measured: It is 24 times as fast."
    )


def test_limit_of_the_measurement_is_said_after_the_number():
    """A short step does not change the question."""
    short = premise("long_enough", ("", "l.x", 0.32, 1.0))
    text = behind([short], Finding("It is faster.")).data

    assert text == "It is faster.\n\n**Caveat**: l.x ran for 0.320 s, less than 1 s."


def test_load_by_others_comes_first_with_its_reason():
    text = behind([BUSY], Finding("It is faster."), noisy="A shared host").data

    assert text.startswith("**Measured beside other load**: others than client and")
    assert text.endswith("l.i1. A shared host.\n\nIt is faster.")


@pytest.mark.parametrize(
    ("unmet", "expected"),
    [
        (premise("long_enough", ("", "l.x", 0.32, 1.0)),
         "l.x ran for 0.320 s, less than 1 s"),
        (premise("long_enough", ("", "l.i0", 0.5, 1.0), ("", "l.x", 0.32, 1.0)),
         "2 steps ran for less than 1 s, l.x for 0.320 s"),
        (premise("paced", ("a", "q", 0.63, 0.95)),
         "the writers of a reached 63% of their rate in q"),
        (premise("reads", ("", "q", 0.0, 0.08)),
         "the database hardly reads: 0 KB per operation in q"),
        (premise("cached", ("a", "q", 8.0, 0.08), ("b", "q", 9.0, 0.08)),
         "a is not cached: it reads 8 KB per operation in q; "
         "b is not cached: it reads 9 KB per operation in q"),
        (premise("clock", ("", "q", 9.0, 2.2)),
         "the clock is unreliable: q used 9 s of CPU per second, of at most 2.20 s"),
        (premise("together", ("on_2", "", 5.21, 1.0), ("11.4.5", "", 4.9, 1.0)),
         "4.90 to 5.21 h lie between the runs of on_2 and 11.4.5 and some of those "
         "compared with them"),
        (premise("pace", ("placement=split", "", 12.0, 10.0), ("dop=2", "", 18.4, 10.0)),
         "the machine was slower for the runs of placement=split and dop=2: a fixed "
         "piece of work took 12 to 18.4% longer than for some of those compared with "
         "them"),
        (premise("alone", *(("", s, 20.0, 10.0) for s in "abcde")),
         "others than client and server took 20% of the busy CPU time of runs of a, b, "
         "c and 2 more steps"),
    ],
)  # fmt: skip
def test_sentence_of_each_premise(unmet, expected):
    """Cell, step and number; more than three steps are counted."""
    assert expected == sentence(unmet)
