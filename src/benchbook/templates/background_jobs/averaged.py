"""Ratios of every pair of values over all values of a further dimension."""

from collections.abc import Iterable

import pandas as pd
from great_tables import GT

from benchbook.tables.comparison import legend, ratio_cell
from benchbook.tables.look import Column, Footnote, hazard_notes, nothing, styled, text
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
    rows = pairs.to_dict("records")
    cells = pd.DataFrame(
        {
            "step": [text(row["step"]) for row in rows],
            "me": [text(row["me"]) for row in rows],
            "base": [text(row["base"]) for row in rows],
            "ratio": [ratio_cell(row, " ") for row in rows],
            "over": [text(row["over"]) for row in rows],
        }
    )
    columns = [
        Column("step", "step"), Column("me", compared, "", True),
        Column("base", "instead of", "", True),
        Column("ratio", "rate", "ratio", True), Column("over", over),
    ]  # fmt: skip
    footnotes = [
        Footnote(part, i, "ratio")
        for i, row in enumerate(rows)
        for part in filter(None, row["note"].split("; "))
    ]
    footnotes += hazard_notes(rows, hazards, "step")
    directed = pairs[pairs["direction"].isin(["higher", "lower"])]["direction"]
    better = f"{directed.iloc[0].capitalize()} is better." if len(directed) else ""
    notes = [better, *legend(pairs)[1:]]
    return styled(cells, columns, title, footnotes, [note for note in notes if note])
