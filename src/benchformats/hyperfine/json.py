"""hyperfine's --export-json: each measured time, user and system time of each command.

::

    {"results": [{"command": "sleep 1", "mean": 1.002, ..., "times": [1.001, 1.003],
                  "exit_codes": [0, 0], "parameters": {"n": "1"}}]}

A command is a step, its parameters are dimensions. Where all commands of a file that have
parameters are one text but for their values, that text is the step: ``sleep {n}``. A file
without times has their mean, median and the like. Seconds throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from benchformats.parsed import Parsed, Problem, Row, TextFile

NAME = "hyperfine"
ONCE = True

_SUMMARY = ("median", "mean", "stddev", "min", "max")
_CPU = ("user", "system")


def recognises(file: TextFile) -> bool:
    """Results with a command and its user time."""
    return has_keys(file, ("results[].command", "results[].user", "results[].system"))


def read(file: TextFile) -> Parsed:
    """``time`` of each run; ``user`` and ``system`` over all runs of a command."""
    document = read_json(file, "results")
    if document.problem:
        return document.refused
    return results_of(document.entries)


def results_of(entries: Sequence[Entry]) -> Parsed:
    """The figures of each result, an object as --export-json writes it."""
    steps = _steps([dict_of(entry.value) for entry in entries])
    parts = [_read(entry, step) for entry, step in zip(entries, steps, strict=False)]
    rows = [row for part in parts for row in part.rows]
    problems = [problem for part in parts for problem in part.problems]
    if not rows and not problems:
        problems.append(Problem(0, "no result of a command"))
    return Parsed(rows, problems=problems)


def _read(entry: Entry, step: str) -> Parsed:
    result = dict_of(entry.value)
    dims = _parameters(result)
    rows: list[Row] = []
    problems: list[Problem] = []

    def add(
        metric: str, value: object, trial: int | None = None, unit: str = "s"
    ) -> None:
        number = figure(value)
        if number is None or number < 0:
            problems.append(Problem(entry.line, f"{metric} is no time: {text_of(value)}"))
            return
        direction = "none" if metric == "stddev" else "lower"
        main = metric == ("time" if times else best)
        rows.append(Row(entry.line, step, metric, number, unit, direction, main=main,
                        trial=trial, dims=dims))  # fmt: skip

    if not step:
        return Parsed(problems=[Problem(entry.line, "a result without its command")])
    times = result.get("times")
    times = times if isinstance(times, list) else []
    best = "mean" if result.get("median") is None else "median"  # before 1.9
    for trial, value in enumerate(times, 1):
        add("time", value, trial)
    for metric in () if times else _SUMMARY:
        if result.get(metric) is not None:
            add(metric, result[metric])
    for metric in _CPU:
        if result.get(metric) is not None:
            add(metric, result[metric])
    memory = result.get("memory_usage_byte")
    for trial, value in enumerate(memory if isinstance(memory, list) else [], 1):
        add("memory_usage_byte", value, trial, "bytes")
    failed = sum(code != 0 for code in figures(result.get("exit_codes")))
    if failed:
        problems.append(
            Problem(entry.line, f"{failed} runs of the command ended with an error")
        )
    return Parsed(rows, problems=problems)


def _parameters(result: dict[str, Any]) -> dict[str, str]:
    said = dict_of(result.get("parameters")).items()
    return {text_of(name): text_of(value) for name, value in said if text_of(name)}


def _steps(results: list[dict[str, Any]]) -> list[str]:
    """The command of each result, as its template where the file tells it for sure."""
    commands = [text_of(result.get("command")) for result in results]
    parameters = [_parameters(result) for result in results]
    templates = {
        _template(command, values)
        for command, values in zip(commands, parameters, strict=False)
        if values
    }
    if len(templates) != 1 or len(set(commands)) < 2:
        return commands
    [template] = templates
    return [template if values else command
            for command, values in zip(commands, parameters, strict=False)]  # fmt: skip


def _template(command: str, values: dict[str, str]) -> str:
    for name, value in sorted(values.items(), key=lambda item: -len(item[1])):
        if value:
            command = command.replace(value, f"{{{name}}}")
    return command
