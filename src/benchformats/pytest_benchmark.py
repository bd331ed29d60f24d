"""pytest-benchmark's JSON: each round of each test, or what the tool made of them.

``--benchmark-json`` and ``--benchmark-autosave``. A test is a step by its full name, the
commit that it ran at is the version ("+dirty" with changes that were not committed). With
--benchmark-save-data every round is there; otherwise median, mean and the like. Seconds.
"""

from __future__ import annotations

from typing import Any

from benchformats.json_file import (
    Entry,
    dict_of,
    figure,
    figures,
    has_keys,
    read_json,
    text_of,
)
from benchformats.parsed import Parsed, Problem, Row, TextFile, dated

NAME = "pytest_benchmark"
VERSION = 2
ONCE = True

_SUMMARY = ("median", "mean", "min", "max", "stddev", "iqr")
_SPREADS = ("stddev", "iqr")


def recognises(file: TextFile) -> bool:
    """Benchmarks with statistics over rounds."""
    return has_keys(file, ("benchmarks[].stats.rounds", "benchmarks[].stats.stddev"))


def read(file: TextFile) -> Parsed:
    """``time`` of each round, or the summary; extra_info that is a number beside it."""
    document = read_json(file, "benchmarks")
    if document.problem:
        return document.refused
    info = dict_of(document.frame.get("commit_info"))
    version = _commit(info)
    rows: list[Row] = []
    problems: list[Problem] = []
    for entry in document.entries:
        rows += _rows(entry, version, problems)
    if not rows and not problems:
        problems.append(Problem(0, "no benchmark was run"))
    when = text_of(info.get("time")) or text_of(document.frame.get("datetime"))
    return Parsed(dated(rows, when), problems=problems)


def _commit(info: dict[str, Any]) -> str:
    commit = text_of(info.get("id"))
    commit = "" if commit == "unversioned" else commit
    return f"{commit}+dirty" if commit and info.get("dirty") is True else commit


def _rows(entry: Entry, version: str, problems: list[Problem]) -> list[Row]:
    benchmark = dict_of(entry.value)
    stats = dict_of(benchmark.get("stats"))
    step = text_of(benchmark.get("fullname")) or text_of(benchmark.get("name"))
    if not step or not stats:
        problems.append(Problem(entry.line, f"{step or 'a benchmark'}: no statistics"))
        return []
    group = text_of(benchmark.get("group"))
    dims = {"group": group} if group else {}

    def row(metric: str, value: float, unit: str, direction: str,
            trial: int | None = None, main: bool = False) -> Row:  # fmt: skip
        return Row(entry.line, step, metric, value, unit, direction, trial=trial,
                   main=main, dims=dims, version=version)  # fmt: skip

    rounds = figures(stats.get("data"))
    if rounds and None not in rounds and min(r for r in rounds if r is not None) >= 0:
        rows = [
            row("time", value, "s", "lower", trial, True)
            for trial, value in enumerate(rounds, 1)
            if value is not None
        ]
    else:
        if rounds:
            problems.append(Problem(entry.line, f"{step}: rounds that are no times"))
        summary = {name: figure(stats.get(name)) for name in _SUMMARY}
        rows = [row(name, value, "s", "none" if name in _SPREADS else "lower",
                    main=name == "median")
                for name, value in summary.items()
                if value is not None and value >= 0]  # fmt: skip
    if not any(row.main for row in rows):
        problems.append(Problem(entry.line, f"{step}: no rounds and no median"))
        return []
    for name, extra in dict_of(benchmark.get("extra_info")).items():
        value = figure(extra)
        if value is not None and text_of(name):
            rows.append(row(text_of(name), value, "", "none"))
    return rows
