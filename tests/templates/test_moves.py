"""When compaction moves and when it writes, in sentences whose numbers have claims."""

from dataclasses import replace

import pandas as pd
import pytest
from tree_frames import CASES, NONE

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.posts.audit import _texts
from benchbook.templates.trivial_move.finding import moves_finding

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("name", CASES)
def test_every_number_and_word_has_a_claim_that_holds(name):
    """Whatever cases there are, an auditor derives what is said from the frames."""
    said = moves_finding(CASES[name])

    assert [] == claim_contradictions("cell", said.claims, said.frames)
    assert [] == unclaimed(said.data, said.claims, _texts(said.frames))
    assert [] == list(unborne(said.data, said.claims))


def test_the_rule_is_said_where_every_compaction_obeys_it():
    """One compaction that wrote elsewhere, and it is counted instead."""
    obeyed, not_all = (
        moves_finding(CASES[name]).data for name in ("one compressed", "three cases")
    )

    assert "writes it only where compression begins**: of the bytes" in obeyed
    assert "The one compaction wrote to the level where compression begins" in obeyed
    assert "compression begins**" not in not_all
    assert "1 of 2 compactions wrote to the level" in not_all


def test_amounts_are_bytes_per_byte_and_shares():
    """1.5 GB for 1 GB; 1 of the 1.5 GB below L0 is moved."""
    text = moves_finding(CASES["one compressed"]).data

    assert "it moves 67% (a)" in text
    assert "RocksDB writes 1.50 bytes, L0 included." in text


def test_expectation_that_does_not_hold_is_told_with_what_was_found():
    """Compression is said to begin at L3, and L2 was written."""
    text = moves_finding(CASES["three cases"]).data

    assert (
        "Of 9 published expectations 8 hold here. Not so: elsewhere: L3 written" in text
    )
    assert "(found: L0 written, L1 moved, L2 written)" in text


def test_unknown_row_size_leaves_the_amounts_out():
    """Without bytes put in there are no bytes per byte."""
    whole = CASES["one compressed"]
    costs = whole.costs.copy()
    costs.loc[costs["quantity"] == "w_amp", ["value", "low", "high"]] = NONE

    assert "For a byte" not in moves_finding(replace(whole, costs=costs)).data


def test_no_log_is_said():
    """A study of another engine, or without runs."""
    empty = replace(CASES["one compressed"], levels=pd.DataFrame())

    assert "No run has a LOG" in moves_finding(empty).data
