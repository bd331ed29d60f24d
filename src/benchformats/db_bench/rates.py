"""What db_bench writes with --report_file: operations of each interval.

``secs_elapsed,interval_qps`` and lines like ``5,184320``. Whatever its name says, the
second column counts the operations of the interval and is not divided by its length
(tools/db_bench_tool.cc of RocksDB; seen in files made with 1 and 2 seconds), so
``interval_qps_correct`` is the count over the interval: the distance of the first lines
that occurs most often. The rest of the last interval is never printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from benchformats.db_bench.figures import dop_of, step_of_log
from benchformats.lines.shapes import Integer, Shape, read_shape
from benchformats.parsed import CUT, Block, Parsed, Problem, TextFile, merged

NAME = "db_bench_rates"

HEADER = "secs_elapsed,interval_qps"
MANY = 100  # problems that are told line by line

_LINE = re.compile(r"(\d{1,15}),(\d{1,15})", re.ASCII)
Pairs = tuple[np.ndarray, np.ndarray, np.ndarray]  # lines, seconds, operations
_SHAPE = Shape((Integer("secs"), b",", Integer("ops"), b"\n"))


@dataclass
class _State:
    """What carries over from one block to the next."""

    rows: int = 0
    interval: int = 0
    last: int = 0
    went_back: bool = False
    bad_lines: int = 0
    problems: list[Problem] = field(default_factory=list)


def recognises(file: TextFile) -> bool:
    """Its header, in the first line."""
    return file.text[: file.text.find("\n")].rstrip() == HEADER


def read(file: TextFile) -> Parsed:
    """All intervals; see ``stream``."""
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """Blocks of the series db_bench_rates: line, step and dop where the file's name says
    so, secs_elapsed, interval_qps (operations), interval_qps_correct (operations/s)."""
    state = _State()
    for block in file.blocks():
        state.problems = []
        columns = _pairs(block, state)
        table = _table(file.name, columns, state)
        series = {NAME: table} if table.num_rows else {}
        state.rows += table.num_rows
        yield Parsed(series=series, problems=state.problems)
    if not state.rows:
        yield Parsed(problems=[Problem(0, "no interval was reported")])


def _pairs(block: Block, state: _State) -> Pairs:
    """Line numbers, seconds, operations; what is no such pair is told."""
    lines = block.lines
    if block.cut:
        lines = lines[:-1]
        state.problems.append(Problem(block.first_line + len(lines), CUT))
    plain, table = read_shape(lines, _SHAPE)
    at = np.arange(len(lines)) + block.first_line
    pairs = at[plain], table["secs"].to_numpy(), table["ops"].to_numpy()
    if plain.all():
        return pairs
    odd = _odd(at[~plain].tolist(), lines.filter(pa.array(~plain)).to_pylist(), state)
    if not odd[0].size:
        return pairs
    lines_at, seconds, operations = np.concatenate((pairs, odd), axis=1)
    order = lines_at.argsort()
    return lines_at[order], seconds[order], operations[order]


def _odd(at: list[int], lines: list[str], state: _State) -> Pairs:
    """The same of lines that are looked at one by one."""
    pairs: list[tuple[int, int, int]] = []
    for line_no, line in zip(at, lines, strict=True):
        pair = _LINE.fullmatch(line.rstrip())
        if pair:
            pairs.append((line_no, int(pair[1]), int(pair[2])))
        elif line.strip() and line.rstrip() != HEADER:
            state.bad_lines += 1
            if state.bad_lines <= MANY:
                why = "not seconds and operations: not read"
                state.problems.append(Problem(line_no, why))
            elif state.bad_lines == MANY + 1:
                why = f"more than {MANY} lines are not seconds and operations"
                state.problems.append(Problem(0, why))
    lines_at, seconds, operations = np.array(pairs, np.int64).reshape(-1, 3).T
    return lines_at, seconds, operations


def _table(name: str, columns: Pairs, state: _State) -> pa.Table:
    lines, seconds, operations = columns
    steps = np.diff(seconds, prepend=state.last)
    if not state.interval:
        state.interval = _usual(steps)
    back = np.flatnonzero(steps < 0)
    if back.size and not state.went_back:
        state.went_back = True
        why = "secs_elapsed goes back: several files in one, or lines out of order"
        state.problems.append(Problem(int(lines[back[0]]), why))
    state.last = int(seconds[-1]) if seconds.size else state.last
    table = {
        "line": pa.array(lines, pa.int64()),
        "secs_elapsed": pa.array(seconds, pa.int64()),
        "interval_qps": pa.array(operations, pa.int64()),
        "interval_qps_correct": pa.array(operations / (state.interval or np.nan)),
    }
    return pa.table(table | _named(name, len(lines)))


def _usual(steps: np.ndarray) -> int:
    """The most frequent distance of the first lines; the least of equally frequent."""
    values, counts = np.unique(steps[steps > 0][:1000], return_counts=True)
    return int(values[counts.argmax()]) if values.size else 0


def _named(name: str, count: int) -> dict[str, pa.Array]:
    """Step and dop as the file's name has them: benchmark_readrandom.t24.log.r.csv."""
    step = step_of_log(name)
    if not step:
        return {}
    named: dict[str, pa.Array] = {"step": pa.repeat(pa.scalar(step), count)}
    if dop := dop_of(step):
        named["dop"] = pa.repeat(pa.scalar(dop, pa.int64()), count)
    return named
