"""Searches of vectors: recall and rate by setting, and the rate at a recall."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import pandas as pd

from benchbook.results.results import Results
from benchbook.views.engines import refuse_more
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
# Groups of a workload: settings of a search (`search hnsw`: by that index, one of
# several); what makes a further index; searches after rows were replaced; searches of
# the rows that a filter leaves.
SEARCH, BUILD, AGEING, FILTERED = "search", "build", "ageing", "filtered"
INDEX = "index"  # the dimension that tells several indexes apart
APART = 0.05  # of recall, from which on rates are not compared
ANEW = "rebuilt"  # of the latter, those by an index that was made anew


def judged_and_built(results: Results) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The verdicts on every step, and those of them on the one that makes the index.

    A study that varies more than what it compares is refused.
    """
    judged = refuse_more(results, list(results.base)).judged()
    return judged, judged[judged["step"] == "index"]


def search_frontiers(results: Results) -> pd.DataFrame:
    """``frontiers`` of the settings of each search, every cell under its name."""
    return _named(frontiers(pd.concat(_searches(results))), results)


def at_recall(results: Results) -> pd.DataFrame:
    """``at_everywhere`` in the placement that answers."""
    found = at_everywhere(results)
    if results.elsewhere is None or found.empty:
        return found
    mine = found["placement"].isin(results.metric["placement"])
    return found[mine].reset_index(drop=True)


def at_everywhere(results: Results) -> pd.DataFrame:
    """The verdicts of what is compared on the rate at each recall; empty without any.

    Of every placement of a study in turns. Where a workload has several indexes, they are
    what is compared, with the first of them.
    """
    searches = _searches(results.elsewhere or results)
    rates = pd.concat([at_recalls(rows) for rows in searches])
    if rates.empty:
        columns = ("step", "me", "base", "n", "n_base", "relative", "low", "high", "note")
        return pd.DataFrame(columns=columns)
    base = {INDEX: str(rates[INDEX].iloc[0])} if INDEX in rates else results.base
    return verdicts(relative(rates, base), results.study.margin)


def building(results: Results) -> list[str]:
    """The steps that load and that make an index."""
    return ["load", "index", *_groups(results).get(BUILD, ())]


def other_searches(results: Results) -> pd.DataFrame:
    """``frontiers`` of the searches that are no settings: filtered ones, later ones."""
    settings = pd.concat(_searches(results))["step"].unique()
    others = results.metric[~results.metric["step"].isin(settings)]
    return _named(frontiers(others), results)


def filtered(results: Results, judged: pd.DataFrame) -> pd.DataFrame:
    """The verdicts on the rates of filtered searches, and what each side finds.

    Columns added: recall (mean) with recall_low and recall_high, its interval, and
    recall_base. Empty where no step is in the group filtered, and where several clients
    or sizes search, so that a name and a step are no one cell.
    """
    rows = judged[judged["step"].isin(_groups(results).get(FILTERED, ()))]
    found = other_searches(results)
    recalls = [c for c in found.columns if c.startswith("recall")]
    found = found[["cell", "step", *recalls]]
    if rows.empty or found.duplicated(["cell", "step"]).any():
        return rows[:0]
    base = found[["cell", "step", "recall"]].set_axis(
        ["base", "step", "recall_base"], axis=1
    )
    return rows.merge(found.rename(columns={"cell": "me"})).merge(base)


def aged(results: Results) -> pd.DataFrame:
    """What age does to a search: `aged40` and `paid40` beside `rebuilt40`.

    The steps of the group ageing are compared, within a run, with the step of the same
    number by an index that was made anew of the same rows. Where there is none, with the
    setting itself: then the rows are others, too. A row per cell and step: me, step,
    before, n, relative (geometric mean of the runs' ratios of rates) with its interval,
    change (mean difference of recall) with its own.
    """
    groups = _groups(results)
    there = set(results.metric.loc[results.metric["metric"] == "recall", "step"])
    cells = results.runs.assign(me=label(results.runs, list(results.base)))
    rows = []
    for step in groups.get(AGEING, ()):
        anew = [s for s in groups[AGEING] if s.startswith(ANEW)]
        settings = groups.get(SEARCH, ())
        before = _beside(step, [s for s in (*anew, *settings) if s in there])
        if step not in there or step.startswith(ANEW) or not before:
            continue
        both = _within_runs(results.metric, before, step).merge(
            cells[["run_id", "me"]], on="run_id"
        )
        rows += [
            {"me": me, "step": step, "before": before} | _moved(part)
            for me, part in both.groupby("me", sort=False)
        ]
    return AGED.shown(pd.DataFrame(rows, columns=["me", "step", "before", *AGED.columns]))


def _beside(step: str, others: Sequence[str]) -> str:
    """The first of the others whose name ends in the same number."""
    number = _NUMBER.findall(step)
    return next((s for s in others if _NUMBER.findall(s) == number), "")


def _moved(runs: pd.DataFrame) -> dict[str, float]:
    """Over the runs: the mean ratio of rates and the mean difference of recall."""
    rate, change = mean_interval(logs(runs["rate"])), runs["change"].mean()
    half = float(half_width(runs["change"].sem(), len(runs) - 1))
    return {
        "n": len(runs), "relative": float(rate.estimate), "low": float(rate.low),
        "high": float(rate.high), "change": change, "change_low": change - half,
        "change_high": change + half,
    }  # fmt: skip


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
    return [*_exact(results), *_apart(other_searches(results)), *ignored]


def _apart(searches: pd.DataFrame) -> list[Hazard]:
    """Steps whose rates cannot be compared, because what they find differs."""
    recalls = searches.groupby("step", sort=False)["recall"].agg(["min", "max"])
    far = recalls[recalls["max"] - recalls["min"] > APART]
    if far.empty:
        return []
    texts = [f"{step} {low:.3f} to {high:.3f}" for step, low, high in far.itertuples()]
    text = f"rates at other recalls are no comparison: {listed(texts)}"
    return [Hazard("other recall", text, {"step": str(step)}) for step in far.index]


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


def _groups(results: Results) -> Mapping[str, Sequence[str]]:
    workload = results.study.workload
    return workload.groups if workload else {}


def _searches(results: Results) -> list[pd.DataFrame]:
    """The rows of the settings of each search; all rows where no group says which."""
    rows = results.metric
    found = []
    for name, steps in _groups(results).items():
        search, _, index = name.partition(" ")
        if search == SEARCH:
            part = rows[rows["step"].isin(steps)]
            found.append(part.assign(**{INDEX: index}) if index else part)
    return found or [rows]


def _named(fronts: pd.DataFrame, results: Results) -> pd.DataFrame:
    """With the column cell: what a reader calls it."""
    if fronts.empty:
        return FRONTIER.shown(fronts.assign(cell=[]))
    cell = label(fronts, [*results.base, *([INDEX] if INDEX in fronts else [])])
    return FRONTIER.shown(fronts.assign(cell=cell))
