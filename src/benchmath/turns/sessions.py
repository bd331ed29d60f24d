"""The ratio of each arm to its base within one session: what one load says."""

from collections.abc import Collection, Iterator, Mapping, Sequence

import numpy as np
import pandas as pd

from benchmath.turns.rates import Counted, RateRatio, log_ratio, rate_ratio
from benchmath.turns.rounds import SUMS

THROUGHPUT = "throughput"
PER_CPU_SECOND = "ops per CPU second"
MEASURES = (THROUGHPUT, PER_CPU_SECOND)
TURN, REST = "turn", "rest"
Columns = Mapping[str, np.ndarray]
_IN_A_HEAD = 2.0  # operations; of longer ones only the end is seen, at any time by chance


def session_ratios(
    rounds: pd.DataFrame, keys: Sequence[str], measures: Collection[str] = MEASURES
) -> pd.DataFrame:
    """One row per session, arm, step, op, one of the measures and part of the turn.

    ``rounds`` is the frame of ``paired_rounds``, ``keys`` its dimensions, step and op.
    Parts are whole turns (turn) and turns without their first tenth (rest, of throughput
    only: CPU time is known of whole turns). Columns: the keys, session, group, measure,
    part, log (of the ratio), var, df, autocorrelation; rounds that count for both sides;
    alone: turns of one side in rounds that the other was not in; head and head_base: by
    how much the first tenth of a turn lowers the rate of a side, a share, NaN if unknown.

    Where the rounds give no variance (a step of few operations, as the creation of an
    index) the ratio is that of all turns, the first and the last included.
    """
    by = [*keys, "session"]
    # As arrays: a study has hundreds of sessions, and frames take longer to slice.
    table = {"group": rounds["group"].to_numpy()}
    for name in _OF_A_SIDE:
        kind = bool if name == "counts" else float
        for side in ("", "_base"):
            table[f"{name}{side}"] = rounds[f"{name}{side}"].to_numpy(dtype=kind)
    of_sessions = _of_pairs(rounds, by)
    names = rounds[by].iloc[[places[0] for places in of_sessions]].to_dict("records")
    records = [
        {**name, **record}
        for name, places in zip(names, of_sessions, strict=True)
        for record in _of_session(
            {c: rows[places] for c, rows in table.items()}, measures
        )
    ]
    return pd.DataFrame.from_records(records, columns=[*by, *_COLUMNS])


_OF_A_SIDE = ("counts", "per_op", *SUMS)


def _of_pairs(rounds: pd.DataFrame, by: Sequence[str]) -> list[np.ndarray]:
    """``places_of`` of rounds: all of a pair have the names of its first."""
    pairs = rounds["pair"].to_numpy()
    starts = np.flatnonzero(np.diff(pairs, prepend=-1))
    sizes = np.diff(starts, append=pairs.size)
    ends = np.concatenate([[0], np.cumsum(sizes)])
    groups = places_of(rounds.iloc[starts], by)
    return [
        np.concatenate([np.arange(ends[pair], ends[pair + 1]) for pair in group])
        for group in groups
    ]


def places_of(rows: pd.DataFrame, by: Sequence[str]) -> list[np.ndarray]:
    """The places of the rows of each group, in the order in which groups appear."""
    if rows.empty:
        return []
    numbers = rows.groupby(list(by), sort=False, dropna=False).ngroup().to_numpy()
    order = np.argsort(numbers, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(numbers[order])) + 1)


_COLUMNS = ("group", "measure", "part", *RateRatio._fields, "rounds", "alone", "head",
            "head_base")  # fmt: skip


def _of_session(rows: Columns, measures: Collection[str]) -> Iterator[dict[str, object]]:
    mine, bases = rows["counts"], rows["counts_base"]
    counts_for = float(np.log(rows["per_op"][0] / rows["per_op_base"][0]))
    counted = _where_counted(rows)
    shared = {
        "group": rows["group"][0],
        "rounds": int((mine & bases).sum()),
        "alone": int((mine ^ bases).sum()),
        "head": _head_cost(counted, ""),
        "head_base": _head_cost(counted, "_base"),
    }
    parts = [(THROUGHPUT, TURN, "active_ns"), (PER_CPU_SECOND, TURN, "cpu_ns")]
    if np.isfinite([shared["head"], shared["head_base"]]).all():
        parts.append((THROUGHPUT, REST, "active_ns"))
    for measure, part, time in parts:
        if measure not in measures:
            continue
        ratio = rate_ratio(*_sides(counted, time, part))
        if not np.isfinite(ratio.var):
            ratio = ratio._replace(log=log_ratio(*_sides(rows, time, part)))
        ratio = ratio._replace(log=ratio.log + counts_for)
        yield shared | {"measure": measure, "part": part} | ratio._asdict()


def _where_counted(rows: Columns) -> Columns:
    """Rounds that count for a side; nothing of a side in those that do not."""
    counts = {side: rows[f"counts{side}"] for side in ("", "_base")}
    either = counts[""] | counts["_base"]
    return {
        f"{name}{side}": np.where(mine, rows[f"{name}{side}"], 0)[either]
        for name in SUMS
        for side, mine in counts.items()
    }


def _sides(rows: Columns, time: str, part: str) -> tuple[Counted, Counted]:
    me, base = (_counted(rows, time, part, side) for side in ("", "_base"))
    return me, base


def _counted(rows: Columns, time: str, part: str, side: str) -> Counted:
    ops, spent = rows[f"ops{side}"], rows[f"{time}{side}"]
    if part == TURN:
        return Counted(ops, spent)
    return Counted(ops - rows[f"head_ops{side}"], spent - rows[f"head_ns{side}"])


def _head_cost(rows: Columns, side: str) -> float:
    """By which share the rate of whole turns is below that of their rest."""
    whole, rest = (_counted(rows, "active_ns", part, side) for part in (TURN, REST))
    if whole.ops.sum() - rest.ops.sum() < _IN_A_HEAD * (whole.time > 0).sum():
        return np.nan
    return float(-np.expm1(log_ratio(whole, rest)))
