"""Folded stacks, as flame graphs are made of: root;...;leaf and a weight in each line.

::

    mysqld;start_thread;do_command;row_search_mvcc 258

What the weight counts (samples, events) the file does not say. Two weights in a line are
those of two profiles, of which nothing is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import pyarrow as pa

from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.profilers.perf import step_of

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
    stacks: list[tuple[int, str, int]] = []
    for line_no, line in enumerate(lines, 1):
        if stack := _stack(line):
            stacks.append((line_no, *stack))
        elif line.strip():
            problems.append(Problem(line_no, "not a stack and its weight"))
    if not stacks:
        return Parsed(problems=problems)
    total = float(sum(weight for _, _, weight in stacks))
    row = Row(stacks[0][0], step_of(file.path, STEP), "folded_weight", total, "count",
              "none")  # fmt: skip
    return Parsed([row], {SERIES: stack_table(stacks)}, problems)


def stack_table(stacks: Sequence[tuple[int, str, int]]) -> pa.Table:
    """Columns line, frames and weight; of one stack at least."""
    columns = [pa.array(column) for column in zip(*stacks, strict=True)]
    return pa.table(columns, ["line", "frames", "weight"])


def _stack(line: str) -> tuple[str, int] | None:
    frames, _, weight = line.rstrip().rpartition(" ")
    if not _WEIGHT.fullmatch(weight) or _NUMERIC.fullmatch(frames) or "\t" in line:
        return None
    if _TWO.search(frames):
        return None
    return frames, int(weight)
