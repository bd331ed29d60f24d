"""What `collect` gives, as profiles per operation: frames that explain, trees to draw.

Profiles are made in runs of their own; the CPU that an operation takes is that of the
timed run of the same cell and trial, which no profiler disturbed.
"""

from __future__ import annotations

import pandas as pd

from benchbook.results.results import Results
from benchbook.runs.pmp import EVENT as PMP
from benchbook.study.arms import MAIN
from benchbook.study.sidecars import CLIENT, SERVER
from benchmath.costs.io import main_op
from benchmath.errors import UserError
from benchmath.frames import (
    METRIC,
    Kind,
    dimensions_of,
    further_dimensions,
    name_of,
    with_dimensions,
)
from benchmath.profiles.costs import slice_costs
from benchmath.profiles.functions import explained, frame_costs
from benchmath.profiles.paths import flame_change, flame_paths
from benchmath.prose import joined

OFF_CPU = "off-cpu"
_CAPTURES = Kind("captures", {
    "hz": "1/s", "captures": "count", "samples": "count", "lost": "count", "seconds": "s",
})  # fmt: skip


def profile_costs(results: Results) -> pd.DataFrame:
    """What all of each profile costs per operation: run_id, step, tree, cpu_o [us], ...

    ``cpu_o`` of the timed run of the same cell and trial, of the processes of the tree;
    other events are counted in the profile itself (``profile_costs.slice_costs``).
    """
    timed = _timed_cpu(results)
    if results.profiles.empty:
        return timed
    made = results.profiles[results.profiles["status"] == "ok"]
    own = slice_costs(
        results.stacks[results.stacks["event"] != PMP], made, _rates(results)
    )
    own = own.drop(columns=[c for c in ("cpu_o", "user_o") if c in own.columns])
    return timed.merge(own, on=["run_id", "step", "tree"], how="outer")


def costs_of_frames(results: Results) -> pd.DataFrame:
    """``frame_costs`` of all profiles, with the dimensions of their runs."""
    _require_profiles(results)
    timed = results.stacks[results.stacks["event"] != PMP]  # threads are no time
    costs = frame_costs(timed, profile_costs(results))
    dims = [d for d in results.dimensions if d != "arm"]
    return with_dimensions(costs, results.profile_runs, ["machine_id", *dims])


def explained_frames(results: Results) -> pd.DataFrame:
    """``explained`` of each compared cell against the base, CPU time alone."""
    costs = costs_of_frames(results)
    costs = costs[costs["unit"] == "us"]
    costs = costs[costs["event"] != OFF_CPU]
    parts = [explained(costs, results.base, me) for me in _others(results)]
    return pd.concat(parts, ignore_index=True)


def flame_of(
    results: Results, step: str, value: str, event: str = "", tree: str = "",
    weighted: bool = True,
) -> pd.DataFrame:  # fmt: skip
    """The tree of a flame graph: the profiles of one step of the cells with ``value``.

    ``value`` is one of the compared dimension; ``event`` and ``tree`` are needed only
    where a step was profiled in several. Not ``weighted``, every sample counts once, in
    percent: how such a graph lies.
    """
    stacks = _stacks(results, step, event, tree)
    runs, setting = one_setting(results)
    mine = runs.loc[runs[results.compared].astype(str) == value, "run_id"]
    chosen = stacks[stacks["run_id"].isin(mine)]
    if chosen.empty:
        there = joined(runs[results.compared])
        raise UserError(f"no profile of {step} with {value!r}; available: {there}")
    costs = profile_costs(results) if weighted else None
    if not weighted:
        chosen = chosen.assign(weight=chosen["samples"])
    return flame_paths(chosen, costs).assign(setting=setting)


def flame_change_of(
    results: Results, step: str, value: str = "", event: str = "", tree: str = ""
) -> pd.DataFrame:
    """The tree of a differential flame graph: ``value`` (the last) against the base."""
    others = _others(results)
    me = {results.compared: value} if value else others[-1]
    stacks = _stacks(results, step, event, tree)
    runs, setting = one_setting(results)
    stacks = stacks[stacks["run_id"].isin(runs["run_id"])]
    change = flame_change(stacks, profile_costs(results), runs, results.base, me)
    return change.assign(setting=setting)


def one_setting(results: Results) -> tuple[pd.DataFrame, str]:
    """The profiled runs that are alike in all that is not compared, and its name.

    Of several settings the first of the study's cells, and the name `placement=same`;
    of one all runs, and none. A side that lacks the first keeps what it has.
    """
    runs, base = results.profile_runs, list(results.base)
    apart = further_dimensions(runs, METRIC, base)
    if not apart:
        return runs, ""
    first = runs[apart].iloc[0]
    alike = (runs[apart] == first).all(axis="columns")
    there = alike.groupby([runs[name] for name in base]).transform("any")
    return runs[alike | ~there], name_of(first.to_dict())


def profiled_ends(results: Results) -> tuple[str, str]:
    """The base's value of the compared dimension, and the last that was profiled."""
    others = _others(results)
    base = results.base[results.compared]
    return base, others[-1][results.compared] if others else base


def captures(results: Results) -> pd.DataFrame:
    """What was recorded, one row per step, tree, event and status.

    Columns: step, tree, event, hz, call_graph, captures, samples, lost, seconds (of all
    together), status, reason.
    """
    columns = ["step", "tree", "event", "hz", "call_graph", "status", "reason"]
    if results.profiles.empty:
        return pd.DataFrame(columns=[*columns, "captures", "samples", "lost", "seconds"])
    made = results.profiles
    made = made.assign(seconds=(made["end_ns"] - made["start_ns"]) / 1e9)
    grouped = made.groupby(columns, sort=False, dropna=False)
    table = grouped.agg(
        captures=("run_id", "size"), samples=("samples", "sum"), lost=("lost", "sum"),
        seconds=("seconds", "sum"),
    )  # fmt: skip
    return _CAPTURES.shown(table.reset_index())


def _timed_cpu(results: Results) -> pd.DataFrame:
    """cpu_o of the timed run that a profiled one repeats, else the mean of its cell."""
    costs = main_op(results.metric)
    costs = costs[costs["metric"].isin(["cpu_o", "client_cpu_o"])]
    wide = costs.pivot_table("value", ["run_id", "step"], "metric").reset_index()
    timed = results.runs[results.runs["arm"] == MAIN]
    keys = [c for c in dimensions_of(results.runs) if c != "arm"]
    keys = ["machine_id", *(c for c in keys if c in results.profile_runs.columns)]
    wide = wide.merge(timed[["run_id", "trial", *keys]], on="run_id")
    values = [c for c in ("cpu_o", "client_cpu_o") if c in wide.columns]
    means = wide.groupby([*keys, "step"], dropna=False)[values].mean().reset_index()
    profiled = results.profile_runs[["run_id", "trial", *keys]]
    exact = profiled.merge(wide.drop(columns="run_id"), on=[*keys, "trial"])
    usual = profiled.merge(means, on=keys)
    both = pd.concat([exact, usual]).drop_duplicates(["run_id", "step"])
    return _by_tree(both)


def _by_tree(costs: pd.DataFrame) -> pd.DataFrame:
    """A server's CPU is its own metric, and then the client's another one."""
    one = costs.reindex(columns=["run_id", "step", "cpu_o", "client_cpu_o"])
    is_server = one["client_cpu_o"].notna()
    server = one[is_server].assign(tree=SERVER)
    client = one.assign(
        tree=CLIENT, cpu_o=one["client_cpu_o"].where(is_server, one["cpu_o"])
    )
    both = pd.concat([server, client], ignore_index=True)
    return both[["run_id", "step", "tree", "cpu_o"]].dropna(subset=["cpu_o"])


def _rates(results: Results) -> pd.DataFrame:
    """Operations per second of each profiled run and step."""
    rows = results.profiled[results.profiled["main"].fillna(False).astype(bool)]
    return rows.rename(columns={"value": "ops_per_s"})[["run_id", "step", "ops_per_s"]]


def _stacks(results: Results, step: str, event: str, tree: str) -> pd.DataFrame:
    """The stacks of one step, event and tree: time on the CPU where nothing is said."""
    _require_profiles(results)
    stacks = results.stacks[results.stacks["step"] == step]
    for column, asked_for in (("event", event), ("tree", tree)):
        there = list(dict.fromkeys(stacks[column].astype(str)))
        usual = [name for name in there if name not in (OFF_CPU, PMP)]
        chosen = asked_for or (usual or [""])[0]
        stacks = stacks[stacks[column].astype(str) == chosen]
    if stacks.empty:
        steps = joined(results.stacks["step"])
        raise UserError(f"no profile of step {step!r}; available: {steps}")
    return stacks


def _others(results: Results) -> list[dict[str, str]]:
    """What is compared with the base, in the order of the study's cells."""
    runs, base = results.profile_runs, results.base
    named = runs[list(base)].astype(str).drop_duplicates()
    return [
        {str(k): str(v) for k, v in row.items()}
        for row in named.to_dict("records")
        if row != {k: str(v) for k, v in base.items()}
    ]


def _require_profiles(results: Results) -> None:
    if results.stacks.empty:
        slug = results.study.slug
        raise UserError(
            f"no profile of {slug}: its study.yml has no `profile:`, or nothing was "
            f"recorded; `benchbook run {slug}` makes the runs, `benchbook show` tells why"
        )
