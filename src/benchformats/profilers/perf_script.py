"""perf script: samples with their stacks, weighted by the event's period.

A header, frames from the leaf up, an empty line; without call chains all in one line::

    mysqld 12345/12399 [003] 4794564.109216:        258 cycles:u:
            55d0c1 row_search_mvcc+0x1a (/usr/sbin/mysqld)
            55c0aa [unknown] (/usr/sbin/mysqld)

comm may hold blanks; pid is known where ``pid/tid`` is printed. Old versions print no
time of one process's samples: ``node 4711 cpu-clock:``. A sample stands for as many
events as its period says, 1 where none is printed: frequency sampling varies it. A sample
of which any line is damaged is left out and told: its stack would be another's.
With ``--show-switch-events`` there are lines of threads that get the CPU or leave it::

    mysqld 12345/12399 4794564.109216: PERF_RECORD_SWITCH OUT preempt

Lines of other such records (maps, forks, names of threads) are passed over; samples that
perf lost are told.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

import pyarrow as pa

from benchformats.metric_names import event_metric
from benchformats.parsed import Parsed, Row, TextFile, merged
from benchformats.profilers.perf import step_of
from benchformats.profilers.perf_samples import (
    EVENT,
    Sample,
    frames_of,
    header,
    lost_of,
    samples_of,
    switches_of,
)

NAME = "perf_script"
VERSION = 4
SERIES = "stacks"
SWITCHES = "switches"
STEP = "profile"  # where no name says what ran

_OF_SWITCH = ("line", "time_s", "comm", "pid", "tid", "way")
_WORDS = ("event", "comm", "frames", "kinds", "way")


@dataclass
class Total:
    """Of one event so far."""

    line: int
    samples: int = 0
    events: int = 0  # sum of the periods
    periods: bool = True  # every sample had one


def recognises(file: TextFile) -> bool:
    """Headers of samples, at least one of them followed by a frame, and little else."""
    printed = filter(None, file.lines)
    stacks = (line for line in printed if line[0] != "#" and EVENT not in line)
    lines = list(islice(stacks, 200))
    samples = [header(line, 0) for line in lines]
    frames = [frames_of(line) for line in lines]
    own = sum(bool(one or two) for one, two in zip(samples, frames, strict=True))
    return 2 * own >= len(lines) and any(
        sample and (sample.frames or after)
        for sample, after in zip(samples, [*frames[1:], ()], strict=False)
    )


def read(file: TextFile) -> Parsed:
    """Samples as the series ``stacks``; per event their number and sum of periods.

    Columns: line (of the header), time_s, event, comm, pid (time and pid are NULL where
    not printed), tid, weight (the period, or 1), frames (root first, joined by ";", names
    as printed without offset) and kinds: a letter per frame, k kernel, j compiled at run
    time, i inlined, u other. There is no sum of periods where a sample printed none.

    Switches are the series ``switches``: line, time_s, comm, pid, tid and way (in, out,
    or preempted: out, but able to run).
    """
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """As read(), block by block; the sums come last."""
    totals: dict[str, Total] = {}
    rest, first = "", 1
    for block in file.blocks():
        text = rest + block.text
        end = text.rfind("\n\n") + 2
        if end > 1:
            yield _part(text[:end], first, totals)
            rest, first = text[end:], first + text.count("\n", 0, end)
        else:
            rest = text
    yield _part(rest, first, totals)
    yield Parsed(_rows(totals, step_of(file.path, STEP)))


def _part(text: str, first: int, totals: dict[str, Total]) -> Parsed:
    """Samples of a text that begins with line ``first``, added to ``totals``."""
    samples, problems = samples_of(text, first)
    for one in samples:
        total = totals.setdefault(one.event, Total(one.line))
        total.samples += 1
        total.events += one.period or 0
        total.periods &= one.period is not None
    switches, complaints = switches_of(text, first)
    series = {SERIES: _table(samples)} if samples else {}
    if switches:
        columns = {n: [getattr(one, n) for one in switches] for n in _OF_SWITCH}
        series[SWITCHES] = _typed(columns)
    return Parsed([], series, [*problems, *complaints, *lost_of(text, first)])


def _table(samples: Sequence[Sample]) -> pa.Table:
    stacks = [s.frames[::-1] for s in samples]
    columns: dict[str, list[object]] = {
        "line": [s.line for s in samples],
        "time_s": [s.time_s for s in samples],
        "event": [s.event for s in samples],
        "comm": [s.comm for s in samples],
        "pid": [s.pid for s in samples],
        "tid": [s.tid for s in samples],
        "weight": [1 if s.period is None else s.period for s in samples],
        "frames": [";".join(name for name, _ in stack) for stack in stacks],
        "kinds": ["".join(kind for _, kind in stack) for stack in stacks],
    }
    return _typed(columns)


def _typed(columns: Mapping[str, list[object]]) -> pa.Table:
    types = {"time_s": pa.float64(), **dict.fromkeys(_WORDS, pa.string())}
    arrays = {n: pa.array(c, types.get(n, pa.int64())) for n, c in columns.items()}
    words = {n: a.dictionary_encode() for n, a in arrays.items() if n in _WORDS}
    return pa.table(arrays | words)


def _rows(totals: dict[str, Total], step: str) -> list[Row]:
    rows = []
    for event, total in totals.items():
        name = event_metric(event)
        sums = [(f"{name}_samples", total.samples)]
        sums += [(f"{name}_sampled", total.events)] if total.periods else []
        for metric, value in sums:
            rows.append(Row(total.line, step, metric, float(value), "count", "none"))
    return rows
