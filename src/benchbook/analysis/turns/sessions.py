"""The ratio of each arm to its base within one session: what one load says."""

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from benchbook.analysis.turns.rates import Counted, RateRatio, log_ratio, rate_ratio
from benchbook.analysis.turns.rounds import SUMS

THROUGHPUT = "throughput"
PER_CPU_SECOND = "ops per CPU second"
TURN, REST = "turn", "rest"
_IN_A_HEAD = 2.0  # operations; of longer ones only the end is seen, at any time by chance


def session_ratios(rounds: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """One row per session, arm, step, op, measure and part of the turn.

    ``rounds`` is the frame of ``paired_rounds``, ``keys`` its dimensions, step and op.
    Parts are whole turns (turn) and turns without their first tenth (rest, of throughput
    only: CPU time is known of whole turns). Columns: the keys, session, group, measure,
    part, log (of the ratio), var, df, autocorrelation; rounds that count for both sides;
    alone: turns of one side in rounds that the other was not in; head and head_base: by
    how much the first tenth of a turn lowers the rate of a side, a share, NaN if unknown.

    Where the rounds give no variance (a step of few operations, as the creation of an
    index) the ratio is that of all turns, the first and the last included.
    """
    records = [
        dict(zip(keys, values[:-1], strict=True)) | {"session": values[-1]} | record
        for values, rows in rounds.groupby([*keys, "session"], sort=False, dropna=False)
        for record in _of_session(rows)
    ]
    columns = [*keys, "session", *_COLUMNS]
    return pd.DataFrame.from_records(records, columns=columns)


_COLUMNS = ("group", "measure", "part", *RateRatio._fields, "rounds", "alone", "head",
            "head_base")  # fmt: skip


def _of_session(rows: pd.DataFrame) -> Iterator[dict[str, object]]:
    both = rows["counts"] & rows["counts_base"]
    counts_for = float(np.log(rows["per_op"].iloc[0] / rows["per_op_base"].iloc[0]))
    counted = _where_counted(rows)
    shared = {
        "group": rows["group"].iloc[0],
        "rounds": int(both.sum()),
        "alone": int((rows["counts"] ^ rows["counts_base"]).sum()),
        "head": _head_cost(counted, ""),
        "head_base": _head_cost(counted, "_base"),
    }
    measures = [(THROUGHPUT, TURN, "active_ns"), (PER_CPU_SECOND, TURN, "cpu_ns")]
    if np.isfinite([shared["head"], shared["head_base"]]).all():
        measures.append((THROUGHPUT, REST, "active_ns"))
    for measure, part, time in measures:
        ratio = rate_ratio(*_sides(counted, time, part))
        if not np.isfinite(ratio.var):
            ratio = ratio._replace(log=log_ratio(*_sides(rows, time, part)))
        ratio = ratio._replace(log=ratio.log + counts_for)
        yield shared | {"measure": measure, "part": part} | ratio._asdict()


def _where_counted(rows: pd.DataFrame) -> pd.DataFrame:
    """Rounds that count for a side; nothing of a side in those that do not."""
    counted = {
        f"{c}{side}": rows[f"{c}{side}"].where(rows[f"counts{side}"], 0)
        for c in SUMS
        for side in ("", "_base")
    }
    return rows.assign(**counted)[rows["counts"] | rows["counts_base"]]


def _sides(rows: pd.DataFrame, time: str, part: str) -> tuple[Counted, Counted]:
    me, base = (_counted(rows, time, part, side) for side in ("", "_base"))
    return me, base


def _counted(rows: pd.DataFrame, time: str, part: str, side: str) -> Counted:
    ops, spent = (rows[f"{c}{side}"].to_numpy(dtype=float) for c in ("ops", time))
    if part == TURN:
        return Counted(ops, spent)
    head, head_time = (
        rows[f"{c}{side}"].to_numpy(dtype=float) for c in ("head_ops", "head_ns")
    )
    return Counted(ops - head, spent - head_time)


def _head_cost(rows: pd.DataFrame, side: str) -> float:
    """By which share the rate of whole turns is below that of their rest."""
    whole, rest = (_counted(rows, "active_ns", part, side) for part in (TURN, REST))
    if whole.ops.sum() - rest.ops.sum() < _IN_A_HEAD * (whole.time > 0).sum():
        return np.nan
    return float(-np.expm1(log_ratio(whole, rest)))
