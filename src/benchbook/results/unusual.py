"""What `run` and a post say of a workload before any percentage."""

from __future__ import annotations

import pandas as pd

from benchbook.results.results import Results
from benchmath.hazard import Hazard
from benchmath.hazards.unusual import far_apart, whole_scans


def unusual(results: Results) -> list[Hazard]:
    """What is so slow that its plan is looked at before its percentage."""
    if results.study.workload is None:
        return []
    engines = results.runs[["run_id", "engine"]]
    steps = results.steps[["run_id", "step", "dop"]].merge(engines, on="run_id")
    return [*whole_scans(_by_key(results), steps), *far_apart(results.metric)]


def _by_key(results: Results) -> pd.DataFrame:
    """Without those that ask for the nearest: to look at all rows is exact there."""
    metric, statements = results.metric, results.statements
    nearest = metric.loc[metric["metric"] == "recall", "step"].unique()
    return (
        statements if statements.empty else statements[~statements["step"].isin(nearest)]
    )
