"""What a user's command printed in its runs, as figures of the step."""

from __future__ import annotations

import json
from collections.abc import Sequence

from benchbook.commands.commands import rule_of
from benchbook.commands.numbers import Number, numbers_of
from benchbook.runs.records import Record
from benchbook.store.tool_result import Output, Row, ToolResult


def read_said(output: Output, steps: Sequence[Record]) -> ToolResult | None:
    """The mean of each number over the runs of the command; ValueError if one lacks it.

    A rule names numbers that every run has to print; of `lines` and formats what one run
    prints all have to.
    """
    [step] = steps
    rule = rule_of(output.beside_named("workload") or "", step["step"])
    if rule is None:
        raise ValueError("the commands have no numbers of it")
    runs: list[dict[str, Number]] = []
    for line, text in enumerate(output.text.splitlines(), 1):
        try:
            found = numbers_of(rule, json.loads(text)["text"])
        except (ValueError, KeyError, TypeError) as error:
            raise ValueError(f"run {line} of the command: {error}") from None
        runs.append({number.name: number for number in found})
    if len(runs) != step["ops"]:
        raise ValueError(f"{len(runs)} runs of the command, the step has {step['ops']}")
    names = dict.fromkeys(name for run in runs for name in run)
    figures = [_mean(name, runs, output, step) for name in names]
    return ToolResult({}, tables={"tool_figure": figures})


def _mean(
    name: str, runs: Sequence[dict[str, Number]], output: Output, step: Record
) -> Row:
    for at, run in enumerate(runs, 1):
        if name not in run:
            raise ValueError(f"run {at} of the command printed no {name}")
        if run[name].unit != runs[0][name].unit:
            raise ValueError(f"run {at} of the command printed {name} in another unit")
    first = runs[0][name]
    return {
        "step": step["step"], "op": step["op"], "metric": name, "clock": "",
        "value": sum(run[name].value for run in runs) / len(runs), "unit": first.unit,
        "direction": first.direction, "file": output.name, "line": 1,
    }  # fmt: skip
