"""A study over numbers of background jobs and of clients, made ready for its template."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from benchbook.results.results import Results
from benchbook.views.engines import in_one_placement, refuse_more
from benchbook.views.scaling import cpus_of
from benchmath.costs.busy import BusyFrame, busy_threads
from benchmath.costs.ranges import (
    RangeFrame,
    ranges,
    stall_causes,
    that_occur,
)
from benchmath.errors import UserError
from benchmath.frames import Kind
from benchmath.hazard import Hazard
from benchmath.latency.tails import TailFrame, tails
from benchmath.ratios.averaged import AveragedFrame, averaged_pairs
from benchmath.variation.spread import rates

JOBS, CLIENTS = "max_background_jobs", "dop"
_KEYS = ("step", CLIENTS, JOBS)
STALLED, WRITE_AMP, WRITE_AMP_SAID = "stall_pct", "write_amp", "w_amp_correct"
_HEADS = {
    CLIENTS: "clients", JOBS: "background jobs",
    STALLED: "stalled", WRITE_AMP: "write amplification",
    WRITE_AMP_SAID: "as RocksDB says",
}  # fmt: skip


def job_results(results: Results) -> Results:
    """The results without the load, which the first step of each run is, in their order:
    by step, clients and background jobs. Of several placements those of the first.

    A study whose base is another dimension than the background jobs, or that varies more
    than these and the clients, is refused: its sentences would be about something else.
    """
    if JOBS not in results.base:
        raise UserError(
            f"posts/{results.study.slug}: the template background-jobs compares numbers "
            f"of background jobs; write base: {{{JOBS}: 2}}"
        )
    steps = results.steps
    later = set(steps.loc[steps["seq"] > 1, "step"]) or set(steps["step"])
    order = steps.drop_duplicates("step").set_index("step")["seq"]
    frames = {
        name: _ordered(frame[frame["step"].isin(later)], order)
        for name in ("metric", "steps", "samples", "hists")
        for frame in [getattr(results, name)]
    }
    first = in_one_placement(replace(results, **frames))
    return refuse_more(first, [CLIENTS, JOBS])


def _ordered(frame: pd.DataFrame, steps: pd.Series) -> pd.DataFrame:
    place = pd.DataFrame({
        "step": frame["step"].map(steps), CLIENTS: frame[CLIENTS].astype(int),
        JOBS: frame[JOBS].astype(int),
    })  # fmt: skip
    by_place = place.sort_values(list(place.columns), kind="stable").index
    return frame.loc[by_place].reset_index(drop=True)


def named_by_jobs(judged: pd.DataFrame) -> pd.DataFrame:
    """The same ratios under shorter names: `8 jobs` to `2 jobs`."""
    short = {
        name: judged[name].astype(str).str.removeprefix(f"{JOBS}=") + " jobs"
        for name in ("me", "base")
    }
    return judged.assign(**short)


def job_pairs(results: Results, metric: str = "throughput") -> AveragedFrame:
    """More background jobs over fewer, of all numbers of clients together."""
    rows = results.metric
    if metric != "throughput":
        rows = rows[rows["metric"] == metric]
    return averaged_pairs(rows, JOBS, CLIENTS, metric, results.study.margin)


def job_tails(results: Results) -> TailFrame:
    """Response times of each cell's main op from its start, all trials together."""
    main = results.steps.loc[results.steps["main"].astype(bool), ["run_id", "step", "op"]]
    hists = results.hists[results.hists["clock"] == "actual"]
    return tails(hists.merge(main, on=["run_id", "step", "op"]), _KEYS)


def job_stalls(results: Results) -> RangeFrame:
    """Stalls by cause, and write amplification; causes that never were are left out."""
    causes = stall_causes(results.metric)
    names = [STALLED, *causes, WRITE_AMP, WRITE_AMP_SAID]
    table = that_occur(ranges(results.metric, names, _KEYS[1:]), (STALLED,))
    words = {c: c.removeprefix("stall_").replace("_", " ") for c in causes}
    return Kind("job_stalls", {}, {**words, **_HEADS}).shown(table)


def job_threads(results: Results) -> BusyFrame:
    """Clients and background jobs beside the CPUs, and the CPUs used."""
    return busy_threads(results.metric, cpus_of(results.runs), CLIENTS, JOBS)


def job_rates(results: Results) -> pd.DataFrame:
    """Operations of each second, by step, clients and background jobs."""
    order = results.steps.drop_duplicates("step").set_index("step")["seq"]
    return _ordered(rates(results.main_samples), order)


def shared_cpus(busy: BusyFrame) -> list[Hazard]:
    """Cells whose clients and background jobs are more than the CPUs, as one hazard."""
    beyond = busy[~busy["within"].astype(bool)]
    if beyond.empty:
        return []
    text = (
        f"clients and background threads share {_counts(beyond['cpus'])} CPUs: in "
        f"{len(beyond)} of {len(busy)} combinations of step, clients and jobs they may "
        "be more than these, and wait for each other"
    )
    return [Hazard("shared CPUs", text)]


def _counts(column: pd.Series) -> str:
    low, high = int(column.min()), int(column.max())
    return str(low) if low == high else f"{low} to {high}"
