"""Go's benchmarks, as ``go test -bench`` prints and benchstat reads them.

::

    goos: linux
    pkg: golang.org/x/perf/sample
    BenchmarkEncode/size=1k-8   1000   31478 ns/op   42.66 MB/s   512 B/op   3 allocs/op
    Unit ns/op assume=exact

A benchmark is a step without "Benchmark" and "-8", which is the dimension ``gomaxprocs``;
configuration lines above it are dimensions, unless a log would begin so (``warning:``).
Each pair of value and unit is a metric, as printed; which is better a ``Unit`` line says,
else the unit. Lines of other programs between them are passed over, as benchstat does.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from benchformats.json_file import text_of
from benchformats.metric_names import metric_name
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.units import direction_of

NAME = "go_bench"
VERSION = 3

_RESULT = re.compile(
    r"Benchmark(?![a-z])(?P<name>\S*)[ \t]+(?P<n>\d+)[ \t]+(?P<rest>\S.*)"
)
_FIRST = re.compile(r"[+-]?[\d.]+(?:e[+-]?\d+)?[ \t]+[^\s\d]\S*(?:[ \t]+[+-]?[\d.]|\s*$)")
_CONFIG = re.compile(r"(?P<key>[a-z][^\s:A-Z]*):(?:[ \t]+(?P<value>.*))?$")
_UNIT = re.compile(r"Unit[ \t]+(?P<unit>\S+)[ \t]+(?P<facts>\S+=.*)")
_PROCS = re.compile(r"(?P<name>.+)-(?P<procs>\d{1,6})$", re.ASCII)
_BETTER = {"better=higher": "higher", "better=lower": "lower"}
_COLUMNS = ("engine", "version", "machine")  # of the vocabulary, as configuration
# What begins a program's own lines: they tell no two results apart.
_LOGS = frozenset(
    ("trace", "debug", "info", "note", "hint", "warn", "warning", "error", "fatal",
     "panic", "level", "msg", "time")
)  # fmt: skip
_TIMES = ("ns/op", "sec/op")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?", re.ASCII)


def recognises(file: TextFile) -> bool:
    """A line of a benchmark: its name, how often it ran, a value and its unit."""
    return any(
        (match := _RESULT.match(line)) and _FIRST.match(match["rest"])
        for line in file.lines
        if line.startswith("Benchmark")
    )


def read(file: TextFile) -> Parsed:
    """Every value of every line, under the configuration that stands above it."""
    lines, problems = whole_lines(file)
    better = _directions(lines)
    config: dict[str, str] = {}
    rows: list[Row] = []
    for line_no, line in enumerate(lines, 1):
        if line.startswith("Benchmark"):
            rows += _rows(line_no, line, config, better, problems)
        elif (match := _CONFIG.match(line)) and match["key"] not in _LOGS:
            key, value = text_of(match["key"]), text_of(match["value"] or "")
            config = {k: v for k, v in config.items() if k != key}
            config |= {key: value} if value else {}
    return Parsed(rows, problems=problems)


def _directions(lines: list[str]) -> dict[str, str]:
    """What ``Unit`` lines say of units; they hold for the whole file."""
    units: dict[str, str] = {}
    for line in lines:
        if match := _UNIT.match(line):
            for fact in match["facts"].split():
                units |= {match["unit"]: _BETTER[fact]} if fact in _BETTER else {}
    return units


def _rows(
    line_no: int,
    line: str,
    config: Mapping[str, str],
    better: Mapping[str, str],
    problems: list[Problem],
) -> list[Row]:
    match = _RESULT.match(line)
    if not match:
        return []  # the name alone: -v prints it before the benchmark runs
    words = match["rest"].split()
    pairs = list(zip(words[::2], words[1::2], strict=False))
    values = [_number(value) for value, _ in pairs]
    negative = any(unit in _TIMES and value and value < 0
                   for (_, unit), value in zip(pairs, values, strict=False))  # fmt: skip
    if len(words) % 2 or None in values or not pairs or negative:
        problems.append(Problem(line_no, "not pairs of a value and its unit: not read"))
        return []
    name = match["name"].removeprefix("/")
    procs = _PROCS.match(name)
    step = text_of(procs["name"] if procs else name) or "Benchmark"
    said = {key: config.get(key, "") for key in _COLUMNS}
    dims = {key: value for key, value in config.items() if key not in _COLUMNS}
    dims |= {"gomaxprocs": procs["procs"]} if procs else {}
    units = [text_of(unit) for _, unit in pairs]
    main = next((unit for unit in units if unit in _TIMES), units[0])
    return [
        Row(line_no, step, metric_name(unit), value, unit,
            better.get(unit) or direction_of(unit), main=unit == main, dims=dims,
            engine=said["engine"], version=said["version"], machine=said["machine"])
        for unit, value in zip(units, values, strict=False)
        if value is not None
    ]  # fmt: skip


def _number(text: str) -> float | None:
    """A finite number as Go reads it, ``5.`` and ``.5`` too."""
    value = float(text) if _NUMBER.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None
