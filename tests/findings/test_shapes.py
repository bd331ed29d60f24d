"""Every sentence reads well and is borne out, whatever the shape of its frames."""

from __future__ import annotations

import re

import pytest
from finding_shapes import SHAPES

import benchbook.notebook as bb
from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.finding import claim_of
from benchbook.posts.audit import _texts

pytestmark = pytest.mark.unit

# What no reader should meet: holes, two blanks, one of many, words of ours.
ILL = re.compile(
    r"\bnan\b|\bNone\b|\binf\b|<NA>|  | [.,;:]|\(\)|\[\]|\bme\b|\bsurely\b|\bboundar"
    r"|\b1 (?:are|have|were|tests|steps|builds|comparisons|intervals|versions)\b"
    r"|\b(?:[2-9]|\d\d+) (?:has|was|test|step|build|comparison|interval)\b"
)


@pytest.fixture(scope="module")
def findings():
    return {name: made() for name, made in SHAPES.items()}


@pytest.mark.parametrize("name", SHAPES)
def test_sentence_reads_well(findings, name):
    """It begins as one, ends as one, and has no hole."""
    text = findings[name].data

    assert re.match(r"\*\*|[A-Z\d]", text), text
    assert text.endswith("."), text
    assert not ILL.search(text), (ILL.search(text), text)


@pytest.mark.parametrize("name", SHAPES)
def test_sentence_is_borne_out(findings, name):
    """The auditor has nothing to say of its claims, its words and its numbers."""
    made = findings[name]
    claims = [claim_of(claim.as_json()) for claim in made.claims]

    assert [] == claim_contradictions(name, claims, made.frames)
    assert [] == list(unborne(made.data, claims))
    assert [] == unclaimed(made.data, claims, _texts(made.frames))


@pytest.mark.parametrize("name", SHAPES)
def test_sentence_is_short(findings, name):
    """Of forty versions not forty are named."""
    assert len(findings[name].data) < 1100


def test_every_finding_has_shapes():
    """What a notebook may call is in the list."""
    here = {name.partition(":")[0] for name in SHAPES}
    exported = {name for name in bb.__all__ if name.endswith("_finding")}

    assert set() == exported - here
