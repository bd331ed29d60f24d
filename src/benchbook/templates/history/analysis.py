"""The commits of every test, and what changed over them, as frames."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

import pandas as pd

from benchbook.results.history import HistoryOfTest, history_in
from benchbook.results.results import Results

MOST = 40  # tests that are drawn
_KIND = {"unsure": "not sure"}  # as charts call it


@dataclass(frozen=True)
class Histories:
    """tests: of each one its last change, worst first. points: of those that are drawn
    each commit with its level. dimension: what the commits are; notes: on their order."""

    tests: pd.DataFrame
    points: pd.DataFrame
    dimension: str
    notes: tuple[str, ...] = ()


def histories(
    results: Results, metric: str | None = None, dimension: str | None = None
) -> Histories:
    """The history of a study's figures: ``benchbook.history`` of what it shows.

    Drawn are tests that changed, the worst first, then others. UserError where nothing
    has two commits.
    """
    study = results.study
    found = history_in(
        results.metric, study.slug, metric or "", dimension or "", study.listed
    )
    tests = found.table
    kinds = tests["verdict"].map(lambda verdict: _KIND.get(verdict, verdict))
    ranges = (tests["after"] + ".." + tests["at"]).where(tests["verdict"] != "", "")
    tests = tests.assign(
        kind=kinds.where(kinds != "", "none"), commits_between=ranges,
        changed=(tests["verdict"] != "") & (tests["verdict"] != "unsure"),
        difference=[test.last.get("difference", math.nan) for test in found.tests],
    )  # fmt: skip
    drawn = [_points(test) for test in found.tests[:MOST]]
    return Histories(
        tests, pd.concat(drawn, ignore_index=True), found.dimension, found.notes
    )


def _points(test: HistoryOfTest) -> pd.DataFrame:
    """Each commit of a test: its value, the mean of its level, what begins there."""
    series = test.series
    starts = {change["place"]: change["verdict"] for change in test.changes}
    ends = [0, *starts, len(series.values)]
    levels = [
        level
        for a, b in pairwise(ends)
        for level in [float(series.values[a:b].mean())] * (b - a)
    ]
    kinds = [starts.get(place, "") for place in range(len(series.values))]
    return pd.DataFrame(
        {
            "test": series.test, "place": range(len(series.values)),
            "commit": series.commits, "time": series.times, "value": series.values,
            "unit": series.labels["unit"], "level": levels,
            "kind": [_KIND.get(kind, kind) for kind in kinds],
        }
    )  # fmt: skip
