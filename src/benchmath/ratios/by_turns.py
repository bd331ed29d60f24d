"""Pairs of cells that took turns: their ratio is that of the turns."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmath.frames import require

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
