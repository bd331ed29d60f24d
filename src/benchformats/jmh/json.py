"""JMH's JSON (-rf json): the figure of each iteration of each fork of a benchmark.

The metric is JMH's mode: thrpt (operations per time), avgt, sample and ss (time per
operation). Parameters are dimensions, threads the clients. Of mode sample the percentiles
are read; of secondary metrics (gc.alloc.rate.norm, ...) every iteration's figure.
"""

from __future__ import annotations

from typing import Any

from benchformats.json_file import (
    Entry,
    clients_of,
    dict_of,
    figure,
    figures,
    has_keys,
    read_json,
    text_of,
)
from benchformats.metric_names import metric_name
from benchformats.parsed import Parsed, Problem, Row, TextFile
from benchformats.units import direction_of

NAME = "jmh"
ONCE = True

MODES = {"thrpt": "higher", "avgt": "lower", "sample": "lower", "ss": "lower"}
_PERCENTILES = ("50.0", "90.0", "95.0", "99.0", "99.9", "99.99", "100.0")


def recognises(file: TextFile) -> bool:
    """A list of benchmarks with their mode and unit."""
    keys = ("[].benchmark", "[].mode", "[].primaryMetric.scoreUnit")
    return has_keys(file, keys)


def read(file: TextFile) -> Parsed:
    """Every iteration that was measured; its mean where there are none."""
    document = read_json(file)
    if document.problem:
        return document.refused
    rows: list[Row] = []
    problems: list[Problem] = []
    for entry in document.entries:
        rows += _rows(entry, problems)
    if not rows and not problems:
        problems.append(Problem(0, "no benchmark was run"))
    return Parsed(rows, problems=problems)


def _rows(entry: Entry, problems: list[Problem]) -> list[Row]:
    said = dict_of(entry.value)
    step, mode = text_of(said.get("benchmark")), text_of(said.get("mode"))
    primary = dict_of(said.get("primaryMetric"))
    if not step or mode not in MODES or not primary:
        problems.append(
            Problem(entry.line, f"{step or 'a benchmark'}: no mode and figure")
        )
        return []
    common = {
        "step": step,
        "line": entry.line,
        "dims": {text_of(name): text_of(value)
                 for name, value in dict_of(said.get("params")).items()},
        "dop": clients_of(said.get("threads")),
    }  # fmt: skip
    rows = _values(mode, primary, MODES[mode], common, main=True)
    if not rows:
        problems.append(Problem(entry.line, f"{step}: no figure of an iteration"))
        return []
    if mode == "sample":
        rows += _percentiles(primary, common)
    for name, metric in dict_of(said.get("secondaryMetrics")).items():
        plain, direction = secondary(
            text_of(name), text_of(dict_of(metric).get("scoreUnit"))
        )
        rows += _values(plain, dict_of(metric), direction, common) if plain else []
    return rows


def secondary(name: str, unit: str) -> tuple[str, str]:
    """The metric that a secondary result is, and which direction of it is better."""
    direction = direction_of(unit) if unit.endswith("/op") else "none"
    return metric_name(name.lstrip("·+")), direction


def _values(
    metric: str,
    said: dict[str, Any],
    direction: str,
    common: dict[str, Any],
    main: bool = False,
) -> list[Row]:
    unit = text_of(said.get("scoreUnit"))
    forks = said.get("rawData")
    values = [one for fork in forks for one in figures(fork)] if isinstance(
        forks, list) else []  # fmt: skip
    values = values or [figure(said.get("score"))]
    return [
        Row(metric=metric, value=value, unit=unit, direction=direction, main=main,
            trial=trial, **common)
        for trial, value in enumerate(values, 1)
        if value is not None and value >= 0
    ]  # fmt: skip


def _percentiles(said: dict[str, Any], common: dict[str, Any]) -> list[Row]:
    percentiles = dict_of(said.get("scorePercentiles"))
    unit = text_of(said.get("scoreUnit"))
    rows = []
    for name in _PERCENTILES:
        value = figure(percentiles.get(name))
        if value is not None and value >= 0:
            metric = metric_name(f"p{name.removesuffix('.0')}")
            rows.append(Row(metric=metric, value=value, unit=unit, direction="lower",
                            **common))  # fmt: skip
    return rows
