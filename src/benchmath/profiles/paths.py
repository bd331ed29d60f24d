"""The tree that a flame graph draws: every path of calls with what it costs.

A row per path, a parent before its children and the largest child first, with the columns

- node, parent (-1 of the root), depth; frame; kind (that of ``profile_names``, and
  process, all, merged);
- inclusive and self, mean over the profiles, in ``unit`` per operation (``%`` without
  costs); share of the whole;
- merged: paths that this row stands for. Paths narrower than ``least`` of the whole are
  one frame of their parent where they reach that together, else they are not drawn;
- least, profiles.

Of two versions also inclusive_base, and of the code of the frame itself, without its
callees, self_base, difference, low, high and detected (see ``noise``): those of
the function, wherever it is called, or with ``by="path"`` of this path alone. A version
that inlines a function, or puts one more between, has other paths: what is the same code
is then found by function only. gone: what the base spends in functions (or paths) that me
surely has not. A merged row has no difference.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
import pandas as pd

from benchmath.frames import check_base, name_of, require, with_dimensions
from benchmath.profiles.costs import costs_of
from benchmath.profiles.functions import chosen, one_machine
from benchmath.profiles.names import KERNEL, MERGED, PROCESS
from benchmath.profiles.noise import Side, differences
from benchmath.profiles.sums import Frame, Functions, Sums, plainest, sums

LEAST = 0.002  # of the whole: a pixel of a page's width
MOST = 400  # frames that a graph carries
ALL = "all"
_SUMMED = ("inclusive", "inclusive_base")
_CHANGE = ("difference", "low", "high", "p", "q")


def flame_paths(
    stacks: pd.DataFrame,
    costs: pd.DataFrame | None = None,
    least: float = LEAST,
    most: int = MOST,
) -> pd.DataFrame:
    """The tree of some profiles of one step, tree and event, as a mean of them.

    ``stacks`` and ``costs`` are those of ``profiles.frame_costs``; without costs all is
    in percent. ValueError where steps, trees or events are mixed.
    """
    paths, shares = _sums(stacks)
    whole, unit = _whole(shares, costs)
    made = paths.frame()
    for name, share in (("inclusive", shares.inclusive), ("self", shares.self)):
        made[name] = (share * whole[:, None]).mean(axis=0)
    made = made.assign(unit=unit, profiles=len(whole))
    return _drawn(made, least, most)


def flame_change(
    stacks: pd.DataFrame,
    costs: pd.DataFrame,
    runs: pd.DataFrame,
    base: Mapping[str, str],
    me: Mapping[str, str],
    by: Literal["function", "path"] = "function",
    least: float = LEAST,
    most: int = MOST,
) -> pd.DataFrame:
    """The tree of two versions: what each path costs in both, and what changed.

    ``runs`` has run_id and the dimensions that ``base`` and ``me`` name; runs that are
    neither are left out.
    """
    dims = [*dict.fromkeys([*base, *me])]
    names = [*dims, *(c for c in ("machine_id",) if c in runs.columns)]
    rows = with_dimensions(stacks, runs, names).reset_index(drop=True)
    is_base, is_me = check_base(rows, base), chosen(rows, me)
    rows = rows[is_base | is_me].assign(is_me=is_me[is_base | is_me])
    one_machine(rows, ["step"])
    paths, shares = _sums(rows)
    whole, unit = _whole(shares, costs)
    mine = rows.groupby("run_id", observed=True)["is_me"].first()
    at_me = shares.captures["run_id"].map(mine).to_numpy(bool)
    made = paths.frame()
    for name, share in (("inclusive", shares.inclusive), ("self", shares.self)):
        for end, at in (("", at_me), ("_base", ~at_me)):
            made[name + end] = (share * whole[:, None])[at].mean(axis=0)
    if by == "function":
        functions = Functions()
        shares = sums(rows, functions.of, lambda: len(functions.kinds))
    compared = differences(*(_side(shares, whole, at) for at in (at_me, ~at_me)))
    which = functions.numbers_of(made) if by == "function" else made["node"].to_numpy()
    for name in (*_CHANGE, "detected"):
        made[name] = compared[name].reindex(which).to_numpy()
    made["detected"] = made["detected"].fillna(False).astype(bool)
    gone = compared["value_base"][compared["detected"] & (compared["value"] == 0)].sum()
    sides = {"me": name_of(me), "base": name_of(base), "by": by, "gone": float(gone)}
    made = made.assign(unit=unit, profiles=len(whole), **sides)
    return _drawn(made, least, most)


def _sums(stacks: pd.DataFrame) -> tuple[_Paths, Sums]:
    require(stacks, ("step", "tree", "event"))
    if stacks.empty:
        raise ValueError("there are no stacks to draw")
    for column in ("step", "tree", "event"):
        values = stacks[column].astype(str).unique()
        if len(values) > 1:
            raise ValueError(f"stacks of {column} {', '.join(values)}: choose one")
    several = "comm" in stacks and stacks["comm"].nunique() > 1
    paths = _Paths(several)
    return paths, sums(stacks, paths.of, lambda: len(paths.kinds))


def _whole(shares: Sums, costs: pd.DataFrame | None) -> tuple[np.ndarray, str]:
    if costs is None:
        return np.full(len(shares.captures), 100.0), "%"
    whole, units = costs_of(shares.captures, costs)
    return whole, units[0]


def _side(shares: Sums, whole: np.ndarray, at: np.ndarray) -> Side:
    return Side(
        shares.self[at], shares.self_error[at], shares.self_samples[at], whole[at]
    )


def _drawn(tree: pd.DataFrame, least: float, most: int) -> pd.DataFrame:
    """The paths that are wide enough, narrow ones merged, in the order to draw them."""
    sides = [c for c in _SUMMED if c in tree]
    shares = tree[sides] / tree[sides].iloc[0]
    limit = least
    while (shares >= limit).sum().max() > most:
        limit *= 1.25
    tree = tree.assign(size=shares.max(axis="columns"))
    wide = tree["size"] >= limit
    nodes = tree[wide].assign(merged=0)
    merged = _merged(tree[~wide & tree["parent"].isin(nodes["node"])])
    both = pd.concat([nodes, merged[merged["size"] >= limit]], ignore_index=True)
    both = both.assign(share=both["inclusive"] / tree["inclusive"].iloc[0], least=limit)
    return both.iloc[_order(both)].drop(columns="size").reset_index(drop=True)


def _merged(beside: pd.DataFrame) -> pd.DataFrame:
    """One row per parent: the narrow paths under it."""
    grouped = beside.groupby("parent")
    made = grouped.first()
    summed = [*(c for c in _SUMMED if c in beside), "size"]
    made[summed] = grouped[summed].sum()
    made["merged"] = grouped.size()
    for name in _SUMMED:
        if name in made:
            made[name.replace("inclusive", "self")] = made[name]
    made["frame"] = [f"({n} narrow frame{'s' * (n > 1)})" for n in made["merged"]]
    made["kind"], made["node"] = MERGED, -2 - made.index
    absent = [name for name in _CHANGE if name in made]
    made[absent] = np.nan
    if "detected" in made:
        made["detected"] = False
    return made.reset_index()


def _order(tree: pd.DataFrame) -> list[int]:
    """Positions, depth first; of one parent the widest first, merged ones last."""
    below: dict[int, list[int]] = {}
    keys = zip(tree["kind"] == MERGED, -tree["size"], tree["frame"], strict=True)
    ranked = sorted(enumerate(keys), key=lambda pair: pair[1])
    parents = tree["parent"].tolist()
    for at, _ in ranked:
        below.setdefault(parents[at], []).append(at)
    nodes = tree["node"].tolist()
    order, waiting = [], [*reversed(below[-1])]
    while waiting:
        at = waiting.pop()
        order.append(at)
        waiting += reversed(below.get(nodes[at], []))
    return order


class _Paths:
    """Numbers of the paths, in the order in which they are met; 0 is the root."""

    def __init__(self, with_comm: bool) -> None:
        self.with_comm = with_comm
        self.numbers: dict[tuple[int, str, bool], int] = {}
        self.kinds, self.names, self.depths, self.parents = [ALL], [ALL], [0], [-1]

    def of(self, comm: str, frames: tuple[Frame, ...]) -> list[int]:
        """The paths of a stack, from the root down."""
        numbers = [0]
        first = [(comm, PROCESS)] if self.with_comm else []
        for name, kind in [*first, *frames]:
            numbers.append(self._number(numbers[-1], name, kind))
        return numbers

    def frame(self) -> pd.DataFrame:
        """Columns node, parent, depth, frame, kind; a row per number."""
        return pd.DataFrame(
            {
                "node": range(len(self.names)), "parent": self.parents,
                "depth": self.depths, "frame": self.names, "kind": self.kinds,
            }
        )  # fmt: skip

    def _number(self, parent: int, name: str, kind: str) -> int:
        key = (parent, name, kind == KERNEL)
        number = self.numbers.setdefault(key, len(self.names))
        if number == len(self.names):
            self.names.append(name)
            self.parents.append(parent)
            self.depths.append(self.depths[parent] + 1)
            self.kinds.append(kind)
        elif kind != PROCESS:
            self.kinds[number] = plainest((self.kinds[number], kind))
        return number
