"""One study as data for the page Explore: its runs, and every ratio that is shown there.

The page selects, sorts and draws; no number on it is computed in the browser.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd

from benchbook.sets.sets import MetricSet
from benchmath.errors import UserError
from benchmath.frames import (
    MEASUREMENT,
    MetricFrame,
    dimensions_of,
    label,
    name_of,
    select,
)
from benchmath.ratios.relative import RatioFrame, relative, summary
from benchmath.ratios.verdicts import VerdictFrame, announced, verdicts

SCHEMA = 1
MAIN = "throughput"
METRICS = (MAIN, "cpu_o", "p50", "p99", "rkb_o", "wkb_o", "size_bytes")
MOST_RATIOS = 400  # of throughput, of all bases together; else that of the study only
DIGITS = 6  # as `benchbook compare --csv` has them
_WHY_NONE = "there is nothing but the base {} to compare"


def study_data(chosen: MetricSet, metrics: Iterable[str] = METRICS) -> dict[str, Any]:
    """The study with each of ``metrics`` that it has.

    base: the study's own, as a name; dims: the dimensions that a name is made of; names:
    all values of these, in the order of their runs. ValueError for a set without study.
    """
    if chosen.study is None:
        raise ValueError(f"{chosen.name} is no study: it has no base")
    dims = list(chosen.study.base)
    there = {MAIN, *chosen.metric["metric"]}
    found = {name: metric_data(chosen, name, dims) for name in metrics if name in there}
    return {
        "schema": SCHEMA,
        "study": chosen.name,
        "title": chosen.study.title,
        "margin": chosen.margin,
        "dims": dims,
        "base": name_of(chosen.study.base),
        "names": names_of(chosen, dims),
        "texts": _shared_texts(found.values()),
        "metrics": found,
    }


def _shared_texts(metrics: Iterable[dict[str, Any]]) -> list[str]:
    """Put places in the list in place of units, directions, verdicts and notes."""
    places: dict[str, int] = {}

    def share(row: list[Any], *columns: int) -> None:
        for column in columns:
            row[column] = places.setdefault(row[column], len(places))

    for metric in metrics:
        for cell in metric["cells"]:
            share(cell, 2, 3)
        for base in metric["bases"].values():
            for ratio in base["rows"]:
                share(ratio, 4, 8)
    return list(places)


def names_of(chosen: MetricSet, dims: list[str]) -> list[str]:
    """The names of the compared cells; none where a dimension of the base is missing."""
    if not set(dims) <= set(chosen.metric.columns):
        return []
    return list(dict.fromkeys(label(chosen.metric, dims)))


def metric_data(chosen: MetricSet, metric: str, dims: list[str]) -> dict[str, Any]:
    """The cells of a metric, and the ratios to each name that may be the base.

    Throughput has every name as a base, if that makes no more than ``MOST_RATIOS``. Other
    metrics have the study's; so has what took turns, where each base takes seconds.
    ``keys``: the columns that tell cells of a name apart. A ratio names its cell by its
    place in ``cells``. Where nothing can be compared, ``why`` has the library's sentence.
    """
    rows = select(chosen.metric, metric)
    try:
        values = summary(rows, metric, _dimensions(rows, dims))
    except (UserError, ValueError) as error:
        return {"keys": [], "cells": [], "bases": {}, "why": str(error)}
    keys = _keys(values, dims)
    numbers = _numbers(values)
    bases = {}
    for base in _bases(rows, chosen, dims, metric, len(values)):
        bases[name_of(base)] = _ratios(chosen, rows, metric, base, numbers)
    runs = _runs(rows, values)
    cells = [_cell(row, keys, runs[n]) for n, row in enumerate(_records(values, dims))]
    why = "" if bases else f"base: no run is {name_of(_study_base(chosen))}"
    return {"keys": keys, "cells": cells, "bases": bases, "why": why}


def _study_base(chosen: MetricSet) -> dict[str, str]:
    return dict(chosen.study.base) if chosen.study else {}


def _dimensions(rows: MetricFrame, dims: list[str]) -> list[str]:
    found = list(dimensions_of(rows))
    return [*found, *(d for d in dims if d not in found and d in rows.columns)]


def _bases(
    rows: MetricFrame, chosen: MetricSet, dims: list[str], metric: str, cells: int
) -> list[dict[str, str]]:
    if not set(dims) <= set(rows.columns):
        return []
    unique = rows[dims].astype(str).drop_duplicates().to_dict("records")
    many = cells * (len(unique) - 1) > MOST_RATIOS
    if metric != MAIN or many or len(chosen.turns):
        return [_study_base(chosen)]
    return [{str(k): str(v) for k, v in row.items()} for row in unique]


def _ratios(
    chosen: MetricSet,
    rows: MetricFrame,
    metric: str,
    base: Mapping[str, str],
    numbers: Mapping[tuple, int],
) -> dict[str, Any]:
    """Each other cell over its base, or why there is none."""
    try:
        table = judged(chosen, rows, metric, base)
    except (UserError, ValueError) as error:
        return {"rows": [], "why": str(error)}
    if table.empty:
        return {"rows": [], "why": _WHY_NONE.format(name_of(base))}
    told = table.assign(verdict=announced(table))
    return {"rows": [_ratio(row, numbers) for row in told.to_dict("records")], "why": ""}


def judged(
    chosen: MetricSet, rows: MetricFrame, metric: str, base: Mapping[str, str]
) -> VerdictFrame:
    """The ratios that `benchbook compare` prints without OTHER: all names, one family."""
    table: RatioFrame = relative(
        rows, base, metric, _dimensions(rows, list(base)),
        floor=chosen.floor(metric),
        turns=chosen.turn_ratios(base) if metric == MAIN else None,
    )  # fmt: skip
    return verdicts(table[table["me"] != name_of(base)], chosen.margin)


_STATISTICS = {"unit", "direction", "n", "value", "low", "high", "min", "max", "note"}


def _numbers(values: pd.DataFrame) -> dict[tuple, int]:
    """The place of each cell, by what it is."""
    columns = _names_of_cells(values)
    return {_key(row, columns): n for n, row in enumerate(values.to_dict("records"))}


def _names_of_cells(values: pd.DataFrame) -> tuple[str, ...]:
    return tuple(c for c in values.columns if c not in _STATISTICS)


def _key(row: Mapping[Any, Any], columns: Iterable[str]) -> tuple:
    """What a cell is; missing values equal each other."""
    return tuple((c, _text(row[c])) for c in sorted(columns))


def _text(value: Any) -> str:
    return "" if pd.isna(value) else str(value)


def _ratio(row: Mapping[Any, Any], numbers: Mapping[tuple, int]) -> list[Any]:
    """Cell, ratio, low, high, verdict, further runs, base's value and runs, note."""
    columns = [name for name, _ in next(iter(numbers))]
    more = row["further_runs"]
    return [
        numbers[_key(row, columns)],
        *(_rounded(row[c]) for c in ("relative", "low", "high")),
        row["verdict"] + (f" ({row['arrow']})" if row["arrow"] else ""),
        None if pd.isna(more) else int(more),
        _rounded(row["value_base"]),
        int(row["n_base"]),
        row["note"],
    ]


def _rounded(value: float) -> float | None:
    """Six digits, None where there is no number."""
    return float(f"{value:.{DIGITS}g}") if math.isfinite(value) else None


def _keys(values: pd.DataFrame, dims: list[str]) -> list[str]:
    """step, then the columns that still tell cells of one name apart, as in `compare`."""
    named = [d for d in dims if d in values.columns]
    settled = values.groupby([*named, "step"], dropna=False)
    names = [c for c in _names_of_cells(values) if c not in (*named, *MEASUREMENT)]
    keys = ["step", *(c for c in names if (settled[c].nunique(dropna=False) > 1).any())]
    for column in ("op", "clock"):
        if column in values.columns and values.duplicated([*named, *keys]).any():
            keys.append(column)
    return keys


def _records(values: pd.DataFrame, dims: list[str]) -> list[dict[Any, Any]]:
    found = [d for d in dims if d in values.columns]
    return values.assign(me=label(values, found)).to_dict("records")


def _cell(row: Mapping[Any, Any], keys: list[str], runs: list[float]) -> list[Any]:
    """Name, the values of the keys, unit, direction, mean, low, high, all runs."""
    return [
        row["me"], [_text(row[k]) for k in keys], row["unit"], row["direction"],
        *(_rounded(row[c]) for c in ("value", "low", "high")), runs,
    ]  # fmt: skip


def _runs(rows: pd.DataFrame, values: pd.DataFrame) -> list[list[float]]:
    """The values of each cell's runs, in the order of ``values``."""
    columns = _names_of_cells(values)
    found: dict[tuple, list[float]] = {}
    for row in rows[[*columns, "value"]].to_dict("records"):
        found.setdefault(_key(row, columns), []).append(float(f"{row['value']:.5g}"))
    return [found[_key(row, columns)] for row in values.to_dict("records")]
