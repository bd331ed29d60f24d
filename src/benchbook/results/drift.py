"""What moved on a machine while a study ran, with the first, the last and the worst run.

Frames in, a frame out. Facts that differ from run to run are numbers with a unit, facts
that should stand still (kernel, microcode, governor) texts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from benchmath.frames import require
from benchmath.hazards.machine_samples import cpu_shares

DRIFT_COLUMNS = (
    "machine", "fact", "unit", "first", "last", "worst", "first_run", "last_run",
    "worst_run", "runs", "moved",
)  # fmt: skip
STEADY = ("kernel", "microcode", "governor", "thp", "mitigations", "mem_kib", "swap_kib")
_TREES = ("run_id", "user_ns", "system_ns")
Env = Mapping[str, Any]


@dataclass(frozen=True)
class Fact:
    """A number of each run: which is worse, and when is it worth a look?"""

    name: str
    unit: str
    worse: Callable[[pd.Series], Any]  # the index of the worst run
    moved: Callable[[pd.Series], bool]


def _highest(values: pd.Series) -> Any:
    return values.idxmax()


def _lowest(values: pd.Series) -> Any:
    return values.idxmin()


def _loaded(values: pd.Series) -> bool:
    """A run leaves load behind itself: of that a run may find twice the usual."""
    return bool(values.max() > 2 * values.median() + 0.5)


FACTS = (
    Fact("steal", "% of the CPU time", _highest, lambda v: bool(v.max() > 1)),
    Fact("CPU clock", "MHz", _lowest, lambda v: bool(v.max() > 1.05 * v.min())),
    Fact("fdatasync before", "per s", _lowest, lambda v: bool(v.max() > 1.5 * v.min())),
    Fact("fdatasync after", "per s", _lowest, lambda v: bool(v.max() > 1.5 * v.min())),
    Fact("load before", "1-minute load", _highest, _loaded),
    Fact("load by others", "% of the busy time", _highest, lambda v: bool(v.max() > 5)),
)


def drifted(
    runs: pd.DataFrame,
    os: pd.DataFrame | None = None,
    trees: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """What moved on each machine from run to run, a row per fact.

    ``runs`` has machine, run_id, tag, trial, started, elapsed_s and env (as ``collect``
    gives them); ``os`` and ``trees`` are the rows of os_sample and tree_sample. Columns:
    machine, fact, unit, first, last and worst (texts), first_run, last_run and worst_run
    (tag and trial), runs (that know it), moved (worth a look).

    * steal: percent of all CPUs' time, from os, else from the ticks in env;
    * CPU clock: mean over a run, from os; worst is the slowest;
    * fdatasync before and after each run (env's probes); worst is the lowest;
    * load before each run: it holds what the run before it left behind;
    * load by others: CPU time of neither process tree nor interrupts, of the busy time.

    Kernel, microcode, governor, huge pages, mitigations and memory have a row where they
    changed: first and last value, and as worst run the first with another value.
    """
    require(runs, ("machine", "run_id", "env"))
    rows: list[dict[str, Any]] = []
    for machine, own in as_begun(runs).groupby("machine", sort=False):
        facts = _numbers(own, os, trees)
        names = _names(own)
        for fact in FACTS:
            values = facts[fact.name].dropna()
            if len(values):
                rows.append({"machine": str(machine), **_row(fact, values, names)})
        rows += [{"machine": str(machine), **row} for row in _changed(own, names)]
    return pd.DataFrame(rows, columns=list(DRIFT_COLUMNS))


def _numbers(
    runs: pd.DataFrame, os: pd.DataFrame | None, trees: pd.DataFrame | None
) -> pd.DataFrame:
    """One row per run in their order, a column per fact, NaN where it is not known."""
    numbers = pd.DataFrame(index=pd.Index(runs["run_id"]), dtype=float)
    records = dict(zip(runs["run_id"], runs.to_dict("records"), strict=True))
    for name, of_env in (
        ("steal", _steal_of_env), ("fdatasync before", _syncs("before")),
        ("fdatasync after", _syncs("after")), ("load before", _load),
    ):  # fmt: skip
        numbers[name] = [of_env(records[run]) for run in numbers.index]
    sampled = _sampled(os, trees).reindex(numbers.index)
    numbers["steal"] = sampled["steal"].fillna(numbers["steal"])
    return numbers.assign(**{n: sampled[n] for n in ("CPU clock", "load by others")})


def _sampled(os: pd.DataFrame | None, trees: pd.DataFrame | None) -> pd.DataFrame:
    """steal, CPU clock and load by others of each run that has samples."""
    names = ["steal", "CPU clock", "load by others"]
    if os is None or os.empty:
        return pd.DataFrame(columns=names, dtype=float)
    sums = cpu_shares(os).groupby(os["run_id"]).sum()
    facts = pd.DataFrame({"steal": 100 * sums["steal_ns"] / sums["all_ns"]})
    clock = os.groupby("run_id")["mhz"].mean() if "mhz" in os.columns else None
    facts["CPU clock"] = clock if clock is not None else float("nan")
    facts["load by others"] = float("nan")
    if trees is not None and len(trees):
        require(trees, _TREES)
        own = trees.groupby("run_id")[["user_ns", "system_ns"]].sum().sum(axis=1)
        others = sums["busy_ns"] - sums["irq_ns"] - own
        busy = sums["busy_ns"].where(sums["busy_ns"] > 0)
        facts["load by others"] = (100 * others / busy).clip(lower=0)
    return facts[names].astype(float)


def _row(fact: Fact, values: pd.Series, names: Mapping[str, str]) -> dict[str, Any]:
    first, last, worst = values.index[0], values.index[-1], fact.worse(values)
    return {
        "fact": fact.name, "unit": fact.unit,
        "first": _figure(values[first]), "last": _figure(values[last]),
        "worst": _figure(values[worst]), "first_run": names[first],
        "last_run": names[last], "worst_run": names[worst], "runs": len(values),
        "moved": fact.moved(values),
    }  # fmt: skip


def _figure(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2g}"


def _changed(runs: pd.DataFrame, names: Mapping[str, str]) -> list[dict[str, Any]]:
    """Facts that should not change in a study, where they did."""
    rows = []
    for fact in STEADY:
        values = [
            (run["run_id"], str(env[fact]))
            for run in runs.to_dict("records")
            if (env := mapping_of(run["env"])).get(fact) not in (None, "")
        ]
        others = [run for run, value in values if value != values[0][1]]
        if others:
            (first, value), (last, newest) = values[0], values[-1]
            other = dict(values)[others[0]]
            rows.append(
                {
                    "fact": fact, "unit": "", "first": value, "last": newest,
                    "worst": other, "first_run": names[first], "last_run": names[last],
                    "worst_run": names[others[0]], "runs": len(values), "moved": True,
                }
            )  # fmt: skip
    return rows


def _names(runs: pd.DataFrame) -> dict[str, str]:
    """How each run is called: its tag and trial, with dop where that varies."""
    several = "dop" in runs.columns and runs["dop"].nunique() > 1
    return {
        str(run["run_id"]): " ".join(
            [
                str(run.get("tag", run["run_id"])),
                *([f"dop {run['dop']}"] if several else []),
                *([f"trial {run['trial']}"] if "trial" in run else []),
            ]
        )
        for run in runs.to_dict("records")
    }


def _steal_of_env(run: Mapping[str, Any]) -> float:
    env = mapping_of(run["env"])
    before, after = mapping_of(env.get("before")), mapping_of(env.get("after"))
    seconds = float(run.get("elapsed_s") or 0) * float(env.get("cpus") or 0)
    if "steal_ticks" not in before or "steal_ticks" not in after or seconds <= 0:
        return float("nan")
    ticks = float(after["steal_ticks"]) - float(before["steal_ticks"])
    return 100 * ticks / float(env.get("clock_ticks_per_s") or 100) / seconds


def _syncs(when: str) -> Callable[[Mapping[str, Any]], float]:
    def rate(run: Mapping[str, Any]) -> float:
        probe = mapping_of(mapping_of(mapping_of(run["env"]).get(when)).get("probe"))
        return float(probe.get("fdatasync_per_s", float("nan")))

    return rate


def _load(run: Mapping[str, Any]) -> float:
    before = mapping_of(mapping_of(run["env"]).get("before"))
    return float(before.get("load1", float("nan")))


def mapping_of(value: Any) -> Env:
    """What a run recorded, or nothing where it recorded nothing."""
    return value if isinstance(value, Mapping) else {}


def as_begun(runs: pd.DataFrame) -> pd.DataFrame:
    """Runs in the order in which they began, where that is known."""
    return runs.sort_values("started", kind="stable") if "started" in runs else runs
