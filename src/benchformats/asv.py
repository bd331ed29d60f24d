"""asv's results/MACHINE/COMMIT-ENV.json, its versions 1 and 2: benchmarks at one commit.

The commit is the version, its date the time; Python and the packages of the environment
are dimensions. A benchmark is a step, with its parameters as asv shows them:
``time_sort(1000, 'quick')``. Each recorded sample is a figure, or else the result alone.
The unit follows from the name: time_ in seconds, mem_ and peakmem_ in bytes; what track_
counts no file here says.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
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

NAME = "asv"
VERSION = 2
ONCE = True

_KINDS = {
    "time": ("time", "s", "lower"), "timeraw": ("time", "s", "lower"),
    "mem": ("mem", "bytes", "lower"), "peakmem": ("peakmem", "bytes", "lower"),
    "track": ("track", "", "none"),
}  # fmt: skip
_MOST = 100_000  # combinations of parameters


def recognises(file: TextFile) -> bool:
    """Results of a commit in an environment."""
    return has_keys(file, ("commit_hash", "env_name", "results"))


def read(file: TextFile) -> Parsed:
    """Every benchmark that has a result; one that failed or was skipped has none."""
    document = read_json(file, "results")
    if document.problem:
        return document.refused
    frame = document.frame
    columns = frame.get("result_columns")
    names = [text_of(one) for one in columns] if isinstance(columns, list) else []
    common = {
        "version": text_of(frame.get("commit_hash")),
        "machine": text_of(dict_of(frame.get("params")).get("machine")),
        "dims": _environment(frame),
    }
    rows: list[Row] = []
    problems: list[Problem] = []
    for entry in document.entries:
        if isinstance(entry.value, tuple):
            rows += _rows(entry, names, common, problems)
    if not rows and not problems:
        problems.append(Problem(0, "no benchmark has a result"))
    return Parsed(dated(rows, text_of(frame.get("date"))), problems=problems)


def _environment(frame: dict[str, Any]) -> dict[str, str]:
    python = text_of(frame.get("python")).rpartition("/")[2]  # may be a path
    said = {"python": python, **dict_of(frame.get("requirements")),
            **dict_of(frame.get("env_vars"))}  # fmt: skip
    texts = {text_of(name): text_of(value) for name, value in said.items()}
    return {name: value for name, value in texts.items() if name and value}


def _rows(
    entry: Entry, names: Sequence[str], common: dict[str, Any], problems: list[Problem]
) -> list[Row]:
    key, value = entry.value
    name = text_of(key)
    said = _said(value, names)
    results = said.get("result")
    if results is None:
        return []  # it failed, or was not run
    results = results if isinstance(results, list) else [results]
    samples = said.get("samples")
    samples = samples if isinstance(samples, list) else []
    combinations = list(_combinations(said.get("params")))
    if not name or len(combinations) != len(results):
        why = f"{len(results)} results of {len(combinations)} combinations of parameters"
        problems.append(Problem(entry.line, f"{name}: {why}: not read"))
        return []
    kind = name.rpartition(".")[2].partition("_")[0]
    metric, unit, direction = _KINDS.get(kind, ("result", "", "none"))
    rows = []
    for at, (result, combination) in enumerate(zip(results, combinations, strict=False)):
        recorded = figures(samples[at]) if at < len(samples) else []
        values = recorded or [figure(result)]
        step = f"{name}({combination})" if combination else name
        if unit and any(one is not None and one < 0 for one in values):
            problems.append(Problem(entry.line, f"{step}: a negative {metric}: not read"))
            continue
        rows += [
            Row(entry.line, step, metric, one, unit, direction, main=True, trial=trial,
                **common)
            for trial, one in enumerate(values, 1)
            if one is not None
        ]  # fmt: skip
    return rows


def _said(value: object, names: Sequence[str]) -> dict[str, Any]:
    """A result by column; version 1 has an object, a list or a number alone."""
    if isinstance(value, list) and names:
        return dict(zip(names, value, strict=False))
    return dict_of(value) or {"result": value}


def _combinations(params: object) -> Iterator[str]:
    """The parameters of each result, in asv's order; '' of one that has none."""
    lists = params if isinstance(params, list) else []
    lists = [one if isinstance(one, list) else [one] for one in lists]
    for values in itertools.islice(itertools.product(*lists), _MOST):
        yield ", ".join(text_of(value) for value in values)
