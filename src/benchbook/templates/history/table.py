"""The last change of every test, with the commits between which it lies."""

import pandas as pd
from great_tables import GT

from benchbook.tables.look import Column, Numbers, Row, decided, fixed, interval, table
from benchmath.frames import require

_NO_CHANGE = "No test changed its level."
_NOTE = (
    "of its last change: mean of the new level over that of the old one. ~: the interval "
    "holds 1. since: commits measured from the change on."
)


def history_table(tests: pd.DataFrame, title: str | None = None) -> GT:
    """One row per test with a change: by how much, between which commits, since when.

    Takes the frame ``tests`` of ``histories``.
    """
    require(tests, ("test", "kind", "ratio", "low", "high", "commits_between", "since"))
    rows = tests[tests["kind"] != "none"]
    columns = [
        Column("test"),
        Column("kind", "change"),
        Numbers("ratio", "new level / old", "ratio", cell=_ratio),
        interval("ratio", "{:.3f}".format),
        Column("commits_between", "between"),
        *([Column("time", "when")] if (rows["time"] != "").any() else []),
        Numbers("since", "since", "commits", show=fixed("{:.0f}")),
        Numbers("commits", "in all", "commits", show=fixed("{:.0f}")),
    ]
    return table(rows, columns, title, [_NOTE] if len(rows) else [], empty=_NO_CHANGE)


def _ratio(row: Row) -> str:
    if pd.isna(row["ratio"]):
        return ""
    better = {"better": True, "worse": False}.get(row["kind"])
    return decided(f"{row['ratio']:.3f}", bool(row["changed"]), better)
