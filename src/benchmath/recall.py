"""Recall against queries per second of vector indexes: frontiers, rates at a recall."""

from collections.abc import Sequence
from typing import Annotated

import numpy as np
import pandas as pd
from pandas.core.groupby import SeriesGroupBy

from benchmath.frames import Kind, MetricFrame, cells_of
from benchmath.intervals import LEVEL, Logs, half_width, mean_interval

AT = (0.9, 0.95, 0.99)
FRONTIER = Kind("frontier", {
    "n": "count", "recall": "", "recall_low": "", "recall_high": "", "qps": "queries/s",
    "qps_low": "queries/s", "qps_high": "queries/s",
})  # fmt: skip
FrontierFrame = Annotated[pd.DataFrame, FRONTIER]


def recall_and_qps(metrics: pd.DataFrame, keys: Sequence[str]) -> pd.DataFrame:
    """Rows of metrics ``recall`` and ``qps`` as columns, one row per value of ``keys``.

    ``keys`` tell the runs apart: engine and its parameters. Raises ValueError where they
    do not, or where a run lacks one of the two.
    """
    chosen = metrics[metrics["metric"].isin(["recall", "qps"])]
    names = chosen[list(keys)].astype(object)
    chosen = chosen.assign(**names.where(names.notna(), ""))
    if chosen.duplicated([*keys, "metric"]).any():
        raise ValueError(f"{', '.join(keys)} do not tell all runs apart")
    wide = chosen.pivot(index=list(keys), columns="metric", values="value")
    wide = wide.reindex(columns=["recall", "qps"])
    if wide.isna().any(axis=None):
        raise ValueError("a run without its recall or its queries/s")
    return wide.reset_index().rename_axis(columns=None)


def frontier(runs: pd.DataFrame) -> pd.DataFrame:
    """Of each engine the runs that no other beats in both recall and qps.

    By falling recall, so qps rises; of equal runs the first.
    """
    order = runs.sort_values(["recall", "qps"], ascending=False, kind="stable")
    before = order.groupby("engine")["qps"].transform(lambda qps: qps.cummax().shift())
    front = order[before.isna() | (order["qps"] > before)]
    return front.sort_values("engine", kind="stable").reset_index(drop=True)


def frontiers(frame: MetricFrame, level: float = LEVEL) -> FrontierFrame:
    """A row per cell and step that has a recall: mean recall and qps with intervals.

    Columns: the dimensions, step, n (runs), recall (mean) with Student's interval of its
    runs cut at 0 and 1, qps (geometric mean) with that of its logarithms. One run has
    none.
    """
    found = frame[frame["metric"] == "recall"]
    rates = frame[frame["step"].isin(found["step"]) & (frame["metric"] == "qps")]
    if rates.empty:
        return FRONTIER.shown(pd.DataFrame(columns=["step", *FRONTIER.columns]))
    keys = [key for key in cells_of(found) if key not in ("op", "clock", "metric")]
    recall = _groups(found, keys).agg(["size", "mean", "sem"]).reset_index()
    half = half_width(recall["sem"].to_numpy(), recall["size"].to_numpy() - 1, level)
    bounds = {
        "recall_low": np.maximum(recall["mean"] - half, 0),
        "recall_high": np.minimum(recall["mean"] + half, 1),
    }
    recall = recall.assign(**bounds).rename(columns={"size": "n", "mean": "recall"})
    logs = rates.assign(value=np.log(rates["value"]))
    cells = _groups(logs, keys).agg(["size", "mean", "var"]).reset_index()
    columns = (cells[name].to_numpy() for name in ("size", "mean", "var"))
    names = ("qps", "qps_low", "qps_high")
    rated = dict(zip(names, mean_interval(Logs(*columns), level), strict=True))
    return FRONTIER.of(recall.merge(cells[keys].assign(**rated), on=keys), keys)


def _groups(rows: pd.DataFrame, keys: list[str]) -> SeriesGroupBy:
    return rows.groupby(keys, sort=False, dropna=False)["value"]


def at_recalls(frame: MetricFrame, recalls: Sequence[float] = AT) -> MetricFrame:
    """The most queries/s at each recall: a metric frame whose steps are recalls.

    The steps of a run that have a recall are settings of one search. Of these the ones
    that no other beats in both are joined by straight lines of the logarithm of qps over
    recall. A recall above all of a run's has no row; where all settings have more, the
    fastest one's qps stands for it.
    """
    found = frame[frame["metric"] == "recall"][["run_id", "step", "value"]]
    rates = frame[frame["metric"] == "qps"]
    rows = rates.merge(found.rename(columns={"value": "recall"}), on=["run_id", "step"])
    made = [
        part.iloc[0].to_dict() | {"step": f"recall {recall:g}", "value": rate, "seq": seq}
        for _, part in rows.groupby("run_id", sort=False)
        for seq, recall in enumerate(recalls, 1)
        if np.isfinite(rate := rate_at(recall, part["recall"], part["value"]))
    ]
    table = pd.DataFrame(made, columns=rows.columns).drop(columns="recall")
    return table.assign(main=True)


def rate_at(recall: float, recalls: Sequence[float], rates: Sequence[float]) -> float:
    """The rate at a recall, between settings of these; NaN above all of their recalls."""
    order = sorted(zip(recalls, rates, strict=True), key=lambda s: (-s[0], -s[1]))
    front: list[tuple[float, float]] = []
    for one in order:
        if not front or one[1] > front[-1][1]:
            front.append(one)
    ascending = [x for x, _ in reversed(front)]
    if not front or recall > ascending[-1]:
        return float("nan")
    logs = [np.log(rate) for _, rate in reversed(front)]
    return float(np.exp(np.interp(recall, ascending, logs)))


def unmoved(frame: FrontierFrame, share: float = 0.001) -> pd.DataFrame:
    """Cells whose recall is the same at all settings: the engine ignores the setting.

    A row per cell, with its dimensions and the number of ``settings``. Recalls count as
    the same within ``share``; cells with one setting, or that find all, are left out.
    """
    dims = [c for c in FRONTIER.keys(frame) if c != "step"]
    rows = []
    for cell, part in frame.groupby(dims, sort=False, dropna=False):
        reach = part["recall"].max() - part["recall"].min()
        if len(part) > 1 and reach <= share and part["recall"].min() < 1 - share:
            rows.append(dict(zip(dims, cell, strict=True)) | {"settings": len(part)})
    return pd.DataFrame(rows, columns=[*dims, "settings"])
