"""What changed over the commits of a suite: of each test its series and its changes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from benchbook.results.found import all_found
from benchmath.changes.history import (
    CommitSeries,
    Search,
    change_rows,
    commit_dimension,
    commit_series,
    histories_of,
)
from benchmath.changes.order import order_of
from benchmath.errors import UserError
from benchmath.frames import MetricFrame, kept

_RANK = {"worse": 0, "changed": 1, "better": 2, "unsure": 3, "": 4}


@dataclass(frozen=True)
class HistoryOfTest:
    """The series of a test and its changes, first to last."""

    series: CommitSeries
    changes: list[dict[str, Any]]

    @property
    def last(self) -> dict[str, Any]:
        return self.changes[-1] if self.changes else {}


@dataclass(frozen=True)
class History:
    """All tests of a set, those with the worst last change first."""

    name: str
    dimension: str
    tests: list[HistoryOfTest]
    searched: int
    notes: tuple[str, ...] = ()
    order: str = ""  # how that of the commits is known

    @property
    def table(self) -> pd.DataFrame:
        """One row per test: its last change, or none."""
        return pd.DataFrame([_row(test) for test in self.tests])


def history_in(
    figures: MetricFrame, name: str, metric: str = "", dimension: str = "",
    listed: Callable[[str], Sequence[str]] = lambda dimension: (),
    search: Search = all_found, notes: Sequence[str] = (),
) -> History:  # fmt: skip
    """What changed over the commits of figures that are called ``name``.

    ``listed``: the values of a dimension in their order, as far as a study lists them.
    Other arguments and UserErrors are those of ``benchbook.history``.
    """
    frame = figures
    if metric:
        frame = frame[frame["metric"] == metric]
        if frame.empty:
            there = ", ".join(sorted(map(str, figures["metric"].unique())))
            raise UserError(f"{name} has no metric {metric!r}; available: {there}")
    dimension = dimension or commit_dimension(frame)
    if dimension not in frame.columns:
        raise UserError(f"no dimension {dimension!r} in {name}: choose --dimension")
    there = kept(frame, frame[dimension].astype(str) != "")
    order = order_of(there, dimension, listed(dimension))
    try:
        series = commit_series(frame, dimension, order)
    except ValueError as error:
        raise UserError(f"{name} has no history: {error}") from error
    if not any(len(one.commits) > 1 for one in series):
        of_files = ", or say with --name '{version}.json' what names of files are"
        raise UserError(
            f"no test of {name} has two values of {dimension}: choose "
            f"--dimension, --metric or another set{of_files * ('file' in frame.columns)}"
        )
    told = (*order.notes(dimension), *notes)
    return History(name, dimension, searched(series, search), 0, told, order.how)


def searched(series: list[CommitSeries], search: Search) -> list[HistoryOfTest]:
    """Every test with its changes, sorted by what matters."""
    found = histories_of([one.values for one in series], search)
    tests = [
        HistoryOfTest(one, change_rows(one, changes))
        for one, changes in zip(series, found, strict=True)
    ]
    return sorted(tests, key=_importance)


def _importance(test: HistoryOfTest) -> tuple[int, float, str]:
    last = test.last
    size = abs(np.log(last["ratio"])) if last and last["ratio"] > 0 else 0.0
    return _RANK[last.get("verdict", "")], -float(size), test.series.test


def _row(test: HistoryOfTest) -> dict[str, Any]:
    series, last = test.series, test.last
    columns = ("verdict", "ratio", "low", "high", "p", "after", "at", "time")
    numbers = ("ratio", "low", "high", "p")
    figures = {c: last.get(c, np.nan if c in numbers else "") for c in columns}
    since = len(series.commits) - last["place"] if last else 0
    labels = {k: series.labels[k] for k in ("unit", "direction")}
    counts = {
        "since": since,
        "changes": len(test.changes),
        "commits": len(series.commits),
    }
    return {"test": series.test, **labels, **figures, **counts,
            "newest": series.commits[-1]}  # fmt: skip
