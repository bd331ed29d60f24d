"""sampler.jsonl: the machine, its devices and the processes of a run, line by line.

Lines by the thousand are taken apart and subtracted in SQL. Before that one line of each
shape is checked here; only a last line may be cut, as a kill leaves it.
"""

from __future__ import annotations

import glob
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from benchbook.runs.records import Record, parse
from benchbook.runs.samples import TOO_MUCH, is_bounded
from benchbook.runs.sidecar_records import SAMPLER, SidecarError, check_line
from benchbook.sql import SAMPLED_BY, first_line, statement

FILES = ("sampler.jsonl", "sampler.jsonl.zst")


@dataclass(frozen=True)
class Sampled:
    """A checked file: what its first and last line say; the others stay in the file."""

    path: Path
    head: Record
    end: Record | None  # None where the sampler was killed

    def row(self) -> Record:
        """Of the table sampler."""
        end = self.end or {}
        wall_ns = end["mono_ns"] - self.head["mono_ns"] if end else None
        return {
            "interval_ns": self.head["interval_ns"],
            "cpus": self.head["cpus"],
            "main_device": self.head["main_device"],
            "unsupported": json.dumps(self.head.get("unsupported", {})),
            "samples": end.get("samples"),
            "missed": end.get("missed"),
            "cpu_ns": end.get("cpu_ns"),
            "wall_ns": wall_ns,
        }


def check_sampler(path: Path, connection: duckdb.DuckDBPyConnection) -> Sampled:
    """The file, if it can be believed; SidecarError names the line at fault."""
    try:
        if not is_bounded(path):
            raise SidecarError(f"{path.name}: {TOO_MUCH}")
        file = {"file": glob.escape(str(path))}
        shapes = connection.execute(statement("sampler_shapes"), file).fetchall()
    except (duckdb.Error, OSError) as error:
        raise SidecarError(f"{path.name} cannot be read: {first_line(error)}") from None
    total = max((last for _, last, *_ in shapes), default=0)
    first: dict[str, Record] = {}
    for line, last, goes_back, text in shapes:
        try:
            if text is None and line == total > 1:
                break  # cut by a kill
            record = parse(text or "")
            kind = _check(record, line, last, total)
            if goes_back:
                raise ValueError("t_ns is not later than in the line before")
        except ValueError as error:
            raise SidecarError(f"{path.name} line {line}: {error}") from None
        first.setdefault(kind, record)
    if "sampler" not in first:
        raise SidecarError(f"{path.name} is empty")
    head, end = first["sampler"], first.get("end")
    if end and end["samples"] != total - 2:
        text = f"{path.name} has {total - 2} samples, its end says {end['samples']}"
        raise SidecarError(text)
    return Sampled(path, head, end)


def check_beside(sampled: Sampled, run: Record, last: Record, cpus: object) -> None:
    """Whether it watched this run; SidecarError says how one sees that it did not.

    ``run`` and ``last`` are the driver's first and last record, ``cpus`` those of its
    machine. A sampler elsewhere, of a server, has clocks of its own.
    """
    head, end = sampled.head, sampled.end or sampled.head
    text = ""
    if end["boot_id"] != head["boot_id"]:
        text = "ended after another boot than it began"
    elif head.get("offset_ns"):
        return
    elif head["boot_id"] != run["boot_id"]:
        text = "is of another boot than the run"
    elif cpus is not None and head["cpus"] != cpus:
        text = f"is of {head['cpus']} CPUs, the machine has {cpus}"
    elif head["mono_ns"] > last["mono_ns"]:
        text = "began when the run had ended"
    if text:
        raise SidecarError(f"{sampled.path.name} {text}")


def _check(record: Record, line: int, last: int, total: int) -> str:
    """The kind of the lines from ``line`` to ``last`` that look like ``record``."""
    if line == 1 and record.get("kind") != "sampler":
        raise ValueError("the first line is not of the kind sampler")
    kind = check_line(record, SAMPLER)
    if kind == "sampler" and last > 1:
        raise ValueError("a file has one first line")
    if kind == "end" and line < total:
        raise ValueError("nothing follows the end of a file")
    return kind


def insert_sampled(
    connection: duckdb.DuckDBPyConnection, sampled: Mapping[str, Sampled]
) -> None:
    """Add the lines of checked files, by run_id, to the tables made of them."""
    if not sampled:
        return
    files = list(sampled.values())
    incoming = pa.table(
        {
            "run_id": list(sampled),
            "file": [str(one.path) for one in files],
            "offset_ns": [one.head.get("offset_ns", 0) for one in files],
            "main_device": [one.head["main_device"] for one in files],
            "log_device": [one.head.get("log_device", "") for one in files],
            "devices": pa.array([_devices(one) for one in files], pa.list_(pa.string())),
        }
    )
    connection.register("incoming", incoming)
    first, *others = SAMPLED_BY
    names = {"files": [glob.escape(str(one.path)) for one in files]}
    connection.execute(statement(first), names)
    for name in others:
        connection.execute(statement(name))
    connection.execute("DROP TABLE sampled")
    connection.unregister("incoming")


def _devices(one: Sampled) -> Sequence[str]:
    names: Sequence[str] = one.head["devices"]
    return names
