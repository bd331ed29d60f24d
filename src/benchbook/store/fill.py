"""What a load adds: runs that can be believed, and files of imports and tables.

Apart from `load`, so that one which finds nothing new does without what reads them.
"""

from __future__ import annotations

import glob
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pyarrow as pa

from benchbook.project import Project
from benchbook.runs import sampler
from benchbook.runs.driver_file import Records, read_records
from benchbook.runs.folder import Evidence, RunError, RunFolder, verify
from benchbook.runs.record_checks import (
    check_cpu,
    check_dates,
    check_environment,
    check_spec,
    wall_ns,
)
from benchbook.runs.samples import HELD, size_of
from benchbook.runs.sidecars import read_sidecars
from benchbook.runs.turns import Turns, turns_of
from benchbook.sql import first_line, statement
from benchbook.sql.progress_bar import without_progress_bar
from benchbook.store import database
from benchbook.store.database import Imports, Process
from benchbook.store.declared_seq import with_declared_seq
from benchbook.store.rows import (
    Rows,
    check_compiler,
    insert_samples,
    insert_turns,
    rows_of,
    times_of,
)
from benchbook.store.tools import sampled_by_tools, tool_results
from benchmath.errors import UserError

BATCH = 100  # run folders whose records are held in memory at a time
TABLES = (
    "run", "step", "hist", "statement", "size", "step_use", "note", "instruction",
    "sampler", "profile", "stack", "leaf_report", "wait_state", "instruction_count",
    "sidecar_problem", "tool_figure", "lsm_level", "lsm_job", "probe",
)  # fmt: skip


@dataclass(frozen=True)
class Checked:
    """A run that can be believed, with rows by table."""

    run: RunFolder
    rows: Rows
    driver: Path | None = None  # the file that holds its samples
    samples: list[pa.Table] | None = None  # of that file, if they were kept
    sampled: sampler.Sampled | None = None
    turns: Turns | None = None

    @property
    def process(self) -> Process | None:
        """What made it; a run without records does not tell."""
        [row] = self.rows["run"]
        keys = ("boot_id", "pid", "mono_ns")
        return tuple(row[k] for k in keys) if "pid" in row else None

    @property
    def size(self) -> int:
        """Bytes of its samples and turns, about."""
        turns = [self.turns.table] if self.turns else []
        return size_of([*(self.samples or ()), *turns])


def checked(
    runs: Sequence[RunFolder], made: dict[Process, str], refused: list[str]
) -> Iterator[list[Checked]]:
    """Batches of runs that can be believed; why the others cannot goes to `refused`.

    ``made`` tells which run folder each process made, and is added to.
    """
    with without_progress_bar(duckdb.connect()) as connection:
        batch: list[Checked] = []
        for run in runs:
            try:
                one = check_run(run, connection)
                original = one.process and made.setdefault(one.process, run.folder)
                if original and original != run.folder:
                    raise RunError(
                        f"the same process at the same time made {original}: it would "
                        "count twice; delete one of them"
                    )
            except UserError as error:
                refused.append(f"{run.folder}: {error}")
                continue
            batch.append(one)
            if len(batch) == BATCH or sum(one.size for one in batch) > HELD:
                yield batch
                batch = []
        if batch:
            yield batch


def check_run(run: RunFolder, connection: duckdb.DuckDBPyConnection) -> Checked:
    """What a run folder holds, if it can be believed; RunError says why it cannot."""
    evidence = verify(run)
    if evidence.status == "failed" or evidence.driver is None:
        return Checked(run, rows_of(evidence, None))
    records = read_records(evidence.driver)
    _check_asked(evidence, records)
    check_compiler(evidence.spec, records.run)
    turns = turns_of(evidence, records.steps)
    steps = {s["step"]: (s["start_ns"], s["end_ns"]) for s in records.steps if s["main"]}
    beside = read_sidecars(evidence, connection, steps, (records.run, records.end))
    results = tool_results(evidence, records)
    records, turns = with_declared_seq(evidence.spec, records, turns)
    machine = turns.machine if turns else ()
    probes = [{"run_id": run.run_id, **record} for record in machine]
    rows = rows_of(evidence, records, results) | beside.rows | {"probe": probes}
    samples = records.samples
    if samples is not None:
        samples = [*samples, *sampled_by_tools(results)]
    return Checked(run, rows, evidence.driver, samples, beside.sampled, turns)


def _check_asked(evidence: Evidence, records: Records) -> None:
    try:
        check_environment(evidence.env, evidence.spec)
        steps = (step["step"] for step in records.steps)
        check_spec(records.run, steps, evidence.spec)
    except ValueError as error:
        raise RunError(f"spec.json is contradicted: {error}") from None
    try:
        wall = wall_ns(records.run, records.end)
        check_cpu(records.steps, records.uses, wall, evidence.env.get("cpus"))
        check_dates(*times_of(evidence.env), records.run, records.end)
    except ValueError as error:
        raise RunError(f"env.json is contradicted: {error}") from None


def insert(connection: duckdb.DuckDBPyConnection, batch: Sequence[Checked]) -> None:
    """Add all of the batch, or nothing."""
    connection.begin()
    [[last]] = connection.sql("SELECT coalesce(max(run_no), 0) FROM run").fetchall()
    numbered = list(enumerate(batch, last + 1))
    for table in TABLES:
        rows = [row for one in batch for row in one.rows.get(table, [])]
        if table == "run":
            rows = [row | {"run_no": n} for n, one in numbered for row in one.rows[table]]
        database.append(connection, table, rows)
    insert_samples(
        connection, [(n, one.driver, one.samples) for n, one in numbered if one.driver]
    )
    took_turns = {one.run.run_id: one.turns for one in batch if one.turns is not None}
    insert_turns(connection, took_turns)
    connection.execute(statement("insert_latency"))
    sampled = {one.run.run_id: one.sampled for one in batch if one.sampled is not None}
    sampler.insert_sampled(connection, sampled)
    connection.commit()


def read_tables(
    project: Project, before: Imports, now: Imports, refused: list[str]
) -> dict[str, pa.Table]:
    """Published tables that the store does not hold; bad ones are refused, not ``now``.

    So that a store which holds all that can be read is not written again.
    """
    tables = {}
    changed = [name for name, facts in now.items() if before.get(name) != facts]
    for name in filter(_is_table, changed):
        from benchbook.published.sets import metric_table  # pandas: where there is one

        try:
            tables[name] = metric_table(Path(name).stem, project)
        except (UserError, ValueError) as error:
            refused.append(f"{name}: {first_line(error)}")
            del now[name]
    return tables


def _is_table(name: str) -> bool:
    return name.startswith("published/")


def insert_files(
    connection: duckdb.DuckDBPyConnection,
    project: Project,
    before: Imports,
    now: Imports,
    tables: Mapping[str, pa.Table],
    refused: list[str],
) -> None:
    old = [name for name, facts in before.items() if now.get(name) != facts]
    database.remove(connection, "remove_imported", file=old)
    for name, (size, modified) in now.items():
        if before.get(name) == (size, modified):
            continue
        try:
            if name in tables:
                _insert_table(connection, name, tables[name])
            else:
                _insert_import(connection, project.imported / name)
        except (duckdb.Error, ValueError) as error:
            where = name if _is_table(name) else f"{project.imported.name}/{name}"
            refused.append(f"{where}: {first_line(error)}")
            continue
        row = {"file": name, "bytes": size, "modified_ns": modified}
        database.append(connection, "imported_file", [row])


def _insert_table(
    connection: duckdb.DuckDBPyConnection, name: str, table: pa.Table
) -> None:
    connection.register("published", table)
    connection.execute(statement("insert_published"), {"name": name})
    connection.unregister("published")


def _insert_import(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    where = {"name": path.name, "file": glob.escape(str(path))}
    connection.execute(statement("insert_imported"), where)
