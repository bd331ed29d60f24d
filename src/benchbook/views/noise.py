"""What a post says of the noise behind its numbers, as frames for plain tables."""

from __future__ import annotations

import pandas as pd

from benchmath.frames import Kind, require

_NOISE = Kind("noise_used", {
    "run": "%", "build and load": "%", "df": "", "runs": "me", "base": "runs",
})  # fmt: skip
_FLOOR = Kind("floor_facts", {
    "runs": "count", "arms": "count", "one run": "%", "run df": "",
    "build": "%", "build df": "", "load": "%", "load df": "",
})  # fmt: skip
_STEADY = Kind("unsteady", {
    "runs": "count", "unsteady": "runs", "seconds": "s", "worth": "s", "note": "",
})  # fmt: skip
_POOLED = Kind("pooled_facts", {
    "cells": "count", "runs": "count", "CoV": "%", "from": "%", "to": "%", "df": "",
    "robust": "%", "largest": "%",
})  # fmt: skip
_PLANNING = Kind("planning_facts", {"cov": "%"})
_SAID_AT_MOST = 3


def noise_used(relative: pd.DataFrame) -> pd.DataFrame:
    """Where each interval of ``relative`` comes from, per step and me.

    Columns: step, me, noise (its source), run (stddev of one run, %), build and load
    (stddev per side that more runs do not average out, %), df, runs, base (runs of
    each side).
    """
    require(relative, ("step", "me", "noise", "run_sd", "floor_sd", "df", "n", "n_base"))
    table = pd.DataFrame(
        {
            "step": relative["step"],
            "me": relative["me"],
            "noise": relative["noise"].replace("", "none"),
            "run": 100 * relative["run_sd"],
            "build and load": 100 * relative["floor_sd"],
            "df": relative["df"],
            "runs": relative["n"],
            "base": relative["n_base"],
        }
    )
    return _NOISE.shown(table)


def floor_facts(floor: pd.DataFrame | None) -> pd.DataFrame:
    """The frame of ``noise_floor`` for reading: stddevs in percent."""
    if floor is None:
        return pd.DataFrame(columns=["step", *_FLOOR.columns])
    keys = [k for k in ("machine", "engine", "step", "placement") if k in floor.columns]
    table = pd.DataFrame(
        {
            **{k: floor[k] for k in keys},
            "runs": floor["n"],
            "arms": floor["arms"],
            "one run": 100 * floor["run_sd"],
            "run df": floor["run_df"],
            "build": 100 * floor["build_sd"],
            "build df": floor["build_df"],
            "load": 100 * floor["load_sd"],
            "load df": floor["load_df"],
            "note": floor["note"],
        }
    )
    return _FLOOR.shown(table)


def unsteady(steady: pd.DataFrame) -> pd.DataFrame:
    """Per step, how many runs did not hold one level: from ``steady_state``.

    Columns: step, op, runs, unsteady, seconds (median length), worth (median of the
    effective seconds), note (what the first few of them did).
    """
    require(steady, ("step", "op", "seconds", "n_effective", "steady", "note"))
    rows = []
    for (step, op), runs in steady.groupby(["step", "op"], sort=False):
        off = runs[runs["steady"].eq(False).fillna(False)]
        said = list(dict.fromkeys(n for n in off["note"] if n))
        short = runs.loc[runs["steady"].isna(), "note"].unique()[:1]
        rows.append(
            {
                "step": step, "op": op, "runs": len(runs), "unsteady": len(off),
                "seconds": runs["seconds"].median(),
                "worth": runs["n_effective"].median(),
                "note": "; ".join(said[:_SAID_AT_MOST]) or "".join(short),
            }
        )  # fmt: skip
    return _STEADY.shown(pd.DataFrame(rows, columns=["step", "op", *_STEADY.columns]))


def pooled_facts(pooled: pd.DataFrame) -> pd.DataFrame:
    """The frame of ``pooled_cov`` for reading: CoV in percent, and the class."""
    keys = [k for k in ("machine", "server", "step") if k in pooled.columns]
    shares = {
        "CoV": "pooled", "from": "pooled_low", "to": "pooled_high", "robust": "robust",
        "largest": "largest",
    }  # fmt: skip
    table = pd.DataFrame(
        {
            **{k: pooled[k] for k in keys},
            "cells": pooled["cells"],
            "runs": pooled["n"],
            **{name: 100 * pooled[column] for name, column in shares.items()},
            "df": pooled["pooled_df"],
            "class": pooled["verdict"],
        }
    )
    return _POOLED.shown(table)


def planning_facts(needed: pd.DataFrame) -> pd.DataFrame:
    """The frame of ``runs_table`` for reading: CoV in percent, `none` for NA."""
    effects = [c for c in needed.columns if str(c).endswith("%")]
    words = {
        c: needed[c].astype(object).where(needed[c].notna(), "none") for c in effects
    }
    table = needed.assign(cov=100 * needed["cov"], **words)
    return _PLANNING.shown(table.astype(dict.fromkeys(words, str)))
