"""github-action-benchmark's data.js: the figures of each commit that it was given.

::

    window.BENCHMARK_DATA = {"entries": {"Benchmark": [
        {"commit": {"id": "ec99108d", "timestamp": "2024-01-01T00:00:00Z"},
         "tool": "go",
         "benches": [{"name": "BenchmarkSet", "value": 7716, "unit": "ns/op"}]}]}}

The commit is the version, its time the dimension ``started``; a suite (``Benchmark``) is
a dimension, a bench a step. The tool, or the unit, says which direction is better.
"""

from __future__ import annotations

import re
from typing import Any

from benchformats.benchmark_action.figures import rows_of
from benchformats.json_file import dict_of, entries_of, read_json, text_of
from benchformats.parsed import Parsed, Problem, Row, TextFile
from benchformats.times import time_of

NAME = "benchmark_action"

_START = re.compile(r"\s*window\.BENCHMARK_DATA\s*=")


def recognises(file: TextFile) -> bool:
    """The variable that its page reads."""
    return bool(_START.match(file.text))


def read(file: TextFile) -> Parsed:
    """``value`` of each bench of each commit, in their order."""
    json = _json(file)
    document = read_json(json, "entries")
    if document.problem:
        return document.refused
    rows: list[Row] = []
    problems: list[Problem] = []
    for suite in document.entries:
        if not isinstance(suite.value, tuple) or not isinstance(suite.value[1], list):
            problems.append(Problem(suite.line, "no suite with a list of commits"))
            continue
        for run in entries_of(json, suite):
            said = dict_of(run.value)
            commit = text_of(dict_of(said.get("commit")).get("id"))
            if not commit or not isinstance(said.get("benches"), list):
                problems.append(Problem(run.line, "no commit with benches: not read"))
                continue
            dims = {"suite": text_of(suite.value[0]), "started": _started(said)}
            rows += rows_of(
                entries_of(json, run, "benches"), problems, text_of(said.get("tool")),
                commit, {name: value for name, value in dims.items() if value},
            )  # fmt: skip
    if not rows and not problems:
        problems.append(Problem(0, "no benchmark of a commit"))
    return Parsed(rows, problems=problems)


def _json(file: TextFile) -> TextFile:
    """The object that the script assigns, each character in its place."""
    start = _START.match(file.text)
    end = start.end() if start else 0
    before = re.sub(r"[^\n]", " ", file.text[:end])
    return TextFile(file.path, before + file.text[end:].rstrip().removesuffix(";"))


def _started(said: dict[str, Any]) -> str:
    """When the commit was made, else when it was measured; '' where neither is said."""
    made = time_of(text_of(dict_of(said.get("commit")).get("timestamp")))
    return made or time_of(text_of(said.get("date")))
