"""Turns of an arm beside those of the base arm of its session, round by round."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchmath.frames import (
    check_base,
    dimensions_of,
    require,
    tied_labels,
    with_dimensions,
)
from benchmath.ratios.cells import codes, matched
from benchmath.turns.quiet import disturbed

SUMS = ("ops", "active_ns", "head_ops", "head_ns", "cpu_ns")
# Operations whose throughput is that of their rows: as the view ``metric`` has it.
IN_ROWS = ("insert", "delete", "index", "scan")
_TURN = ("run_id", "session", "step", "op", "round", "rows", *SUMS[:4],
         "client_cpu_ns", "server_cpu_ns")  # fmt: skip


def paired_rounds(
    turns: pd.DataFrame,
    runs: pd.DataFrame,
    base: Mapping[str, str],
    dimensions: Sequence[str] | None = None,
) -> pd.DataFrame:
    """One row per arm that is not the base, step, op and round.

    ``turns`` is the view of that name, ``runs`` has the dimensions of each run_id. The
    base arm of an arm is that of its session which equals it in all dimensions but those
    of ``base`` and labels that follow from the others; arms without one are left out.

    Columns: the dimensions, step, op, session, round; ops, active_ns, head_ops, head_ns,
    cpu_ns (client and server) of the arm, and those of the base with ``_base``, 0 where
    that side was not in the round;

    * per_op, per_op_base: rows of an operation, on average, where rows are what counts
      (one engine makes three indexes in one statement, another in three), else 1;
    * group: number of what is compared with one another, over all sessions;
    * counts, counts_base: the side was in the round, not at the start of the step (its
      first round), not in its own last turn, which is cut where the step ended, and
      not while others disturbed the round (``disturbed``).
    """
    dims = list(dimensions_of(runs) if dimensions is None else dimensions)
    dims += [d for d in base if d not in dims and d in runs.columns]
    known = runs.assign(is_base=check_base(runs, base))
    rows = _turns(turns)
    arms = rows.drop_duplicates("of").reset_index(drop=True)
    arms = with_dimensions(arms, known, [*dims, "is_base"])
    is_base = arms["is_base"].to_numpy(dtype=bool)
    tied = tied_labels(arms, base, dims)
    compared = [*(d for d in dims if d not in base and d not in tied), "step", "op"]
    arms = arms.assign(group=codes(arms, compared), per_op=_per_op(turns, arms))
    me, of_base = matched(arms, ["session", *compared], is_base)
    me, of_base = me[of_base >= 0], of_base[of_base >= 0]
    told = [*dims, "step", "op", "session", "run_id", "group", "per_op", "of"]
    pairs = arms.iloc[me][told]
    theirs = {
        f"{c}_base": arms[c].to_numpy()[of_base] for c in ("run_id", "per_op", "of")
    }
    return _beside(rows, pairs.assign(**theirs))


def _per_op(turns: pd.DataFrame, arms: pd.DataFrame) -> pd.Series:
    """What an operation of each arm's step counts for in its throughput."""
    sums = turns.groupby(["run_id", "step", "op"])[["rows", "ops"]].sum()
    each = (sums["rows"] / sums["ops"]).rename("per_op").reset_index()
    each = arms[["run_id", "step", "op"]].merge(each, how="left")["per_op"]
    return each.where(arms["op"].isin(IN_ROWS) & (each > 0), 1.0)


def _turns(turns: pd.DataFrame) -> pd.DataFrame:
    """The columns that are used; counts, cpu_ns and of (run, step and op) added."""
    require(turns, _TURN)
    of_step = turns.groupby(["run_id", "step"])["round"]
    quiet = ~disturbed(turns)
    inside = (turns["round"] > 1) & (turns["round"] < of_step.transform("max"))
    cpu = turns["client_cpu_ns"] + turns["server_cpu_ns"]
    # A number is matched several times as quickly as the three names that it stands for.
    of = turns.groupby(["run_id", "step", "op"], sort=False, dropna=False).ngroup()
    return turns[list(_TURN)].assign(counts=inside & quiet, cpu_ns=cpu, of=of)


def _beside(rows: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """The rounds of each pair; ``pairs`` has of and of_base, of the two sides."""
    numbers = rows["round"].to_numpy()
    span = int(numbers.max(initial=0)) + 1
    sides = [_rows_of(rows["of"], pairs[side]) for side in ("of", "of_base")]
    keys = [pair * span + numbers[places] for pair, places in sides]
    both = np.union1d(*keys)
    table = {"pair": both // span, "round": both % span}
    for side, key, (_, places) in zip(("", "_base"), keys, sides, strict=True):
        at = np.searchsorted(both, key)
        for name in ("counts", *SUMS):
            values = rows[name].fillna(0).to_numpy()
            table[f"{name}{side}"] = here = np.zeros(both.size, values.dtype)
            here[at] = values[places]
    names = pairs.iloc[table["pair"]].drop(columns=["of", "of_base"])
    return names.reset_index(drop=True).assign(**table)


def _rows_of(of: pd.Series, wanted: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """The number of each wanted one, again and again, and the places of its rows."""
    order = np.argsort(of.to_numpy(), kind="stable")
    ordered = of.to_numpy()[order]
    first = np.searchsorted(ordered, wanted)
    sizes = np.searchsorted(ordered, wanted, side="right") - first
    numbers = np.repeat(np.arange(sizes.size), sizes)
    within = np.arange(numbers.size) - (np.cumsum(sizes) - sizes)[numbers]
    return numbers, order[first[numbers] + within]
