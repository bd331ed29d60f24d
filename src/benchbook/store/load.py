"""From run folders to the store: only what is new is read, and only what can be believed.

The store is a cache of data/raw, data/imported and data/published:
`--rebuild` makes it from nothing, and so does the first load after its tables change.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import duckdb

from benchbook.project import Project
from benchbook.runs.folder import RunFolder, find_runs
from benchbook.sql import SAMPLED_BY, VIEWS, statement
from benchbook.store import database
from benchbook.store.database import Imports, Process
from benchbook.store.query import open_store
from benchmath.errors import UserError
from benchmath.prose import number

FILLED_BY = (
    "schema", "macros", "insert_latency",
    "insert_imported", "insert_published", "sum_stacks", "sum_leaves",
    *SAMPLED_BY,
)  # fmt: skip
LOADER = 3  # raise it when the same run folder gives other rows


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
class _Before:
    """What the old store holds; nothing where there is none that can be added to."""

    usable: bool = False
    views: str = ""
    runs: dict[str, tuple[str, str]] = field(default_factory=dict)  # folder: sha, run_id
    processes: dict[Process, str] = field(default_factory=dict)  # whose folder
    imports: Imports = field(default_factory=dict)

    def is_of(self, imports: Imports) -> bool:
        """Whether it has the views of this version, and these files."""
        return (self.views, self.imports) == (_view_digest(), imports)


@dataclass(frozen=True)
class _Found:
    """What the project's folders hold, against what the store holds."""

    new: list[RunFolder]
    same: set[str]  # folders
    gone: list[str]  # run_ids
    imports: Imports
    refused: list[str]


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
        found = _find(project, before)
        loaded = 0
        if found.new or found.gone or not before.is_of(found.imports):
            loaded = _fill(project, before, found)
        return LoadReport(
            loaded=loaded,
            skipped=len(found.same),
            removed=len(found.gone),
            read=len(found.new),
            refused=found.refused,
            warnings=_warnings(project.store, [run.run_id for run in found.new]),
        )


def _find(project: Project, before: _Before) -> _Found:
    runs, refused = _without_copies(find_runs(project.raw))
    new = [r for r in runs if before.runs.get(r.folder, ("",))[0] != r.sha256]
    same = {r.folder for r in runs} - {r.folder for r in new}
    gone = [run_id for f, (_, run_id) in before.runs.items() if f not in same]
    return _Found(new, same, gone, _imports(project), refused)


def _fill(project: Project, before: _Before, found: _Found) -> int:
    """Make the next store of the old one; how many runs it has more."""
    from benchbook.store import fill  # brings pyarrow and all that reads records

    imports, refused = found.imports, found.refused
    tables = fill.read_tables(project, before.imports, imports, refused)
    made = {p: f for p, f in before.processes.items() if f in found.same}
    batches = fill.checked(found.new, made, refused)
    first = next(batches, [])
    if not (first or found.gone) and before.is_of(imports):
        return 0
    loaded = 0
    with database.replacement(project.store, not before.usable) as connection:
        _prepare(connection, before)
        database.remove(connection, "remove_runs", run_id=found.gone)
        for batch in chain([first], batches):
            fill.insert(connection, batch)
            loaded += len(batch)
        fill.insert_files(connection, project, before.imports, imports, tables, refused)
    return loaded


def load_files(project: Project) -> LoadReport:
    """Load if data/imported or data/published hold other files than the store.

    For whoever reads the store. One that another version of the library made is left
    alone: to make it anew reads every run, which `benchbook load` does.
    """
    before = _read_before(project.store, with_runs=False)
    if project.store.exists() and not before.usable:
        return LoadReport()
    return LoadReport() if _imports(project) == before.imports else load(project)


def _read_before(path: Path, with_runs: bool = True) -> _Before:
    """What the store holds; a damaged one, or one of another schema, holds nothing.

    Without its runs in the time that a store of few takes.
    """
    if not path.exists():
        return _Before()
    try:
        with open_store(path) as connection:
            [(schema, views)] = connection.table("stamp").fetchall()
            if schema != _digest(FILLED_BY):
                return _Before()
            runs = []
            if with_runs:
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
