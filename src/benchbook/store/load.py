"""From run folders to the store: only what is new is read, and only what can be believed.

The store is a cache of data/raw, data/imported and data/published:
`--rebuild` makes it from nothing, and so does the first load after its tables change.
"""

from __future__ import annotations

import glob
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import duckdb
import pyarrow as pa

from benchbook.project import Project
from benchbook.runs import sampler
from benchbook.runs.driver_file import Records, read_records
from benchbook.runs.folder import Evidence, RunError, RunFolder, find_runs, verify
from benchbook.runs.record_checks import check_cpu, check_environment, check_spec
from benchbook.runs.samples import HELD, size_of
from benchbook.runs.sidecars import read_sidecars
from benchbook.runs.turns import Turns, turns_of
from benchbook.sql import VIEWS, first_line, statement
from benchbook.sql.progress_bar import without_progress_bar
from benchbook.store import database
from benchbook.store.declared_seq import with_declared_seq
from benchbook.store.query import open_store
from benchbook.store.rows import (
    Rows,
    check_compiler,
    insert_samples,
    insert_turns,
    rows_of,
)
from benchbook.store.tools import sampled_by_tools, tool_results
from benchmath.errors import UserError
from benchmath.prose import number

BATCH = 100  # run folders whose records are held in memory at a time
TABLES = (
    "run", "step", "hist", "statement", "size", "step_use", "note", "instruction",
    "sampler", "profile", "stack", "leaf_report", "wait_state", "instruction_count",
    "sidecar_problem", "tool_figure", "lsm_level", "lsm_job", "probe",
)  # fmt: skip
FILLED_BY = (
    "schema", "macros", "insert_latency",
    "insert_imported", "insert_published", "sum_stacks", "sum_leaves",
    *sampler.FILLED_BY,
)  # fmt: skip
LOADER = 3  # raise it when the same run folder gives other rows
Imports = dict[str, tuple[int, int]]  # file name: (bytes, modified_ns)
Process = tuple[str, int, int]  # boot_id, pid, mono_ns: no two runs are of one


@dataclass(frozen=True)
class LoadReport:
    """What a load did. `read` counts the folders that had to be opened."""

    loaded: int = 0
    skipped: int = 0
    removed: int = 0
    read: int = 0
    refused: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


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


@dataclass(frozen=True)
class _Before:
    """What the old store holds; nothing where there is none that can be added to."""

    usable: bool = False
    views: str = ""
    runs: dict[str, tuple[str, str]] = field(default_factory=dict)  # folder: sha, run_id
    processes: dict[Process, str] = field(default_factory=dict)  # whose folder
    imports: Imports = field(default_factory=dict)


def load(project: Project, rebuild: bool = False, only_new: bool = False) -> LoadReport:
    """Bring the store up to date with data/raw, data/imported and data/published.

    Errors: the store cannot be written; with ``only_new`` one that has to be made anew,
    which reads every run.
    """
    with database.only_loader(project.data):
        database.clear_leftovers(project.store)
        before = _Before() if rebuild else _read_before(project.store)
        if only_new and project.store.exists() and not before.usable:
            raise UserError(
                f"{project.store} is damaged, or of another version of the library: "
                "`benchbook load` makes it anew"
            )
        runs, refused = _without_copies(find_runs(project.raw))
        new = [r for r in runs if before.runs.get(r.folder, ("",))[0] != r.sha256]
        same_folders = {r.folder for r in runs} - {r.folder for r in new}
        gone = [run_id for f, (_, run_id) in before.runs.items() if f not in same_folders]
        imports = _imports(project)
        tables = _read_tables(project, before.imports, imports, refused)
        loaded = 0
        made = {p: f for p, f in before.processes.items() if f in same_folders}
        batches = _checked(new, made, refused)
        first = next(batches, [])
        if first or gone or (before.views, before.imports) != (_view_digest(), imports):
            with database.replacement(project.store, not before.usable) as connection:
                _prepare(connection, before)
                database.remove(connection, "remove_runs", run_id=gone)
                for batch in chain([first], batches):
                    _insert(connection, batch)
                    loaded += len(batch)
                _import(connection, project, before.imports, imports, tables, refused)
        return LoadReport(
            loaded=loaded,
            skipped=len(same_folders),
            removed=len(gone),
            read=len(new),
            refused=refused,
            warnings=_warnings(project.store, [run.run_id for run in new]),
        )


def load_files(project: Project) -> LoadReport:
    """Load if data/imported or data/published hold other files than the store.

    For whoever reads the store. One that another version of the library made is left
    alone: to make it anew reads every run, which `benchbook load` does.
    """
    before = _read_before(project.store)
    if project.store.exists() and not before.usable:
        return LoadReport()
    return LoadReport() if _imports(project) == before.imports else load(project)


def _read_before(path: Path) -> _Before:
    """What the store holds; a damaged one, or one of another schema, holds nothing."""
    if not path.exists():
        return _Before()
    try:
        with open_store(path) as connection:
            [(schema, views)] = connection.table("stamp").fetchall()
            if schema != _digest(FILLED_BY):
                return _Before()
            runs = connection.execute(statement("loaded_runs")).fetchall()
            imports = connection.execute(statement("loaded_imports")).fetchall()
    except (UserError, duckdb.Error, ValueError):
        return _Before()
    return _Before(
        usable=True,
        views=views,
        runs={folder: (sha256, run_id) for folder, sha256, run_id, *_ in runs},
        processes={tuple(process): folder for folder, _, _, *process in runs},
        imports={file: (size, modified) for file, size, modified in imports},
    )


def _digest(names: Iterable[str]) -> str:
    text = "".join(statement(name) for name in names) + str(LOADER)
    return hashlib.sha256(text.encode()).hexdigest()


def _view_digest() -> str:
    return _digest(
        ("macros", "run_order", "counted_runs", *(f"view_{name}" for name in VIEWS))
    )


def _without_copies(runs: Iterable[RunFolder]) -> tuple[list[RunFolder], list[str]]:
    """The first folder of each run in order of path, and a sentence for each copy."""
    first: dict[str, RunFolder] = {}
    refused = []
    for run in runs:
        original = first.setdefault(run.contents, run)
        if original is not run:
            refused.append(
                f"{run.folder}: a copy of {original.folder}; delete one of them"
            )
    return list(first.values()), refused


def _checked(
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
    beside = read_sidecars(evidence, connection, steps)
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
        check_cpu(records.steps, evidence.env.get("cpus"))
    except ValueError as error:
        raise RunError(f"env.json is contradicted: {error}") from None


def _prepare(connection: duckdb.DuckDBPyConnection, before: _Before) -> None:
    """Tables where there are none yet, and the views as this version has them.

    In one transaction: each of its own would wait for the disk.
    """
    digests = {"schema_digest": _digest(FILLED_BY), "view_digest": _view_digest()}
    if before.usable and before.views == digests["view_digest"]:
        return
    connection.begin()
    if not before.usable:
        connection.execute(statement("schema"))
    connection.execute(statement("macros"))
    connection.execute(statement("run_order"))
    connection.execute(statement("counted_runs"))
    for name in VIEWS:
        connection.execute(statement(f"view_{name}"))
    connection.execute(statement("stamp"), digests)
    connection.commit()


def _insert(connection: duckdb.DuckDBPyConnection, batch: Sequence[Checked]) -> None:
    connection.begin()
    for table in TABLES:
        rows = [row for one in batch for row in one.rows.get(table, [])]
        database.append(connection, table, rows)
    insert_samples(
        connection,
        [(one.run.run_id, one.driver, one.samples) for one in batch if one.driver],
    )
    took_turns = {one.run.run_id: one.turns for one in batch if one.turns is not None}
    insert_turns(connection, took_turns)
    connection.execute(statement("insert_latency"))
    sampled = {one.run.run_id: one.sampled for one in batch if one.sampled is not None}
    sampler.insert_sampled(connection, sampled)
    connection.commit()


def _published(project: Project) -> list[Path]:
    """The files of data/published that are no import's namesakes.

    An import of the same name holds the files that the table was made from: it counts.
    A file without the columns of a table is among them: to be refused, not passed over.
    """
    return [
        path
        for path in sorted((project.data / "published").glob("*.csv"))
        if not (project.imported / f"{path.stem}.parquet").is_file()
    ]


def _imports(project: Project) -> Imports:
    """Imported Parquet files by name, and published tables by their path below data/."""
    files = {path.name: path for path in sorted(project.imported.glob("*.parquet"))}
    files |= {f"published/{path.name}": path for path in _published(project)}
    facts = {name: path.stat() for name, path in files.items()}
    return {name: (stat.st_size, stat.st_mtime_ns) for name, stat in facts.items()}


def _read_tables(
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


def _import(
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


def _warnings(path: Path, new: Sequence[str]) -> list[str]:
    """Comparisons that would mix machines, ops or turns, and damaged sidecars."""
    if not path.exists():
        return []
    with open_store(path) as connection:
        clashes = connection.execute(statement("machine_clashes")).fetchall()
        damaged = connection.execute(statement("sidecar_problems")).fetchall()
        changed = connection.execute(statement("main_clashes")).fetchall()
        asked = {"run_ids": list(new)}
        overlap = connection.execute(statement("overlapping_turns"), asked).fetchall()
    mixed = [
        f"study {study}: {len(ids)} machines are called {machine} ({', '.join(ids)}); "
        "measure on one of them under another name: BENCHBOOK_MACHINE=name"
        for study, machine, ids in clashes
    ]
    mixed += [
        f"{folder}: step {step} counts by {ops[-1]}, and by {ops[0]} in other runs of "
        "this cell: one of them was changed; measure it again"
        for step, ops, folder in changed
    ]
    mixed += [
        f"{folder} and {other} took {number(turns)} turns at one time, where one of them "
        "stood still: one of their turns.jsonl was changed; measure both again"
        for folder, other, turns in overlap
    ]
    return mixed + [f"{folder}: {text}" for folder, text in damaged]
