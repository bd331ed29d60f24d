"""What each function costs per operation, and which functions explain a change of it.

A profile says which share of the CPU a function has, the run's counters say how much CPU
an operation takes; their product is a cost that two versions can be compared by. Shares
alone cannot: a function that costs the same has a larger share where another got faster.

A function is what ``profile_names`` says: its clones and overloads are one; the kernel's
and user functions of one name are two.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.errors import UserError
from benchmath.frames import (
    METRIC,
    Kind,
    check_base,
    name_of,
    names_of_tests,
    require,
    tied_labels,
)
from benchmath.profiles.costs import CAPTURE, costs_of
from benchmath.profiles.names import KERNEL
from benchmath.profiles.noise import Side, differences, whole
from benchmath.profiles.sums import Functions, Sums, plainest, sums

ROOT = "(root)"  # the caller of what nothing called
_FIXED = ("step", "tree", "event")
_VALUES = ("self", "inclusive", "self_error", "inclusive_error")
FRAME_COSTS = Kind("frame_costs", (
    *CAPTURE, "frame", "kind", *_VALUES, "one_sample", "self_samples", "samples", "unit",
    "cost", "callers",
))  # fmt: skip
FrameCosts = Annotated[pd.DataFrame, FRAME_COSTS]


def frame_costs(stacks: pd.DataFrame, costs: pd.DataFrame) -> FrameCosts:
    """Per run, step, tree, event and function: its cost per operation.

    ``stacks``: run_id, step, tree, event, frames (root first, joined by ";"), kinds,
    weight, samples. ``costs``: run_id, step (and tree) with ``cpu_o``, the us of CPU per
    operation of the processes that were profiled; what other events need, and the errors,
    are those of ``profile_costs.costs_of``.

    Columns: run_id, step, tree, event; frame; kind (user, kernel, jit, unknown; inlined
    where it has no copy of its own); self and inclusive (share of the weight x the cost
    of the whole; a function that calls itself is counted once per stack) in ``unit`` (us,
    or events) per operation; self_error and inclusive_error, the standard errors that
    sampling makes; one_sample, the cost that one sample stands for; self_samples and
    samples; cost, that of the whole; callers, pairs of a caller and the part of ``self``
    that it called. Largest self first within each capture.
    """
    functions = Functions()
    shares = sums(stacks, functions.of, lambda: len(functions.kinds))
    totals, units = costs_of(shares.captures, costs)
    callers = _callers(shares, totals, functions)
    parts = []
    for at, capture in enumerate(shares.captures.to_dict("records")):
        there = np.flatnonzero(shares.inclusive[at] > 0)
        part = functions.frame().iloc[there].reset_index(drop=True)
        for name in _VALUES:
            part[name] = getattr(shares, name)[at][there] * totals[at]
        part["one_sample"] = totals[at] / capture["samples"]
        for name in ("self_samples", "samples"):
            part[name] = getattr(shares, name)[at][there].round().astype(int)
        part["callers"] = [callers.get((at, int(i)), ()) for i in there]
        named = {name: capture[name] for name in CAPTURE}
        part = part.assign(**named, unit=units[at], cost=totals[at])
        parts.append(part.sort_values(["self", "inclusive"], ascending=False))
    if not parts:
        return pd.DataFrame(columns=list(FRAME_COSTS.columns))
    return FRAME_COSTS.of(pd.concat(parts, ignore_index=True), ())


def explained(
    frame_costs: FrameCosts, base: Mapping[str, str], me: Mapping[str, str]
) -> pd.DataFrame:
    """The functions that explain a difference in cost, the largest difference first.

    ``frame_costs`` is the frame of that name with the columns of the dimensions that
    ``base`` and ``me`` name (``frames.with_dimensions``); rows that differ in any other
    dimension, or in step, tree or event, are compared apart. A function that a side has
    not costs 0 there.

    Columns: those that tell the comparisons apart; test, the step with those of them
    that differ (``frames.names_of_tests``); me and base (names); rank; frame;
    kind; value and value_base (mean self cost per operation), difference with its 95%
    interval low and high, p, q, detected, samples, samples_base, n, n_base and interval
    (see ``noise``); share of ``whole``, the difference of all together (NaN where
    the interval of that, whole_low to whole_high, holds 0); inclusive, inclusive_base and
    inclusive_difference; callers, pairs of a caller and the part of the difference that
    went through it, largest first; unit.

    UserError where no run is base or me; ValueError where machines are mixed.
    """
    require(frame_costs, FRAME_COSTS.columns)
    all_rows = frame_costs.reset_index(drop=True)
    is_base = check_base(all_rows, base, FRAME_COSTS)
    is_me = chosen(all_rows, me, FRAME_COSTS)
    apart = _apart(all_rows, {**base, **me})
    one_machine(all_rows, apart)
    parts = []
    for values, rows in all_rows.groupby(apart, dropna=False, sort=False):
        sides = rows[is_me[rows.index]], rows[is_base[rows.index]]
        if all(len(side) for side in sides):
            part = _compared(*sides).assign(**dict(zip(apart, values, strict=True)))
            parts.append(part.assign(me=name_of(me), base=name_of(base)))
    if not parts:
        raise UserError(
            f"no step was profiled with both {name_of(base)} and {name_of(me)}"
        )
    made = pd.concat(parts, ignore_index=True)
    own = Kind("explained", tuple(c for c in made.columns if c not in apart))
    made["test"] = names_of_tests(made, own, [*_FIXED[1:], "me", "base"])
    first = [*apart, "test", "me", "base", "rank", "frame", "kind"]
    return made[[*first, *(c for c in made.columns if c not in first)]]


def _compared(me: pd.DataFrame, base: pd.DataFrame) -> pd.DataFrame:
    """One comparison: a row per function of either side."""
    keys = ["frame", "kernel"]
    me, base = (s.assign(kernel=s["kind"] == KERNEL) for s in (me, base))
    both = pd.concat([base, me])
    functions = both.groupby(keys, sort=True)["kind"].agg(plainest).reset_index()
    items = pd.MultiIndex.from_frame(functions[keys])
    made = pd.concat(
        [functions[["frame", "kind"]], differences(_side(me, items), _side(base, items))],
        axis="columns",
    )
    for name, side in (("inclusive", me), ("inclusive_base", base)):
        made[name] = _matrix(side, items, "inclusive").mean(axis=0)
    made["inclusive_difference"] = made["inclusive"] - made["inclusive_base"]
    made["callers"] = _caller_differences(me, base, items)
    made["unit"] = both["unit"].iloc[0]
    costs = [s.groupby("run_id")["cost"].first().to_numpy(float) for s in (me, base)]
    change, low, high = whole(*costs)
    clear = np.isnan(low) or low > 0 or high < 0
    made["share"] = made["difference"] / (change or np.nan) if clear else np.nan
    made = made.assign(whole=change, whole_low=low, whole_high=high)
    size = made["difference"].abs()
    made = made.iloc[np.lexsort([made["frame"], -size])].reset_index(drop=True)
    return made.assign(rank=made.index + 1)


def _side(rows: pd.DataFrame, items: pd.MultiIndex) -> Side:
    runs = rows.groupby("run_id", sort=True)
    cost, least = runs["cost"].first().to_numpy(float), runs["one_sample"].first()
    errors = np.maximum(_matrix(rows, items, "self_error"), least.to_numpy()[:, None])
    shares = _matrix(rows, items, "self") / cost[:, None]
    samples = _matrix(rows, items, "self_samples")
    return Side(shares, errors / cost[:, None], samples, cost)


def _matrix(rows: pd.DataFrame, items: pd.MultiIndex, column: str) -> np.ndarray:
    """A row per run, a column per function, 0 where the run has it not."""
    wide = rows.pivot_table(
        index="run_id", columns=["frame", "kernel"], values=column, aggfunc="sum"
    )
    return wide.reindex(columns=items).fillna(0.0).sort_index().to_numpy(float)


def _caller_differences(
    me: pd.DataFrame, base: pd.DataFrame, items: pd.MultiIndex
) -> list[tuple[tuple[str, float], ...]]:
    """Per function its callers, each with its part of the difference."""
    by_function: dict[tuple[str, bool], dict[str, float]] = {}
    for side, sign in ((me, 1.0), (base, -1.0)):
        runs = side["run_id"].nunique()
        rows = zip(side["frame"], side["kernel"], side["callers"], strict=True)
        for frame, kernel, callers in rows:
            mine = by_function.setdefault((frame, bool(kernel)), {})
            for caller, cost in callers:
                mine[caller] = mine.get(caller, 0.0) + sign * cost / runs
    return [_largest(by_function.get(item, {})) for item in items]


def _largest(callers: Mapping[str, float]) -> tuple[tuple[str, float], ...]:
    return tuple(sorted(callers.items(), key=lambda pair: (-abs(pair[1]), pair[0])))


def _apart(rows: FrameCosts, named: Mapping[str, str]) -> list[str]:
    """The columns in which both sides are equal; not labels that follow from others."""
    dims = list(FRAME_COSTS.dimensions(rows))
    cells = rows[dims].drop_duplicates()
    tied = tied_labels(cells, named, dims)
    return [c for c in dims if c not in {*named, *tied}] + list(_FIXED)


def chosen(rows: pd.DataFrame, me: Mapping[str, str], kind: Kind = METRIC) -> pd.Series:
    """True for the rows that are compared with the base; UserError where none is."""
    try:
        return check_base(rows, me, kind)
    except UserError as error:
        raise UserError(str(error).replace("base:", "me:", 1)) from None


def one_machine(rows: pd.DataFrame, apart: Sequence[str]) -> None:
    """ValueError where what is compared was measured on two machines."""
    if "machine_id" not in rows:
        return
    mixed = rows.groupby(list(apart), dropna=False)["machine_id"].nunique()
    if (mixed > 1).any():
        raise ValueError("profiles of different machines are not compared")


def _callers(
    shares: Sums, totals: np.ndarray, functions: Functions
) -> dict[tuple[int, int], tuple[tuple[str, float], ...]]:
    """By capture and function, largest first."""
    names = functions.frame()["frame"]
    made: dict[tuple[int, int], dict[str, float]] = {}
    for (at, caller, leaf), share in shares.links.items():
        mine = made.setdefault((at, leaf), {})
        name = ROOT if caller < 0 else str(names.iloc[caller])
        mine[name] = mine.get(name, 0.0) + share * totals[at]
    return {key: _largest(callers) for key, callers in made.items()}
