"""Did the rate-limited writers reach the rate that the step asks for?"""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd

from benchmath.frames import Kind, MetricFrame, cells_of, require, select

SERVICE_LEVEL = Kind(
    "service_level", ("unit", "n", "target", "achieved", "ratio", "failed", "verdict")
)
ServiceFrame = Annotated[pd.DataFrame, SERVICE_LEVEL]
LEAST = 0.95  # a satisfied target of 1000/s usually reads 999 or 998, so = is wrong
_RATE = {"target_ips": "ips", "target_dps": "dps"}


def service_level(
    frame: MetricFrame, dimensions: Sequence[str] | None = None, least: float = LEAST
) -> ServiceFrame:
    """One row per cell and rate-limited op: target, achieved, ratio, verdict.

    Reads the metrics target_ips, target_dps, ips, dps and sla. Columns: the
    dimensions, step, op, unit, n (runs), target (of all clients together), achieved
    (mean over the runs), ratio (of the worst run), failed (runs below ``least``),
    verdict. A frame without rate-limited ops gives an empty frame.
    """
    require(frame, ("run_id", "step", "op", "metric", "value"))
    targets = frame[frame["metric"].isin(list(_RATE)) & (frame["value"] > 0)]
    cells = [
        _of_metric(frame, name, dimensions, least) for name in targets["metric"].unique()
    ]
    if not cells:
        names = [*(dimensions or ()), "step", "op", *SERVICE_LEVEL.columns]
        return pd.DataFrame(columns=names)
    table = pd.concat(cells, ignore_index=True)
    verdicts = [_verdict(f, n) for f, n in zip(table["failed"], table["n"], strict=True)]
    return table.assign(verdict=verdicts)


def _of_metric(
    frame: pd.DataFrame, name: str, dimensions: Sequence[str] | None, least: float
) -> pd.DataFrame:
    targets = select(frame, name)
    targets = targets[targets["value"] > 0]
    keys = [c for c in cells_of(targets, dimensions) if c not in ("metric", "clock")]
    joined = targets.rename(columns={"value": "target"})
    for metric, column in ((_RATE[name], "achieved"), ("sla", "ratio")):
        values = select(frame, metric).rename(columns={"value": column})
        values = values[["run_id", "step", "op", column]]
        joined = joined.merge(values, on=["run_id", "step", "op"], how="left")
    if joined[["achieved", "ratio"]].isna().any(axis=None):
        lost = joined[joined[["achieved", "ratio"]].isna().any(axis="columns")].iloc[0]
        raise ValueError(
            f"run {lost['run_id']} step {lost['step']}: no {_RATE[name]} or sla to {name}"
        )

    grouped = joined.assign(failed=joined["ratio"] < least).groupby(
        keys, dropna=False, sort=False
    )
    if (grouped["target"].nunique() > 1).any():
        raise ValueError(f"the runs of one cell have different values of {name}")
    return grouped.agg(
        unit=("unit", "first"),
        n=("target", "size"),
        target=("target", "first"),
        achieved=("achieved", "mean"),
        ratio=("ratio", "min"),
        failed=("failed", "sum"),
    ).reset_index()


def _verdict(failed: int, n: int) -> str:
    if failed == 0:
        return "reached"
    return "missed" if n == 1 else f"missed in {failed} of {n} runs"
