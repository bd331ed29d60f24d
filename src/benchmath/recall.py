"""Recall against queries per second of vector indexes: the best at a given recall."""

from collections.abc import Sequence

import pandas as pd

RECALLS = (1.0, 0.99, 0.98, 0.97, 0.96, 0.95)  # of the published tables


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


def best_at_recall(
    runs: pd.DataFrame, recalls: Sequence[float] = RECALLS, best: int = 1
) -> pd.DataFrame:
    """The ``best`` runs of each engine by qps with at least each recall.

    ``runs`` has the columns engine, recall and qps, and any others, which are kept.
    Columns in front: at_recall, engine, rank (from 1). Of equal qps the higher recall
    comes first. An engine that never reaches a recall has no row there. Recall is
    compared as it stands, so a printed 0.990 counts as 0.99.
    """
    order = ["qps", "recall"]
    ranked = runs.sort_values(order, ascending=False, kind="stable")
    parts = []
    for recall in recalls:
        rows = ranked[ranked["recall"] >= recall]
        rank = rows.groupby("engine").cumcount() + 1
        parts.append(rows.assign(at_recall=recall, rank=rank)[rank <= best])
    top = pd.concat(parts) if parts else ranked.head(0).assign(at_recall=[], rank=[])
    engines = {name: n for n, name in enumerate(dict.fromkeys(runs["engine"]))}
    top = top.assign(_order=top["engine"].map(engines))
    top = top.sort_values(
        ["at_recall", "_order", "rank"], ascending=[False, True, True], kind="stable"
    )
    front = ["at_recall", "engine", "rank"]
    rest = [name for name in runs.columns if name not in front]
    return top[[*front, *rest]].reset_index(drop=True)


def frontier(runs: pd.DataFrame) -> pd.DataFrame:
    """Of each engine the runs that no other beats in both recall and qps.

    By falling recall, so qps rises; of equal runs the first.
    """
    order = runs.sort_values(["recall", "qps"], ascending=False, kind="stable")
    before = order.groupby("engine")["qps"].transform(lambda qps: qps.cummax().shift())
    front = order[before.isna() | (order["qps"] > before)]
    return front.sort_values("engine", kind="stable").reset_index(drop=True)
