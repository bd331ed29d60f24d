"""Searches that others measured, beside ours: a published table, or an import."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd

from benchbook.project import Project
from benchbook.results.named import named_frame
from benchbook.results.results import Results
from benchbook.study.published import Beside
from benchbook.templates.vectors.analysis import at_recall
from benchbook.views.beside import base_of, having
from benchmath.errors import UserError
from benchmath.frames import cells_of, label, name_of
from benchmath.prose import joined
from benchmath.ratios.beside import Compared, beside, published_side
from benchmath.recall import AT, FRONTIER, frontier, rate_at, recall_and_qps

_FACTS = ("engine", "version", "machine", "build", "config", "source", "set", "dop",
          "trial", "step", "of")  # fmt: skip
_AS_ENGINE = {"engine": "of", "name": "engine"}  # what a frontier is of
_FIGURE = ["engine", "version", "machine", "step", "metric", "value", "unit",
           "direction", "relative_to", "source", "raw", "remark", "date",
           "table"]  # fmt: skip


def with_theirs(results: Results, fronts: pd.DataFrame) -> pd.DataFrame:
    """``search_frontiers`` and below them the best runs of each table of `beside`.

    A row of theirs is a setting that no other of that engine beats in both recall and
    rate; it is of one run and has no interval.
    """
    parts = [fronts]
    for one in results.study.beside:
        best = frontier(_their_runs(results, one).rename(columns=_AS_ENGINE))
        free = [c for c in best.columns if c not in (*_FACTS, "recall", "qps")]
        cell = best["engine"] + f" ({one.table})"
        parts.append(best.assign(cell=cell, step=label(best, free), n=1))
    return FRONTIER.shown(pd.concat(parts, ignore_index=True))


def recalls_beside(results: Results) -> list[Compared]:
    """Our ratios at each recall beside theirs; [] where the study names no table."""
    return [_compared(results, one) for one in results.study.beside]


def _compared(results: Results, one: Beside) -> Compared:
    runs = _their_runs(results, one)
    named = pd.DataFrame([
        part.iloc[0].to_dict() | {"step": f"recall {recall:g}", "value": rate}
        for _, part in runs.groupby("name", sort=False)
        for recall in AT
        if np.isfinite(rate := rate_at(recall, part["recall"], part["qps"]))
    ]).assign(
        metric="qps", unit="queries/s", direction="higher", relative_to="",
        raw=np.nan, remark="", date="", table=one.table,
    )[_FIGURE]  # fmt: skip
    named = named.assign(printed=named["value"].astype(str), printed_raw="")
    theirs = published_side(named, one.table, one.cells)
    based = replace(results, study=replace(results.study, base=base_of(results, one)))
    judged = at_recall(based)
    judged = judged[judged["me"].isin(one.cells)].assign(test=judged["step"], group="")
    there = name_of(one.there)
    rows = beside(judged, theirs, one.cells).assign(here="", there=there)
    return Compared(one.table, judged, rows, False, "", there, one.note)


def _their_runs(results: Results, one: Beside) -> pd.DataFrame:
    """Recall and qps of each run of what is compared, with its ``name``.

    UserError where the table has no recall, or no such engine.
    """
    frame = named_frame([one.table], Project(results.study.path.parents[2]))
    frame = having(frame, one.there, f"beside: {one.table}")
    found = frame[frame["metric"] == "recall"]
    if found.empty:
        raise UserError(f"beside: {one.table} has no recall")
    keys = [*dict.fromkeys(("engine", "version", "machine", "source", *cells_of(found)))]
    keys = [key for key in keys if key not in ("op", "clock", "metric")]
    runs = recall_and_qps(frame, keys)
    runs = runs.assign(name=(runs["engine"] + " " + runs["version"]).str.strip())
    for name in one.cells.values():
        if name not in set(runs["name"]):
            raise UserError(
                f"beside: {one.table} has no {name}; available: {joined(runs['name'])}"
            )
    where = runs["machine"].replace("", "a machine that is not named")
    return runs.assign(machine=where)[runs["name"].isin(one.cells.values())]
