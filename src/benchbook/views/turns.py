"""What the arms of sessions did round by round, beside their base."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pandas as pd

from benchbook.results.results import Results
from benchmath.frames import METRIC, check_base, label, name_of, names_of_tests, places

FEWEST = 12  # rounds of an arm; fewer are no series to look at
BLOCKS = 24  # of a step: more dots than that hide one another
MOST_ROWS = 120  # that a chart carries: a dot takes 400 bytes, as picture and as data
_COUNTED = ("ops", "active_ns", "ops_base", "active_ns_base")
_COLUMNS = ("test", "step", "session", "run_id", "me", "base", "block", "round", "rounds",
            "ratio", "so_far")  # fmt: skip


def turn_blocks(
    results: Results, blocks: int = BLOCKS, mes: Collection[str] | None = None
) -> pd.DataFrame:
    """Rates of arms over those of the base arm of their session, in blocks of rounds.

    One row per arm, step and block of successive rounds that both were in, of each
    step's main op. A step's first round and an arm's last turn, which hold the start and
    the end of the step, are left out, and so is what has less than 12 rounds then.
    ``mes`` are the names of the arms to show (default: all).

    Columns: test (the step, with what else tells tests apart), step, session, run_id, me,
    base; block, round (its last one) and rounds; ratio (of operations per active second
    in the block; NaN where the base did none) and so_far (the same from the first block
    to this one).
    """
    rounds = _beside_base(results)
    if rounds.empty:
        return pd.DataFrame(columns=list(_COLUMNS))
    rounds = rounds if mes is None else rounds[rounds["me"].isin(mes)]
    of = ["run_id", "step"]
    arms = rounds.groupby(of).ngroups
    most = max(1, min(blocks, MOST_ROWS // arms))
    size = np.ceil(rounds.groupby(of)["round"].transform("size") / most)
    rounds = rounds.assign(block=(rounds.groupby(of).cumcount() // size).astype(int))
    same = ["test", "step", "session", "run_id", "me", "base", "block"]
    sums = {name: (name, "sum") for name in _COUNTED}
    grouped = rounds.groupby(same, sort=False)
    made = grouped.agg(round=("round", "last"), rounds=("round", "size"), **sums)
    table = made.reset_index()
    so_far = table.groupby(of, sort=False)[list(_COUNTED)].cumsum()
    table = table.assign(ratio=_ratio(table), so_far=_ratio(so_far))
    return table[list(_COLUMNS)]


def _ratio(sums: pd.DataFrame) -> pd.Series:
    """Of rates; NaN where the base did nothing."""
    base = (sums["ops_base"] / sums["active_ns_base"]).replace(0, np.nan)
    return (sums["ops"] / sums["active_ns"]) / base


def _beside_base(results: Results) -> pd.DataFrame:
    """Turns of arms with those of their base in the same rounds, in order of round."""
    turns = results.main_turns
    if turns.empty or not results.base:
        return turns
    runs = results.runs
    arms = runs[["run_id"]].assign(
        is_base=check_base(runs, results.base), me=label(runs, list(results.base))
    )
    last = turns.groupby(["run_id", "step"])["round"].transform("max")
    inner = turns[(turns["round"] > 1) & (turns["round"] < last)].merge(arms, on="run_id")
    on = ["session", "step", "op", "round"]
    theirs = inner.loc[inner["is_base"], [*on, "ops", "active_ns"]]
    mine = inner[~inner["is_base"]]
    both = mine.merge(theirs, on=on, suffixes=("", "_base"), validate="m:1")
    both = both.assign(base=name_of(results.base), test=_tests(both, results))
    both = both[both.groupby(["run_id", "step"])["round"].transform("size") >= FEWEST]
    place = places(both["run_id"], runs["run_id"])
    return both.assign(place=place).sort_values(["seq", "place", "round"], kind="stable")


def _tests(rows: pd.DataFrame, results: Results) -> pd.Series:
    """The name of the test that each row is of."""
    cells = rows[["run_id", "step"]].drop_duplicates()
    dims = results.runs[["run_id", *results.dimensions]]
    cells = cells.merge(dims, on="run_id", how="left")
    cells = cells.assign(test=names_of_tests(cells, METRIC, list(results.base)))
    names = rows.merge(cells[["run_id", "step", "test"]], on=["run_id", "step"])["test"]
    return names.set_axis(rows.index)
