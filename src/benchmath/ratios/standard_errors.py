"""Standard error of the ratio of two cells: of which variances, and where they are from.

From run to run the variance is that of the cells' group (see ``cells``), of A/A runs
where there is one run a side, or each cell's own where a spread is clearly different.
What a build or a load adds is the same for all its runs: it is averaged out by further
builds and loads only, and known from A/A runs of rebuilt and reloaded arms. Pairs that
took turns have their ratio and its error from these.
"""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmath.frames import require
from benchmath.intervals import Part, combined

MATCHED = ("machine", "engine", "step", "op", "clock", "metric", "dop", "placement")


def floor_of_cells(cells: pd.DataFrame, floor: pd.DataFrame | None) -> pd.DataFrame:
    """What a noise floor says of each cell: a row per cell, in their order.

    ``floor`` is the frame of ``noise_floor``; cells find their row by machine, engine,
    step, op, clock, metric, dop and placement, as far as both frames have them. Columns:
    floor_row (-1 without) and, for run, build and load, the variance ``<source>_floor``
    and its ``<source>_floor_df``, NaN where the floor has none.
    """
    row = np.full(len(cells), -1)
    if floor is not None:
        require(floor, ("step", "run_sd", "run_df"))
        on = [c for c in MATCHED if c in floor.columns and c in cells.columns]
        if floor.duplicated(on).any():
            twice = floor[floor.duplicated(on)].iloc[0]
            raise ValueError(
                f"the noise floor has two rows for step {twice['step']} that are equal "
                f"in {', '.join(on)}"
            )
        numbered = floor[on].assign(row=np.arange(len(floor)))
        rows = cells[on].merge(numbered, on=on, how="left")["row"]
        row = rows.fillna(-1).astype(int).to_numpy()
    columns = {"floor_row": row}
    for source in ("run", "build", "load"):
        sd, df = (_of_row(floor, f"{source}_{what}", row) for what in ("sd", "df"))
        usable = np.isfinite(sd) & (df > 0)
        columns[f"{source}_floor"] = np.where(usable, sd**2, np.nan)
        columns[f"{source}_floor_df"] = np.where(usable, df, np.nan)
    return pd.DataFrame(columns, index=cells.index)


def standard_errors(
    me: pd.DataFrame,
    base: pd.DataFrame,
    rebuilt: np.ndarray,
    reloaded: np.ndarray,
    turns: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """se, df, run_sd, floor_sd, noise, paired, subject and repeated of pairs of cells.

    ``me`` and ``base`` have the columns of ``noise_of_cells`` and ``floor_of_cells``, a
    row per pair, NaN where there is no base. ``rebuilt`` and ``reloaded`` say where the
    two sides are different builds and different loads. ``turns`` is the frame of
    ``with_turns``: where a pair took turns, their error stands for that of the runs, and
    for that of the loads where it covers them. repeated is '', or says that builds or
    loads are the repetitions and how many each side has.
    """
    noise = _source(me, base)
    runs = _runs(me, base, noise)
    if turns is not None:
        took = turns["se"].notna().to_numpy()
        noise = np.where(took, "turns", noise)
        runs = _instead(runs, turns, took)
        reloaded = reloaded & ~turns["covers"].eq("loads").to_numpy()
    has_noise = noise != ""
    measured = has_noise & (noise != "assumed")  # neighbours are built and loaded anew
    build = _floor(me, base, "build", ("run", "load"), measured & rebuilt)
    load = _floor(me, base, "load", ("run",), measured & reloaded)
    variance, df = combined([runs, build, load])
    one_run = 1 / me["n"].to_numpy() + 1 / base["n"].to_numpy()
    within = me["run_var"].to_numpy() * one_run
    of_units = runs.me + runs.base
    of_runs = np.where(within <= of_units, within, of_units)  # the rest is of builds
    beyond = of_units - of_runs + build.me + build.base + load.me + load.base
    in_trials = me["in_trials"].eq(True) & (me["group"] == base["group"])
    return pd.DataFrame(
        {
            "se": np.sqrt(variance),
            "df": df,
            "run_sd": np.sqrt(of_runs / one_run),
            "floor_sd": np.sqrt(np.where(has_noise, beyond, 0.0) / 2),
            "noise": noise,
            "paired": (noise == "turns") | ((noise == "pooled") & in_trials),
            "subject": _subject(me, base, noise, rebuilt),
            "repeated": np.where(has_noise, _repeated(me, base), ""),
        },
        index=me.index,
    )


def _subject(
    me: pd.DataFrame, base: pd.DataFrame, noise: np.ndarray, rebuilt: np.ndarray
) -> np.ndarray:
    """What the interval speaks of; the noise of neighbours has their builds in it."""
    built = (me["level"] == "build") | (noise == "assumed")
    built |= np.isfinite(me["build_floor"] + base["build_floor"])
    subject = np.where(rebuilt, np.where(built, "version", "binary"), "")
    return np.where(base["n"].notna(), subject, "")


def _of_row(floor: pd.DataFrame | None, column: str, row: np.ndarray) -> np.ndarray:
    """A column of the floor for each cell; NaN without a row or without the column."""
    if floor is None or column not in floor.columns:
        return np.full(row.size, np.nan)
    values = np.append(floor[column].to_numpy(dtype=float), np.nan)
    return values[row]  # row -1 is the NaN at the end


def _source(me: pd.DataFrame, base: pd.DataFrame) -> np.ndarray:
    """Where the variance from run to run comes from, for each pair; '' for nowhere."""
    with np.errstate(invalid="ignore"):
        usable = np.isfinite(me["mean_log"] - base["mean_log"])
    alone = (me["n"] == 1) & (base["n"] == 1)
    calibrated = alone & np.isfinite(me["run_floor"] + base["run_floor"])
    pooled = (me["source"] == "pooled") & (base["source"] == "pooled")
    has_source = me["source"].ne("") & base["source"].ne("")
    odd = me["odd"].eq(True) | base["odd"].eq(True)
    spread = [c["own_var"].notna() | (c["source"] == "pooled") for c in (me, base)]
    own = odd & spread[0] & spread[1]
    names = ["", "calibrated", "own", "pooled", "assumed"]
    return np.select([~usable, calibrated, own, pooled, has_source], names, default="")


def _runs(me: pd.DataFrame, base: pd.DataFrame, noise: np.ndarray) -> Part:
    """The part of what repeats: runs, or means of builds or loads."""
    sides = []
    for side in (me, base):
        own = (noise == "own") & side["own_var"].notna()
        chosen = [noise == "calibrated", own, noise != ""]
        var = [side["run_floor"], side["own_var"], side["var"]]
        df = [side["run_floor_df"], side["units"] - 1, side["df"]]
        share = np.select(chosen, var, default=np.nan) / side["units"].to_numpy(float)
        sides.append((share, np.select(chosen, df, default=np.nan)))
    one_group = (me["group"] == base["group"]) & (noise != "own")
    shared = np.where(noise == "calibrated", _one_row(me, base), one_group)
    return Part(sides[0][0], sides[1][0], sides[0][1], sides[1][1], shared)


def _instead(runs: Part, turns: pd.DataFrame, took: np.ndarray) -> Part:
    """The part of the runs, or that of the turns where a pair took them."""
    half = turns["se"].to_numpy(dtype=float) ** 2 / 2  # a side, of one estimate
    df = turns["df"].to_numpy(dtype=float)
    of_turns = Part(half, half, df, df, took)
    return Part(*(np.where(took, t, r) for t, r in zip(of_turns, runs, strict=True)))


def _floor(
    me: pd.DataFrame,
    base: pd.DataFrame,
    source: str,
    levels: Sequence[str],
    where: np.ndarray,
) -> Part:
    """What builds or loads add to each side, where they differ and the floor knows."""
    sides = []
    for side in (me, base):
        each = side["loads"] if source == "load" else 1
        var = side[f"{source}_floor"] / each
        counts = where & side["level"].isin(levels) & var.notna()
        sides.append((np.where(counts, var, 0.0), side[f"{source}_floor_df"].to_numpy()))
    shared = _one_row(me, base)
    return Part(sides[0][0], sides[1][0], sides[0][1], sides[1][1], shared)


def _repeated(me: pd.DataFrame, base: pd.DataFrame) -> list[str]:
    """What repeats if it is not the run, with the number of each side: base + me."""
    return [
        "" if level == "run" else f"repetitions are {level}s: {theirs:.0f}+{mine}"
        for level, mine, theirs in zip(
            me["level"], me["units"], base["units"], strict=True
        )
    ]


def _one_row(me: pd.DataFrame, base: pd.DataFrame) -> np.ndarray:
    return (me["floor_row"] == base["floor_row"]).to_numpy()


_TAKEN = ("relative", "se", "df", "covers", "stopped")
_NOTES = {
    "this load": "turns within one load: what another load would add is not known",
    "these loads": "turns within two loads: what another load would add is not known",
}


def with_turns(
    pairs: pd.DataFrame, turns: pd.DataFrame, keys: Sequence[str]
) -> pd.DataFrame:
    """relative, se, df, covers and stopped of each pair from its turns, in order.

    ``turns`` is the frame of ``turn_ratios``; pairs find their throughput by ``keys``
    (dimensions, step and op) and the name of the base. NaN where a pair took no turns, or
    took too few for an interval.
    """
    require(turns, ("measure", "base", *_TAKEN))
    on = [*(k for k in keys if k in turns.columns), "base"]
    rows = turns.loc[turns["measure"] == "throughput", [*on, *_TAKEN]]
    found = pairs[on].merge(rows, on=on, how="left", validate="m:1")
    known = np.isfinite(found["se"])
    return found[list(_TAKEN)].where(known).set_axis(pairs.index)


def turn_notes(taken: pd.DataFrame, floor_sd: pd.Series) -> list[str]:
    """What the interval of turns leaves out, or how the looks at it ended; else ''.

    ``taken`` is the frame of ``with_turns``.
    """
    rows = zip(taken["covers"], taken["stopped"].fillna(""), floor_sd, strict=True)
    return [
        stopped or ("" if floor > 0 else _NOTES.get(cover, ""))
        for cover, stopped, floor in rows
    ]
