"""Response times second by second of a study's steps, each arm apart."""

from __future__ import annotations

from collections.abc import Collection

import pandas as pd

from benchbook.results.results import Results
from benchmath.errors import UserError
from benchmath.frames import names_of_tests, with_dimensions
from benchmath.latency.over_time import OVER_TIME, OverTimeFrame, times_over_time


def response_times_over_time(
    results: Results, steps: Collection[str] = (), op: str = "", trial: int | None = None
) -> OverTimeFrame:
    """Cells of a heat map for ``steps`` (all of them) and each arm, which ``test`` names.

    Of each step's main op, or of ``op`` (transaction); of all trials together, or of one.
    Only steps of two seconds and more of the drivers ingest and sql have such times; no
    others are in the frame. In turns seconds are those in which the arm was active.
    """
    unknown = [name for name in steps if name not in set(results.steps["step"])]
    if unknown:
        raise UserError(f"{results.study.path}: there is no step {', '.join(unknown)}")
    if results.times.empty:
        return pd.DataFrame(columns=["step", *OVER_TIME.columns, "test"])
    times = results.main_times if not op else results.times[results.times["op"] == op]
    if len(steps):
        times = times[times["step"].isin(steps)]
    runs = results.runs if trial is None else results.runs[results.runs["trial"] == trial]
    times = times[times["run_id"].isin(runs["run_id"])]
    arms = [d for d in results.dimensions if runs[d].nunique(dropna=False) > 1]
    table = times_over_time(with_dimensions(times, runs, arms), ["step", *arms])
    order = results.steps.drop_duplicates("step").set_index("step")["seq"]
    table = table.sort_values("step", key=lambda s: s.map(order), kind="stable")
    return table.assign(test=names_of_tests(table, OVER_TIME, [])).reset_index(drop=True)
