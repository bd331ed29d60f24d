"""How fast the machine was: how long a fixed piece of work took around the runs.

The work is bench/common/work.c's, on one CPU while all arms rest. A virtual machine may
need twice as long for it on one day as on another: ratios of what took turns stand,
rates of two days do not compare.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

PACE_LIMIT = 0.1  # by how much longer it may take before that is said


def probed(runs: pd.DataFrame, probes: pd.DataFrame) -> pd.DataFrame:
    """Columns run_id, probe, work_ns: a row per run and probe, before and after.

    Of runs in turns those are ``probes``, taken around each step of their session once
    for all arms; of others what their environment (``runs``: run_id, env) tells of the
    moments before and after all steps.
    """
    taken = _of_turns(probes)
    if "env" not in runs.columns:
        return taken
    rest = runs[~runs["run_id"].isin(taken["run_id"])]
    told = [
        {"run_id": run_id, "probe": f"{run_id} {when}", "work_ns": env[when]["work_ns"]}
        for run_id, env in zip(rest["run_id"], rest["env"], strict=True)
        for when in ("before", "after")
        if isinstance(env, Mapping) and (env.get(when) or {}).get("work_ns")
    ]
    return pd.concat([taken, pd.DataFrame(told)]) if told else taken


def _of_turns(probes: pd.DataFrame) -> pd.DataFrame:
    if probes.empty:
        empty = {"run_id": str, "probe": str, "work_ns": int}
        return pd.DataFrame({name: pd.Series(dtype=of) for name, of in empty.items()})
    probe = probes["session"] + " " + probes["step"] + " " + probes["when"]
    return probes[["run_id", "work_ns"]].assign(probe=probe)


def pace_ms(probes: pd.DataFrame) -> float:
    """The median of ``work_ns``, in ms; NaN without any."""
    return float(probes["work_ns"].median()) / 1e6


def times_slower(one_ms: float, other_ms: float) -> float:
    """How many times as long it took where the machine was slower, if that counts.

    1 where the two are within ``PACE_LIMIT``, or one is not known (NaN).
    """
    slow, fast = max(one_ms, other_ms), min(one_ms, other_ms)
    return slow / fast if slow > fast * (1 + PACE_LIMIT) else 1.0
