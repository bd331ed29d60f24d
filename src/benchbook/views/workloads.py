"""What a post on a workload shows: its steps by group, before and after, as files."""

from __future__ import annotations

import base64
import html
import re
from collections.abc import Mapping
from dataclasses import replace

import numpy as np
import pandas as pd
from IPython.display import HTML

from benchbook.results.results import Results
from benchbook.views.engines import comparable
from benchformats.sysbench.written import (
    field_name,
    o_met,
    qps_abs,
    qps_csv,
    qps_rel,
)
from benchmath.errors import UserError
from benchmath.frames import Kind, label, ordered, select
from benchmath.ratios.groups import group_summary
from benchmath.ratios.suite import suite
from benchmath.ratios.verdicts import verdicts

BEFORE = re.compile(r"\.pre(?=\.|$)")  # in the name of a step that has a namesake
_BEFORE_AND_AFTER = Kind(
    "before_and_after", {"before": "1/s", "after": "1/s", "ratio": "after / before"}
)
_MET = {
    "cs/o": "cs_o", "r/o": "r_o", "rKB/o": "rkb_o", "wKB/o": "wkb_o",
}  # fmt: skip


def workload_results(results: Results) -> Results:
    """The results of the steps that read, write or scan: what loads or cleans is none.

    Of one build for each version, as ``comparable`` has it.
    """
    one, steps = comparable(results), list(step_groups(results))
    elsewhere = _of_steps(one.elsewhere, steps) if one.elsewhere else None
    return replace(_of_steps(one, steps), elsewhere=elsewhere)


def _of_steps(results: Results, steps: list[str]) -> Results:
    frames = {
        name: frame[frame["step"].isin(steps)].reset_index(drop=True)
        for name in ("metric", "steps", "samples", "hists", "turns", "statements")
        if len(frame := getattr(results, name))
    }
    return replace(results, **frames)


def step_groups(results: Results) -> dict[str, str]:
    """The group of each step whose rate is a result, in the order of the workload.

    Where a workload has groups, a step without one only prepares others.
    """
    workload = results.study.workload
    if workload is None:
        raise UserError(f"{results.study.path}: its driver runs no workload")
    return workload.compared


def with_groups(judged: pd.DataFrame, results: Results) -> pd.DataFrame:
    """``judged`` with the column group, groups in the order of the workload."""
    groups = step_groups(results)
    rows = judged.assign(group=judged["step"].map(groups))
    return ordered(rows, {"group": groups.values()}).reset_index(drop=True)


def workload_summary(judged: pd.DataFrame, results: Results) -> pd.DataFrame:
    """``group_summary`` of the ratios by group, and of all steps together."""
    groups = step_groups(results)
    whole = group_summary(judged, dict.fromkeys(groups, "all steps"))
    return pd.concat([group_summary(judged, groups), whole], ignore_index=True)


def workload_suite(results: Results) -> pd.DataFrame:
    """The geometric mean of each group and of all steps, with its verdict."""
    means = suite(
        results.metric, results.base, step_groups(results), floor=results.floor(),
        turns=results.turn_ratios, loads=results.loads if len(results.loads) else None,
    )  # fmt: skip
    return verdicts(means, results.study.margin)


def before_and_after(results: Results) -> pd.DataFrame:
    """One row per cell and step that ran before the writes, as NAME.pre, and after.

    Columns: step, cell, before and after (geometric means over the runs), ratio.
    """
    rates = _rates(results)
    rows = [
        (after, cell, values[step], values[after], values[after] / values[step])
        for cell, of_cell in rates.groupby("cell", sort=False)
        for values in [of_cell.set_index("step")["value"].to_dict()]
        for step in values
        if (after := BEFORE.sub("", step)) != step and after in values
    ]
    columns = ["step", "cell", *_BEFORE_AND_AFTER.columns]
    return _BEFORE_AND_AFTER.shown(pd.DataFrame(rows, columns=columns))


def _rates(results: Results) -> pd.DataFrame:
    """cell, step, value: the throughput of each step, the base's cells first."""
    rows = select(results.metric)
    names = list(results.base)
    rows = rows.assign(cell=label(rows, names), log=np.log(rows["value"]))
    base = np.logical_and.reduce(
        [rows[n].astype(str) == str(v) for n, v in results.base.items()]
    )
    rows = rows.assign(_place=~base).sort_values("_place", kind="stable")
    means = rows.groupby(["cell", "step"], sort=False)["log"].mean()
    return np.exp(means).rename("value").reset_index()


def downloads(results: Results) -> HTML:
    """Links to the rates and costs in the layouts of the field's tools.

    Steps that not every cell has are left out, and files without any step.
    """
    return links(download_texts(results), "No step that all cells have.")


def links(files: Mapping[str, str], nothing: str) -> HTML:
    """Links that save files, which the page itself holds; ``nothing`` where none is."""
    each = [
        f'<a download="{name}" href="data:text/plain;base64,'
        f'{base64.b64encode(text.encode()).decode()}">{html.escape(name)}</a>'
        for name, text in files.items()
    ]
    return HTML(" · ".join(each) or nothing)


def download_texts(results: Results) -> dict[str, str]:
    """The files of ``downloads`` by name."""
    rates = _rates(results)
    tags = {cell: f"x.{tag}.pk1" for cell, tag in tags_of(results).items()}
    wide = rates.assign(tag=rates["cell"].map(tags))
    names = [tags[cell] for cell in dict.fromkeys(rates["cell"])]
    figures = _figures(wide, names)
    if not figures or len(names) < 2:
        return {}
    files = {
        "qps.abs": qps_abs(figures, names),
        "qps.rel": qps_rel(figures, names),
        "qps.abs.csv": qps_csv(figures, names),
    }
    met = _met(results, tags, figures, names)
    return files | ({"o.met": met} if met else {})


def _figures(wide: pd.DataFrame, names: list[str]) -> dict[str, dict[str, float]]:
    """The values of each step that all have and whose name the field could have given."""
    of_step = {
        str(step): dict(zip(rows["tag"], rows["value"], strict=True))
        for step, rows in wide.groupby("step", sort=False)
    }
    return {s: of for s, of in of_step.items() if set(of) == set(names) and field_name(s)}


def tags_of(results: Results) -> dict[str, str]:
    """A name for each cell as the field has them: engine and version, then config."""
    runs = results.runs.assign(cell=label(results.runs, list(results.base)))
    first = runs.drop_duplicates("cell")
    tags = list(first["tag"])
    if len(set(tags)) < len(tags):
        cells = first["cell"].str.replace(r"[^\w.-]+", "-", regex=True)
        tags = [f"{tag}.{cell}" for tag, cell in zip(tags, cells, strict=True)]
    return dict(zip(first["cell"], tags, strict=True))


def _met(
    results: Results,
    tags: Mapping[str, str],
    figures: Mapping[str, Mapping[str, float]],
    names: list[str],
) -> str:
    """Costs per operation in o.met's columns; '' where none has them or dops differ."""
    metric = results.metric.assign(cell=label(results.metric, list(results.base)))
    if metric["dop"].nunique() != 1:
        return ""
    metric = metric.assign(tag=metric["cell"].map(tags))
    means = metric.groupby(["metric", "step", "tag"])["value"].mean()
    costs: dict[str, dict[str, Mapping[str, float]]] = {}
    for step, rates in figures.items():
        columns = {c: _of(means, m, step) for c, m in _MET.items()}
        columns["cpu/o"] = _cpu(means, step, results.runs)
        costs[step] = {**columns, "o/s": dict(rates)}
    return o_met(costs, names, int(metric["dop"].iloc[0]))


def _of(means: pd.Series, metric: str, step: str) -> dict[str, float]:
    try:
        return {str(k): float(v) for k, v in means.loc[(metric, step)].items()}
    except KeyError:
        return {}


def _cpu(means: pd.Series, step: str, runs: pd.DataFrame) -> dict[str, float]:
    """Percent of all CPUs / operations per second, from the machine's time if need be."""
    measured = _of(means, "cpu_pct_o", step)
    cpus = {env["cpus"] for env in runs["env"] if isinstance(env, dict) and "cpus" in env}
    if measured or len(cpus) != 1:
        return measured
    us = _of(means, "machine_cpu_o", step)
    return {tag: value / 1e4 / int(next(iter(cpus))) for tag, value in us.items()}
