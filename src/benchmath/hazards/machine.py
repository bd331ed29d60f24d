"""What makes numbers doubtful as the machine's side of a run shows it.

Frames in, hazards out: here those of metrics, in ``os_hazards_samples`` those of samples.
"""

from collections.abc import Mapping
from dataclasses import replace

import pandas as pd

from benchmath.costs.busy import CLIENT, cells_of_steps, others_share
from benchmath.frames import require, select
from benchmath.hazard import Hazard, of_steps
from benchmath.hazards.machine_samples import (
    clock_moved,
    in_steps,
    memory_pressure,
    multiplexed,
    sampler_trouble,
    short_windows,
    swapped,
)

STEAL_PCT, IOWAIT_PCT = 1.0, 5.0  # of the machine's CPU time in a step
DISCARDED_SHARE = 0.01  # of the KB written
OTHERS_SHARE = 0.05  # of the machine's busy time
CLIENT_SHARE = 0.9  # of a CPU for each client
FIXES: Mapping[str, str] = {
    "stolen time": "repeat the runs at another hour, or on a machine of one's own",
    "waits for IO": "read the costs of the device before those of the CPU",
    "sampler": "a lower sampler_hz",
    "swap": "less memory for the engine, or no swap",
    "frequency": "governor performance and no turbo, or more trials",
    "multiplexed": "fewer events at a time",
    "memory pressure": "less memory for the engine",
    "load by others": "stop what else runs, and measure again",
    "client-bound": "a client on another host, or fewer clients than cores",
    "short window": "a longer step, or a higher sampler_hz",
}
_RATES = ("ips", "dps", "qps")  # of what the costs per operation are of


def machine_hazards(
    metric: pd.DataFrame,
    steps: pd.DataFrame,
    os: pd.DataFrame | None = None,
    sampler: pd.DataFrame | None = None,
    counters: pd.DataFrame | None = None,
) -> list[Hazard]:
    """All hazards of the machine, each with its fix; frames that are missing say nothing.

    ``metric`` and ``steps`` are those of ``collect``; ``os``, ``sampler`` and
    ``counters`` the rows of os_sample, sampler and counter_sample of the same runs.
    """
    hazards = discards(metric) + stolen(metric) + waited_for_io(metric)
    hazards += load_by_others(metric) + client_bound(metric)
    if sampler is not None and len(sampler):
        hazards += sampler_trouble(sampler)
    if os is not None and len(os):
        inside = in_steps(os, steps)
        hazards += short_windows(inside, steps, os["run_id"].unique())
        hazards += swapped(inside) + memory_pressure(inside) + clock_moved(inside)
    if counters is not None and len(counters):
        hazards += multiplexed(in_steps(counters, steps))
    return [
        replace(h, text=f"{h.text} (fix: {FIXES[h.code]})") if h.code in FIXES else h
        for h in hazards
    ]


def discards(metric: pd.DataFrame) -> list[Hazard]:
    """Steps in which the device discarded blocks, 1% of the KB written or more (dkb_o).

    ``wkb_o`` is read from counters that hold discards apart, so it does not count them;
    wkB/s of older versions of iostat does, which made published figures up to twice too
    high.
    """
    rows = _of(metric, "dkb_o")
    most = rows[rows["value"] > 0].groupby("step", sort=False)["value"].max()
    written = _of(metric, "wkb_o").groupby("step", sort=False)["value"].mean()
    most = most[~(most < DISCARDED_SHARE * written.reindex(most.index))]
    worst = "" if most.empty else most.idxmax()
    beside = f" beside {written[worst]:.3g} KB written" if worst in written.index else ""
    words = "the device discarded (trimmed) blocks in {step}, {most:.3g} KB per op"
    words += beside + "{also}; wkB/o does not count them, that of older iostat did"
    return of_steps("discards", most, words, "{:.3g} KB")


def stolen(metric: pd.DataFrame, limit: float = STEAL_PCT) -> list[Hazard]:
    """Steps in which the hypervisor took more than ``limit`` percent of the CPU."""
    words = "{most:.2g}% of the CPU time was stolen in a run of {step}{also}"
    return _above(metric, "steal_pct", limit, "stolen time", words)


def waited_for_io(metric: pd.DataFrame, limit: float = IOWAIT_PCT) -> list[Hazard]:
    """Steps in which CPUs idled for the device more than ``limit`` percent."""
    words = "CPUs idled for the device {most:.2g}% of {step}{also}"
    return _above(metric, "iowait_pct", limit, "waits for IO", words)


def load_by_others(metric: pd.DataFrame, limit: float = OTHERS_SHARE) -> list[Hazard]:
    """Steps in which others than server and client took over 5% of the busy CPU time.

    From machine_cpu_o without the CPU of both process trees and interrupts (irq_o); only
    of runs that tell the trees apart. The worst run of each step counts.
    """
    share = others_share(metric).groupby("step", sort=False)["share"].max()
    words = "others than server and client took {most:.2g}% of the busy CPU time in a"
    words += " run of {step}{also}"
    return of_steps("load by others", 100 * share[share > limit], words)


def client_bound(metric: pd.DataFrame, limit: float = CLIENT_SHARE) -> list[Hazard]:
    """Steps of servers whose clients kept their CPU busy: 90% of one for each.

    From the rate, ``dop`` and client_user_o + client_system_o, without these
    client_cpu_o. Such a step measures its client. An embedded engine is its client. Of
    scans the rate is in rows, the cost of a whole scan: they return nothing to a client.
    """
    rates = select(metric)
    rates = rates[rates["metric"].isin(_RATES)]
    if "dop" not in rates.columns:
        return []
    wide = cells_of_steps(metric, ("client_cpu_o", *CLIENT, "server_user_o"))
    of_server = wide[["client_cpu_o", "server_user_o"]].notna().any(axis=1)
    each = wide[list(CLIENT)].sum(axis=1, min_count=2).fillna(wide["client_cpu_o"])
    cells = wide.assign(each=each)[of_server & each.notna()]
    rows = rates.merge(cells[["run_id", "step", "each"]], on=["run_id", "step"])
    clients = pd.to_numeric(rows["dop"], errors="coerce").clip(lower=1)
    share = rows["value"] * rows["each"] / 1e6 / clients
    busy = share.groupby(rows["step"], sort=False).max()
    words = "each client of {step} was busy {most:.0f}% of one CPU{also}: the step"
    words += " measures the client too"
    return of_steps("client-bound", 100 * busy[busy >= limit], words, "{:.0f}%")


def _above(
    metric: pd.DataFrame, name: str, limit: float, code: str, words: str
) -> list[Hazard]:
    """A hazard for each step whose worst run lies above a limit."""
    most = _of(metric, name).groupby("step", sort=False)["value"].max()
    return of_steps(code, most[most > limit], words)


def _of(metric: pd.DataFrame, name: str) -> pd.DataFrame:
    require(metric, ("step", "metric", "value"))
    return metric[metric["metric"] == name]
