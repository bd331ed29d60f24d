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
from collections.abc import Iterator
from dataclasses import replace

from benchformats.benchmark_action import custom
from benchformats.json_file import Document, Entry, dict_of, entries_of, text_of
from benchformats.json_format import at, whole_texts
from benchformats.parsed import Problem, TextFile
from benchformats.times import time_of

NAME = "benchmark_action"
VERSION = 2

_START = re.compile(r"\s*window\.BENCHMARK_DATA\s*=")


def recognises(file: TextFile) -> bool:
    """The variable that its page reads."""
    return bool(_START.match(file.text))


def _benches(json: TextFile, document: Document) -> Iterator[Entry | Problem]:
    """Of each commit of each suite, in their order."""
    for suite in document.entries:
        if not isinstance(suite.value, tuple) or not isinstance(suite.value[1], list):
            yield Problem(suite.line, "no suite with a list of commits")
            continue
        for run in entries_of(json, suite):
            said = dict_of(run.value)
            commit = text_of(at(said, "commit.id"))
            if not commit or not isinstance(said.get("benches"), list):
                yield Problem(run.line, "no commit with benches: not read")
                continue
            made = time_of(text_of(at(said, "commit.timestamp")))
            started = made or time_of(text_of(said.get("date")))
            dims = whole_texts(suite=text_of(suite.value[0]), started=started)
            benches = entries_of(json, run, "benches")
            yield from custom.told_apart(benches, text_of(said.get("tool")), commit, dims)


def _json(file: TextFile) -> TextFile:
    """The object that the script assigns, each character in its place."""
    start = _START.match(file.text)
    end = start.end() if start else 0
    before = re.sub(r"[^\n]", " ", file.text[:end])
    return TextFile(file.path, before + file.text[end:].rstrip().removesuffix(";"))


FORMAT = replace(custom.FORMAT, entries="entries", json=_json, prepared=_benches,
                 empty="no benchmark of a commit")  # fmt: skip
read = FORMAT.read
