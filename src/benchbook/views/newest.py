"""The newest version of a study against its base, for the table across posts."""

from __future__ import annotations

import pandas as pd

from benchbook.results.results import Results
from benchbook.views.engines import comparable
from benchbook.views.workloads import workload_results
from benchmath.versions import in_version_order


def newest(results: Results) -> pd.DataFrame:
    """``judged`` of the newest version alone; empty without a ratio.

    Of the steps and builds that the posts on versions show.
    """
    if results.own.empty:
        return pd.DataFrame()
    of_workload = results.study.workload is not None
    shown = workload_results(results) if of_workload else comparable(results)
    judged = shown.judged()
    rows = judged[judged["relative"].notna()]
    if rows.empty:
        return rows
    last = in_version_order(rows["version"])[-1]
    return rows[rows["version"] == last].reset_index(drop=True)
