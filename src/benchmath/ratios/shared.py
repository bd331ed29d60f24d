"""What the steps of a load share: why the mean over steps is less sure than they are."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

_FEWEST = 3  # loads that tell what loads differ by
_OF_BASE = 0.25  # arms of a session share its base: logs correlate by 1/2, squares by 1/4


class Shared(NamedTuple):
    """Variance of one load's mean over steps, and what of it independent steps explain.

    Both are means over the arms; df are the degrees of freedom of ``of_mean``.
    """

    of_mean: float
    independent: float
    df: float
    loads: int

    @property
    def beyond(self) -> float:
        """What steps share: not below 0, which is what chance makes of nothing."""
        return max(0.0, self.of_mean - self.independent)


def shared_by_steps(sessions: pd.DataFrame, arm: Sequence[str]) -> Shared | None:
    """What the steps of a load share, from the loads that have all of them.

    ``sessions`` is the frame of ``session_ratios`` of the steps in question, ``arm`` the
    columns that tell arms apart. The variance of a mean of k steps is the sum of their
    variances and of their covariances over k^2: over loads the mean's own variance
    estimates it whole, the steps' variances its first part. Arms are pooled, as if loads
    did the same to all. None if an arm has fewer than three loads with all steps.
    """
    rows = sessions[(sessions["measure"] == "throughput") & (sessions["part"] == "turn")]
    tables = [
        of.pivot_table("log", "session", ["step", "op"]).dropna().to_numpy()
        for _, of in rows.groupby(list(arm), dropna=False)
    ]
    if not tables or min(len(logs) for logs in tables) < _FEWEST:
        return None
    of_mean = np.mean([logs.mean(axis=1).var(ddof=1) for logs in tables])
    steps = [logs.var(axis=0, ddof=1).sum() / logs.shape[1] ** 2 for logs in tables]
    df = sum(len(logs) - 1 for logs in tables) / (1 + _OF_BASE * (len(tables) - 1))
    loads = min(len(logs) for logs in tables)
    return Shared(float(of_mean), float(np.mean(steps)), df, loads)
