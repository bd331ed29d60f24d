"""A study of RocksDB's tree: its cases, what was moved and written, its shape."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from benchbook.results.drift import mapping_of
from benchbook.results.results import Results
from benchbook.views.machine import stalls_of
from benchmath.frames import Kind, label, ordered
from benchmath.lsm.moves import by_case, level_moves, move_costs
from benchmath.lsm.shape import (
    arrivals,
    compaction_places,
    expectations,
    sizes_over_time,
    states_checked,
)

DYNAMIC, COMPRESSION = "level_compaction_dynamic_level_bytes", "compression_type"
_LEVELS = Kind("levels of tree_moves", {
    "level": "", "n": "runs", "written_gb": "GB", "moved_gb": "GB",
    "table_written_gb": "GB", "table_moved_gb": "GB",
}, {
    "n": "runs", "written_gb": "written, by the LOG", "moved_gb": "moved, by the LOG",
    "how": "by the LOG", "table_written_gb": "Write, by the table",
    "table_moved_gb": "Moved, by the table", "table_how": "by the table",
})  # fmt: skip
_ARRIVALS = Kind("mean_arrivals", {
    "level": "", "n": "runs", "first_s": "s", "first_low": "s", "first_high": "s",
}, {
    "n": "runs", "first_s": "first file", "first_low": "first run",
    "first_high": "last run",
})  # fmt: skip
_CHECKS = Kind("states of the tree", {"states": "in the LOG", "equal": "as reckoned"})
_STALLS = Kind("stalls_of_runs", {
    "seconds": "s", "stalled_s": "s", "longest_s": "s", "longest_at": "s",
    "stall_pct": "% of the step", "times": "count", "of": "count",
}, {
    "stalled_s": "under a tenth of the median", "longest_s": "longest",
    "longest_at": "from second", "stall_pct": "stalled, by RocksDB",
    "cause": "most often by", "of": "of",
})  # fmt: skip
_WORDS = {
    DYNAMIC: {"0": "static levels", "1": "dynamic levels"},
    COMPRESSION: {"none": "not compressed"},
}


@dataclass(frozen=True)
class TreeMoves:
    """What compaction moved and wrote in each case of a study.

    levels: per case and level, by LOG and by table. costs: per case and quantity (w_amp,
    moved_pct), mean, least and most of the runs. expected: published expectations.
    compactions: per compaction, where it wrote (at_place: where compression begins).
    arrivals: per case and level.
    sizes: over time, of the first run of each case. checks: states of the tree per case,
    and how many of them the reckoned sizes hit. cases: per run.
    """

    levels: pd.DataFrame
    costs: pd.DataFrame
    expected: pd.DataFrame
    compactions: pd.DataFrame
    arrivals: pd.DataFrame
    sizes: pd.DataFrame
    checks: pd.DataFrame
    cases: pd.DataFrame


def tree_moves(results: Results) -> TreeMoves:
    """Moves and writes of a study's own runs, by the values that its cells differ in."""
    cases = cases_of(results)
    moves = level_moves(results.lsm_writes, results.lsm_levels, cases)
    levels, jobs = by_case(moves), results.lsm_jobs
    first = mean_arrivals(jobs, cases)
    sizes = _with_case(sizes_over_time(jobs), cases)
    checked = _with_case(states_checked(jobs), cases).groupby("case", sort=False)
    shown = cases.drop_duplicates("case")["run_id"]
    return TreeMoves(
        levels=_LEVELS.shown(levels),
        costs=long_costs(move_costs(moves, cases)),
        expected=expectations(levels, first, cases),
        compactions=_compactions(_with_case(compaction_places(jobs), cases)),
        arrivals=first,
        sizes=sizes[sizes["run_id"].isin(shown)].reset_index(drop=True),
        checks=_CHECKS.shown(checked[["states", "equal"]].sum().reset_index()),
        cases=cases,
    )


def stalls_of_runs(results: Results) -> pd.DataFrame:
    """Stalls of the steps that write, per run, with its case and trial."""
    steps = results.steps[results.steps["main"].astype(bool)]
    writes = steps.loc[steps["op"] == "insert", ["run_id", "step"]]
    cases = cases_of(results)[["run_id", "case", "trial"]]
    table = cases.merge(stalls_of(results).merge(writes), on="run_id")
    table = table.drop(columns="run_id").assign(trial=table["trial"].astype(str))
    return _STALLS.shown(table)


def cases_of(results: Results) -> pd.DataFrame:
    """Per run its case in words, trial, the bytes put in, and what its flags say.

    dynamic: are levels dynamic; begins: the level where compression begins, missing where
    nothing is compressed.
    """
    runs = results.runs
    names = [d for d in results.dimensions if d in runs and runs[d].nunique() > 1]
    rows = []
    for run in runs.to_dict("records"):
        flags = mapping_of(run.get("settings"))
        rows.append({
            "run_id": run["run_id"], "case": case_name(run, names), "trial": run["trial"],
            "ingested_bytes": _row_bytes(flags), "dynamic": _flag(flags, DYNAMIC) == 1,
            "begins": _begins(flags),
        })  # fmt: skip
    table = pd.DataFrame(rows)
    if table.empty:
        return pd.DataFrame(columns=["run_id", "case", "trial", "ingested_bytes"])
    steps = results.steps[results.steps["main"].astype(bool)]
    written = steps[steps["op"] == "insert"].groupby("run_id")["rows"].sum()
    table["ingested_bytes"] *= table["run_id"].map(written).astype(float)
    return table


def case_name(run: Mapping[str, Any], names: list[str]) -> str:
    """`dynamic levels, lz4`: what tells a run's case from the others of the study."""
    parts = []
    for name in sorted(names, key=lambda n: (n not in _WORDS, n != DYNAMIC)):
        value = str(run[name])
        one = label(pd.DataFrame([{name: value}]), [name]).iloc[0]
        other = value if name == COMPRESSION else str(one)
        parts.append(_WORDS.get(name, {}).get(value, other))
    return ", ".join(parts) or "the runs"


def _flag(flags: Mapping[str, Any], name: str) -> float:
    try:
        return float(flags.get(name, "nan"))
    except (TypeError, ValueError):
        return float("nan")


def _row_bytes(flags: Mapping[str, Any]) -> float:
    return _flag(flags, "key_size") + _flag(flags, "value_size")


def _begins(flags: Mapping[str, Any]) -> float:
    """Compression begins at min_level_to_compress; of no compression it is unknown."""
    if str(flags.get(COMPRESSION, "none")) == "none":
        return float("nan")
    return _flag(flags, "min_level_to_compress")


def _with_case(frame: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """With a column case, in the order of the cases."""
    columns = ["run_id", "case", "begins"] if "begins" in cases else ["run_id", "case"]
    return cases[columns].merge(frame, on="run_id")


def long_costs(costs: pd.DataFrame) -> pd.DataFrame:
    """A row per case and quantity, with value, low and high."""
    parts = [
        costs[["case", "n"]].assign(
            quantity=name, value=costs[name], low=costs[f"{name}_low"],
            high=costs[f"{name}_high"],
        )
        for name in ("w_amp", "moved_pct")
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def _compactions(places: pd.DataFrame) -> pd.DataFrame:
    """Did each compaction write to the place where its case's compression begins?"""
    at_place = places["place"].astype(float) == places["begins"]
    return places.assign(at_place=at_place)


def mean_arrivals(jobs: pd.DataFrame, cases: pd.DataFrame) -> pd.DataFrame:
    """Per case and level when it got its first file: mean, least and most of the runs."""
    first = _with_case(arrivals(jobs), cases)
    grouped = first.groupby(["case", "level"], sort=False)["first_s"]
    table = grouped.agg(n="size", first_s="mean", first_low="min", first_high="max")
    table = table.reset_index().sort_values("first_s", kind="stable")
    return _ARRIVALS.shown(ordered(table, {"case": first["case"]}))
