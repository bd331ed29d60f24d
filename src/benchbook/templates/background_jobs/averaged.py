"""Ratios of every pair of values over all values of a further dimension."""

from collections.abc import Iterable
from functools import partial

from great_tables import GT

from benchbook.tables.comparison import legend, ratio_cell
from benchbook.tables.look import Column, Numbers, note_parts, nothing, table
from benchbook.tables.steps import NOT_RECORDED
from benchmath.hazard import Hazard
from benchmath.ratios.averaged import AveragedFrame


def averaged_table(
    pairs: AveragedFrame,
    compared: str,
    over: str,
    hazards: Iterable[Hazard] = (),
    title: str | None = None,
) -> GT:
    """A row per step and pair: takes the frame of ``averaged_pairs``.

    ``compared`` and ``over`` are what a reader calls the two dimensions.
    """
    if pairs.empty:
        return nothing(NOT_RECORDED, title)
    columns = [
        Column("step"),
        Numbers("me", compared),
        Numbers("base", "instead of"),
        Numbers("ratio", "rate", "ratio", cell=partial(ratio_cell, between=" "),
                notes=note_parts),
        Column("over", over),
    ]  # fmt: skip
    directed = pairs[pairs["direction"].isin(["higher", "lower"])]["direction"]
    better = f"{directed.iloc[0].capitalize()} is better." if len(directed) else ""
    notes = [better, *legend(pairs)[1:]]
    return table(pairs, columns, title, filter(None, notes), hazards)
