"""How many flushes and compactions ran at once, beside how many RocksDB lets run."""

from __future__ import annotations

import pandas as pd
from great_tables import GT

from benchbook.results.results import Results
from benchbook.tables import plain_table
from benchbook.templates.background_jobs.analysis import CLIENTS, JOBS
from benchmath.frames import with_dimensions
from benchmath.lsm.shape import COMPACTION, FLUSH

_PARTS = (FLUSH, COMPACTION)
_NOTES = (
    "Slots: a quarter of the jobs flush, at least one, and the others compact "
    "(DBImpl::GetBGJobLimits).",
    "At once: the most in any run of the cell, by its LOG.",
)


def slots(jobs: int) -> dict[str, int]:
    """How many of so many background jobs may flush, and how many compact."""
    flushes = max(1, jobs // 4)
    return {FLUSH: flushes, COMPACTION: max(1, jobs - flushes)}


def most_at_once(jobs: pd.DataFrame) -> int:
    """The largest number of jobs that ran at the same time.

    Needs second and seconds, of a begin and a length. A job that begins when another
    ends is not beside it.
    """
    known = jobs.dropna(subset=["second", "seconds"])
    begins, ends = known["second"], known["second"] + known["seconds"]
    changes = pd.concat([
        pd.DataFrame({"time": ends, "change": -1}),
        pd.DataFrame({"time": begins, "change": 1}),
    ]).sort_values(["time", "change"])  # fmt: skip
    return int(changes["change"].cumsum().max()) if len(known) else 0


def at_once(results: Results) -> pd.DataFrame:
    """A row per step, clients and jobs: slots and most at once, of both kinds."""
    jobs = results.lsm_jobs
    if jobs.empty:
        return pd.DataFrame()
    jobs = jobs[jobs["step"].isin(results.steps["step"])]
    jobs = with_dimensions(jobs, results.runs, [CLIENTS, JOBS])
    jobs = jobs.astype({CLIENTS: int, JOBS: int})
    order = list(dict.fromkeys(results.steps["step"]))
    rows = []
    for (step, clients, number), cell in jobs.groupby(["step", CLIENTS, JOBS]):
        row = {"step": step, "clients": clients, "jobs": number}
        for kind in _PARTS:
            own = cell[cell["kind"] == kind]
            row[f"{kind}_slots"] = slots(number)[kind]
            row[kind] = max((most_at_once(run) for _, run in own.groupby("run_id")),
                            default=0)  # fmt: skip
        rows.append(row)
    table = pd.DataFrame(rows)
    table["place"] = table["step"].map(order.index)
    by = ["place", "clients", "jobs"]
    return table.sort_values(by).drop(columns="place").reset_index(drop=True)


def at_once_table(results: Results) -> GT:
    """The rows of ``at_once``."""
    found = at_once(results)
    counts = [c for c in found.columns if c != "step"]
    names = {
        "jobs": "background jobs", "flush_slots": "slots to flush",
        FLUSH: "flushes at once", "compaction_slots": "slots to compact",
        COMPACTION: "compactions at once",
    }  # fmt: skip
    return plain_table(found, None, dict.fromkeys(counts, "count"), names, notes=_NOTES)
