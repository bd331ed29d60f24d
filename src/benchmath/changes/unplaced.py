"""Versions that are far from the base with no change placed before them."""

from collections.abc import Sequence

import pandas as pd

from benchmath.frames import require

FAR = 0.1  # of the base, that an interval must be away from it
ALPHA = 0.05


def unplaced(judged: pd.DataFrame, boundaries: pd.DataFrame) -> pd.DataFrame:
    """Rows of ``judged`` with an interval far from 1, where no boundary moves the step.

    ``judged`` is the frame of ``verdicts`` in the order of the versions, ``boundaries``
    that of the same study. The noise of a detector is that between runs of a version; a
    ratio may have a much shorter interval, that of turns, or of many runs.
    """
    require(judged, ("version", "step", "low", "high", "q"))
    order = list(dict.fromkeys(judged["version"].astype(str)))
    far = (judged["q"] <= ALPHA) & (
        (judged["high"] < 1 - FAR) | (judged["low"] > 1 + FAR)
    )
    rows = judged[far.fillna(False).astype(bool)]
    placed = [
        _is_placed(str(row["step"]), str(row["version"]), boundaries, order)
        for row in rows.to_dict("records")
    ]
    return rows[[not one for one in placed]]


def _is_placed(
    step: str, version: str, boundaries: pd.DataFrame, order: Sequence[str]
) -> bool:
    """Does a boundary move the step at this version or before it?"""
    upto = set(order[: order.index(version) + 1])
    return any(
        step in {word for test in row["members"] for word in str(test).split()}
        and (str(row["at"]) in upto or str(row["at"]) not in order)
        for row in boundaries.to_dict("records")
    )
