"""The lines of a run's sidecars: what each kind holds, and how one is checked.

bench/sampler/ prints sampler.jsonl, bench/profile/ profile.jsonl and callgrind.json;
data/README.md explains every key.
"""

from __future__ import annotations

from typing import Any

from benchbook.runs.records import (
    Check,
    Kinds,
    Record,
    check_record,
    expect,
    is_count,
    is_tally,
)
from benchmath.errors import UserError

SCHEMA = 1
CPU_KINDS = 8  # user nice system idle iowait irq softirq steal
LEAST_DEVICE = 12  # numbers of a device where the kernel counts no discards and flushes

SAMPLER: Kinds = {
    "sampler": {
        "kind": "text", "schema": "count", "interval_ns": "count", "cpus": "count",
        "mono_ns": "count", "real_ns": "count", "boot_id": "text", "devices": "names",
        "main_device": "text", "log_device": "text?", "events": "names?",
        "unsupported": "texts?", "offset_ns": "whole?",
    },
    "os": {
        "kind": "text", "t_ns": "count", "cpu_ns": "cpus", "switches": "count?",
        "forks": "count?", "running": "count?", "blocked": "count?",
        "minor_faults": "count?", "major_faults": "count?", "swapped_in": "count?",
        "swapped_out": "count?", "mem_kib": "tally?", "psi_us": "tally?",
        "mhz": "number?", "others_ns": "count?", "kernel_ns": "count?",
        "net": "tally?", "loopback_bytes": "count?",
        "dev": "devices?", "new_devices": "names?", "trees": "trees?",
        "counters": "readings?",
    },
    "end": {
        "kind": "text", "mono_ns": "count", "real_ns": "count", "boot_id": "text",
        "samples": "count", "missed": "count", "cpu_ns": "count",
    },
}  # fmt: skip
PROFILE: Kinds = {
    "profile": {
        "kind": "text", "schema": "count?", "step": "text", "tree": "text",
        "event": "text", "hz": "count", "call_graph": "text", "start_ns": "count",
        "end_ns": "count", "samples": "count", "lost": "count", "script": "text?",
        "report": "text?", "status": "text", "reason": "text",
    },
}  # fmt: skip
CALLGRIND: Kinds = {
    "callgrind": {
        "kind": "text", "schema": "count?", "tool": "text", "steps": "instructions",
        "cpu_features": "names?",
    },
}  # fmt: skip


class SidecarError(UserError):
    """A sidecar that cannot be believed: file, line, what is wrong."""


def check_line(record: Record, kinds: Kinds) -> str:
    """The record's kind; ValueError says what is wrong, a newer schema first of all."""
    schema = record.get("schema", SCHEMA)
    if type(schema) is int and schema > SCHEMA:
        raise ValueError(
            f"schema {schema} is newer than {SCHEMA}, the newest known here: "
            "update Benchbook"
        )
    return check_record(record, kinds, TYPES)


def _counts(value: object, least: int, most: int) -> bool:
    return (
        isinstance(value, list)
        and least <= len(value) <= most
        and all(map(is_count, value))
    )


def _all_of(value: object, is_one: Any) -> bool:
    return isinstance(value, dict) and all(map(is_one, value.values()))


def _is_reading(value: object) -> bool:
    """Events with count, time enabled and time running."""
    return _all_of(value, lambda v: _counts(v, 3, 3))


TYPES: dict[str, Check] = {
    "whole": expect(lambda v: type(v) is int, "a whole number"),
    "number": expect(lambda v: type(v) in (int, float), "a number"),
    "names": expect(
        lambda v: isinstance(v, list) and all(isinstance(n, str) for n in v),
        "a list of strings",
    ),
    "cpus": expect(lambda v: _counts(v, CPU_KINDS, 99), "a time for each kind of use"),
    "devices": expect(
        lambda v: isinstance(v, list) and all(_counts(d, LEAST_DEVICE, 99) for d in v),
        "a list of the counters of devices",
    ),
    "trees": expect(lambda v: _all_of(v, is_tally), "counts of process trees"),
    "readings": expect(
        lambda v: _all_of(v, _is_reading), "counters by process tree and event"
    ),
    "instructions": expect(
        lambda v: _all_of(v, lambda s: is_tally(s) and "instructions" in s),
        "instructions by step",
    ),
}
