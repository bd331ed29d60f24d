"""The noise floor: what A/A runs differ by although nothing was changed.

An A/A study measures one cell in several arms: `main` and `again` run the same program,
`rebuilt-2`, ... the same sources in another build, `reloaded-2`, ... the same program on
another load of the database; the columns build_no and load_no say which. Everything is
on logarithms, so that a stddev of 0.01 is 1%.
"""

import numpy as np
import pandas as pd

from benchmath.frames import (
    cells_of,
    dimensions_of,
    measurement_of,
    require,
    select,
)
from benchmath.ratios.pooling import moderate

KEYS = ("machine", "engine", "step", "op", "clock", "metric", "dop", "placement")
LEVELS = {"build": "build_no", "load": "load_no"}
COMPONENTS = ("run_sd", "run_df", "build_sd", "build_df", "load_sd", "load_df")


def noise_floor(frame: pd.DataFrame, metric: str = "throughput") -> pd.DataFrame:
    """Variance components of A/A runs, one row per machine and step.

    ``frame`` is a metric frame of A/A runs with the columns arm, build_no, load_no and
    trial. Columns: those of machine, engine, step, op, clock, metric, dop and placement
    that the frame has; run_sd, build_sd and load_sd, stddevs of the logarithm by run,
    build and load, each followed by its degrees of freedom (run_df, ...); n (runs), arms,
    note. Cells that differ otherwise (block_size, version) are pooled, each at a level
    of its own. A component that no arm repeats is NaN, and ``note`` says so.

    run_sd estimates the spread of single runs of one program, drift of the machine from
    trial to trial included. build_sd and load_sd come from the variance of the means of
    builds (loads), of which what the spread of their runs explains is taken out but
    never all of it. Two or three builds are few, so the variance of their means is
    moderated over the steps of the machine. A run of 0 has no logarithm: its cell is
    left out.
    """
    rows = _logs(frame, metric)
    keys = [k for k in KEYS if k in rows.columns]
    rows = rows.assign(row=rows.groupby(keys, dropna=False, sort=False).ngroup())
    floor = rows.drop_duplicates("row").set_index("row")[keys].join(_runs(rows))
    for level in LEVELS:
        floor = floor.join(_component(rows, level, floor))
    notes = [_note(row) for row in floor.to_dict("records")]
    columns = [*keys, *COMPONENTS, "n", "arms"]
    return floor.assign(note=notes)[[*columns, "note"]].reset_index(drop=True)


def _logs(frame: pd.DataFrame, metric: str) -> pd.DataFrame:
    """The metric's rows with their logarithm and the number of their cell, arms aside."""
    require(frame, ("arm", "trial", *LEVELS.values()))
    rows = select(frame, metric)
    cells_of(rows)
    cell = ["set"] * ("set" in rows.columns) + measurement_of(rows)
    cell += [d for d in dimensions_of(rows) if d != "arm"]
    numbered = rows.assign(cell=rows.groupby(cell, dropna=False, sort=False).ngroup())
    positive = numbered[numbered.groupby("cell")["value"].transform("min") > 0]
    return positive.assign(log=np.log(positive["value"].to_numpy(dtype=float)))


def _runs(rows: pd.DataFrame) -> pd.DataFrame:
    """The spread of runs about their arm, and where trials share nothing (apart_var).

    All arms of a trial run one after the other. What moves them together does not make
    the means of arms differ, so it is no part of apart_var.
    """
    about = rows["log"] - rows.groupby(["cell", "arm"])["log"].transform("mean")
    apart = about - about.groupby([rows["cell"], rows["trial"]]).transform("mean")
    squares = pd.DataFrame({"row": rows["row"], "about": about**2, "apart": apart**2})
    sums = squares.groupby("row").sum()
    n = rows.groupby("row").size()
    df = n - _groups(rows, "arm")
    apart_df = df - _groups(rows, "trial") + rows.groupby("row")["cell"].nunique()
    run_var = sums["about"] / df.where(df > 0)
    return pd.DataFrame({
        "run_sd": np.sqrt(run_var),
        "run_df": df.astype(float),
        "apart_var": (sums["apart"] / apart_df.where(apart_df > 0)).fillna(run_var),
        "n": n,
        "arms": rows.groupby("row")["arm"].nunique(),
    })  # fmt: skip


def _groups(rows: pd.DataFrame, column: str) -> pd.Series:
    """How many different values the cells of each row of the floor have, added up."""
    return rows.drop_duplicates(["cell", column]).groupby("row").size()


def _component(rows: pd.DataFrame, level: str, floor: pd.DataFrame) -> pd.DataFrame:
    """What the means of builds or loads of a cell differ by and runs do not explain.

    A mean of n runs holds 1/n of their variance. Of the variance M of means the share
    M / (M + runs) is kept: with few builds M - runs is often below 0 although builds
    differ, and intervals that then take 0 for known cover 87% where this covers 95% (4
    builds of 3 runs, build effect two thirds of the run noise, 40,000 comparisons).
    """
    [other] = set(LEVELS.values()) - {LEVELS[level]}
    first = rows[rows[other] == 1]
    means = first.groupby(["row", "cell", LEVELS[level]])["log"].agg(["mean", "size"])
    cells = means.assign(share=1 / means["size"]).groupby(["row", "cell"]).agg(
        count=("mean", "size"), var=("mean", "var"), share=("share", "mean")
    )  # fmt: skip
    weight = cells["count"] - 1
    df = weight.groupby("row").sum().reindex(floor.index, fill_value=0).astype(float)
    pooled = cells[["var", "share"]].mul(weight, axis=0).groupby("row").sum()
    pooled = pooled.reindex(floor.index).div(df.where(df > 0), axis=0)
    var, df = _moderated(pooled["var"], df, floor.get("machine"))
    runs = pooled["share"] * floor["apart_var"]
    left = (var**2 / (var + runs)).where(var > 0, var)
    freedom = (df * (left / var).fillna(1)).clip(lower=1).where(df > 0, 0)
    return pd.DataFrame({f"{level}_sd": np.sqrt(left), f"{level}_df": freedom})


def _moderated(
    var: pd.Series, df: pd.Series, machine: pd.Series | None
) -> tuple[pd.Series, pd.Series]:
    """Variances and degrees of freedom moderated within each machine."""
    moved, freedom = var.copy(), df.copy()
    names = pd.Series("", index=var.index) if machine is None else machine
    for _, steps in names.groupby(names, sort=False):
        moderated = moderate(var[steps.index].to_numpy(), df[steps.index].to_numpy())
        moved[steps.index], freedom[steps.index] = moderated.var, moderated.df
    return moved, freedom


def _note(row: dict) -> str:
    unknown = [
        f"{level} effect not measured" for level in LEVELS if not row[f"{level}_df"]
    ]
    return "; ".join(unknown)
