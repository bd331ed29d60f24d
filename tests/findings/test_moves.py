"""When compaction moves and when it writes, in sentences whose numbers have claims."""

from dataclasses import replace

import pandas as pd
import pytest
from lsm_frames import GB, compaction, job, jobs, tables, writes

from benchbook.analysis.lsm.expected import expectations
from benchbook.analysis.lsm.moves import by_case, level_moves, move_costs
from benchbook.analysis.lsm.shape import compaction_places, states_checked
from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.findings.moves import moves_finding
from benchbook.posts.audit import _texts
from benchbook.results.lsm import TreeMoves, long_costs, mean_arrivals

pytestmark = pytest.mark.unit
STATIC = {"L0": (1.0, 0.0), "L1": (0.0, 1.0), "L2": (0.5, 0.0)}
PLAIN = {"L0": (1.0, 0.0), "L1": (0.0, 1.0)}
TO_L1 = (job("flush", 0, 1), job("move", 1, 2))
TO_L2 = (*TO_L1, compaction(1, 2, 3))
DYNAMIC = (job("flush", 0, 1), job("move", 6, 2), job("move", 5, 3), compaction(5, 6, 4))


def tree(*cases):
    """(name, begins, dynamic, levels, jobs) of each case, a run each."""
    rows, log, printed, done = [], [], [], []
    for name, begins, dynamic, levels, of_run in cases:
        own = {"run_id": name, "case": name, "ingested_bytes": 1.0 * GB}
        rows.append(own | {"begins": begins, "dynamic": dynamic})
        log.append(writes(**levels).assign(run_id=name))
        printed.append(tables(**levels).assign(run_id=name))
        done.append(jobs(*of_run).assign(run_id=name))
    frame, told = pd.DataFrame(rows), pd.concat(done)
    moves = level_moves(pd.concat(log), pd.concat(printed), frame)
    places = frame[["run_id", "case", "begins"]].merge(compaction_places(told))
    first = mean_arrivals(told, frame)
    return TreeMoves(
        levels=by_case(moves), costs=long_costs(move_costs(moves, frame)),
        expected=expectations(by_case(moves), first, frame),
        compactions=places.assign(at_place=places["place"] == places["begins"]),
        arrivals=first, sizes=pd.DataFrame(), checks=states_checked(told), cases=frame,
    )  # fmt: skip


NONE = float("nan")
CASES = {
    "one case that is not compressed": tree(("a", NONE, False, PLAIN, TO_L1)),
    "one compressed": tree(("a", 2.0, False, STATIC, TO_L2)),
    "dynamic levels": tree(
        ("a", 2.0, True, {"L0": (1, 0), "L5": (0, 1), "L6": (0.5, 0.5)}, DYNAMIC)
    ),
    "three cases": tree(
        ("plain", NONE, False, PLAIN, TO_L1),
        ("static", 2.0, False, STATIC, TO_L2),
        ("elsewhere", 3.0, False, STATIC, TO_L2),
    ),
}


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
    assert "All of 1 compactions wrote to the level where compression begins" in obeyed
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
        "8 of 9 published expectations hold here, but not: elsewhere: L3 written" in text
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
