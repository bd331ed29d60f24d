"""Tables that list facts: builds, runs, what is missing, and any small frame."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    cost_name,
    figures,
    marked,
    note,
    table,
    text,
    wrapped,
)
from benchmath.frames import require
from benchmath.hazard import Hazard

_HEADS = {"me": "compared"}
COUNTS = {"dop": ""}  # a dimension whose values are numbers without a unit
_BUILD = ("machine", "engine", "version", "build", "compiler", "flags")


def plain_table(
    frame: pd.DataFrame,
    title: str | None = None,
    units: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
    hazards: Iterable[Hazard] = (),
    notes: Sequence[str] = (),
) -> GT:
    """Any frame in the project's look; every column of numbers must have a unit.

    Units and headers are those that the frame tells (``Kind.shown``). ``units`` maps
    further columns of numbers to units (``""`` for a bare count); ``names`` maps columns
    to the headers that replace them. ``dop`` needs none. A column without any value is
    left out.
    """
    unit_of = COUNTS | frame.attrs.get("units", {}) | dict(units or {})
    headers = _HEADS | frame.attrs.get("heads", {}) | dict(names or {})
    numeric = [str(c) for c in frame.columns if _is_number(frame[c])]
    silent = [c for c in numeric if c not in unit_of]
    if silent:
        raise ValueError(f"no unit is given for column {', '.join(silent)}")
    columns = [
        Column(
            name, headers.get(name, cost_name(name)), unit_of.get(name, ""),
            name in numeric, show=figures(frame[name]) if name in numeric else _text,
        )
        for name in _not_empty(frame)
    ]  # fmt: skip
    return table(frame, columns, title, notes, hazards)


def builds_table(runs: pd.DataFrame, title: str | None = None) -> GT:
    """The distinct builds of some runs: needs engine, version, build."""
    require(runs, ("engine", "version", "build"))
    keys = [c for c in _BUILD if c in runs.columns]
    counts = runs.groupby(keys, dropna=False, sort=False).size().rename("runs")
    return plain_table(counts.reset_index(), title, {"runs": "count"})


def runs_table(runs: pd.DataFrame, title: str | None = None) -> GT:
    """What was run, when and how long: needs tag, trial, position, status, elapsed_s."""
    required = ("machine", "tag", "dop", "trial", "position", "status", "elapsed_s")
    require(runs, required)
    further = [c for c in ("started", "reason", "folder") if c in runs.columns]
    listed = runs[[*required, *further]].astype(
        {"dop": str, "trial": str, "position": str}
    )
    if "started" in further:
        listed["started"] = [f"{t:%Y-%m-%d %H:%M:%S}" for t in runs["started"]]
    names = {"elapsed_s": "elapsed", "started": "started (UTC)"}
    return plain_table(listed, title, {"elapsed_s": "s"}, names)


def missing_table(
    missing: pd.DataFrame, failed: pd.DataFrame, title: str | None = None
) -> GT:
    """Planned runs without a result: not measured yet, or failed and why.

    ``missing`` needs machine, cell, trial; ``failed`` machine, tag, trial, reason.
    """
    require(missing, ("machine", "cell", "trial"))
    require(failed, ("machine", "tag", "trial", "reason"))
    absent = missing[["machine", "cell", "trial"]].assign(why="not measured")
    broken = failed[["machine", "tag", "trial", "reason"]].set_axis(
        ["machine", "cell", "trial", "why"], axis="columns"
    )
    listed = pd.concat([broken, absent], ignore_index=True).astype({"trial": str})
    notes = [] if len(listed) else ["Nothing is missing: every planned run is there."]
    return plain_table(listed, title, notes=notes)


def claims_table(claims: pd.DataFrame, title: str | None = None) -> GT:
    """What a source says, the figures it rests on, and whether it holds.

    Needs claim, said, figures, verdict, note (see ``benchbook.checked_claims``).
    """
    require(claims, ("claim", "said", "figures", "verdict", "note"))
    columns = [
        Column("claim", show=wrapped),
        Column("verdict", show=_verdict, notes=note),
        Column("said", "as published", show=wrapped),
        Column("figures", "recomputed", show=wrapped),
    ]
    return table(claims, columns, title, empty="No claim of a source is checked here.")


def _verdict(word: str) -> str:
    return marked(word, "worse" if word == "differs" else "verdict")


def _not_empty(frame: pd.DataFrame) -> list[str]:
    """The columns that say something of any row, and the first, which names the rows."""
    names = [str(c) for c in frame.columns]
    if frame.empty:
        return names
    said = {name: frame[name].notna() & (frame[name].astype(str) != "") for name in names}
    return [name for name in names if name == names[0] or said[name].any()]


def _text(value: object) -> str:
    """As text; yes and no in place of True and False."""
    if isinstance(value, bool | np.bool_):
        return "yes" if value else "no"
    return text(value)


def _is_number(column: pd.Series) -> bool:
    return pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(
        column
    )
