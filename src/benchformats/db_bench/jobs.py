"""Flushes, compactions and moves of files, as RocksDB's own LOG tells them.

A line of the file LOG in the database's folder may hold an event in JSON::

    2026/11/23-15:54:47.28 9325 EVENT_LOG_v1 {"time_micros": 1795449287289921, "job": 8,
    "event": "compaction_started", "files_L0": [55, 53], "input_data_size": 19099458}

The events of one job are put together: a compaction's beginning and end, a flush with the
tables that it made. A trivial move is a job of its own in which nothing is written: files
are only said to be of the next level. Sizes are in bytes, exactly, where the compaction
tables of db_bench round to a tenth of a GB.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

FLUSH, COMPACTION, MOVE = "flush", "compaction", "move"
_MARK = "EVENT_LOG_v1 "
_INPUT = re.compile(r"files_L(\d+)")
Event = dict[str, Any]


@dataclass(frozen=True)
class Job:
    """One flush, compaction or move; what its events do not tell is None.

    Times are in microseconds of the wall clock. ``level`` is where its files went.
    """

    number: int
    kind: str
    line: int  # of its first event
    start_us: int | None = None
    end_us: int | None = None
    level: int | None = None
    input_levels: tuple[int, ...] = ()
    files_in: int | None = None
    bytes_in: int | None = None
    files_out: int = 0
    bytes_out: int = 0
    records_in: int | None = None
    records_out: int | None = None
    cpu_us: int | None = None
    reason: str = ""
    compression: str = ""
    lsm_state: tuple[int, ...] = field(default=())  # files by level, afterwards


def read_jobs(text: str) -> list[Job]:
    """The jobs of a whole LOG; a line that is cut, or no event, is passed over."""
    return _jobs(list(_events(text)))


def _events(text: str) -> Iterator[tuple[int, Event]]:
    for number, line in enumerate(text.split("\n"), 1):
        _, mark, said = line.partition(_MARK)
        if not mark:
            continue
        try:
            event = json.loads(said)
        except ValueError:
            continue
        if isinstance(event, dict) and "event" in event and "time_micros" in event:
            yield number, event


def _jobs(events: Sequence[tuple[int, Event]]) -> list[Job]:
    """In the order of their first events."""
    jobs: dict[tuple[int, str], Job] = {}
    for line, event in events:
        kind = _kind(event)
        if event["event"] == "table_file_creation":
            _add_table(jobs, event)
        elif kind and "job" in event:
            key = (event["job"], kind)
            before = jobs.get(key, Job(event["job"], kind, line))
            jobs[key] = _with(before, event)
    return list(jobs.values())


def _kind(event: Event) -> str:
    name = event["event"]
    if name == "trivial_move":
        return MOVE
    return next((k for k in (FLUSH, COMPACTION) if name.startswith(f"{k}_")), "")


def _add_table(jobs: dict[tuple[int, str], Job], event: Event) -> None:
    """A flush does not say what it wrote; a compaction does, when it is done."""
    job = jobs.get((event.get("job", -1), FLUSH))
    if job:
        jobs[job.number, FLUSH] = replace(
            job,
            files_out=job.files_out + 1,
            bytes_out=job.bytes_out + event.get("file_size", 0),
        )


# event -> what it is the start or end of, and fields of the job by the event's keys
_TOLD: dict[str, tuple[tuple[str, ...], dict[str, str]]] = {
    "flush_started": (("start_us",), {
        "bytes_in": "total_data_size", "records_in": "num_entries",
        "reason": "flush_reason"}),
    "flush_finished": (("end_us",), {}),
    "compaction_started": (("start_us",), {
        "bytes_in": "input_data_size", "reason": "compaction_reason"}),
    "compaction_finished": (("end_us",), {
        "level": "output_level", "files_out": "num_output_files",
        "bytes_out": "total_output_size", "records_in": "num_input_records",
        "records_out": "num_output_records", "cpu_us": "compaction_time_cpu_micros"}),
    "trivial_move": (("start_us", "end_us"), {
        "level": "destination_level", "files_in": "files", "files_out": "files",
        "bytes_in": "total_files_size", "bytes_out": "total_files_size"}),
}  # fmt: skip
_UNSAID = {"files_out": 0, "bytes_out": 0, "reason": ""}  # of others None


def _with(job: Job, event: Event) -> Job:
    """The job with what one more of its events tells."""
    times, fields = _TOLD.get(event["event"], ((), {}))
    told: dict[str, Any] = dict.fromkeys(times, event["time_micros"])
    told |= {name: event.get(key, _UNSAID.get(name)) for name, key in fields.items()}
    if event["event"] == "flush_started":
        told["level"] = 0
    if event["event"] == "compaction_started":
        inputs = {int(m[1]): v for k, v in event.items() if (m := _INPUT.match(k))}
        told["input_levels"] = tuple(sorted(inputs))
        told["files_in"] = sum(map(len, inputs.values()))
    if "lsm_state" in event:
        told["lsm_state"] = tuple(event["lsm_state"])
    told["compression"] = event.get("output_compression", job.compression)
    return replace(job, **told)
