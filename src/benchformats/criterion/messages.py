"""cargo-criterion's ``--message-format json``: a line of JSON per benchmark.

``{"reason": "benchmark-complete", "id": "fib/20", "iteration_count": [...],
"measured_values": [...], "unit": "ns", "typical": {...}, ...}``
"""

from __future__ import annotations

from collections.abc import Iterator

from benchformats.criterion.estimates import estimates, per_iteration
from benchformats.json_file import dict_of, figure, json_lines, text_of
from benchformats.json_format import Figure, JsonFormat, Said, Test
from benchformats.parsed import Parsed, Problem, TextFile, whole_lines
from benchformats.units import direction_of

NAME = "criterion_messages"
ONCE = True

_REASON = '"reason":"benchmark-complete"'


def recognises(file: TextFile) -> bool:
    """A line that says that a benchmark is complete."""
    return any(
        line.lstrip().startswith("{") and _REASON in line.replace('": "', '":"')
        for line in file.lines
    )


def read(file: TextFile) -> Parsed:
    """``time`` of each sample, per iteration, and the estimates."""
    lines, problems = whole_lines(file)
    complete = [
        one for one in json_lines(TextFile(file.path, "\n".join(lines)))
        if isinstance(one, Problem)
        or dict_of(one.value).get("reason") == "benchmark-complete"
    ]  # fmt: skip
    return FORMAT.parsed([*problems, *complete], {})


def _check(test: Test) -> str:
    said = test.said
    lists = [said.get(name) for name in ("iteration_count", "measured_values")]
    sampled = any(isinstance(one, list) and one for one in lists)
    summed = any((figure(one.value) or -1.0) >= 0 for one in _estimates(said))
    fine = per_iteration(*lists) if sampled else summed
    return "" if test.step and fine else (
        f"{test.name}: iterations and times do not fit: not read")  # fmt: skip


def _figures(test: Test) -> Iterator[Figure]:
    said, unit = test.said, text_of(test.said.get("unit"))
    times = per_iteration(said.get("iteration_count"), said.get("measured_values"))
    yield Figure("time", times, unit, direction_of(unit), main=True, each=True)
    yield from _estimates(said)


def _estimates(said: Said) -> Iterator[Figure]:
    alone = not said.get("iteration_count")
    return estimates(said, text_of(said.get("unit")), main=alone)


FORMAT = JsonFormat(keys=(), step=("id",), check=_check, figures=_figures, empty="")
