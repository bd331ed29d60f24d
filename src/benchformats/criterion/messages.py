"""cargo-criterion's ``--message-format json``: a line of JSON per benchmark.

``{"reason": "benchmark-complete", "id": "fib/20", "iteration_count": [...],
"measured_values": [...], "unit": "ns", "typical": {...}, ...}``
"""

from __future__ import annotations

from benchformats.criterion.figures import estimates
from benchformats.json_file import dict_of, figures, json_lines, text_of
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
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
    rows: list[Row] = []
    for one in json_lines(TextFile(file.path, "\n".join(lines))):
        if isinstance(one, Problem):
            problems.append(one)
            continue
        said = dict_of(one.value)
        if said.get("reason") != "benchmark-complete":
            continue
        step, unit = text_of(said.get("id")), text_of(said.get("unit"))
        counts = figures(said.get("iteration_count"))
        times = figures(said.get("measured_values"))
        values = [
            time / n
            for n, time in zip(counts, times, strict=False)
            if n is not None and time is not None and n > 0 and time >= 0
        ]
        whole = len(values) == len(counts) == len(times)
        summary = estimates(one.line, step, "", said, unit, main=not counts)
        if not step or not whole or not (values or summary):
            why = f"{step or 'a benchmark'}: iterations and times do not fit: not read"
            problems.append(Problem(one.line, why))
            continue
        rows += [
            Row(one.line, step, "time", value, unit, direction_of(unit), main=True,
                trial=trial)
            for trial, value in enumerate(values, 1)
        ]  # fmt: skip
        rows += summary
    return Parsed(rows, problems=problems)
