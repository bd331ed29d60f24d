"""What a post of db_bench shows: the steps that count, setups, and what trees cost."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import fields, replace

import pandas as pd

from benchbook.results.results import Results
from benchmath.frames import METRIC, Kind, further_dimensions, ordered
from benchmath.ratios.relative import neighbours
from benchmath.ratios.verdicts import VerdictFrame, verdicts

_COSTS = Kind("tree_costs", {
    "write_amp": "ratio", "ingested": "GB", "compacted": "GB", "compacting": "s",
    "stalled": "s", "stalled share": "%", "slowdowns": "count", "stops": "count",
})  # fmt: skip
# By the figures that RocksDB prints; older releases count each cause of a stall alone.
_TREE = {
    "write_amp": "write_amp", "ingest_gb": "ingested", "c_wgb": "compacted",
    "c_wsecs": "compacting", "stall_s": "stalled", "stall_pct": "stalled share",
    "stall_total_delays": "slowdowns", "stall_level0_slowdown": "slowdowns",
    "stall_memtable_slowdown": "slowdowns",
    "stall_slowdown_for_pending_compaction_bytes": "slowdowns",
    "stall_total_stops": "stops", "stall_level0_numfiles": "stops",
    "stall_memtable_compaction": "stops",
    "stall_stop_for_pending_compaction_bytes": "stops",
}  # fmt: skip
BEFORE = "the version before"


def without_left_out(results: Results, left_out: Iterable[str]) -> Results:
    """The results without steps that only prepare others, or that nobody publishes."""
    names = list(left_out)
    frames = {
        of.name: frame[~frame["step"].isin(names)].reset_index(drop=True)
        for of in fields(results)
        if isinstance(frame := getattr(results, of.name), pd.DataFrame)
        and "step" in frame
    }
    return replace(results, **frames)


def with_dop_of_run(results: Results) -> Results:
    """Every step with the clients of its run: a load has one, whatever the setup has."""
    dop = dict(zip(results.runs["run_id"], results.runs["dop"].astype(str), strict=True))
    metric = results.metric
    return replace(results, metric=metric.assign(dop=metric["run_id"].map(dop)))


def version_to_version(results: Results) -> VerdictFrame:
    """Each version against the one before it, with verdicts; me is `old→new`."""
    table = neighbours(results.metric, floor=results.floor())
    judged = verdicts(table, results.study.margin)
    judged = judged.astype({"me": str, "base": str})
    judged = ordered(judged, {"me": results.metric["version"].astype(str)})
    names = judged["base"] + "→" + judged["me"]
    return judged.assign(me=names, base=BEFORE).reset_index(drop=True)


def tree_costs(results: Results) -> pd.DataFrame:
    """What the tree of each cell wrote and how long it held writers up, by step.

    Means over the runs, of steps that write; a column per figure that a run has.
    """
    rows = results.metric[results.metric["metric"].isin(list(_TREE))]
    wrote = rows[(rows["metric"] == "ingest_gb") & (rows["value"] > 0)]
    compared = list(results.base)
    keys = [*further_dimensions(rows, METRIC, [*compared, "step"]), "step", *compared]
    if wrote.empty:
        return pd.DataFrame(columns=keys)
    rows = rows.merge(wrote[keys].drop_duplicates(), on=keys)
    rows = rows.assign(figure=rows["metric"].map(_TREE))
    of_run = rows.groupby([*keys, "figure", "run_id"], sort=False)["value"].sum()
    means = of_run.groupby(level=[*keys, "figure"], sort=False).mean().unstack("figure")
    figures = means[[name for name in _COSTS.columns if name in means.columns]]
    order = rows[keys].drop_duplicates()
    table = order.merge(figures.reset_index(), on=keys)
    table = ordered(table, {key: order[key] for key in keys})
    return _COSTS.shown(table.reset_index(drop=True))
