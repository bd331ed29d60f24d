"""The machines of a study: what `benchbook doctor` found on them, and what drifted.

Frames in, frames out. What a run does not record is said to be so.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from IPython.display import HTML

from benchbook.machine.doctor import CHECKS
from benchbook.results.drift import as_begun, drifted
from benchbook.results.results import Results
from benchbook.tables.health import health_section
from benchmath.frames import require
from benchmath.hazard import Hazard
from benchmath.hazards.machine import machine_hazards
from benchmath.hazards.stalls import stalled_runs, stalls_of_steps
from benchmath.variation.spread import rates

NOT_RECORDED = "not recorded"
HEALTH_COLUMNS = ("machine", "name", "value", "status", "changed", "why")
# What differs whenever it is looked at: no change of the machine.
MOMENTARY = ("steal time", "load", "free disk", "fdatasync")
_MOST_VALUES = 4
_ORDER = ("ok", "info", "warn")
_WHY = {name: why for name, _, why in CHECKS}


def machine_section(results: Results) -> HTML:
    """What `doctor` found and what drifted in a study, as a section that opens."""
    runs, os = results.runs, results.os
    return health_section(health(runs, os), drifted(runs, os, results.trees))


def hazards_of_machine(results: Results) -> list[Hazard]:
    """What the machine's side of a study makes doubtful, with its fix, and stalled runs.

    Of stalls only those of engines that count them: the others' seconds stand elsewhere.
    """
    hazards = machine_hazards(
        results.metric, results.steps, results.os, results.samplers, results.counters
    )
    return hazards + (stalled_runs(stalls_of(results)) if len(results.stalls) else [])


def stalls_of(results: Results) -> pd.DataFrame:
    """``stalls_of_steps`` of each step's main op."""
    samples = results.main_samples
    return stalls_of_steps(rates(samples), results.stalls)


def health(runs: pd.DataFrame, os: pd.DataFrame | None = None) -> pd.DataFrame:
    """What `doctor` found on each machine of the study, in the order of its checks.

    ``runs`` has machine, and may have `doctor`, a list of [name, value, status] per run,
    and `started`. Columns: machine, name, value (several in the order in which they were
    seen, with an arrow between), status (the worst seen), changed (did it differ between
    runs, other than what differs at every look?), why (the reason that `doctor` gives).
    Where runs have no findings a row `doctor` says how many.

    ``os`` are the samples of the runs; where they tell of swap in use, that is a finding.
    """
    require(runs, ("machine",))
    rows: list[tuple[Any, ...]] = []
    for machine, own in as_begun(runs).groupby("machine", sort=False):
        recorded = [_findings(run) for run in own.to_dict("records")]
        rows += _of_machine(str(machine), recorded)
        lost = sum(not findings for findings in recorded)
        if lost:
            value = NOT_RECORDED if lost == len(own) else f"{NOT_RECORDED} in {lost} of "
            value += "" if lost == len(own) else f"{len(own)} runs"
            why = "These runs are older than the record of what benchbook doctor finds."
            rows.append((str(machine), "doctor", value, "info", False, why))
        rows += _swap(str(machine), own, os)
    return pd.DataFrame(rows, columns=list(HEALTH_COLUMNS))


def _findings(run: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """What one run recorded, as far as it has the right form."""
    recorded = run.get("doctor")
    lists = (list, tuple, np.ndarray)  # the last from Parquet
    if not isinstance(recorded, lists):
        return []
    return [
        (str(one[0]), str(one[1]), str(one[2]))
        for one in recorded
        if isinstance(one, lists) and len(one) == 3
    ]


def _of_machine(
    machine: str, recorded: Sequence[Sequence[tuple[str, str, str]]]
) -> list[tuple[Any, ...]]:
    """One row per check, over all runs of a machine."""
    values: dict[str, list[str]] = {}
    worst: dict[str, str] = {}
    for findings in recorded:
        for name, value, status in findings:
            distinct = values.setdefault(name, [])
            if value not in distinct:
                distinct.append(value)
            worst[name] = max(worst.get(name, "ok"), status, key=_rank)
    place = {name: i for i, name in enumerate(_WHY)}
    names = sorted(values, key=lambda name: place.get(name, len(place)))
    return [
        (
            machine, n, _arrows(values[n]), worst[n],
            len(values[n]) > 1 and n not in MOMENTARY, _WHY.get(n, ""),
        )
        for n in names
    ]  # fmt: skip


def _rank(status: str) -> int:
    return _ORDER.index(status) if status in _ORDER else len(_ORDER)


def _arrows(values: Sequence[str]) -> str:
    first = " → ".join(values[:_MOST_VALUES])
    more = len(values) - _MOST_VALUES
    return f"{first} → … ({more} more values)" if more > 0 else first


def _swap(
    machine: str, runs: pd.DataFrame, os: pd.DataFrame | None
) -> list[tuple[Any, ...]]:
    """Pages that were swapped while the runs of a machine were sampled."""
    if os is None or os.empty or "run_id" not in runs.columns:
        return []
    own = os[os["run_id"].isin(runs["run_id"])]
    pages = own[["swapped_in", "swapped_out"]].fillna(0).sum(axis=1)
    hit = own.loc[pages > 0, "run_id"].nunique()
    if not hit:
        return []
    value = f"{pages.sum():,.0f} pages in {hit} of {own['run_id'].nunique()} runs"
    return [(machine, "swapped", value, "warn", False, _WHY.get("swap", ""))]
