"""Recall and rate of each setting."""

import pandas as pd
from great_tables import GT

from benchbook.tables.look import Column, Numbers, Row, nothing, table, with_span
from benchmath.prose import number, ratio_format

_NONE = "No step has a recall yet."
_NEVER_AGED = "No step searches again after rows were replaced."


def frontier_table(fronts: pd.DataFrame, title: str | None = None) -> GT:
    """A row per cell and step: takes ``search_frontiers`` or ``ageing``."""
    if fronts.empty:
        return nothing(_NONE, title, "cell", "step")
    columns = [
        Column("cell", ""),
        Column("step"),
        Numbers("recall", "recall", cell=_recall),
        Numbers("qps", "rate", "queries/s", cell=_rate),
        Numbers("n", "runs", show=number),
    ]
    notes = ["Means over the loads; small: 95% interval."]
    return table(fronts, columns, title, notes)


def aged_table(aged: pd.DataFrame, title: str | None = None) -> GT:
    """A row per cell and later step: takes ``aged``."""
    if aged.empty:
        return nothing(_NEVER_AGED, title, "me", "step")
    columns = [
        Column("me", ""),
        Column("step"),
        Column("before", "compared with"),
        Numbers("relative", "rate", "ratio", cell=_ratio),
        Numbers("change", "recall", "difference", cell=_change),
        Numbers("n", "runs", show=number),
    ]
    notes = ["Within each run, then over the loads; small: 95% interval."]
    return table(aged, columns, title, notes)


def _ratio(row: Row) -> str:
    show = ratio_format(row["low"], row["high"])
    return with_span(show(row["relative"]), row["low"], row["high"], show)


def _change(row: Row) -> str:
    shown = moved(row["change"])
    return with_span(shown, row["change_low"], row["change_high"], moved)


def moved(value: float) -> str:
    """A difference of recalls, with its sign."""
    return f"{value:+.3f}"


def share(value: float) -> str:
    """A recall: three decimals, as the field prints it."""
    return f"{value:.3f}"


def _recall(row: Row) -> str:
    return with_span(share(row["recall"]), row["recall_low"], row["recall_high"], share)


def _rate(row: Row) -> str:
    return with_span(number(row["qps"]), row["qps_low"], row["qps_high"], number)
