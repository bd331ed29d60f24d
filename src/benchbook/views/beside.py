"""A study's ratios beside the published ones that its key `beside` names."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np
import pandas as pd

from benchbook.project import Project
from benchbook.published.figures import RATES, figures
from benchbook.results.results import Results
from benchbook.study.published import Beside
from benchformats.sysbench.written import with_range
from benchmath.errors import UserError
from benchmath.frames import label
from benchmath.prose import joined
from benchmath.ratios.beside import (
    Compared,
    beside,
    group_medians,
    published_side,
)
from benchmath.ratios.groups import SYSBENCH_TITLED
from benchmath.ratios.verdicts import VerdictFrame


def beside_published(results: Results) -> list[Compared]:
    """Our ratios beside those of each published table; [] where the study names none."""
    of_base = {tuple(results.base.items()): results}  # turns are estimated once for each
    compared = []
    for one in results.study.beside:
        base = base_of(results, one)
        other = replace(results, study=replace(results.study, base=base))
        based = of_base.setdefault(tuple(base.items()), other)
        compared.append(_compared(based, one))
    return compared


def _compared(results: Results, one: Beside) -> Compared:
    table = figures(one.table, Project(results.study.path.parents[2]))
    table = having(table.assign(table=one.table), one.there, f"beside: {one.table}")
    if "relative_to" not in table:
        table = table[table["metric"].isin(RATES)].assign(relative_to="")
    theirs = published_side(_one_a_test(table), one.table, one.cells)
    tests = set(table["step"])
    judged = _judged(results, one)
    named = [published_name(step, tests) for step in judged["step"]]
    judged = judged.assign(test=named, group=[SYSBENCH_TITLED.get(n, "") for n in named])
    grouped = tests <= set(SYSBENCH_TITLED.values())
    ours = group_medians(judged) if grouped else judged
    rows = beside(ours, theirs, one.cells)
    if rows.empty:
        raise UserError(
            f"{results.study.path}: beside: {one.table} has no test of this workload; "
            f"its tests are {joined(table['step'])}"
        )
    here, there = (", ".join(map(str, v.values())) for v in (one.here, one.there))
    rows = rows.assign(here=here, there=there)
    return Compared(one.table, judged, rows, grouped, here, there, one.note)


def published_name(step: str, tests: Collection[str]) -> str:
    """A step as a published table names it.

    sysbench's have their range, those of RocksDB's scripts what follows a full stop:
    `readrandom.t8`, `overwriteandwait.t8.s0`.
    """
    longer = [test for test in tests if test.partition(".")[0] == step]
    if step in tests or len(longer) != 1:
        return step if step in tests else with_range(step)
    return longer[0]


def having(frame: pd.DataFrame, values: Mapping[str, object], who: str) -> pd.DataFrame:
    """The rows that have all of the values; UserError naming those that there are."""
    for name, value in values.items():
        if name not in frame.columns:
            raise UserError(f"{who} has no {name}")
        rows = frame[frame[name].astype(str) == str(value)]
        if rows.empty:
            raise UserError(
                f"{who} has no {name} {value}; available: {joined(frame[name])}"
            )
        frame = rows
    return frame


def _one_a_test(figures: pd.DataFrame) -> pd.DataFrame:
    """Figures of several trials as one, their geometric mean."""
    if "trial" not in figures.columns or figures["trial"].nunique() < 2:
        return figures
    own = ("trial", "value", "raw", "printed", "printed_raw", "source", "date", "remark")
    keys = [c for c in figures.columns if c not in own]
    means = np.exp(np.log(figures["value"]).groupby([figures[k] for k in keys]).mean())
    first = figures.drop_duplicates(keys).set_index(keys)
    values = means.reindex(first.index)
    first = first.assign(value=values, printed=[repr(float(v)) for v in values])
    return first.reset_index()[list(figures.columns)]


def base_of(results: Results, one: Beside) -> dict[str, str]:
    """The first of the compared cells in the dimensions of the study's base."""
    names = list(results.base)
    cells = results.metric[names].astype(str).drop_duplicates()
    of_name = dict(zip(label(cells, names), cells.to_dict("records"), strict=True))
    for name in one.cells:
        if name not in of_name:
            raise UserError(
                f"{results.study.path}: beside: no run is {name}; available: "
                f"{joined(of_name)}"
            )
    return {str(k): v for k, v in of_name[next(iter(one.cells))].items()}


def _judged(results: Results, one: Beside) -> VerdictFrame:
    """The ratios of the compared cells to their base, from turns and runs.

    A ratio of two ratios to the study's own base would have no interval.
    """
    judged = having(
        results.judged(), one.here, f"{results.study.path}: beside: the study"
    )
    judged = judged[judged["me"].isin(one.cells)].reset_index(drop=True)
    twice = judged.duplicated(["step", "me"])
    if twice.any():
        row = judged[twice].iloc[0]
        raise UserError(
            f"{results.study.path}: beside: {row['step']} of {row['me']} was measured in "
            "several ways (machine, clients, a number of the workload); a published "
            "ratio stands beside one: say which under `here`"
        )
    return judged
