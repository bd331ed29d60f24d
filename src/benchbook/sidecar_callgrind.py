"""callgrind.json: the instructions that bench/callgrind.sh counted, step by step.

A count is of a processor that valgrind emulates, which has no AVX-512: programs that
choose their code by the processor's features may take another path there than when they
are timed. ``cpu_features`` tells which they saw.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from benchbook.records import parse
from benchbook.sidecar_records import CALLGRIND, SidecarError, check_line

FILE = "callgrind.json"


@dataclass(frozen=True)
class Counts:
    """One run's: instructions of all threads from the begin to the end of each step."""

    tool: str  # "valgrind-3.19.0"
    steps: Mapping[str, int]
    cpu_features: tuple[str, ...]  # that the program saw, of those asked for; sorted


def read_counts(text: str | bytes) -> Counts:
    """The content of a callgrind.json; SidecarError says what is wrong with it."""
    try:
        found = parse(text)
        check_line(found, CALLGRIND)
    except ValueError as error:
        raise SidecarError(f"{FILE}: {error}") from None
    steps = {name: step["instructions"] for name, step in found["steps"].items()}
    return Counts(found["tool"], steps, tuple(found.get("cpu_features", ())))
