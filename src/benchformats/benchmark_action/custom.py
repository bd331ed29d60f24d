"""github-action-benchmark's own JSON, which people write for it: a list of figures.

``[{"name": "Set p99", "unit": "ms", "value": 12.5, "range": "0.2"}, ...]``; a name is a
step. What is better the unit says, or nobody: the file does not hold which of
customBiggerIsBetter and customSmallerIsBetter it is for.
"""

from __future__ import annotations

from benchformats.benchmark_action.figures import rows_of
from benchformats.json_file import has_keys, read_json
from benchformats.parsed import Parsed, Problem, TextFile

NAME = "benchmark_action_custom"


def recognises(file: TextFile) -> bool:
    """A list of names with their values and units."""
    return has_keys(file, ("[].name", "[].unit", "[].value"))


def read(file: TextFile) -> Parsed:
    """``value`` of each name."""
    document = read_json(file)
    if document.problem:
        return document.refused
    problems: list[Problem] = []
    rows = rows_of(document.entries, problems)
    if not rows and not problems:
        problems.append(Problem(0, "no benchmark was run"))
    return Parsed(rows, problems=problems)
