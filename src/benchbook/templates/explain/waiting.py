"""Where threads wait: what a profile of the CPU cannot show, where it was recorded."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import pandas as pd
from great_tables import GT

from benchbook import charts
from benchbook.charts.flame import FlameGraph
from benchbook.results.results import Results
from benchbook.tables import plain_table
from benchbook.views.profiles import OFF_CPU, PMP, flame_of, one_setting, profile_costs
from benchmath.profiles.functions import frame_costs

_WHERE = {
    OFF_CPU: "time off the CPU, of an operation's threads",
    PMP: "all threads, as gdb saw them (%)",
}
# How a thread waits, or begins, not for what: functions of the C library, and no name.
_HOW = re.compile(
    r"_|pthread_|futex|p?poll|epoll|recv|send|read$|write$|nanosleep|clone|start_thread|"
    r"io_getevents|syscall|\[|\?"
)
_DEBUGGER = "ptrace_stop"
STOPPED = "stopped by a debugger"
_ROWS = 12
_NOTES = (
    "The nearest function with a name above the wait. Blocked: it waits for something; "
    "preempted: for a CPU.",
    "Mean over the profiled runs; threads of the background wait all the time.",
)


def place(frames: str, kinds: str) -> str:
    """The nearest named function, from the leaf, that is none of the C library's."""
    named = frames.split(";")
    if _DEBUGGER in named:
        return STOPPED
    users = [f for f, kind in zip(named, kinds, strict=True) if kind != "k"]
    told = [name for name in reversed(users) if not _HOW.match(name)]
    return next(iter(told or users[::-1]), named[-1]).partition("@")[0]


def waits(results: Results, step: str, values: Sequence[str]) -> pd.DataFrame:
    """us per operation off the CPU by place and state, a column for each of ``values``.

    Columns: place, state, then the values, of runs of the compared dimension. The largest
    of the last value first; empty where no time off the CPU was recorded.
    """
    stacks, (profiled, _) = results.stacks, one_setting(results)
    stacks = stacks[stacks["run_id"].isin(profiled["run_id"])]
    own = stacks[(stacks["step"] == step) & (stacks["event"] == OFF_CPU)]
    if own.empty:
        return pd.DataFrame(columns=["place", "state", *values])
    places = [place(*pair) for pair in zip(own["frames"], own["kinds"], strict=True)]
    named = [f"{at}\t{state}" for at, state in zip(places, own["state"], strict=True)]
    costs = frame_costs(own.assign(frames=named, kinds="u"), profile_costs(results))
    value_of = profiled.set_index("run_id")[results.compared].astype(str)
    runs = value_of[value_of.index.isin(own["run_id"])]
    costs = costs.assign(value=costs["run_id"].map(value_of))
    sums = (
        costs.groupby(["frame", "value"])["self"].sum().unstack("value", fill_value=0.0)
    )
    means = sums.reindex(columns=list(values), fill_value=0.0) / runs.value_counts()
    table = means[list(values)].sort_values(values[-1], ascending=False).reset_index()
    parts = table.pop("frame").str.partition("\t")
    return pd.concat([parts[0].rename("place"), parts[2].rename("state"), table], axis=1)


def waiting_section(
    results: Results, step: str, values: Sequence[str]
) -> Iterator[GT | FlameGraph]:
    """The first rows of ``waits``, and the graphs of the last value; or nothing."""
    found = waits(results, step, values).head(_ROWS)
    if len(found):
        units = dict.fromkeys(values, "us/op")
        setting = one_setting(results)[1]
        notes = [*_NOTES, *([f"Of {setting}."] if setting else [])]
        yield plain_table(found, None, units, {"place": "function"}, notes=notes)
    yield from waiting_graphs(results, step, values[-1])


def waiting_graphs(results: Results, step: str, value: str) -> Iterator[FlameGraph]:
    """Flame graphs of one step of the cells with ``value``: off the CPU, and by gdb.

    A look of gdb's has every thread once, waiting ones too: shares are of threads.
    """
    of_step = results.stacks[results.stacks["step"] == step]
    for event, where in _WHERE.items():
        if event in set(of_step["event"]):
            tree = flame_of(results, step, value, event, weighted=event != PMP)
            yield charts.flame(tree, f"{value}: {where}")
