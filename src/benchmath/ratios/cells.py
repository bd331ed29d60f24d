"""Cells of a comparison and the noise of each: what repeats, and with whom it is pooled.

Cells that differ in nothing but what is compared form a group, machine x step: they
share their noise. What repeats in a group is the run or, where a version was built or
loaded several times, the build or the load: runs of one build are no repetitions of the
version, so they are averaged first.
"""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchmath.frames import MEASUREMENT
from benchmath.prose import joined
from benchmath.ratios.interleaving import interleaved, rounds
from benchmath.ratios.pooling import (
    Pool,
    Runs,
    moderate,
    neighbour_variance,
    pool_runs,
)


def codes(rows: pd.DataFrame, keys: Sequence[str]) -> np.ndarray:
    """Rows that are equal in ``keys`` as equal numbers from 0, as they first appear."""
    if not keys:
        return np.zeros(len(rows), dtype=np.intp)
    return rows.groupby(list(keys), dropna=False, sort=False).ngroup().to_numpy()


def logs(rows: pd.DataFrame) -> np.ndarray:
    """Natural logarithms of the values; that of a run of 0 is minus infinity."""
    with np.errstate(divide="ignore"):
        return np.log(rows["value"].to_numpy(dtype=float))


def cells_frame(rows: pd.DataFrame, cell: np.ndarray) -> pd.DataFrame:
    """One row per cell in numbers; ``cell`` is each run's, as ``codes`` counts them.

    Columns: those of ``rows``, as they are in the first run of the cell, and n, mean_log,
    var_log, value (geometric mean), mean and var (arithmetic), min and max of its runs. A
    run of 0 makes the logarithms infinite or NaN.
    """
    first = np.flatnonzero(~pd.Series(cell).duplicated().to_numpy())
    numbers = pd.DataFrame({"cell": cell, "log": logs(rows), "value": rows["value"]})
    grouped = numbers.groupby("cell")
    log, value = grouped["log"], grouped["value"]
    low, high = value.min().to_numpy(float), value.max().to_numpy(float)
    mean = log.mean().to_numpy()
    return (
        rows.iloc[first]
        .reset_index(drop=True)
        .assign(
            n=log.size().to_numpy(),
            mean_log=mean,
            var_log=log.var().to_numpy(),
            value=np.where(
                low == high, low, np.exp(mean)
            ),  # not nearly its value, but it
            mean=np.where(low == high, low, value.mean()),
            var=np.where((low == high) & (log.size() > 1), 0.0, value.var()),
            min=low,
            max=high,
        )
    )


def noise_of_cells(
    cells: pd.DataFrame,
    rows: pd.DataFrame,
    cell: np.ndarray,
    group: np.ndarray,
    across: bool = False,
) -> pd.DataFrame:
    """The noise of one repetition of each cell: a row per cell, in their order.

    ``cell`` is the number of each run's cell, ``group`` that of each cell's group.
    ``across`` says that cells of several machines are compared, which share no trials.
    Columns:

    * group (number); n (runs); level (what repeats in the group: run, load or build);
      units (repetitions); mean_log and value: over the units;
    * own_var: variance of a unit's logarithm in this cell alone, NaN for one unit;
    * var, df: the same of the group, pooled over its cells and moderated over the groups
      of its machine; source: pooled, assumed (where no cell of the group repeats: from
      neighbouring versions) or '' (NaN);
    * odd: the spread differs clearly from that of the group, whose pool it is not in;
    * in_trials: differences are taken within rounds (see ``interleaved``);
    * run_var: of one run within its build or load; NaN where the run is the unit;
    * build_no, load_no (the first), loads (how many).
    """
    runs = _runs(rows, cell, group)
    units, level, run_var = _units(runs, int(group.max(initial=-1)) + 1)
    in_trials = interleaved(runs, level.size) & (level == "run") & (not across)
    log, members, block = (units[c].to_numpy() for c in ("log", "cell", "block"))
    pool = pool_runs(Runs(log, members, block, group, in_trials))
    own = _own(cells, units, level[group] != "run")
    machine = codes(cells, ["machine"] if "machine" in cells.columns else [])
    first = np.flatnonzero(~pd.Series(group).duplicated().to_numpy())
    family = pd.DataFrame({"machine": machine[first], "level": level})
    var, df, source = _borrowed(
        pool, own["mean_log"].to_numpy(), group, codes(family, ["machine", "level"])
    )
    shared = {"level": level, "var": var, "df": df, "source": source}
    shared |= {"in_trials": in_trials, "run_var": run_var}
    of_group = {name: values[group] for name, values in shared.items()}
    parts = {"group": group, "n": cells["n"], "odd": pool.odd} | of_group
    return pd.concat([pd.DataFrame(parts), own, _numbers(runs)], axis="columns")


def _own(cells: pd.DataFrame, units: pd.DataFrame, averaged: np.ndarray) -> pd.DataFrame:
    """units, mean_log, value and own_var of each cell, over its units."""
    grouped = units.groupby("cell")["log"]
    n, mean, var = grouped.size(), grouped.mean(), grouped.var()
    equal = cells["min"] == cells["max"]  # arithmetic would find a spread of 1e-16
    return pd.DataFrame(
        {
            "units": n,
            "mean_log": mean,
            "value": cells["value"].where(~averaged | equal, np.exp(mean)),
            "own_var": var.where(~equal | (n == 1), 0.0),
        }
    )


def _numbers(runs: pd.DataFrame) -> pd.DataFrame:
    """build_no and load_no (the first) and loads (how many) of each cell."""
    first = runs.groupby("cell")[["build_no", "load_no"]].min()
    loads = runs.drop_duplicates(["cell", "build_no", "load_no"])["cell"]
    return first.assign(loads=np.bincount(loads, minlength=len(first)))


def _runs(rows: pd.DataFrame, cell: np.ndarray, group: np.ndarray) -> pd.DataFrame:
    """log, cell, group of each run, and what tells repetitions apart; 1 if unknown.

    The lines of a file do not say in which order what they tell of was run.
    """
    names = {"build_no": 1, "load_no": 1, "set": "", "position": np.nan}
    columns = {c: rows[c].to_numpy() for c in names if c in rows.columns}
    runs = pd.DataFrame({"log": logs(rows), "cell": cell, "group": group[cell]})
    runs = runs.assign(**(names | columns))
    if "origin" in rows.columns:
        printed = (rows["origin"] == "published").to_numpy()
        runs["position"] = runs["position"].mask(printed)
    runs = runs.assign(round=rounds(runs))
    return runs.assign(block=codes(runs, ["group", "round"]))


def _units(
    runs: pd.DataFrame, groups: int
) -> tuple[pd.DataFrame, np.ndarray, np.ndarray]:
    """log, cell and block per unit; per group its level and the variance within units."""
    load, build = ["cell", "build_no", "load_no"], ["cell", "build_no"]
    level = np.full(groups, "run", dtype=object)
    for name, keys in (("load", load), ("build", build)):
        repeated = runs.drop_duplicates(keys)["cell"].value_counts() > 1
        cells = repeated.index[repeated]
        level[runs.loc[runs["cell"].isin(cells), "group"].unique()] = name
    level_of_run = level[runs["group"]]
    run_var = np.full(groups, np.nan)
    averaged = runs[level_of_run != "run"]
    if averaged.empty:
        return runs, level, run_var

    grouped = averaged.groupby(load, sort=False)["log"]
    within = (averaged["log"] - grouped.transform("mean")) ** 2
    squares = np.bincount(averaged["group"], within, groups)
    df = np.bincount(averaged["group"], minlength=groups)
    loads = averaged.groupby([*load, "group"], sort=False)["log"].mean().reset_index()
    df = df - np.bincount(loads["group"], minlength=groups)
    run_var = squares / np.where(df > 0, df, np.nan)
    builds = loads.groupby([*build, "group"], sort=False)["log"].mean().reset_index()
    parts = [runs[level_of_run == "run"]]
    parts += [
        part[level[part["group"]] == name].assign(block=len(runs))
        for name, part in (("load", loads), ("build", builds))
    ]
    return pd.concat(parts, ignore_index=True), level, run_var


def _borrowed(
    pool: Pool, means: np.ndarray, group: np.ndarray, family: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Per group variance, df and source: its own moderated, else that of neighbours."""
    var, df = pool.var.copy(), pool.df.copy()
    source = np.where(df > 0, "pooled", "").astype(object)
    for g in np.flatnonzero(df == 0):
        var[g], df[g] = neighbour_variance(means[group == g])
        source[g] = "assumed" if df[g] > 0 else ""
    for name in ("pooled", "assumed"):
        for f in np.unique(family[source == name]):
            chosen = (family == f) & (source == name)
            posterior = moderate(var[chosen], df[chosen])
            var[chosen], df[chosen] = posterior.var, posterior.df
    return var, df, source


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
