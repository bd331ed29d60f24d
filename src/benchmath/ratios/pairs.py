"""Cells beside the base cells that they are compared with."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchmath.frames import MEASUREMENT
from benchmath.prose import joined
from benchmath.ratios.cells import codes

_OF_BUILD = ("build", "build_digest", "engine", "version", "compiler", "flags")


def matched(
    cells: pd.DataFrame, match: Sequence[str], is_base: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Row numbers of the cells to compare, and of their base cells (-1 without).

    A cell's base is the base cell that equals it in the columns of ``match``; ValueError
    if there are two.
    """
    code = codes(cells, match)
    base_of = np.full(code.max(initial=-1) + 1, -1)
    bases = np.flatnonzero(is_base)
    base_of[code[bases]] = bases
    twice = bases[base_of[code[bases]] != bases]
    if twice.size:
        raise ValueError(f"two base cells match in step {cells['step'].iloc[twice[0]]}")
    me = np.flatnonzero(~is_base)
    return me, base_of[code[me]]


NO_BASE = "no base run for this cell"
_SHOWN = 3  # dimensions that a note lists


def unmatched(
    cells: pd.DataFrame,
    match: Sequence[str],
    me: np.ndarray,
    base: np.ndarray,
    is_base: np.ndarray,
) -> list[str]:
    """Of each pair why it has no base cell: '' where it has one.

    The dimensions in which the nearest base cell of the same measurement differs, or that
    there is none.
    """  # fmt: skip
    reasons = [""] * len(me)
    lacking = np.flatnonzero(base < 0)
    if not lacking.size:
        return reasons
    measured = [c for c in match if c in MEASUREMENT]
    free = [c for c in match if c not in MEASUREMENT]
    values = cells[[*measured, *free]].astype(str)
    bases = values[is_base]
    of = {key: part for key, part in bases.groupby(measured, sort=False)}
    for pair in lacking:
        mine = values.iloc[me[pair]]
        theirs = of.get(tuple(mine[measured]))
        if theirs is None:
            same = bases[bases["step"] == mine["step"]]
            other = [c for c in measured if len(same) and mine[c] not in set(same[c])]
            told = [f"{c} is {mine[c]} here and {joined(same[c])} there" for c in other]
            why = ", ".join(told) or f"the base has no {mine['step']}"
            reasons[pair] = f"{NO_BASE}: {why}"
            continue
        differ = theirs[free].ne(mine[free])
        nearest = differ.sum(axis="columns").idxmin()
        names = [name for name in free if differ.loc[nearest, name]]
        told = [
            f"{name} is {mine[name] or 'not said'} here and "
            f"{theirs.loc[nearest, name] or 'not said'} there"
            for name in names[:_SHOWN]
        ]
        reasons[pair] = f"{NO_BASE}: {', '.join(told)}"
    return reasons


def rows_at(frame: pd.DataFrame, rows: np.ndarray) -> pd.DataFrame:
    """Rows of a frame by their numbers; row -1 is NaN."""
    return frame.reindex(rows).reset_index(drop=True)


def beside(
    cells: pd.DataFrame, match: Sequence[str], me: np.ndarray, base: np.ndarray
) -> pd.DataFrame:
    """Cells beside their bases, whose columns end in ``_base``, with their ratio.

    ``me`` and ``base`` are what ``matched`` returns. n_base is 0 without a base;
    relative is NaN without a base and where a run of 0 leaves no geometric mean.
    """
    theirs = rows_at(cells.drop(columns=list(match)), base).add_suffix("_base")
    pairs = pd.concat([rows_at(cells, me), theirs], axis="columns")
    with np.errstate(divide="ignore", invalid="ignore"):
        finite = np.isfinite(pairs["mean_log"] - pairs["mean_log_base"])
        ratio = pairs["value"] / pairs["value_base"]
    n_base = pairs["n_base"].fillna(0).astype(int)
    return pairs.assign(n_base=n_base, relative=ratio.where(finite, np.nan))


def rebuilt(pairs: pd.DataFrame, me: pd.DataFrame, base: pd.DataFrame) -> np.ndarray:
    """Are the two sides different builds? ``me`` and ``base`` are their noise."""
    differ = me["build_no"] != base["build_no"]
    for c in _OF_BUILD:
        if f"{c}_base" in pairs.columns:
            differ |= pairs[c].astype(str) != pairs[f"{c}_base"].astype(str)
    return differ.to_numpy()


def reloaded(
    me: pd.DataFrame, base: pd.DataFrame, compared: Mapping[str, str]
) -> np.ndarray:
    """Are the two sides different loads? Only arms of one cell may share theirs."""
    differ = (me["load_no"] != base["load_no"]).to_numpy()
    return differ | bool(set(compared) - {"arm"})
