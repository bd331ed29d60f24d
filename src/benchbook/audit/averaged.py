"""Ratios over several numbers of clients against the runs, by plain arithmetic."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from benchbook.audit.contradiction import Contradiction

_CLOSE = 1e-6
_JOBS, _CLIENTS = "max_background_jobs", "dop"


def pair_contradictions(
    where: str, pairs: pd.DataFrame, metric: pd.DataFrame
) -> Iterator[Contradiction]:
    """Rows of a frame of pairs whose ratio the runs do not bear out.

    Each trial counts that has all the numbers of clients which the row names in ``over``,
    of the row's placement.
    """
    needed = {"step", "metric", "more", "fewer", "over", "relative"}
    if not needed <= set(pairs.columns) or _JOBS not in metric.columns:
        return
    for row in pairs.to_dict("records"):
        sides = [_mean_log(row, row[side], metric) for side in ("more", "fewer")]
        ratio = math.exp(sides[0] - sides[1])
        if not abs(row["relative"] - ratio) <= _CLOSE * ratio:
            name = f"{where}: {row['step']} {row['more']} over {row['fewer']}"
            yield Contradiction(name, f"{row['relative']:.4g}", f"{ratio:.4g}")


def _mean_log(row: Mapping[str, Any], jobs: int, metric: pd.DataFrame) -> float:
    clients = str(row["over"]).split(", ")
    same = (metric["step"] == row["step"]) & (metric["metric"] == row["metric"])
    same &= metric[_JOBS].astype(str) == str(jobs)
    if "placement" in row:
        same &= metric["placement"] == row["placement"]
    mine = metric[same & metric[_CLIENTS].astype(str).isin(clients)]
    means = [
        math.fsum(map(math.log, trial["value"])) / len(clients)
        for _, trial in mine.groupby("trial")
        if len(trial) == len(clients)
    ]
    return math.fsum(means) / len(means) if means else math.nan
