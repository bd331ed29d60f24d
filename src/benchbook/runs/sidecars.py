"""What watched a run, from the files of its folder: as rows for the store.

A sidecar never decides whether its run counts. One that is damaged is left out, and the
store says so at each load.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

import duckdb

from benchbook.runs import profiles
from benchbook.runs.folder import Evidence
from benchbook.runs.pmp import Window, read_looks
from benchbook.runs.records import Record, parse
from benchbook.runs.sampler import FILES, Sampled, check_beside, check_sampler
from benchbook.runs.sidecar_records import CALLGRIND, SidecarError, check_line

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
        counts = parse(text)
        check_line(counts, CALLGRIND)
    except ValueError as error:
        raise SidecarError(f"{FILE}: {error}") from None
    steps = {name: step["instructions"] for name, step in counts["steps"].items()}
    return Counts(counts["tool"], steps, tuple(counts.get("cpu_features", ())))


@dataclass
class Sidecars:
    """Rows by table, and the sampler's file, whose lines are read later."""

    rows: dict[str, list[Record]] = field(default_factory=dict)
    sampled: Sampled | None = None


def read_sidecars(
    evidence: Evidence,
    connection: duckdb.DuckDBPyConnection,
    steps: Mapping[str, Window] | None = None,
    ends: tuple[Record, Record] | None = None,
) -> Sidecars:
    """All that is there and can be believed; ``sidecar_problem`` has the rest.

    ``steps`` says when each step was: looks of gdb do not say of which they are. ``ends``
    are the driver's first and last record.
    """
    sidecars = Sidecars()
    problems: list[str] = []
    for read in (partial(_sampler, ends=ends), _profiles, _instructions):
        try:
            problems += read(evidence, connection, sidecars)
        except SidecarError as error:
            problems.append(f"{error}; the run counts without it")
    stacks, gaps = read_looks(evidence.run.path, evidence.names, steps or {})
    problems += gaps
    if stacks:
        sidecars.rows["stack"] = sidecars.rows.get("stack", []) + stacks
    sidecars.rows["sidecar_problem"] = [{"text": text} for text in problems]
    run_id = {"run_id": evidence.run.run_id}
    sidecars.rows = {
        table: [run_id | row for row in rows] for table, rows in sidecars.rows.items()
    }
    return sidecars


def _sampler(
    evidence: Evidence,
    connection: duckdb.DuckDBPyConnection,
    sidecars: Sidecars,
    ends: tuple[Record, Record] | None,
) -> list[str]:
    name = next((name for name in FILES if name in evidence.names), None)
    if name:
        sampled = check_sampler(evidence.run.path / name, connection)
        if ends:
            check_beside(sampled, *ends, evidence.env.get("cpus"))
        sidecars.sampled = sampled
        sidecars.rows["sampler"] = [sampled.row()]
    return []


def _profiles(
    evidence: Evidence, connection: duckdb.DuckDBPyConnection, sidecars: Sidecars
) -> list[str]:
    names = evidence.names
    if profiles.FILE not in names:
        return []
    folder = evidence.run.path
    rows, problems = profiles.read_profiles(folder, names, connection)
    sidecars.rows |= rows
    return problems


def _instructions(
    evidence: Evidence, _: duckdb.DuckDBPyConnection, sidecars: Sidecars
) -> list[str]:
    """callgrind.json: instructions of each step."""
    if FILE not in evidence.names:
        return []
    content = (evidence.run.path / FILE).read_bytes()
    counts = read_counts(content)
    same = {"tool": counts.tool, "cpu_features": list(counts.cpu_features)}
    sidecars.rows["instruction_count"] = [
        same | {"step": step, "instructions": n} for step, n in counts.steps.items()
    ]
    return []
