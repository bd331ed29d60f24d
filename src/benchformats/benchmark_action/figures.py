"""What the files of github-action-benchmark share: a bench as rows.

A bench is ``{"name": "Set p99", "value": 12.5, "unit": "ms", "range": "0.2", ...}``, one
figure of a step; ``range`` and ``extra`` are texts for people. Of Go the unit may hold
the line's further figures: ``ns/op<TAB> 344 B/op<TAB> 15 allocs/op``. Later versions say
each of them again as ``NAME - B/op``, which is read where it is not there already.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from benchformats.json_file import Entry, dict_of, figure, text_of
from benchformats.metric_names import metric_name
from benchformats.parsed import Problem, Row
from benchformats.printed import number
from benchformats.units import direction_of

METRIC = "value"

# What the unit of a tool's benches says only to who knows the tool.
_TOOLS = {
    "customBiggerIsBetter": "higher", "customSmallerIsBetter": "lower",
    "benchmarkjs": "higher", "pytest": "higher", "cargo": "lower", "go": "lower",
    "catch2": "lower", "googlecpp": "lower", "benchmarkluau": "lower", "julia": "lower",
}  # fmt: skip


def rows_of(
    benches: Iterable[Entry],
    problems: list[Problem],
    tool: str = "",
    version: str = "",
    dims: Mapping[str, str] | None = None,
) -> list[Row]:
    """A row per bench; of a name that is there twice the second is told apart."""
    benches = list(benches)
    again = set(_said_again(benches))
    times: dict[str, int] = {}
    rows: list[Row] = []
    for bench in benches:
        said = dict_of(bench.value)
        step, value = text_of(said.get("name")), figure(said.get("value"))
        if step in again:
            continue
        unit, *further = str(said.get("unit") or "").split("\t")
        unit = text_of(unit)
        below = value is not None and value < 0 and direction_of(unit) != "none"
        if not step or value is None or below:
            what = f"{step or 'a benchmark'}: no name and figure"
            problems.append(Problem(bench.line, f"{what}: not read"))
            continue
        times[step] = times.get(step, 0) + 1
        own = dict(dims or {})
        if times[step] > 1:
            own["occurrence"] = str(times[step])
            told = f"{step}: here twice, told apart by occurrence={times[step]}"
            problems.append(Problem(bench.line, told))
        rows.append(Row(bench.line, step, METRIC, value, unit, _better(tool, unit),
                        main=True, version=version, dims=own))  # fmt: skip
        for more, unit in _pairs(further):
            rows.append(Row(bench.line, step, metric_name(unit), more, unit,
                            direction_of(unit), version=version, dims=own))  # fmt: skip
    return rows


def _said_again(benches: Iterable[Entry]) -> Iterator[str]:
    """Names of benches that are further figures of another one."""
    for said in (dict_of(bench.value) for bench in benches):
        unit, *further = str(said.get("unit") or "").split("\t")
        for own in [text_of(unit), *(own for _, own in _pairs(further))]:
            if further:
                yield f"{text_of(said.get('name'))} - {own}"


def _pairs(texts: Iterable[str]) -> Iterator[tuple[float, str]]:
    """Figures and their units, ``344 B/op``."""
    for words in map(str.split, texts):
        value = number(words[0]) if len(words) == 2 else None
        if value is not None and value >= 0:
            yield value, text_of(words[1])


def _better(tool: str, unit: str) -> str:
    """What the user chose with the tool; else by the unit, else what the tool counts."""
    if tool.startswith("custom"):
        return _TOOLS.get(tool, "none")
    by_unit = direction_of(unit)
    return by_unit if by_unit != "none" else _TOOLS.get(tool, "none")
