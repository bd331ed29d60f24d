"""Numbers, quantifiers and amounts: what the auditor reads of a sentence."""

import pandas as pd
import pytest

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import Shown, numbers_of, unclaimed
from benchbook.finding import Claim, Draft, Finding, claim_of

pytestmark = pytest.mark.unit


def test_numbers_of_names_are_no_amounts():
    """A version, a step and a word with a digit are names."""
    text = "9.7.4 is slower than 5.5.9 in 6, most in l.i1 (0.22 [0.17, 0.30])"

    assert ["6", "0.22", "0.17", "0.30"] == [
        n.text for n in numbers_of(text, ["5.5.9", "9.7.4", "l.i1"])
    ]


@pytest.mark.parametrize(
    ("text", "amount"),
    [("0.22", 0.2249), ("14", 0.86), ("−22", 0.78), ("2,000", 2000.4), ("5", 0.05)],
)
def test_shown_number_stands_for_the_amount(text, amount):
    """Rounded, in percent, or as the change of a ratio in percent."""
    assert Shown(text).stands_for(amount)


def test_number_off_by_one_digit_stands_for_nothing():
    """0.23 is not 0.2249."""
    assert not Shown("0.23").stands_for(0.2249)


def test_unclaimed_number_is_named():
    """A number that no claim holds."""
    claims = [Claim("new", "is", 0.5, 0.4, 0.6)]

    assert ["7"] == unclaimed("new is 0.50 [0.40, 0.60] in 7 tests", claims, ())


def test_quantifier_needs_its_claim():
    """`none` without a claim of none, and with one."""
    none = Claim("x", "count", count=0, of=3, quantifier="none")

    assert ["'none'"] == [word for word, _ in unborne("none differs", [])]
    assert [] == list(unborne("none differs", [none]))


def test_each_none_needs_a_claim_of_its_own():
    """One claim bears one word; a setting of that name is none."""
    none = Claim("x", "count", count=0, of=3, quantifier="none")
    text = "none differs, and the verdict turns in none of 9"

    assert [("2 times 'none'", "1 claim of none")] == list(unborne(text, [none]))
    assert [] == list(unborne(text, [none, none]))
    assert [] == list(unborne("all is equivalent to none; none differs", [none]))
    assert [] == list(unborne("with all CPUs (`none`) none differs", [none]))


@pytest.mark.parametrize(
    ("quantifier", "count", "holds"),
    [("all", 3, True), ("all", 2, False), ("most", 2, True), ("most", 1, False),
     ("none", 0, True), ("none", 1, False), ("only", 1, True), ("only", 2, False)],
)  # fmt: skip
def test_quantifier_follows_from_its_count(quantifier, count, holds):
    """Of three: all is 3, most is 2 or more, none is 0, only is 1."""
    claim = Claim("x", "given", count=count, of=3, quantifier=quantifier)

    assert holds == (not claim_contradictions("cell 1", [claim], {}))


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("**b** is slower than a 5.5 in 2 of 3 tests; the other one is undecided.", []),
        ("**b** is slower than a 5.5 in both tests.", []),
        ("**b** is slower than a 5.5 in 1 of 3 tests.", ["slower than a 5.5 in 1"]),
        ("**b** is faster than a in 2 of 3 tests.", ["faster than a in 2"]),
        ("**b** is slower than a in 1, and faster in 2; 2 are undecided.",
         ["slower than a in 1", "faster in 2", "2 are undecided"]),
    ],
)  # fmt: skip
def test_count_of_a_verdict_is_that_of_its_claim(text, wrong):
    """Two regressed, one undecided: any other count is named."""
    claims = [
        Claim("b", "count", count=n, of=3, frame="judged", where={"verdict": verdict})
        for verdict, n in (("regressed", 2), ("undecided", 1), ("improved", 0))
    ]

    assert [repr(words) for words in wrong] == [w for w, _ in unborne(text, claims)]


def test_all_of_six_needs_a_claim_of_six():
    """A claim of all three does not stand behind `all 6`."""
    claims = [Claim("x", "count", count=3, of=3, quantifier="all")]

    assert [] == list(unborne("in all 3 tests", claims))
    assert ["'all 6'"] == [words for words, _ in unborne("in all 6 tests", claims)]


def test_all_of_thousands_needs_a_claim_of_as_many():
    """As a page writes them, with commas."""
    claims = [Claim("x", "count", count=2089, of=2089, quantifier="all")]
    assert [] == list(unborne("All of 2,089 compactions wrote", claims))
    assert ["'All of 2,090'"] == [
        words for words, _ in unborne("All of 2,090 compactions wrote", claims)
    ]


def test_tally_is_counted_again():
    """Two of three steps are slower; a claim of three is contradicted."""
    frame = pd.DataFrame({"me": ["n"] * 3, "verdict": ["worse", "worse", "same"]})
    said = Draft(judged=frame)
    counted = said.count("judged", {"verdict": "worse"}, {"me": "n"}, "n")
    (true,) = said.claims
    false = Claim("n", "count", count=3, of=3, frame="judged",
                  rows={"me": "n"}, where={"verdict": "worse"})  # fmt: skip

    assert (2, 2, 3) == (counted, true.count, true.of)
    assert [] == claim_contradictions("cell 1", [true], {"judged": frame})
    assert ["2 of 3"] == [
        c.gives for c in claim_contradictions("cell 1", [false], {"judged": frame})
    ]


def test_claim_is_read_back_as_written():
    """What a notebook's metadata holds is the claim."""
    claim = Claim("n", "is", 0.5, 0.4, 0.6, "ratio", frame="f", rows={"me": "n"})

    assert claim == claim_of(claim.as_json())


def test_finding_is_markdown_with_metadata():
    """Text for the reader, claims for the auditor."""
    data, metadata = Finding("a", [Claim("n", "given", 1)])._repr_mimebundle_()

    assert {"text/markdown": "a"} == data
    assert {"claims": [{"subject": "n", "relation": "given", "value": 1}]} == (
        metadata["benchbook"]
    )


def test_name_is_no_part_of_a_larger_number():
    """The value 16 of a dimension is cut out as a name, but not out of 16,108."""
    assert ["16,108", "2,016"] == [
        one.text for one in numbers_of("with 16 clients 16,108 and 2,016", ["16", "016"])
    ]
