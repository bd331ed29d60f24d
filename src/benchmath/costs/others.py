"""Whose CPU time it was: the share of neither server, client nor interrupts."""

from __future__ import annotations

import pandas as pd

from benchmath.costs.io import main_op


def others_share(metric: pd.DataFrame) -> pd.DataFrame:
    """The share of the busy CPU time that was neither server's, client's nor interrupts'.

    Columns run_id, step, share; of runs that tell the process trees apart. Below 0 where
    samples of the trees and of the machine do not end together.
    """
    wide = cells_of_steps(metric, ("machine_cpu_o", "irq_o", *SERVER, *CLIENT))
    wide = wide[wide[["machine_cpu_o", *CLIENT]].notna().all(axis=1)]
    others = wide["machine_cpu_o"] - wide[["irq_o", *SERVER, *CLIENT]].sum(axis=1)
    share = others / wide["machine_cpu_o"]
    return wide[["run_id", "step"]].assign(share=share).reset_index(drop=True)


SERVER = ("server_user_o", "server_system_o")


CLIENT = ("client_user_o", "client_system_o")


def cells_of_steps(metric: pd.DataFrame, names: tuple[str, ...]) -> pd.DataFrame:
    """A row per run and step with a column per metric of the main op; NaN without."""
    rows = main_op(metric)
    rows = rows[rows["metric"].isin(names)]
    wide = rows.pivot_table("value", ["run_id", "step"], "metric", "mean", sort=False)
    return wide.reindex(columns=list(names)).astype(float).reset_index()
