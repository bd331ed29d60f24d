"""Comparisons that were made in several placements of client and server."""

import pandas as pd

from benchmath.ratios.verdicts import CHANGES, VerdictFrame

_DECIDED = (*CHANGES, "equivalent")
_SAME = ("me", "base", "step", "dop")


def placements_of(judged: VerdictFrame) -> list[str]:
    """The placements, the first measured one, which answers, first."""
    if "placement" not in judged.columns:
        return []
    return list(dict.fromkeys(judged["placement"].astype(str)))


def turned(judged: VerdictFrame) -> pd.DataFrame:
    """Each comparison in the first placement beside the same one in another.

    Columns me, base, step; placement, the other one; here and there, the labels of the
    two rows of ``judged``; turned: both are decided, and not alike. A verdict that is
    open on one side is no turn.
    """
    keys = [k for k in _SAME if k in judged.columns]
    rows = judged.assign(row=judged.index, placement=judged["placement"].astype(str))
    rows = rows[[*keys, "placement", "verdict", "row"]]
    first, *others = placements_of(judged)
    here = rows[rows["placement"] == first].drop(columns="placement")
    pairs = here.merge(
        rows[rows["placement"].isin(others)], on=keys, suffixes=("", "_there")
    )
    both = pairs["verdict"].isin(_DECIDED) & pairs["verdict_there"].isin(_DECIDED)
    pairs = pairs.assign(turned=both & (pairs["verdict"] != pairs["verdict_there"]))
    pairs = pairs.rename(columns={"row": "here", "row_there": "there"})
    return pairs[[*keys, "placement", "here", "there", "turned"]]
