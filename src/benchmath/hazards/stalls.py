"""Runs that stalled: when, how long, and why the engine says so."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from benchmath.frames import require
from benchmath.hazard import Hazard
from benchmath.prose import counted

STALLED = 0.1  # of the median rate of the step's seconds
STALL_PCT = 5.0  # of a step, by the engine's own count
LEAST_SECONDS = 5  # with fewer, a median second says nothing
STALL_COLUMNS = ("run_id", "step", "seconds", "stalled_s", "longest_s", "longest_at",
                 "stall_pct", "cause", "times", "of")  # fmt: skip
_PARTS = ("with_compaction", "with_ongoing_compaction")  # of the cause without them


def stalls_of_steps(seconds: pd.DataFrame, stalls: pd.DataFrame) -> pd.DataFrame:
    """Per run and step the seconds that stood still, and what the engine counted.

    ``seconds`` is the frame of ``rates`` of main ops; ``stalls`` has rows of the view of
    that name. stalled_s: seconds under a tenth of the median (or without any operation);
    longest_s of them in a row, from second longest_at on. stall_pct of the step, and the
    cause with most times, of so many in all, are the engine's. Runs of neither have no
    row.
    """
    require(seconds, ("run_id", "step", "second", "interval_ns", "rate"))
    by_samples = {
        key: _standing(run)
        for key, run in seconds.groupby(["run_id", "step"], sort=False)
        if len(run) >= LEAST_SECONDS
    }
    by_engine = {}
    if len(stalls):
        grouped = stalls.groupby(["run_id", "step"], sort=False)
        by_engine = {key: _counted(causes) for key, causes in grouped}
    keys = dict.fromkeys((*by_samples, *by_engine))
    rows = [
        {"run_id": run_id, "step": step}
        | by_samples.get((run_id, step), {})
        | by_engine.get((run_id, step), {})
        for run_id, step in keys
    ]
    return pd.DataFrame(rows, columns=[*STALL_COLUMNS])


def stalled_runs(frame: pd.DataFrame) -> list[Hazard]:
    """A hazard for each step in which a run stalled, told by the run that did most.

    A run has stalled if a second of it stood still, or if the engine stalled its writers
    for 5% of the step.
    """
    hazards = []
    for step, runs in frame.groupby("step", sort=False):
        still, pct = (runs[c].astype(float).fillna(0) for c in ("stalled_s", "stall_pct"))
        stalled = runs[(still > 0) | (pct >= STALL_PCT)]
        if stalled.empty:
            continue
        order = pd.DataFrame({"still": still, "pct": pct}).loc[stalled.index]
        worst = order.sort_values(["still", "pct"], ascending=False, kind="stable").index
        row = runs.loc[worst[0]].to_dict()
        text = (
            f"{step} stalled in {len(stalled)} of {counted(len(runs), 'run')}, at worst "
        )
        hazards.append(Hazard("stalled", text + _words(row), {"step": str(step)}))
    return hazards


def _standing(run: pd.DataFrame) -> dict[str, Any]:
    rate, length = (run[c].to_numpy(dtype=float) for c in ("rate", "interval_ns"))
    still = (rate < STALLED * np.median(rate)) | (rate == 0)
    length = length / 1e9
    begins = np.flatnonzero(np.diff(still, prepend=False) & still)
    ends = np.flatnonzero(np.diff(still, append=False) & still) + 1
    long = [float(length[a:b].sum()) for a, b in zip(begins, ends, strict=True)]
    row = {
        "seconds": float(length.sum()),
        "stalled_s": float(length[still].sum()),
        "longest_s": max(long, default=0.0),
    }
    if long:
        first = int(begins[int(np.argmax(long))])
        row["longest_at"] = float(run["second"].iloc[first] - length[first])
    return row


def _counted(causes: pd.DataFrame) -> dict[str, Any]:
    """The cause that is counted most, of those that are no parts of others."""
    whole = causes[~causes["cause"].str.endswith(_PARTS)]
    times = whole["count"].astype(float)
    row: dict[str, Any] = {"stall_pct": causes["stall_pct"].iloc[0], "of": times.sum()}
    if times.sum() > 0:
        row |= {"cause": whole.loc[times.idxmax(), "cause"], "times": times.max()}
    return row


def _words(row: Mapping[str, Any]) -> str:
    parts = []
    if row["stalled_s"] > 0:
        parts.append(
            f"{row['stalled_s']:.0f} of {row['seconds']:.0f} s under a tenth of its "
            f"median rate, {row['longest_s']:.0f} s on end from second "
            f"{row['longest_at']:.0f}"
        )
    if row["stall_pct"] > 0:
        share = f"writers delayed or stopped for {row['stall_pct']:.1f}% of it"
        if isinstance(row["cause"], str):
            share += (
                f", {row['times']:.0f} of {row['of']:.0f} times by "
                f"{row['cause'].replace('_', ' ')}"
            )
        parts.append(share)
    return "; ".join(parts)
