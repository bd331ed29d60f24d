"""The files that sidecars leave in a run folder, for tests.

    make_run(raw, outputs=sampled(line(0), line(1, user=30), line(2, user=60)))

A line of the sampler counts from its run's start; times of CPUs are in milliseconds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import zstandard
from make_runs import START_NS, Step, make_records, make_run

from benchbook.project import Project
from benchbook.store.load import LoadReport, load
from benchbook.store.query import query

Record = dict[str, Any]

MS = 1_000_000
STEPS: tuple[Step, ...] = (("l.i0", "insert", 400, 4.0),)
SPEC = {
    "driver": "ingest", "engine": "null", "version": "1", "dop": 1, "seed": 42,
    "build": {"compiler": "gcc"},
}  # fmt: skip
CPUS = ("user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal")
TREE = ("user_ns", "system_ns", "minor_faults", "major_faults", "read_bytes",
        "written_bytes", "processes", "rss_kib")  # fmt: skip
DISK = ("reads", "reads_merged", "sectors_read", "read_ms", "writes", "writes_merged",
        "sectors_written", "write_ms", "in_flight", "busy_ms", "queue_ms", "discards",
        "discards_merged", "sectors_discarded", "discard_ms", "flushes",
        "flush_ms")  # fmt: skip


def head(**changes: Any) -> Record:
    """The first line of the sampler; the second of two devices is the database's."""
    return {
        "kind": "sampler", "schema": 1, "interval_ns": 1000 * MS, "cpus": 2,
        "mono_ns": START_NS, "real_ns": START_NS + 1, "boot_id": "boot",
        "devices": ["vda", "vdb"], "main_device": "vdb", "events": [],
        "unsupported": {}, "offset_ns": 0,
    } | changes  # fmt: skip


def line(second: float, *, at_ns: int = START_NS, **found: Any) -> Record:
    """A line about the machine, ``second`` after the start of the run.

    Names of CPUS are milliseconds; what else is found stands in the line as it is.
    """
    times = [round(found.pop(name, 0) * MS) for name in CPUS]
    record = {"kind": "os", "t_ns": at_ns + round(second * 1000) * MS, "cpu_ns": times}
    return record | found


def disk(index: int, **counters: int) -> list[int]:
    """The counters of a device as a line has them."""
    return [index, *(counters.get(name, 0) for name in DISK)]


def tree(**counters: int) -> Record:
    """The counters of a process tree as a line has them."""
    return {name: counters.get(name, 0) for name in TREE}


def end(samples: int, *, missed: int = 0, cpu_ns: int = 5 * MS) -> Record:
    """The last line, ten seconds after the first."""
    return {
        "kind": "end", "mono_ns": START_NS + 10_000 * MS, "real_ns": START_NS + 1,
        "boot_id": "boot", "samples": samples, "missed": missed, "cpu_ns": cpu_ns,
    }  # fmt: skip


def text_of(*records: Record) -> str:
    return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in records)


def sampled(*lines: Record, **changes: Any) -> dict[str, str | bytes]:
    """sampler.jsonl.zst with these lines between a head and an end."""
    text = text_of(head(**changes), *lines, end(len(lines)))
    return {"sampler.jsonl.zst": zstandard.compress(text.encode())}


def capture(**changes: Any) -> Record:
    """A line of profile.jsonl: the first second of l.i0."""
    return {
        "kind": "profile", "step": "l.i0", "tree": "client", "event": "cpu-clock",
        "hz": 999, "call_graph": "fp", "start_ns": START_NS,
        "end_ns": START_NS + 1000 * MS, "samples": 3, "lost": 0,
        "script": "profile-l.i0-client.script.zst",
        "report": "profile-l.i0-client.report", "status": "ok", "reason": "",
    } | changes  # fmt: skip


def profiled(script: str, report: str = "", *captures: Record) -> dict[str, str | bytes]:
    """profile.jsonl with its captures, and the files of the usual one."""
    files: dict[str, str | bytes] = {"profile.jsonl": text_of(*(captures or [capture()]))}
    files["profile-l.i0-client.script.zst"] = zstandard.compress(script.encode())
    files["profile-l.i0-client.report"] = report
    return files


def counted(**steps: int) -> dict[str, str | bytes]:
    """callgrind.json; names of steps have _ for the dot."""
    found = {name.replace("_", "."): {"instructions": n} for name, n in steps.items()}
    record = {"kind": "callgrind", "tool": "valgrind-3.19.0", "steps": found}
    return {"callgrind.json": json.dumps(record | {"cpu_features": ["sse4_2"]}) + "\n"}


def records(**options: str) -> list[Record]:
    """driver.jsonl of such a run, whose driver had these options."""
    found = make_records(SPEC, STEPS)
    found[0]["options"] = options
    return found


class Shelf:
    """Runs of a test module, each the only one of its study, loaded all at once.

    ``add`` returns the name of the study. A run has 400 rows in its first 4 seconds.
    """

    def __init__(self) -> None:
        self.wanted: dict[str, Record] = {}
        self.folders: dict[str, str] = {}

    def add(self, files: Mapping[str, str | bytes], name: str = "", **run: Any) -> str:
        name = name or f"s{len(self.wanted)}"
        self.wanted[name] = {"outputs": files, "steps": STEPS} | run
        return name

    def load(self, root: Path) -> LoadReport:
        self.project = Project(root)
        for name, run in self.wanted.items():
            folder = make_run(self.project.raw, study=name, **run)
            self.folders[name] = str(folder.relative_to(self.project.raw))
        self.report = load(self.project)
        return self.report

    def rows(self, study: str, view: str, columns: str = "*") -> list[tuple[Any, ...]]:
        """Rows of a view that belong to a study, in order of their columns."""
        text = f"""SELECT {columns} FROM {view} SEMI JOIN (
            SELECT run_id FROM run WHERE study = $study) USING (run_id) ORDER BY ALL"""
        found = query(text, self.project, study=study).astype(object)
        found = found.where(found.notna(), None)
        return list(found.itertuples(index=False, name=None))

    def values(self, study: str) -> dict[str, float]:
        """The value of each metric of a study's run."""
        found = self.rows(study, "metric", "metric, value")
        assert len(found) == len(dict(found))
        return dict(found)

    def warnings(self, study: str) -> list[str]:
        """What the load said of a study's run."""
        start = f"{self.folders[study]}: "
        told = [text for text in self.report.warnings if text.startswith(start)]
        return [text.removeprefix(start) for text in told]
