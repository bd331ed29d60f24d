"""Ratios of what took turns, from the rounds that were counted, by plain arithmetic."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

import pandas as pd

from benchmath.turns.quiet import disturbed

_FEWEST_ROUNDS, _FEWEST_OPS = 12, 20  # of a side; below, all its turns are taken
_IN_ROWS = ("insert", "delete", "index", "scan")  # operations whose rows are counted
_LOADS = re.compile(r"after (\d+) loads?\b")
_KEYS = ["run_id", "step", "op"]
Turns = Mapping[tuple[str, str, str], pd.DataFrame]


def by_run(turns: pd.DataFrame) -> Turns:
    """The turns of each run, step and op; ``counted``: no first, last or loud."""
    last = turns.groupby(["run_id", "step"])["round"].transform("max")
    counted = (turns["round"] > 1) & (turns["round"] < last)
    rows = turns.assign(counted=counted & ~disturbed(turns))
    return {key: own for key, own in rows.groupby(_KEYS)}  # type: ignore[misc]


def turn_ratios_of(
    row: pd.Series, mine: pd.DataFrame, bases: pd.DataFrame, turns: Turns
) -> list[float]:
    """The ratio of whole turns, and that without their first tenths; none without turns.

    ``mine`` and ``bases`` are the runs of a row and of its base. Of looks at loads those
    up to the one that the row is of, as its note says.
    """
    pairs = list(_pairs(row, mine, bases, turns))
    loads = _LOADS.search(str(row.get("note", "")))
    pairs = pairs[: int(loads[1])] if loads else pairs
    logs = [_logs(*pair, str(row["op"])) for pair in pairs]
    return [math.exp(math.fsum(of) / len(of)) for of in zip(*logs, strict=True)]


def _pairs(
    row: pd.Series, mine: pd.DataFrame, bases: pd.DataFrame, turns: Turns
) -> Iterator[tuple[pd.DataFrame, pd.DataFrame]]:
    """The turns of the row's runs and those of the base in the same session, by load."""
    names = [c for c in bases.columns if c in row.index and c in mine.columns]
    by_session: dict[str, list[tuple[str, pd.DataFrame]]] = {}
    for run_id in bases["run_id"].unique():
        own = turns.get((run_id, row["step"], row["op"]))
        if own is not None:
            by_session.setdefault(own["session"].iloc[0], []).append((run_id, own))
    for run_id in mine.sort_values("trial", kind="stable")["run_id"].unique():
        own = turns.get((run_id, row["step"], row["op"]))
        theirs = by_session.get(own["session"].iloc[0], []) if own is not None else []
        for name in names:  # of several arms that which equals it otherwise
            of = bases.set_index("run_id")[name].astype(str)
            alike = [t for t in theirs if str(of[t[0]]) == str(row[name])]
            theirs = alike or theirs
        if own is not None and theirs:
            yield own, theirs[0][1]


def _logs(me: pd.DataFrame, base: pd.DataFrame, op: str) -> tuple[float, float]:
    inner = [side[side["counted"]] for side in (me, base)]
    few = any(
        (side["active_ns"] > 0).sum() < _FEWEST_ROUNDS or side["ops"].sum() < _FEWEST_OPS
        for side in inner
    )
    sides = [me, base] if few else inner
    each = math.log(_per_op(me, op) / _per_op(base, op))
    whole, rest = (
        math.log(_rate(sides[0], part) / _rate(sides[1], part)) + each
        if all(_rate(side, part) > 0 for side in sides) else math.nan
        for part in (0, 1)
    )  # fmt: skip
    return whole, rest


def _rate(side: pd.DataFrame, without_heads: int) -> float:
    ops = side["ops"].sum() - without_heads * side["head_ops"].sum()
    time = side["active_ns"].sum() - without_heads * side["head_ns"].sum()
    return float(ops / time) if time > 0 else math.nan


def _per_op(side: pd.DataFrame, op: str) -> float:
    rows = side["rows"].sum() / side["ops"].sum() if op in _IN_ROWS else 0
    return float(rows) or 1.0
