"""Which levels are written and which only moved to, by the LOG and by the tables."""

import pandas as pd
import pytest
from lsm_frames import GB, tables, writes

from benchmath.lsm.moves import by_case, level_moves, move_costs, said
from benchmath.lsm.shape import expectations

pytestmark = pytest.mark.unit
CASES = pd.DataFrame([{"run_id": "r1", "case": "a", "ingested_bytes": 1.0 * GB}])


def levels_of(log, table):
    moves = level_moves(log, table, CASES)
    return moves.set_index("level")[["how", "table_how", "witnesses"]].T.to_dict("list")


@pytest.mark.parametrize(
    ("written", "moved", "verdict"),
    [(1, 0, "written"), (0, 1, "moved"), (1, 1, "both"), (0, 0, "nothing")],
)
def test_verdict_of_two_amounts(written, moved, verdict):
    """Only written, only moved to, both, or neither."""
    assert verdict == said(written, moved)


def test_log_and_table_that_say_the_same_agree():
    """L0 is written, L1 moved to; the line Sum is no level."""
    found = levels_of(
        writes(L0=(1.0, 0), L1=(0, 1.0)), tables(L0=(1.0, 0.0), L1=(0.0, 1.0))
    )

    assert {0: ["written", "written", "agree"], 1: ["moved", "moved", "agree"]} == found


def test_what_the_table_rounds_away_is_no_contradiction():
    """.02 GB are printed as 0.0."""
    found = levels_of(writes(L2=(0.02, 1.0)), tables(L2=(0.0, 1.0)))

    assert ["both", "moved", "too small"] == found[2]


def test_level_through_which_files_only_passed_has_no_line():
    """It is empty at the end and no compaction wrote it: the table leaves it out."""
    found = levels_of(writes(L0=(1.0, 0), L1=(0, 1.0)), tables(L0=(1.0, 0.0)))

    assert ["moved", "nothing", "left out"] == found[1]


def test_table_that_says_otherwise_is_named():
    """A whole GB that one of them has and the other has not."""
    assert "differ" == levels_of(writes(L1=(0, 1.0)), tables(L1=(1.0, 0.0)))[1][2]


def test_last_dump_alone_counts():
    """A dump before the last one has amounts of the same files."""
    early = tables(final=False, L1=(0.0, 0.5))
    moves = level_moves(
        writes(L1=(0, 1.0)), pd.concat([early, tables(L1=(0.0, 1.0))]), CASES
    )

    assert [1.0] == list(moves["table_moved_gb"])


def test_costs_are_bytes_per_byte_and_the_share_moved_below_l0():
    """1 GB put in: L0 1, L1 3 moved, L2 1 written: 2 bytes a byte, 3 of 4 moved."""
    log = writes(L0=(1.0, 0), L1=(0, 3.0), L2=(1.0, 0))
    costs = move_costs(level_moves(log, pd.DataFrame(), CASES), CASES).iloc[0]

    assert (2.0, 75.0) == (costs["w_amp"], costs["moved_pct"])


def test_runs_that_differ_are_both_told():
    """A level that one run moved files to and another wrote too."""
    other = writes(L1=(1.0, 1.0)).assign(run_id="r2")
    cases = pd.DataFrame({"run_id": ["r1", "r2"], "case": "a", "ingested_bytes": GB})
    moves = level_moves(
        pd.concat([writes(L1=(0, 1.0)), other]), tables(L1=(0.0, 1.0)), cases
    )

    assert ["both or moved"] == list(by_case(moves)["how"])


def test_nothing_is_said_of_no_runs():
    """Empty frames stay empty frames."""
    moves = level_moves(pd.DataFrame(), pd.DataFrame(), CASES)

    assert by_case(moves).empty
    assert move_costs(moves, CASES).empty


def holds(how, dynamic=False, begins=float("nan"), order=(1, 2)):
    """Do the published expectations hold of a case?"""
    levels = pd.DataFrame({"case": "a", "level": list(how), "how": list(how.values())})
    first = pd.DataFrame({"case": "a", "level": order, "first_s": range(len(order))})
    case = pd.DataFrame([{"case": "a", "dynamic": dynamic, "begins": begins}])
    return list(expectations(levels, first, case)["holds"])


def test_published_expectations_are_checked():
    """Not compressed: moved; static: written where compression begins; dynamic: both."""
    moved, written = "moved", "written"
    mixed = {0: written, 4: moved, 5: "both", 6: "both"}

    assert [True, True, True] == holds({0: written, 1: moved, 2: moved})
    assert [True, False, True] == holds({0: written, 1: moved, 2: written})
    assert [True, True, True] == holds({0: written, 1: moved, 2: written}, begins=2)
    assert [True, False, True] == holds({0: written, 1: written, 2: moved}, begins=2)
    assert [True, True, True] == holds(mixed, True, 2, (6, 5, 4))
    assert [True, True, False] == holds(mixed, True, 2, (4, 5, 6))
