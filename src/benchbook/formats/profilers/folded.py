"""Folded stacks, as flame graphs are made of: root;...;leaf and a weight in each line.

::

    mysqld;start_thread;do_command;row_search_mvcc 258

What the weight counts (samples, events) the file does not say. Two weights in a line are
those of two profiles, of which nothing is read.
"""

from __future__ import annotations

import re

import pyarrow as pa

from benchbook.formats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchbook.formats.profilers.perf import step_of

NAME = "folded"
VERSION = 2
SERIES = "folded"
STEP = "profile"

_WEIGHT = re.compile(r"\d{1,18}", re.ASCII)
_TWO = re.compile(r" \d+$", re.ASCII)
_NUMERIC = re.compile(r"[\d.,;\s-]*")


def recognises(file: TextFile) -> bool:
    """Nothing but stacks with a weight, most of them of several frames."""
    lines = [line for line in file.lines[:50] if line]
    stacks = [_stack(line) for line in lines]
    deep = sum(";" in stack[0] for stack in stacks if stack)
    return all(stacks) and deep > len(lines) / 2


def read(file: TextFile) -> Parsed:
    """The series ``folded`` (line, frames, weight) and the sum of the weights."""
    lines, problems = whole_lines(file)
    found = {n: _stack(line) for n, line in enumerate(lines, 1) if line.strip()}
    problems += [
        Problem(line_no, "not a stack and its weight")
        for line_no, stack in found.items()
        if stack is None
    ]
    stacks = {line_no: stack for line_no, stack in found.items() if stack}
    if not stacks:
        return Parsed(problems=problems)
    table = pa.table(
        {
            "line": pa.array(list(stacks), pa.int64()),
            "frames": pa.array([frames for frames, _ in stacks.values()]),
            "weight": pa.array([weight for _, weight in stacks.values()], pa.int64()),
        }
    )
    total = float(sum(weight for _, weight in stacks.values()))
    row = Row(min(stacks), step_of(file.path, STEP), "folded_weight", total, "count",
              "none")  # fmt: skip
    return Parsed([row], {SERIES: table}, problems)


def _stack(line: str) -> tuple[str, int] | None:
    frames, _, weight = line.rstrip().rpartition(" ")
    if not _WEIGHT.fullmatch(weight) or _NUMERIC.fullmatch(frames) or "\t" in line:
        return None
    if _TWO.search(frames):
        return None
    return frames, int(weight)
