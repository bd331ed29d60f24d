"""Threads that may be busy, the CPUs there are, and the CPUs that the process used."""

from collections.abc import Mapping
from typing import Annotated

import pandas as pd

from benchmath.costs.io import main_op
from benchmath.frames import Kind, MetricFrame, require, select

BUSY = Kind("busy", ("threads", "cpus", "n", "used", "used_min", "used_max", "within"))
BusyFrame = Annotated[pd.DataFrame, BUSY]
_US_PER_S = 1e6


def busy_threads(
    metric: MetricFrame, cpus: Mapping[str, int], clients: str, jobs: str
) -> BusyFrame:
    """Clients and background jobs of each cell beside the CPUs of its runs.

    ``cpus`` says by run_id how many CPUs a run may use, ``clients`` and ``jobs`` are the
    columns with their numbers. One row per step and cell: step, clients, jobs, threads
    (both together), cpus, n (runs), used (CPUs that the engine and its clients were busy
    on, the mean over the runs), used_min, used_max, and within: no more threads than
    CPUs. used is NaN where no sampler stood beside the runs; cells whose CPUs nobody
    recorded are left out.
    """
    require(metric, ("run_id", "step", "op", "main", clients, jobs))
    runs = select(metric)[["run_id", "step", clients, jobs, "value"]]
    runs = runs.astype({clients: int, jobs: int})
    costs = cells_of_steps(metric, (*SERVER, *CLIENT))
    own = costs[list(CLIENT)].sum(axis=1, min_count=len(CLIENT))
    costs = costs.assign(cpu=own + costs[list(SERVER)].sum(axis=1))
    runs = runs.merge(costs[["run_id", "step", "cpu"]], on=["run_id", "step"], how="left")
    runs = runs.assign(
        used=runs["value"] * runs["cpu"] / _US_PER_S, cpus=runs["run_id"].map(dict(cpus))
    )
    keys = ["step", clients, jobs]
    cells = runs.dropna(subset=["cpus"]).groupby(keys, sort=False)
    table = cells.agg(
        cpus=("cpus", "min"), n=("run_id", "size"), used=("used", "mean"),
        used_min=("used", "min"), used_max=("used", "max"),
    ).reset_index().astype({"cpus": int})  # fmt: skip
    threads = table[clients] + table[jobs]
    return BUSY.of(table.assign(threads=threads, within=threads <= table["cpus"]), keys)


def ratios_beside_threads(
    judged: pd.DataFrame, busy: BusyFrame, clients: str, jobs: str
) -> pd.DataFrame:
    """Ratios of cells with more threads than CPUs, and more than their base has.

    ``judged`` is the frame of ``verdicts`` by ``jobs``, with its verdicts. Columns: step,
    clients, jobs, fewer (those of the base), threads, cpus, relative, low, high, verdict.
    """
    rows = judged[judged["relative"].notna()]
    fewer = rows["base"].astype(str).str.rpartition("=")[2]
    rows = rows.assign(fewer=fewer).astype({clients: int, jobs: int, "fewer": int})
    keys = ["step", clients, jobs]
    table = rows.merge(busy[[*keys, "threads", "cpus"]], on=keys)
    table = table[(table["threads"] > table["cpus"]) & (table[jobs] > table["fewer"])]
    columns = ["fewer", "threads", "cpus", "relative", "low", "high", "verdict"]
    return table[[*keys, *columns]].reset_index(drop=True)


def others_share(metric: pd.DataFrame) -> pd.DataFrame:
    """The share of the busy CPU time that others took, and the hypervisor with them.

    Columns run_id, step, share, counted: by the counters of the other processes. Of runs
    without these it is the difference, what was neither server's, client's nor
    interrupts': that reads up to a third where nobody else is, and below 0 where samples
    of the trees and of the machine do not end together.
    """
    by_counters = _counted_share(metric)
    by_difference = _difference(metric)
    known = set(zip(by_counters["run_id"], by_counters["step"], strict=True))
    pairs = zip(by_difference["run_id"], by_difference["step"], strict=True)
    unknown = [pair not in known for pair in pairs]
    shares = (by_counters.assign(counted=True),
              by_difference[unknown].assign(counted=False))  # fmt: skip
    filled = [share for share in shares if len(share)] or [shares[0]]
    return pd.concat(filled, ignore_index=True)


def _counted_share(metric: pd.DataFrame) -> pd.DataFrame:
    wide = cells_of_steps(metric, ("machine_cpu_o", "others_o", "steal_o"))
    wide = wide[wide[["machine_cpu_o", "others_o"]].notna().all(axis=1)]
    steal = wide["steal_o"].fillna(0)
    share = (wide["others_o"] + steal) / (wide["machine_cpu_o"] + steal)
    return wide[["run_id", "step"]].assign(share=share).reset_index(drop=True)


def _difference(metric: pd.DataFrame) -> pd.DataFrame:
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
