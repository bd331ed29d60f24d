"""pgbench's log of every transaction, ``-l``: latencies and when each ended.

::

    0 199 2241 0 1175850568 995598          client, transaction, us, script, time
    1 0 skipped 0 1412881037 912698 246     behind: lag or retries, which are not read

The series ``pgbench_log`` holds them; rows are percentiles over all of them (nearest
rank), as p50 and p99 of other tools. ``untimed`` were skipped or failed; of a run of
which too many failed there are none. The logs of all threads of a run are one:
``pgbench_log.4711`` is the first thread's, by the number of its process,
``pgbench_log.4711.1`` the second's; with ``--log-prefix`` another text stands before
them.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from benchformats.names import decode_path
from benchformats.parsed import (
    CUT,
    Block,
    Parsed,
    Problem,
    Row,
    RunName,
    TextFile,
    dated,
    merged,
)
from benchformats.unlike import too_many_failed

NAME = "pgbench_log"
VERSION = 3
SERIES = "pgbench_log"

_LINE = (
    r"^(?P<client>\d{1,6}) (?P<transaction>\d{1,15})"
    r" (?P<latency_us>\d{1,15}|skipped|failed|serialization|deadlock)"
    r" (?P<script>\d{1,4}) (?P<epoch>\d{9,11}) (?P<micros>\d{1,6})(?: \d{1,15}){0,2}\s*$"
)
_PATTERN = re.compile(_LINE, re.ASCII)
_PERCENTILES = (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("p99_9", 0.999), ("max", 1))
# A short number behind a text of one's own may be a version or a trial.
_RUN = re.compile(r"(pgbench_log)\.\d+|(.+)\.\d{3,}", re.ASCII)
_THREAD = re.compile(r"(.+\.\d+)\.\d+", re.ASCII)
_OWN = re.compile(r"pgbench_log\.\d+", re.ASCII)


def run_of(name: str, beside: Container[str] = ()) -> RunName | None:
    """The run that a log is of, told by its name and those beside it.

    >>> run_of("pgbench_log.4711.1")
    RunName(first='pgbench_log.4711', what='pgbench_log')
    >>> run_of("v1.5.4711"), run_of("log.txt")
    (RunName(first='v1.5.4711', what='v1.5'), None)
    """
    thread = _THREAD.fullmatch(name)
    if thread and (thread[1] in beside or _OWN.fullmatch(thread[1])):
        name = thread[1]
    run = _RUN.fullmatch(name)
    return RunName(name, run[1] or run[2]) if run else None


def recognises(file: TextFile) -> bool:
    """Nothing but transactions in its first lines."""
    lines = file.lines[:20]
    return bool(lines) and all(_PATTERN.match(line) for line in lines)


def read(file: TextFile) -> Parsed:
    """All transactions, and what they amount to."""
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """The series and problems block by block; rows at the end."""
    latencies: list[np.ndarray] = []
    untimed, failed, first = 0, 0, np.inf
    for block in file.blocks():
        table, skipped, lost, problems = _table(block)
        untimed, failed = untimed + skipped + lost, failed + lost
        if table.num_rows:
            latencies.append(table["latency_us"].to_numpy())
            first = min(first, table["ended_us"].to_numpy().min())
        yield Parsed(series={SERIES: table} if table.num_rows else {}, problems=problems)
    if failure := too_many_failed(failed, sum(map(len, latencies))):
        yield Parsed(problems=[Problem(0, f"{failure}: not read")])
        return
    rows = _rows(file, latencies, untimed)
    yield Parsed(dated(rows, str(int(first // 1_000_000))) if rows else [])


def _table(block: Block) -> tuple[pa.Table, int, int, list[Problem]]:
    """Transactions of a block, how many were skipped and failed; lines that are none."""
    lines = block.lines
    numbers = pa.array(range(block.first_line, block.first_line + len(lines)), pa.int64())
    cut = []
    if block.cut and len(lines):
        cut = [Problem(block.first_line + len(lines) - 1, CUT)]
        lines, numbers = lines[:-1], numbers[:-1]
    said = pc.extract_regex(lines, _LINE)
    known = pc.is_valid(said)
    strange = numbers.filter(pc.invert(known)).to_pylist()
    problems = [Problem(line, "not a transaction of pgbench") for line in strange] + cut
    said, numbers = said.filter(known), numbers.filter(known)
    columns = {
        name: pc.struct_field(said, name)
        for name in ("client", "transaction", "latency_us", "script", "epoch", "micros")
    }
    timed = pc.match_substring_regex(columns["latency_us"], r"^\d+$")
    cast = {name: column.filter(timed).cast(pa.int64())
            for name, column in columns.items()}  # fmt: skip
    micros = pc.add(pc.multiply(cast.pop("epoch"), 1_000_000), cast.pop("micros"))
    table = pa.table({"line": numbers.filter(timed), **cast, "ended_us": micros})
    skipped = pc.sum(pc.equal(columns["latency_us"], "skipped"), min_count=0).as_py()
    return table, skipped, len(said) - table.num_rows - skipped, problems


def _rows(file: TextFile, latencies: list[np.ndarray], untimed: int) -> list[Row]:
    if not latencies:
        return []
    step = decode_path(file.path).step or "pgbench"
    values = np.sort(np.concatenate(latencies))
    rows = [
        Row(1, step, name, float(values[int(np.ceil(share * len(values))) - 1]), "us",
            "lower")
        for name, share in _PERCENTILES
    ]  # fmt: skip
    average = float(values.mean())
    rows.append(Row(1, step, "latency_avg", average, "us", "lower", main=True))
    rows.append(Row(1, step, "transactions", float(len(values)), "count", "none"))
    rows.append(Row(1, step, "untimed", float(untimed), "count", "none"))
    return rows
