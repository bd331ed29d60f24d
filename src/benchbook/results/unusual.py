"""What `run` and a post say of a workload before any percentage."""

from __future__ import annotations

from benchbook.results.results import Results
from benchmath.hazard import Hazard
from benchmath.hazards.unusual import far_apart, whole_scans


def unusual(results: Results) -> list[Hazard]:
    """What is so slow that its plan is looked at before its percentage."""
    if results.study.workload is None:
        return []
    engines = results.runs[["run_id", "engine"]]
    steps = results.steps[["run_id", "step", "dop"]].merge(engines, on="run_id")
    metric, statements = results.metric, results.statements
    # To look at all rows is exact there, and a rate means nothing without its recall.
    nearest = metric.loc[metric["metric"] == "recall", "step"].unique()
    if len(statements):
        statements = statements[~statements["step"].isin(nearest)]
    rates = metric[~metric["step"].isin(nearest)]
    return [*whole_scans(statements, steps), *far_apart(rates)]
