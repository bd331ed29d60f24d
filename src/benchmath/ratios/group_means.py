"""Groups of steps as tests of their own, and their summaries beside published ones."""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from benchmath.frames import dimensions_of, require, select
from benchmath.prose import joined
from benchmath.ratios.groups import (
    STATISTICS,
    SYSBENCH_GROUPS,
    SYSBENCH_TITLED,
    group_summary,
)
from benchmath.ratios.relative import relative
from benchmath.ratios.step_means import in_common, step_means

_COMPARISON = ["machine", "engine", "version", "relative_to"]


def group_means(
    frame: pd.DataFrame,
    groups: Mapping[str, str] = SYSBENCH_GROUPS,
    titles: Mapping[str, str] | None = None,
    metric: str = "throughput",
    dimension: str = "version",
) -> pd.DataFrame:
    """A metric frame with one step per group: the geometric mean over its steps.

    ``groups`` maps steps to groups, ``titles`` groups to what they are called; steps
    without a group are left out. Only steps that every version has count. A group of
    which no run or trial has all steps is left out.
    """
    rows = select(frame, metric)
    dims = list(dimensions_of(rows))
    apart = [d for d in dims if d != dimension]
    names = titles or {}
    parts = []
    for group in dict.fromkeys(groups.values()):
        mine = rows[rows["step"].map(groups) == group]
        mine = mine[in_common(mine, dims, apart)]
        means = step_means(mine, names.get(group, group), metric, dims)
        if means is not None:
            parts.append(means.frame)
    return pd.concat(parts, ignore_index=True)


def summaries_beside(
    frame: pd.DataFrame,
    published: pd.DataFrame,
    groups: Mapping[str, str] = SYSBENCH_TITLED,
) -> pd.DataFrame:
    """Published group summaries, each followed by the one that ``frame`` gives.

    ``published`` has machine, engine, version, relative_to ("mysql 5.6.51"), step (the
    group), metric (one of ``STATISTICS``), value and source. Comparisons of versions that
    the frame has not measured on that machine are left out. Columns are those of
    ``group_summary``; ``me`` names the version and whose figures they are. Statistics
    that were not published are NaN.
    """
    require(published, (*_COMPARISON, "step", "metric", "value", "source"))
    parts = []
    for labels, figures in published.groupby(_COMPARISON, sort=False):
        machine, engine, version, relative_to = map(str, labels)
        base_engine, _, base = relative_to.partition(" ")
        here = frame[(frame["machine"] == machine) & (frame["engine"] == engine)]
        versions = set(here["version"].astype(str))
        if engine != base_engine or not {version, base} <= versions:
            continue
        two = here[here["version"].astype(str).isin([version, base])]
        pairs = relative(two, {"version": base})
        own = group_summary(pairs[pairs["version"].astype(str) == version], groups)
        own = own.assign(base=base)
        said = _as_summary(figures, version, base)
        parts += [said, own.assign(me=f"{version}, these figures")]
    if not parts:
        columns = ["me", "base", "group", "n", "missing", *STATISTICS, "note"]
        return pd.DataFrame(columns=columns)
    both = pd.concat(parts, ignore_index=True)
    order = {group: i for i, group in enumerate(dict.fromkeys(groups.values()))}
    rank = both["group"].map(order)
    return both.assign(rank=rank).sort_values(
        ["rank"], kind="stable", ignore_index=True
    ).drop(columns="rank")  # fmt: skip


def _as_summary(figures: pd.DataFrame, version: str, base: str) -> pd.DataFrame:
    """The published figures of one comparison in the columns of ``group_summary``."""
    wide = figures.pivot(index="step", columns="metric", values="value")
    wide = wide.reindex(columns=list(STATISTICS)).reset_index(names="group")
    source = joined(figures["source"])
    fixed = {"me": f"{version}, {source}", "base": base, "n": np.nan}
    return wide.assign(**fixed, missing="", note="")
