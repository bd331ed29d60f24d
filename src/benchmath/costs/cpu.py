"""The CPU time behind a step's operations: whose it is, and how it splits a change.

With the CPU time u that an operation takes and the CPUs c that were busy, the rate is
c / u: always, whatever the bottleneck. So log(rate ratio) = log(c ratio) - log(u ratio):
a slower step worked less of its time, or did more for each operation.
"""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.costs.io import main_op
from benchmath.costs.means import DIFFERENCES, mean_differences
from benchmath.frames import Kind, MetricFrame, ordered, require, select
from benchmath.ratios.floor import noise_floor
from benchmath.ratios.relative import relative

MACHINE, NONE = "machine", "not recorded"
PROCESSES, EMBEDDED = "server and client", "client"  # an embedded engine is its client
LEAST_TICKS = 100  # of CPU time in a step: one tick more or less is then at most 1%
MOST_OF_OTHERS = 0.1  # of the machine's CPU time, or it says little of the engine
TICKS_PER_S = 100  # USER_HZ, in which the kernel tells CPU time
RATE, USED, PER_OP = "throughput", "CPU used", "CPU per operation"
# Part, the metric it is; of two ways to tell a side the finer one.
_SERVER = (
    {"server user": "server_user_o", "server system": "server_system_o"},
    {"server": "cpu_o"},
)
_CLIENT = (
    {"client user": "client_user_o", "client system": "client_system_o"},
    {"client": "client_cpu_o"},
)
_ALONE = (_CLIENT[0], {"client": "cpu_o"})
_OTHERS = {"interrupts": "irq_o"}
_NEEDED = (
    "cpu_o", "client_cpu_o", "machine_cpu_o", "server_user_o", "server_system_o",
    "client_user_o", "client_system_o", "irq_o", "elapsed_s",
)  # fmt: skip
# The parts of CPU time per operation by whose it is, in the order of a table.
WHOLE, REST = "whole", "rest"
PARTS = (
    "server", "server user", "server system", "client", "client user", "client system",
    "interrupts", REST, WHOLE,
)  # fmt: skip
_MEASURED = ("metric", "clock", "value", "unit", "direction", "main")
_NAMES = {RATE: "rate", USED: "cpu_used", PER_OP: "cpu_per_operation"}
PER_RUN = Kind("per_run", ("rate", "rate_unit", "cpu", *PARTS))
PerRunFrame = Annotated[pd.DataFrame, PER_RUN]
SPLIT = Kind("split", (
    "cpu", "part", "unit", "me", "base", "n", "n_base", "value", "value_base", "relative",
    "low", "high", "log_pct", "log_low", "log_high", "detected", "note",
))  # fmt: skip
SplitFrame = Annotated[pd.DataFrame, SPLIT]
CPU_PARTS = Kind("cpu_parts", (
    "part", *(c for c in DIFFERENCES.columns if c not in ("unit", "direction")),
    "log_pct", "cpu",
))  # fmt: skip
PartsFrame = Annotated[pd.DataFrame, CPU_PARTS]


def per_run(metric: MetricFrame) -> PerRunFrame:
    """One row per run and step: rate, its unit, and a column for each part of the CPU.

    Columns: those of ``metric`` that say which run and step, rate, rate_unit, cpu (what
    is the whole: the machine, or server and client together (of an embedded engine the
    client) where the machine's clock ticks are fewer than 100 in a run of the step, were
    not recorded, or were to more than a tenth other processes'), then PARTS in
    microseconds per operation, NaN where a step does not have the part. All runs of a
    step are told in the same way: as finely as the coarsest of them.
    """
    require(metric, ("run_id", "step", "op", "main", "metric", "value", "unit"))
    rates = select(metric)
    named = rates.drop(columns=[c for c in _MEASURED if c in rates.columns])
    named = named.assign(rate=rates["value"], rate_unit=rates["unit"])
    costs = main_op(metric)
    costs = costs[costs["metric"].isin(_NEEDED)]
    wide = costs.pivot_table("value", ["run_id", "step"], "metric", "mean")
    wide = wide.reindex(columns=list(_NEEDED)).reset_index()
    runs = named.merge(wide, on=["run_id", "step"], how="left")
    runs = runs[runs["rate"] > 0]
    steps = [_with_parts(step) for _, step in runs.groupby("step", sort=False)]
    whole = pd.concat(steps) if steps else runs.assign(cpu="")
    columns = [*PER_RUN.keys(named), *PER_RUN.columns]
    return whole.reindex(columns=columns).reset_index(drop=True)


def split(
    runs: PerRunFrame, base: Mapping[str, str], aa: MetricFrame | None = None
) -> SplitFrame:
    """Why each step's throughput changed: CPU used per second, CPU per operation.

    Three rows per step of ``per_run`` and me, for `throughput`, `CPU used` (CPUs busy:
    rate x CPU per operation) and `CPU per operation` (us).
    Columns: the dimensions, step, op, cpu (as in ``per_run``), part, unit, me, base, n,
    n_base, value and value_base (geometric means), relative with its interval (those of
    ``relative``, over the trials; ``aa`` are A/A runs for the noise floor), log_pct,
    log_low, log_high, detected, note.

    log_pct is 100 ln(relative), that of CPU per operation negated: it is what the part
    adds to the throughput, and the throughput's is the sum of the other two. Steps whose
    runs did not record the CPU have the row of the throughput only.
    """
    floors = _floors(aa)
    tables = []
    for part, name in _NAMES.items():
        rows = _long(runs, part)
        if rows.empty:
            continue
        ratios = relative(rows, base, name, floor=floors.get(part))
        tables.append(_in_log(ratios.assign(part=part)))
    if not tables:
        return pd.DataFrame(columns=["step", *SPLIT.columns])
    table = pd.concat(tables, ignore_index=True)
    table = table.assign(cpu=table["step"].map(_basis(runs)))
    keys = [c for c in SPLIT.keys(table) if c in runs.columns]
    return _ordered(SPLIT.of(table, keys), tuple(_NAMES))


def cpu_parts(runs: PerRunFrame, base: Mapping[str, str]) -> PartsFrame:
    """CPU per operation in microseconds by who used it; the parts add up to `whole`.

    Takes the frame of ``per_run``.
    Columns: the dimensions, step, op, cpu, part, me, base, n, n_base, mean, mean_base,
    diff, low, high, detected (see ``mean_differences``) and log_pct: what the part's
    difference adds to the logarithm of the throughput, in percent. A whole that goes
    from b to m has log_pct -100 ln(m / b), of which a part has the share of its
    difference (the logarithmic mean of B. W. Ang 2005 in every denominator).

    `rest` is the machine's CPU without those of server, client and interrupts: other
    processes, and what clock ticks miss; where it is below 0, the clocks of the processes
    told more than the machine's ticks.
    """
    parts = [_rows(runs, p, p, "us", "lower") for p in PARTS if runs[p].notna().any()]
    rows = pd.concat(parts or [_rows(runs, WHOLE, WHOLE, "us", "lower")])
    differences = mean_differences(rows.reset_index(drop=True), base)
    differences = differences.rename(columns={"metric": "part"})
    keys = [c for c in CPU_PARTS.keys(differences) if c in runs.columns]
    on = [*keys, "me"]
    whole = differences.loc[differences["part"] == WHOLE, [*on, "mean", "mean_base"]]
    of = differences[on].merge(whole, on=on, how="left")
    scale = _log_mean(of["mean"], of["mean_base"])
    table = differences.assign(
        log_pct=-100 * differences["diff"] / scale, cpu=of["step"].map(_basis(runs))
    )
    return _ordered(CPU_PARTS.of(table, keys), PARTS)


def _with_parts(step: pd.DataFrame) -> pd.DataFrame:
    """The parts of one step, as all its runs know them."""
    server = bool(step[["client_cpu_o", "server_user_o"]].notna().any(axis=None))
    parts = dict(_usable_way(step, _SERVER)) if server else {}
    parts |= _usable_way(step, _CLIENT if server else _ALONE)
    sides = 2 if server else 1
    have = len({name.split(" ")[0] for name in parts})
    columns = {name: step[column] for name, column in parts.items()}
    interrupts = {n: step[c] for n, c in _usable_way(step, (_OTHERS,)).items()}
    rest = step["machine_cpu_o"] - sum((columns | interrupts).values())
    others = float((rest / step["machine_cpu_o"]).mean())
    if _machine_is_fine(step) and (have < sides or others <= MOST_OF_OTHERS):
        columns |= interrupts | {REST: rest, WHOLE: step["machine_cpu_o"]}
        return step.assign(**columns, cpu=MACHINE)
    if have < sides:
        return step.assign(cpu=NONE)
    return step.assign(
        **columns, **{WHOLE: sum(columns.values())}, cpu=PROCESSES if server else EMBEDDED
    )


def _basis(runs: pd.DataFrame) -> pd.Series:
    """By step, what its CPU is of."""
    return runs.drop_duplicates("step").set_index("step")["cpu"]


def _usable_way(step: pd.DataFrame, ways: tuple[dict[str, str], ...]) -> dict[str, str]:
    """The first way to tell a side that every run of the step has."""
    for way in ways:
        if step[list(way.values())].notna().all(axis=None):
            return way
    return {}


def _machine_is_fine(step: pd.DataFrame) -> bool:
    """Is the machine's CPU known in every run, and in ticks enough?"""
    busy_us = step["machine_cpu_o"] * step["rate"] * step["elapsed_s"].fillna(np.inf)
    ticks = busy_us / 1e6 * TICKS_PER_S
    return bool(ticks.notna().all() and (ticks >= LEAST_TICKS).all())


def _floors(aa: pd.DataFrame | None) -> dict[str, pd.DataFrame]:
    """The noise floor of each part of the split, as far as A/A runs have it."""
    if aa is None or aa.empty:
        return {}
    runs = per_run(aa)
    rows = {part: _long(runs, part) for part in _NAMES}
    return {p: noise_floor(r, _NAMES[p]) for p, r in rows.items() if len(r)}


def _long(runs: pd.DataFrame, part: str) -> pd.DataFrame:
    """One term of the split as rows of a metric frame."""
    if part == RATE:
        rows = _rows(runs, "rate", _NAMES[part], "", "higher")
        return rows.assign(unit=runs["rate_unit"])
    if part == PER_OP:
        return _rows(runs, WHOLE, _NAMES[part], "us", "lower")
    used = runs.assign(used=runs["rate"] * runs[WHOLE] / 1e6)
    return _rows(used, "used", _NAMES[part], "CPUs", "none")


def _rows(
    runs: PerRunFrame, column: str, name: str, unit: str, direction: str
) -> MetricFrame:
    """A column of ``per_run`` as rows of a metric frame, without those that lack it."""
    rows = runs[[c for c in PER_RUN.keys(runs) if c != column]].assign(
        metric=name, clock="", value=runs[column].astype(float), unit=unit,
        direction=direction, main=False,
    )  # fmt: skip
    return rows[rows["value"].notna()]


def _in_log(ratios: pd.DataFrame) -> pd.DataFrame:
    """What a factor adds to the logarithm of the throughput, in percent."""
    logs = {
        name: 100 * np.log(ratios[of].astype(float))
        for name, of in (
            ("log_pct", "relative"),
            ("log_low", "low"),
            ("log_high", "high"),
        )
    }
    if ratios["part"].eq(PER_OP).all():
        logs = {
            "log_pct": -logs["log_pct"],
            "log_low": -logs["log_high"],
            "log_high": -logs["log_low"],
        }
    return ratios.assign(**logs)


def _log_mean(me: pd.Series, base: pd.Series) -> pd.Series:
    """(m - b) / ln(m / b), which is b where both are equal."""
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = (me - base) / np.log(me / base)
    return mean.where(me != base, base)


def _ordered(table: pd.DataFrame, parts: tuple[str, ...]) -> pd.DataFrame:
    """Rows in the order of the steps, then of what is compared, then of the parts."""
    row = table.groupby(["step", "me", "part"], sort=False).cumcount()
    orders = {"step": table["step"], "me": table["me"], "row": row, "part": parts}
    rows = ordered(table.assign(row=row), orders)
    return rows.drop(columns="row").reset_index(drop=True)
