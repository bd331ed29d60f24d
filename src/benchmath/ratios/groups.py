"""Groups of steps as the field publishes them: summaries, and groups as tests."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchmath.frames import (
    dimensions_of,
    ordered,
    places,
    require,
    row_per_group,
    select,
)
from benchmath.prose import joined
from benchmath.ratios.relative import relative
from benchmath.ratios.suite import in_common, step_means

STATISTICS = ("average", "median", "min", "max", "stddev", "geomean")

# The 42 sysbench tests of 2024 by group, each in the order of the archives. No archive
# says which point tests are in which part: of all ways to cut the 17 only this one gives
# the published figures of both parts; and 42 = 11 + 6 + 9 + 6 + 10 only with the scan
# among the range queries.
_MEMBERS = {
    "p1": """
        hot-points_range=100 point-query.pre_range=100 point-query_range=100
        points-covered-pk.pre_range=100 points-covered-pk_range=100
        points-covered-si.pre_range=100 points-covered-si_range=100
        points-notcovered-pk.pre_range=100 points-notcovered-pk_range=100
        points-notcovered-si.pre_range=100 points-notcovered-si_range=100""",
    "p2": """
        random-points.pre_range=1000 random-points.pre_range=100
        random-points.pre_range=10 random-points_range=1000
        random-points_range=100 random-points_range=10""",
    "r1": """
        range-covered-pk.pre_range=100 range-covered-pk_range=100
        range-covered-si.pre_range=100 range-covered-si_range=100
        range-notcovered-pk.pre_range=100 range-notcovered-pk_range=100
        range-notcovered-si.pre_range=100 range-notcovered-si_range=100
        scan_range=100""",
    "r2": """
        read-only.pre_range=10000 read-only.pre_range=100 read-only.pre_range=10
        read-only_range=10000 read-only_range=100 read-only_range=10""",
    "w": """
        delete_range=100 insert_range=100 read-write_range=100 read-write_range=10
        update-index_range=100 update-inlist_range=100 update-nonindex_range=100
        update-one_range=100 update-zipf_range=100 write-only_range=10000""",
}
SYSBENCH_GROUPS: Mapping[str, str] = {
    step: group for group, steps in _MEMBERS.items() for step in steps.split()
}
SYSBENCH_GROUP_TITLES: Mapping[str, str] = {
    "p1": "point queries, part 1",
    "p2": "point queries, part 2",
    "r1": "range queries without aggregation",
    "r2": "range queries with aggregation",
    "w": "writes",
}
SYSBENCH_TITLED: Mapping[str, str] = {
    step: SYSBENCH_GROUP_TITLES[group] for step, group in SYSBENCH_GROUPS.items()
}


def group_summary(
    relative: pd.DataFrame,
    groups: Mapping[str, str | None],
    by: Sequence[str] = ("me", "base"),
) -> pd.DataFrame:
    """Average, median, min, max, stddev (n-1) and geometric mean by group.

    ``relative`` needs step, relative and the columns of ``by``. ``groups`` maps every
    step to its group, or to None to leave it out; a step it does not name raises.
    Columns: ``by``, group, n (members with a ratio), missing (names of those without),
    the six statistics, note. A single member has no stddev.
    """
    require(relative, ("step", "relative", *by))
    unknown = [s for s in dict.fromkeys(relative["step"]) if s not in groups]
    if unknown:
        raise ValueError(f"no group is given for step {', '.join(map(str, unknown))}")

    grouped = relative.assign(group=relative["step"].map(groups))
    grouped = grouped[grouped["group"].notna()]
    columns = ["n", "missing", *STATISTICS, "note"]
    table = row_per_group(grouped, [*by, "group"], _row, columns)
    rank = places(table["group"], groups.values())
    first = table.groupby(list(by), sort=False, dropna=False).ngroup()
    return table.assign(first=first, rank=rank).sort_values(
        ["first", "rank"], ignore_index=True
    )[[*by, "group", *columns]]


def _row(members: pd.DataFrame) -> dict[str, object]:
    present = members[members["relative"].notna()]
    missing = [str(s) for s in members.loc[members["relative"].isna(), "step"]]
    values = present["relative"].to_numpy(dtype=float)
    if (values <= 0).any():
        raise ValueError("a relative throughput of 0 has no geometric mean")

    notes = [f"without {', '.join(missing)}"] if missing else []
    if values.size == 1:
        notes.append("1 member: no stddev")
    row = dict.fromkeys(STATISTICS, np.nan)
    if values.size:
        row = {
            "average": values.mean(),
            "median": np.median(values),
            "min": values.min(),
            "max": values.max(),
            "stddev": values.std(ddof=1) if values.size > 1 else np.nan,
            "geomean": np.exp(np.log(values).mean()),
        }
    text = "; ".join(notes)
    return {"n": values.size, "missing": ", ".join(missing), "note": text} | row


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
    return ordered(both, {"group": groups.values()}).reset_index(drop=True)


def _as_summary(figures: pd.DataFrame, version: str, base: str) -> pd.DataFrame:
    """The published figures of one comparison in the columns of ``group_summary``."""
    wide = figures.pivot(index="step", columns="metric", values="value")
    wide = wide.reindex(columns=list(STATISTICS)).reset_index(names="group")
    source = joined(figures["source"])
    fixed = {"me": f"{version}, {source}", "base": base, "n": np.nan}
    return wide.assign(**fixed, missing="", note="")
