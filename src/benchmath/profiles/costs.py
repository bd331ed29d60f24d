"""What all of a profile costs per operation: the figure that shares are shares of.

Profiles of the CPU are parts of the CPU that the run's counters or sampler saw
(``cpu_o``). Other events, and the time off the CPU, are counted in the profile itself:
their sum over the slice, divided by the operations that the slice had (``slice_costs``).
"""

import re

import numpy as np
import pandas as pd

from benchmath.frames import require

CAPTURE = ("run_id", "step", "tree", "event")
_CPU = ("cycles", "cpu_cycles", "cpu_clock", "task_clock")
_TIMES = ("cpu_clock", "task_clock", "off_cpu")  # their weights are ns
_UNITS = {"off_cpu": "us"}


def costs_of(captures: pd.DataFrame, costs: pd.DataFrame) -> tuple[np.ndarray, list[str]]:
    """Per capture what all of it costs per operation, and the unit.

    ``costs`` has one row per run_id and step (and tree, where it has that column):
    ``cpu_o`` for cycles, cpu-clock and task-clock, ``user_o`` where the event counts user
    code alone (``cycles:u``), in us; ``EVENT_o``, such as ``cache_misses_o``, for others.

    Raises ValueError where a capture has none: nothing is attributed by guess.
    """
    keys = [c for c in ("run_id", "step", "tree") if c in costs.columns]
    require(costs, ("run_id", "step"))
    joined = captures.merge(costs, on=keys, how="left", validate="m:1")
    values, units = [], []
    for record in joined.to_dict("records"):
        column, unit = cost_column(str(record["event"]))
        value = record.get(column, np.nan)
        if pd.isna(value):
            raise ValueError(
                f"no {column} of run {record['run_id']} in step {record['step']}: "
                f"a profile of {record['event']} is divided by it"
            )
        values.append(float(value))
        units.append(unit)
    return np.array(values), units


def _metric(event: str) -> str:
    """An event's name as that of a metric: cpu-clock is cpu_clock."""
    return re.sub(r"[/.-]", "_", event.lower()).strip("_")


def cost_column(event: str) -> tuple[str, str]:
    """The cost that an event is a part of, and its unit per operation."""
    name, _, modifiers = event.partition(":")
    metric = _metric(name)
    if metric in _CPU:
        user = "u" in modifiers and "k" not in modifiers
        return ("user_o" if user else "cpu_o"), "us"
    return f"{metric}_o", _UNITS.get(metric, "events")


def slice_costs(
    stacks: pd.DataFrame, profiles: pd.DataFrame, rates: pd.DataFrame
) -> pd.DataFrame:
    """Costs per operation from the profiles themselves, for ``costs_of``.

    ``profiles``: run_id, step, tree, event, start_ns, end_ns (the slice); ``rates``:
    run_id, step, ops_per_s, of the step's main operation. Columns: run_id, step, tree,
    and one per event: off_cpu_o [us], page_faults_o [events] and so on; cpu_o [us] of
    cpu-clock and task-clock, whose weights are time. cycles give none: they are no time.
    """
    require(profiles, (*CAPTURE, "start_ns", "end_ns"))
    require(rates, ("run_id", "step", "ops_per_s"))
    plain = stacks.astype(dict.fromkeys(CAPTURE, str))
    sums = plain.groupby([*CAPTURE], sort=False)["weight"].sum().reset_index()
    slices = profiles[[*CAPTURE, "start_ns", "end_ns"]]
    joined = sums.merge(slices, on=[*CAPTURE], how="left", validate="1:1")
    joined = joined.merge(rates, on=["run_id", "step"], how="left", validate="m:1")
    seconds = (joined["end_ns"] - joined["start_ns"]) / 1e9
    metrics = joined["event"].map(lambda event: _metric(event.partition(":")[0]))
    scale = np.where(metrics.isin(_TIMES), 1e3, 1.0)
    joined["cost"] = joined["weight"] / scale / (joined["ops_per_s"] * seconds)
    joined["column"] = [cost_column(event)[0] for event in joined["event"]]
    timed = metrics.isin(_TIMES) | ~joined["column"].isin(["cpu_o", "user_o"])
    wide = joined[timed].pivot_table(
        index=["run_id", "step", "tree"], columns="column", values="cost", sort=False
    )
    return wide.rename_axis(columns=None).reset_index()
