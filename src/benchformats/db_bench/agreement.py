"""What must hold between the figures of one result of db_bench."""

from __future__ import annotations

import re
from collections.abc import Sequence

from benchformats.agreement import Law, Span, printed, spans
from benchformats.db_bench.results import Histogram, Result

# As printed: the rate is cut to a whole number.
UNITS = {"ops_sec": 1.0, "usec_op": 0.001, "elapsed_s": 0.001, "mb_sec": 0.1}
LAWS = (
    Law("ops", "elapsed_s * ops_sec"),
    # A client that is done before the others, or began later, is not busy all the time.
    Law("usec_op * ops_sec", "1e6 * clients", 0.2),
    Law("ops", "histogram"),
    Law("1048576 * mb_sec", "bytes_per_op * ops_sec", 0.01),
)
_OF_BATCHES = re.compile("multiread")  # a value of its histogram is of several keys
_WRITES = re.compile(r"fill(?!sync)|overwrite")  # each of them a row
_READS = re.compile("readrandom$|readwhilewriting$")  # each that was found is a row


def known(
    result: Result, threads: int, row_bytes: int, histograms: Sequence[Histogram]
) -> dict[str, Span]:
    """All that the laws are about, as far as the log says it."""
    said = spans(result.figures, UNITS)
    timed = [h for h in histograms if not h.kind.startswith("level ")]
    counted = len(timed) == 1 and timed[0].count >= 0
    if counted and not _OF_BATCHES.match(result.name):
        said["histogram"] = printed(timed[0].count)
    if threads:  # before RocksDB 6.0 the time is that of all clients together
        said["clients"] = Span(1.0, threads)
    if size := _bytes(result, row_bytes):
        said["bytes_per_op"] = printed(size)
    return said


def _bytes(result: Result, row_bytes: int) -> float:
    """Of an operation, on average; 0 where the log does not say it."""
    figures = result.figures
    if result.block_size:
        return float(result.block_size)
    if _WRITES.match(result.name):
        return float(row_bytes)
    if _READS.match(result.name) and figures.get("searched"):
        return row_bytes * figures["found"] / figures["searched"]
    return 0.0
