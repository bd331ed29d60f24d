"""Searches of vectors: recall and rate by setting, and the rate at a recall."""

from __future__ import annotations

import re

import pandas as pd

from benchbook.results.results import Results
from benchbook.views.engines import comparable
from benchmath.frames import Kind, label
from benchmath.hazard import Hazard
from benchmath.intervals import half_width, logs, mean_interval
from benchmath.prose import listed
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts
from benchmath.recall import FRONTIER, at_recalls, frontiers, unmoved

AGED = Kind("aged", {
    "n": "count", "relative": "ratio", "low": "ratio", "high": "ratio", "change": "",
    "change_low": "", "change_high": "",
})  # fmt: skip
_NUMBER = re.compile(r"\d+$")
SEARCH = "search"  # the group of a workload whose steps are settings of one search


def search_results(results: Results) -> Results:
    """The results of one build for each version, as ``comparable`` has it."""
    return comparable(results)


def judged_and_built(results: Results) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The verdicts on every step, and those of them on the one that makes the index."""
    judged = results.judged()
    return judged, judged[judged["step"] == "index"]


def search_frontiers(results: Results) -> pd.DataFrame:
    """``frontiers`` of the settings of the search, each cell under its name."""
    return _named(frontiers(_of_group(results, settings=True)), results)


def at_recall(results: Results) -> pd.DataFrame:
    """``at_everywhere`` in the placement that answers."""
    found = at_everywhere(results)
    if results.elsewhere is None or found.empty:
        return found
    mine = found["placement"].isin(results.metric["placement"])
    return found[mine].reset_index(drop=True)


def at_everywhere(results: Results) -> pd.DataFrame:
    """The verdicts of what is compared on the rate at each recall; empty without any.

    Of every placement of a study in turns.
    """
    rates = at_recalls(_of_group(results.elsewhere or results, settings=True))
    if rates.empty:
        columns = ("step", "me", "base", "n", "n_base", "relative", "low", "high", "note")
        return pd.DataFrame(columns=columns)
    return verdicts(relative(rates, results.base), results.study.margin)


def ageing(results: Results) -> pd.DataFrame:
    """``frontiers`` of the searches that are no settings: filtered ones, later ones."""
    return _named(frontiers(_of_group(results, settings=False)), results)


def aged(results: Results) -> pd.DataFrame:
    """What became of a setting in a later step: `aged40` and `paid40` after `ef40`.

    Steps whose names end in the number of a setting are compared with it within a run. A
    row per cell and step: me, step, before, n, relative (geometric mean of the runs'
    ratios of rates) with its interval, change (mean difference of recall) with its own.
    """
    later, rows = _of_group(results, settings=False), []
    steps = [s for s in later.loc[later["metric"] == "recall", "step"].unique()]
    first = _of_group(results, settings=True)
    names = {_NUMBER.sub("", s): s for s in first["step"].unique()}
    prefix = next(iter(names), "")
    cells = results.runs.assign(me=label(results.runs, list(results.base)))
    for step in steps:
        before = f"{prefix}{step[len(_NUMBER.sub('', step)) :]}"
        if not _is_later(step, before, first):
            continue
        both = _within_runs(results.metric, before, step).merge(
            cells[["run_id", "me"]], on="run_id"
        )
        for me, part in both.groupby("me", sort=False):
            rate = mean_interval(logs(part["rate"]))
            half = half_width(part["change"].sem(), len(part) - 1)
            mean = part["change"].mean()
            rows.append(
                {"me": me, "step": step, "before": before, "n": len(part),
                 "relative": float(rate.estimate), "low": float(rate.low),
                 "high": float(rate.high), "change": mean,
                 "change_low": mean - half, "change_high": mean + half}
            )  # fmt: skip
    return AGED.shown(pd.DataFrame(rows, columns=["me", "step", "before", *AGED.columns]))


def _is_later(step: str, before: str, first: pd.DataFrame) -> bool:
    return not step.startswith("filter") and before in set(first["step"])


def _within_runs(metric: pd.DataFrame, before: str, step: str) -> pd.DataFrame:
    """run_id, rate (later over before) and change (of recall) of the runs with both."""
    rows = metric[metric["metric"].isin(["qps", "recall"])]
    wide = rows.pivot_table(index="run_id", columns=["metric", "step"], values="value")
    pairs = {
        "rate": wide["qps", step] / wide["qps", before],
        "change": wide["recall", step] - wide["recall", before],
    }
    return pd.DataFrame(pairs).dropna().reset_index()


def hazards_of_search(results: Results, fronts: pd.DataFrame) -> list[Hazard]:
    """Searches without the index, and settings that an engine ignores."""
    if fronts.empty:
        return []
    ignored = [
        Hazard(
            "setting ignored",
            f"{row['engine']} finds the same at all {row['settings']} settings",
            {"engine": str(row["engine"])},
        )
        for row in unmoved(fronts.drop(columns="cell")).to_dict("records")
    ]
    return [*_exact(results), *ignored]


def _exact(results: Results) -> list[Hazard]:
    """A plan that looks at all rows is no search of an index, and finds all."""
    rows = results.metric
    nearest = set(rows.loc[rows["metric"] == "recall", "step"])
    plans = results.statements[results.statements["step"].isin(nearest)]
    plans = plans.merge(results.runs[["run_id", "engine"]], on="run_id")
    plans = plans[plans["plan"].map(_looks_at_all).astype(bool)]
    found = []
    for engine, part in plans.groupby("engine", sort=False):
        steps = list(dict.fromkeys(part["step"]))
        text = f"{engine} looks at all rows, without its index, in {listed(steps)}"
        found += [
            Hazard("no index", text, {"engine": str(engine), "step": step})
            for step in steps
        ]
    return found


def _looks_at_all(plan: object) -> bool:
    """As Postgres, MariaDB and DuckDB say it."""
    text = str(plan or "")
    if text.startswith("select_type"):
        return "key=" not in text
    return "Seq Scan" in text or ("SEQ_SCAN" in text and "HNSW" not in text)


def _of_group(results: Results, settings: bool) -> pd.DataFrame:
    """The rows of the search's settings, or of all other steps."""
    workload = results.study.workload
    of_group = workload.groups.get(SEARCH, ()) if workload else ()
    rows = results.metric
    inside = rows["step"].isin(of_group) if of_group else pd.Series(True, rows.index)
    return rows[inside == settings]


def _named(fronts: pd.DataFrame, results: Results) -> pd.DataFrame:
    """With the column cell: what a reader calls it."""
    if fronts.empty:
        return FRONTIER.shown(fronts.assign(cell=[]))
    cell = label(fronts, list(results.base))
    return FRONTIER.shown(fronts.assign(cell=cell))
