"""What else changed in a study, besides what it compares."""

from __future__ import annotations

import pandas as pd

from benchbook.results.results import Results
from benchmath.costs.causes import between, differences


def what_changed(
    results: Results, boundaries: pd.DataFrame | None = None
) -> pd.DataFrame:
    """``differences`` of what is compared, and across boundaries.

    Of ``boundaries``, the frame of ``boundaries``, me is `after→at`. Published
    figures have no runs: nothing is known of them.
    """
    metric = None if results.runs.empty else results.metric
    plans = results.statements
    changed = differences(results.runs, results.base, metric, plans)
    if boundaries is None:
        return changed
    pairs = zip(
        boundaries["after"].astype(str), boundaries["at"].astype(str), strict=True
    )
    across = between(results.runs, "version", list(pairs), metric, plans)
    return pd.concat([changed, across], ignore_index=True)
