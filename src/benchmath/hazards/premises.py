"""What a question presumes, checked on the runs that answer it.

Each check takes frames and returns a ``Premise``; sentences are made of it in
``findings.premises``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import pandas as pd

from benchmath.costs.busy import others_share
from benchmath.costs.io import CACHED_KB, cached_check, has_metric, main_op
from benchmath.frames import (
    METRIC,
    Kind,
    further_dimensions,
    label,
    name_of,
)
from benchmath.hazards.pace import PACE_LIMIT, probed
from benchmath.hazards.writers import LEAST, SERVICE_LEVEL, service_level
from benchmath.settings import bytes_of
from benchmath.turns.quiet import loudness

LEAST_SECONDS = 1.0  # of a step: samples are taken once a second
LEAST_SECONDS_OF_LOOP = 0.05  # of a loop over one block: 10,000 times and more
OTHERS_LIMIT = 0.1  # of the busy CPU time, in any run of a step
# The same by difference: kernel threads, the referee and clock ticks take a third of it.
DIFFERENCE_LIMIT = 0.4
APART_LIMIT_H = 1.0  # between runs that are compared: machines drift
CPU_SLACK = 1.1  # CPU time over what the clock leaves room for
CPU_SLACK_S = 0.1
LARGER, READS, CACHED = "larger_than_memory", "reads", "cached"
LONG, PACED, ALONE, CLOCK = "long_enough", "paced", "alone", "clock"
TOGETHER, PACE = "together", "pace"
UNRATED = ("cleanup", "analyze")  # pay debts: their rates are no results
_MB = 1 << 20


@dataclass(frozen=True)
class Evidence:
    """One number that decides a premise: of a cell in a step, beside its limit."""

    cell: str
    step: str
    value: float
    limit: float
    unit: str


@dataclass(frozen=True)
class Premise:
    """Whether something presumed holds; ``met`` is None where nobody recorded it.

    evidence: of an unmet premise every number that speaks against it, of a met one that
    which comes nearest to it.
    """

    name: str
    met: bool | None
    evidence: tuple[Evidence, ...] = ()


SIZES = METRIC.extended("sizes beside the memory", "limit")


@dataclass(frozen=True)
class StudyFrames:
    """The frames of a study that premises are checked on."""

    runs: pd.DataFrame
    steps: pd.DataFrame
    metric: pd.DataFrame
    base: Mapping[str, str] = field(default_factory=dict)
    turns: pd.DataFrame = field(default_factory=pd.DataFrame)
    probes: pd.DataFrame = field(default_factory=pd.DataFrame)


def premises_of(study: StudyFrames, names: Iterable[str]) -> tuple[Premise, ...]:
    """The named premises in their order; nothing where there are no runs."""
    if study.runs.empty or study.metric.empty:
        return ()
    return tuple(Premise(name, *_decided(CHECKS[name](study), name)) for name in names)


def larger_than_memory(study: StudyFrames) -> pd.DataFrame:
    """The database after each step that works on it, beside the memory there is.

    That is the dimension `memory` where the server was limited, else the machine's. The
    first load is no such step: it begins with nothing.
    """
    rows = main_op(study.metric)
    rows = rows[(rows["metric"] == "size_bytes") & (~rows["step"].isin(UNRATED))]
    if rows.empty:
        return _nothing()
    sizes = rows.assign(limit=rows["run_id"].map(_memory(study.runs)))
    sizes = sizes[sizes["limit"] > 0]
    steps = study.steps.sort_values("seq", kind="stable")
    first = steps.groupby("run_id")["step"].first()
    sizes = sizes[sizes["step"] != sizes["run_id"].map(first)]
    sizes[["value", "limit"]] /= _MB
    sizes = sizes.assign(cell=_cells(sizes, study.base, SIZES))
    means = sizes.groupby(["cell", "step"], sort=False)[["value", "limit"]].mean()
    return means.reset_index().assign(unit="MB")


def reads(study: StudyFrames) -> pd.DataFrame:
    """KB that a server read per query or scan, beside a page in a hundred operations."""
    rows = study.metric[~study.metric["step"].isin(UNRATED)]
    metrics = [m for m in ("server_rkb_o", "rkb_o") if has_metric(main_op(rows), m)]
    if not metrics:
        return _nothing()
    named = rows.assign(cell=_cells(rows, study.base, METRIC))
    table = cached_check(named, ["cell"])
    value = table["server read"].fillna(table["device read"])
    return table.assign(value=value, limit=CACHED_KB, unit="KB per op")[_COLUMNS]


def long_enough(study: StudyFrames) -> pd.DataFrame:
    """Seconds of the shortest run of each step that had something to do."""
    steps = _main_steps(study)
    loop = steps["op"] == "bytes"
    limit = np.where(loop, LEAST_SECONDS_OF_LOOP, LEAST_SECONDS)
    steps = steps.assign(value=steps["elapsed_ns"] / 1e9, limit=limit)
    shortest = steps.groupby("step", sort=False)[["value", "limit"]].min()
    return shortest.reset_index().assign(cell="", unit="s")[_COLUMNS]


def paced(study: StudyFrames) -> pd.DataFrame:
    """The share of their rate that rate-limited writers reached in the worst run."""
    table = service_level(study.metric)
    if table.empty:
        return _nothing()
    table = table.assign(
        cell=_cells(table, study.base, SERVICE_LEVEL), value=table["ratio"]
    )
    worst = table.sort_values("value", kind="stable").drop_duplicates(["cell", "step"])
    return worst.sort_index().assign(limit=LEAST, unit="of the rate")[_COLUMNS]


def alone(study: StudyFrames) -> pd.DataFrame:
    """The share of the busy CPU time that others took in the worst run of each step.

    In turns it is that of a load of all arms, in the rounds that count.
    """
    worst = loudest(study.metric, study.turns)
    return worst.assign(
        value=100 * worst["share"].clip(lower=0.0), limit=100 * worst["limit"], cell="",
        unit="% of the busy CPU time",
    )[_COLUMNS]  # fmt: skip


def loudest(metric: pd.DataFrame, turns: pd.DataFrame) -> pd.DataFrame:
    """What others took of each rated step where they took most, and what they may.

    Columns step, share, counted, limit, as ``loads_by_others`` has them.
    """
    share = loads_by_others(metric, turns)
    share = share[~share["step"].isin(UNRATED)]
    limit = np.where(share["counted"], OTHERS_LIMIT, DIFFERENCE_LIMIT)
    share = share.assign(limit=limit).sort_values("share", kind="stable")
    return share.drop_duplicates("step", keep="last")


def loads_by_others(metric: pd.DataFrame, turns: pd.DataFrame) -> pd.DataFrame:
    """What others took: a row per run and step, or per session and step of turns.

    Columns step, share, counted: by counters of their own, else by difference.
    """
    if turns.empty:
        return others_share(metric)[["step", "share", "counted"]]
    loud = loudness(turns)
    if len(loud):
        return loud[["step", "share"]].assign(counted=True)
    each = turns.drop_duplicates(["run_id", "step", "round"])
    names = ["machine_cpu_ns", "client_cpu_ns", "server_cpu_ns", "steal_ns"]
    if not {*names} <= {*each.columns}:
        return others_share(metric)[["step", "share", "counted"]]
    sums = each.groupby(["session", "step"], sort=False)[names].sum().reset_index()
    ours = sums["client_cpu_ns"] + sums["server_cpu_ns"]
    busy = sums["machine_cpu_ns"] + sums["steal_ns"]
    share = (busy - ours) / busy.where(busy > 0)
    return sums[["step"]].assign(share=share, counted=False).dropna(subset=["share"])


def clock(study: StudyFrames) -> pd.DataFrame:
    """CPU seconds for each second of the step's clock: more than there are CPUs is odd.

    A clock that stands still, or goes slowly, while the program works shows itself so.
    """
    if "env" not in study.runs.columns:
        return _nothing()
    envs = (env if isinstance(env, Mapping) else {} for env in study.runs["env"])
    counts = (env.get("cpus") or 0 for env in envs)
    cpus = dict(zip(study.runs["run_id"], counts, strict=True))
    steps = _main_steps(study)
    steps = steps.assign(limit=steps["run_id"].map(cpus).fillna(0).astype(float))
    steps = steps[steps["limit"] > 0]
    seconds = _seconds(steps)
    used = (steps["cpu_ns"] / 1e9 - CPU_SLACK_S).clip(lower=0.0)
    value = (used / seconds.where(seconds > 0)).fillna(float("inf")).where(used > 0, 0.0)
    steps = steps.assign(value=value, limit=steps["limit"] * CPU_SLACK)
    worst = steps.groupby("step", sort=False)[["value", "limit"]].max()
    return worst.reset_index().assign(cell="", unit="CPUs")[_COLUMNS]


def together(study: StudyFrames) -> pd.DataFrame:
    """Hours between the runs of two values of a dimension, where they come nearest.

    Each value but the one begun first has a row, with the longest such time to one that
    was begun earlier: a drift of the machine in between would look like a difference.
    """
    if not {"started", "elapsed_s"} <= {*study.runs.columns}:
        return _nothing()
    runs = study.runs[["run_id", "started", "elapsed_s"]]
    begin = (runs["started"] - runs["started"].min()).dt.total_seconds() / 3600
    runs = runs.assign(begin=begin, end=begin + runs["elapsed_s"] / 3600)
    rows: list[dict[str, str | float]] = []
    for values in _compared(study, runs):
        begun = sorted(values, key=lambda of: of[1]["begin"].min())
        rows += [
            {"cell": cell,
             "value": max(_hours_between(these, earlier) for _, earlier in begun[:n])}
            for n, (cell, these) in enumerate(begun) if n
        ]  # fmt: skip
    return _beside(rows, APART_LIMIT_H, "h")


def pace(study: StudyFrames) -> pd.DataFrame:
    """How much longer a fixed piece of work took beside the runs of a value, in %.

    That is the median of its probes over that of the value of the same dimension beside
    which it was fastest, which has no row. What takes turns has the same probes.
    """
    probes = probed(study.runs, study.probes)
    if probes.empty:
        return _nothing()
    rows: list[dict[str, str | float]] = []
    for values in _compared(study, probes):
        paces = {cell: of["work_ns"].median() for cell, of in values}
        fastest = min(paces, key=paces.__getitem__, default="")
        rows += [
            {"cell": cell, "value": 100 * (median / paces[fastest] - 1)}
            for cell, median in paces.items() if cell != fastest
        ]  # fmt: skip
    return _beside(rows, 100 * PACE_LIMIT, "% longer")


def _compared(
    study: StudyFrames, of_runs: pd.DataFrame
) -> Iterator[list[tuple[str, pd.DataFrame]]]:
    """The rows of each value, named, of every dimension that varies on a machine.

    Machines are not compared: each has a clock, a drift and a pace of its own.
    """
    dims = [d for d in _dimensions(study.metric, study.base, METRIC) if d != "machine"]
    known = study.metric[["run_id", *dims]].drop_duplicates()
    known = known.merge(study.runs[["run_id", "machine"]], on="run_id")
    for _, own in known.merge(of_runs, on="run_id").groupby("machine", sort=False):
        for name in dims:
            values = own.groupby(name, dropna=False)
            yield [(name_of({name: value}), rows) for value, rows in values]


def _beside(rows: list[dict[str, str | float]], limit: float, unit: str) -> pd.DataFrame:
    """Rows of one number for all steps; where nothing is compared it is 0."""
    table = pd.DataFrame(rows or [{"cell": "", "value": 0.0}])
    return table.assign(step="", limit=limit, unit=unit)[_COLUMNS]


def _hours_between(some: pd.DataFrame, others: pd.DataFrame) -> float:
    """From the end of a run to the begin of one of the others, where that is shortest."""
    begins, ends = others["begin"].to_numpy(), others["end"].to_numpy()
    after = some["begin"].to_numpy()[:, None] - ends
    before = begins - some["end"].to_numpy()[:, None]
    return float(np.maximum(np.maximum(after, before), 0.0).min())


def _seconds(steps: pd.DataFrame) -> pd.Series:
    """How long a step took: db_bench's own time leaves out what it waited for."""
    elapsed = steps["elapsed_ns"].clip(lower=0)
    if not {"start_ns", "end_ns"} <= {*steps.columns}:
        return elapsed / 1e9
    return np.maximum(elapsed, steps["end_ns"] - steps["start_ns"]) / 1e9


_COLUMNS = ["cell", "step", "value", "limit", "unit"]
CHECKS: Mapping[str, Callable[[StudyFrames], pd.DataFrame]] = {
    LARGER: larger_than_memory, READS: reads, CACHED: reads, LONG: long_enough,
    PACED: paced, ALONE: alone, CLOCK: clock, TOGETHER: together, PACE: pace,
}  # fmt: skip
_AT_LEAST = frozenset({LARGER, READS, LONG, PACED})  # the others are at most their limit


def _decided(table: pd.DataFrame, name: str) -> tuple[bool | None, tuple[Evidence, ...]]:
    """Whether a premise is met by the numbers of its check, and which of them decide."""
    table = table.dropna(subset=["value", "limit"]) if len(table) else table
    if table.empty:
        return None, ()
    margin = table["value"] / table["limit"]
    against = table[margin < 1] if name in _AT_LEAST else table[margin > 1]
    if len(against):
        return False, _evidence(against)
    nearest = margin.idxmin() if name in _AT_LEAST else margin.idxmax()
    return True, _evidence(table.loc[[nearest]])


def _evidence(table: pd.DataFrame) -> tuple[Evidence, ...]:
    rows = table[_COLUMNS].astype({"value": float, "limit": float})
    return tuple(Evidence(*row) for row in rows.itertuples(index=False, name=None))


def _memory(runs: pd.DataFrame) -> dict[str, float]:
    """Bytes of memory of each run: its limit, else what its machine has."""
    memory = {}
    for run in runs.to_dict("records"):
        env = run.get("env")
        whole = env.get("mem_kib") if isinstance(env, Mapping) else None
        limit = bytes_of(str(run.get("memory") or ""))
        memory[str(run["run_id"])] = float(limit or 1024 * float(whole or 0))
    return memory


def _main_steps(study: StudyFrames) -> pd.DataFrame:
    steps = study.steps
    chosen = steps["main"].fillna(False).astype(bool) & (steps["ops"] != 0)
    return steps[chosen & (~steps["step"].isin(UNRATED))]


def _cells(rows: pd.DataFrame, base: Mapping[str, str], kind: Kind) -> pd.Series:
    """What each row is compared as, and what else tells it from others of its step."""
    varied = _dimensions(rows, base, kind)
    return label(rows, varied) if varied else pd.Series("", index=rows.index)


def _dimensions(rows: pd.DataFrame, base: Mapping[str, str], kind: Kind) -> list[str]:
    """Those of the base and what else tells rows of a step apart, if they vary."""
    dims = [d for d in base if d in kind.dimensions(rows)]
    dims += further_dimensions(rows, kind, [*dims, "step"])
    return [d for d in dims if rows[d].nunique(dropna=False) > 1]


def _nothing() -> pd.DataFrame:
    return pd.DataFrame(columns=_COLUMNS)
