"""Comparisons that were made in several placements of client and server."""

import pandas as pd

from benchmath.ratios.verdicts import CHANGES, VerdictFrame, tests_of

_DECIDED = (*CHANGES, "equivalent")
_SAME = ("me", "base", "test")


def placements_of(judged: VerdictFrame) -> list[str]:
    """The placements, the first measured one, which answers, first."""
    if "placement" not in judged.columns:
        return []
    return list(dict.fromkeys(judged["placement"].astype(str)))


def turned(judged: VerdictFrame) -> pd.DataFrame:
    """Each comparison in the first placement beside the same one in another.

    Columns me, base, test; placement, the other one; here and there, the labels of the
    two rows of ``judged``; turned: both are decided, and not alike; one_sided: one of
    them is decided, which is no turn.
    """
    keys = list(_SAME)
    tests, placement = tests_of(judged, "placement"), judged["placement"].astype(str)
    rows = judged.assign(row=judged.index, placement=placement, test=tests)
    rows = rows[[*keys, "placement", "verdict", "row"]]
    first, *others = placements_of(judged)
    here = rows[rows["placement"] == first].drop(columns="placement")
    pairs = here.merge(
        rows[rows["placement"].isin(others)], on=keys, suffixes=("", "_there")
    )
    mine, theirs = (pairs[v].isin(_DECIDED) for v in ("verdict", "verdict_there"))
    differ = pairs["verdict"] != pairs["verdict_there"]
    pairs = pairs.assign(turned=mine & theirs & differ, one_sided=mine ^ theirs)
    pairs = pairs.rename(columns={"row": "here", "row_there": "there"})
    return pairs[[*keys, "placement", "here", "there", "turned", "one_sided"]]
