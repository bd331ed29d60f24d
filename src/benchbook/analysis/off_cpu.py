"""Off-CPU time: where threads leave the CPU, and how long until they are back.

A capture of the event ``context-switches`` with the kernel's own switch records holds,
for each thread of the recorded processes, a sample with its stack each time it leaves the
CPU, and a record each time it leaves or comes back; the format perf_script gives both, as
the series ``stacks`` and ``switches``. A wait that has not ended when the slice ends
counts up to there; one that began before the slice has no stack and does not count, and a
thread that slept all the time was never seen.
"""

from __future__ import annotations

import numpy as np
import pandas as pd

EVENT = "off-cpu"
BLOCKED, PREEMPTED, UNKNOWN = "blocked", "preempted", "unknown"
_NS = 1e9


def off_cpu(stacks: pd.DataFrame, switches: pd.DataFrame, end_ns: int) -> pd.DataFrame:
    """One row per time that a thread left the CPU, as analysis.stacks takes them.

    ``stacks``: columns time_s [s, CLOCK_MONOTONIC], tid, frames, and what else is to be
    kept (comm, pid, kinds). ``switches``: time_s, tid, way ("in", "out", or "preempted":
    out, but able to run). ``end_ns``: the end of the slice on the same clock.

    Gives the rows of ``stacks`` with event "off-cpu", weight [ns off the CPU] and state:
    "blocked" (it waits for something), "preempted" (it could run, another one did), or
    "unknown" where the record was lost. Left out are those of which it is not known when
    the thread came back: it left once more before that, so a record was lost.
    """
    stacks = stacks.astype({"time_s": "float64", "tid": "int64"})
    switches = switches.astype({"time_s": "float64", "tid": "int64"})
    left = stacks.sort_values("time_s", kind="stable").reset_index(drop=True)
    left = left.assign(again_s=left.groupby("tid")["time_s"].shift(-1))
    back = _next(left, switches, ["in"], "back_s")
    out = _next(left, switches, ["out", "preempted"], "out_s", same_time=True)
    end_s = end_ns / _NS
    until = left["again_s"].fillna(np.inf)
    lost = (back["back_s"].fillna(np.inf) > until) & left["again_s"].notna()
    ends = back["back_s"].fillna(end_s).clip(upper=end_s)
    weight = ((ends - left["time_s"]) * _NS).round().clip(lower=0)
    seen = out["out_s"] <= np.minimum(until, back["back_s"].fillna(np.inf))
    state = out["way"].map({"out": BLOCKED, "preempted": PREEMPTED}).where(seen)
    found = left.drop(columns="again_s").assign(
        event=EVENT, weight=weight.astype("int64"), state=state.fillna(UNKNOWN)
    )
    return found[~lost].reset_index(drop=True)


def _next(
    left: pd.DataFrame, switches: pd.DataFrame, ways: list[str], name: str,
    same_time: bool = False,
) -> pd.DataFrame:  # fmt: skip
    """For each row of ``left`` the next switch of its thread: its time and its way."""
    chosen = switches[switches["way"].astype(str).isin(ways)]
    chosen = chosen[["time_s", "tid", "way"]].sort_values("time_s", kind="stable")
    chosen = chosen.assign(way=chosen["way"].astype(str), **{name: chosen["time_s"]})
    return pd.merge_asof(
        left[["time_s", "tid"]], chosen, on="time_s", by="tid", direction="forward",
        allow_exact_matches=same_time,
    )  # fmt: skip
