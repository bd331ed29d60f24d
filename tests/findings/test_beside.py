"""What agrees with published figures in sentences, and falsehoods planted in them."""

from dataclasses import replace

import pytest
from beside_frames import OURS, THEIRS, compared
from table_text import shown

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.findings.beside import beside_finding, beside_section
from benchbook.posts.audit import _texts
from benchbook.tables.beside import beside_table

pytestmark = pytest.mark.unit
TEXT = (
    "**new** against old, beside mysql 8.0.13 against mysql 5.6.51 on ser4 (post): of 11 "
    "tests 8 go the same way (the published ratio of 5 lies in our interval), 2 the "
    "opposite way (farthest apart k: 1.40 [1.37, 1.43] here, 0.55 there) and 1 differs "
    "from the base here only. Spearman's rank correlation of the 11 ratios is 0.11."
)


def contradictions(finding):
    """Everything that the auditor says of one sentence."""
    claims, text = finding.claims, str(finding.data)
    return [
        *claim_contradictions("x", claims, finding.frames),
        *unclaimed(text, claims, _texts(finding.frames)),
        *unborne(text, claims),
    ]


def test_sentence_counts_ways_and_names_the_farthest():
    """a to e lie inside, f, h and j on the same side; g here only; i and k opposite.

    The squares of the differences of the ranks add up to 196: 1 - 6 * 196 / (11 * 120).
    """
    assert TEXT == beside_finding(compared()).data


def test_a_true_sentence_is_believed():
    """Of tests and of groups."""
    groups = compared(published=(0.82, 1.2), grouped=True)

    assert [] == contradictions(beside_finding(compared()))
    assert [] == contradictions(beside_finding(groups))
    assert "of 2 groups of tests 1 goes the same way" in beside_finding(groups).data


def test_few_tests_have_no_rank_correlation():
    """Nine ranks say little."""
    finding = beside_finding(compared(OURS[:9], THEIRS[:9]))

    assert "Spearman" not in finding.data


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("of 11 tests 8 go", "of 11 tests 9 go"),
        ("0.55 there", "0.57 there"),
        (r"[1.37, 1.43]", "[1.38, 1.43]"),
        ("ratios is 0.11", "ratios is 0.82"),
    ],
)
def test_a_number_that_no_claim_holds_is_found(old, new):
    """A digit changed in the text alone."""
    finding = beside_finding(compared())
    assert old in finding.data
    finding.data = finding.data.replace(old, new)

    assert contradictions(finding)


FRAME = {
    "a published ratio": lambda rows: rows.assign(published=1.01 * rows["published"]),
    "a published figure": lambda rows: rows.assign(figure=1.01 * rows["figure"]),
    "a way": lambda rows: rows.assign(agrees="inside"),
    "an interval": lambda rows: rows.assign(low=0.5 * rows["low"]),
    "a test left out": lambda rows: rows.iloc[1:],
    "an order": lambda rows: rows.assign(relative=list(rows["relative"])[::-1]),
}


@pytest.mark.parametrize("name", FRAME)
def test_claims_that_do_not_follow_are_found(name):
    """The sentence stands, the frame behind it is another."""
    finding = beside_finding(compared())
    finding.frames["beside"] = FRAME[name](finding.frames["beside"])

    assert contradictions(finding)


def test_a_median_that_is_not_of_its_tests_is_found():
    """The auditor takes it again from the ratios of the group."""
    groups = compared(published=(0.82, 1.2), grouped=True)
    forged = replace(groups, rows=groups.rows.assign(relative=0.83))

    assert any("a median of" in str(c) for c in contradictions(beside_finding(forged)))


def test_nothing_is_shown_without_published_figures():
    """For each table a sentence and its rows."""
    assert [] == beside_section([])
    assert 2 == len(beside_section([compared()]))


def test_table_has_what_disagrees_first():
    """Ours with its interval, theirs, and how they go together."""
    lines = shown(beside_table(compared(OURS[:7], THEIRS[:7])))

    assert "new / old beside mysql 8.0.13 / mysql 5.6.51 on ser4" in lines[0]
    assert "g | 0.86 0.83 to 0.89 | 1.00 | only here" == lines[2]
    assert "a | 0.80 0.77 to 0.83 | 0.79 | inside" == lines[4]


def test_table_of_groups_says_of_how_many_tests():
    """Six and five of the eleven."""
    lines = shown(beside_table(compared(published=(0.82, 1.2), grouped=True)))

    assert "x | 6 | 0.85 0.82 to 0.88 | 0.82 | inside" in lines
