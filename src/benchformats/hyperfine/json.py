"""hyperfine's --export-json: each measured time, user and system time of each command.

::

    {"results": [{"command": "sleep 1", "mean": 1.002, ..., "times": [1.001, 1.003],
                  "exit_codes": [0, 0], "parameters": {"n": "1"}}]}

A command is a step, its parameters are dimensions. Where all commands of a file that have
parameters are one text but for their values, that text is the step: ``sleep {n}``. A file
without times has their mean, median and the like. Seconds throughout.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from benchformats.json_file import Entry, dict_of, figures, text_of
from benchformats.json_format import Figure, JsonFormat, Test, list_of, texts_of
from benchformats.parsed import Parsed

NAME = "hyperfine"
VERSION = 3
ONCE = True

_SUMMARY = ("median", "mean", "stddev", "min", "max")
_CPU = ("user", "system")


def results_of(entries: Sequence[Entry]) -> Parsed:
    """The figures of each result, an object as --export-json writes it."""
    return FORMAT.parsed(_with_steps(entries), {})


def _check(test: Test) -> str:
    codes = figures(test.said.get("exit_codes"))
    if codes and 0 not in codes:
        return "every run of the command ended with an error: not read"
    times = list_of(test.said.get("times"))
    if codes and times and len(codes) != len(times):
        return f"{test.name}: exit codes and times do not fit: not read"
    return "" if test.step else "a result without its command"


def _figures(test: Test) -> Iterator[Figure | str]:
    """``time`` of each run that did not fail; ``user`` and ``system`` over all runs.

    These and the like are of failed runs too: where there are some, they are left out.
    """
    said, times = test.said, list_of(test.said.get("times"))
    codes = figures(said.get("exit_codes"))
    failed = sum(code != 0 for code in codes)
    best = "mean" if said.get("median") is None else "median"  # before 1.9
    yield Figure("time", _sound(times, codes), "s", "lower", main=True, each=True,
                 told=True)  # fmt: skip
    for metric in () if failed else _CPU if times else (*_SUMMARY, *_CPU):
        if said.get(metric) is not None:
            yield Figure(metric, said[metric], "s",
                         "none" if metric == "stddev" else "lower",
                         main=metric == best and not times, told=True)  # fmt: skip
    memory = _sound(list_of(said.get("memory_usage_byte")), codes)
    yield Figure("memory_usage_byte", memory, "bytes", "lower", each=True, told=True)
    if failed:
        yield f"{failed} runs of the command ended with an error: not read"


def _sound(values: list[Any], codes: Sequence[float | None]) -> list[Any]:
    """The values of the runs that did not fail."""
    if len(values) != len(codes):
        return [] if any(code != 0 for code in codes) else values
    return [value for value, code in zip(values, codes, strict=True) if code == 0]


def _with_steps(entries: Sequence[Entry]) -> list[Entry]:
    """Results with their ``step``: the template of commands where it is told for sure."""
    results = [dict_of(entry.value) for entry in entries]
    commands = [text_of(result.get("command")) for result in results]
    parameters = [texts_of(result.get("parameters")) for result in results]
    of_each = list(map(_template, commands, parameters))
    templates = {one for one, values in zip(of_each, parameters, strict=True) if values}
    alike = len(templates) == 1 and len(set(commands)) > 1
    return [
        Entry(entry.line, result | {"step": template if alike else command})
        for entry, result, template, command in zip(
            entries, results, of_each, commands, strict=True
        )
    ]


def _template(command: str, values: dict[str, str]) -> str:
    for name, value in sorted(values.items(), key=lambda item: -len(item[1])):
        if value:
            command = command.replace(value, f"{{{name}}}")
    return command


FORMAT = JsonFormat(
    keys=("results[].command", "results[].user", "results[].system"),
    entries="results",
    prepared=lambda file, document: _with_steps(document.entries),
    step=("step",),
    dims=lambda said: texts_of(said.get("parameters")),
    check=_check,
    figures=_figures,
    empty="no result of a command",
)
recognises, read = FORMAT.recognises, FORMAT.read
