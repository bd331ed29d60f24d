"""github-action-benchmark's own JSON, which people write for it: a list of figures.

``[{"name": "Set p99", "unit": "ms", "value": 12.5, "range": "0.2"}, ...]``; a name is a
step. What is better the unit says, or nobody: the file does not hold which of
customBiggerIsBetter and customSmallerIsBetter it is for.

``range`` and ``extra`` are texts for people. Of Go the unit may hold the line's further
figures: ``ns/op<TAB> 344 B/op<TAB> 15 allocs/op``. Later versions say each of them again
as ``NAME - B/op``, which is read where it is not there already.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from benchformats.json_file import Entry, dict_of, figure, text_of
from benchformats.json_format import Figure, JsonFormat, Said, Test
from benchformats.metric_names import metric_name
from benchformats.parsed import Problem
from benchformats.printed import number
from benchformats.units import direction_of

NAME = "benchmark_action_custom"
VERSION = 2

# What the unit of a tool's benches says only to who knows the tool.
_TOOLS = {
    "customBiggerIsBetter": "higher", "customSmallerIsBetter": "lower",
    "benchmarkjs": "higher", "pytest": "higher", "cargo": "lower", "go": "lower",
    "catch2": "lower", "googlecpp": "lower", "benchmarkluau": "lower", "julia": "lower",
}  # fmt: skip


def told_apart(
    benches: Iterable[Entry],
    tool: str = "",
    version: str = "",
    dims: Mapping[str, str] | None = None,
) -> Iterator[Entry | Problem]:
    """With these facts; of a name that is there twice the second is told apart."""
    benches = list(benches)
    again = set(_said_again(benches))
    times: Counter[str] = Counter()
    for bench in benches:
        said = {**dict_of(bench.value), "tool": tool, "version": version}
        step, own = text_of(said.get("name")), dict(dims or {})
        if step in again:
            continue
        if not _check(Test(step, said)):
            times[step] += 1
            if times[step] > 1:
                own["occurrence"] = str(times[step])
                told = f"{step}: here twice, told apart by occurrence={times[step]}"
                yield Problem(bench.line, told)
        yield Entry(bench.line, said | {"dims": own})


def _said_again(benches: Iterable[Entry]) -> Iterator[str]:
    """Names of benches that are further figures of another one."""
    for said in (dict_of(bench.value) for bench in benches):
        unit, further = _units(said)
        for own in [unit, *(own for _, own in further)] if further else ():
            yield f"{text_of(said.get('name'))} - {own}"


def _units(said: Said) -> tuple[str, list[tuple[float | None, str]]]:
    """The unit, and further figures behind it with theirs, ``344 B/op``."""
    unit, *texts = str(said.get("unit") or "").split("\t")
    pairs = [words for words in map(str.split, texts) if len(words) == 2]
    return text_of(unit), [(number(value), text_of(own)) for value, own in pairs]


def _check(test: Test) -> str:
    value, unit = figure(test.said.get("value")), _units(test.said)[0]
    below = value is not None and value < 0 and direction_of(unit) != "none"
    fine = test.step and value is not None and not below
    return "" if fine else f"{test.name}: no name and figure: not read"


def _figures(test: Test) -> Iterator[Figure]:
    unit, further = _units(test.said)
    better = _better(test.said["tool"], unit)
    yield Figure("value", test.said["value"], unit, better, main=True, signed=True)
    for more, unit in further:
        yield Figure(metric_name(unit), more, unit, direction_of(unit))


def _better(tool: str, unit: str) -> str:
    """What the user chose with the tool; else by the unit, else what the tool counts."""
    by_unit = "none" if tool.startswith("custom") else direction_of(unit)
    return by_unit if by_unit != "none" else _TOOLS.get(tool, "none")


FORMAT = JsonFormat(
    keys=("[].name", "[].unit", "[].value"),
    prepared=lambda file, document: told_apart(document.entries),
    version="version",
    dims=lambda said: said["dims"],
    check=_check,
    figures=_figures,
)
recognises, read = FORMAT.recognises, FORMAT.read
