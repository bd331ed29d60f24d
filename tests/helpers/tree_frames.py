"""Trees of files that were moved and written, as the study of moves reads them."""

from __future__ import annotations

import pandas as pd
from lsm_frames import GB, compaction, job, jobs, tables, writes

from benchbook.views.lsm import TreeMoves, long_costs, mean_arrivals
from benchmath.lsm.moves import by_case, level_moves, move_costs
from benchmath.lsm.shape import compaction_places, expectations, states_checked

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
