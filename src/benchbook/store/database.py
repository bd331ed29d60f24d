"""The store file: built beside the old one and renamed over it, one loader at a time.

Whatever kills a load, the old store stays as it was; the next load clears up.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb

from benchbook.files import locked, says_full, sync
from benchbook.sql import first_line, statement
from benchbook.sql.progress_bar import without_progress_bar
from benchmath.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

LOCK = ".load.lock"
MEMORY_LIMIT = "1GB"
ROW_GROUP = 122_880  # rows that DuckDB compresses together: a thread takes a batch
CANNOT_SHARE = (errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP)
Imports = dict[str, tuple[int, int]]  # file name: (bytes, modified_ns)
Process = tuple[str, int, int]  # boot_id, pid, mono_ns: no two runs are of one


@contextmanager
def only_loader(data: Path) -> Iterator[None]:
    """Wait for other loaders, then keep them out; the lock of a dead one is free."""
    try:
        with locked(data / LOCK):
            yield
    except OSError as error:
        raise UserError(_sentence(data, str(error)), 1) from error


@contextmanager
def replacement(store: Path, start_empty: bool) -> Iterator[duckdb.DuckDBPyConnection]:
    """A connection to the next store; it replaces the old one if all goes well."""
    clear_leftovers(store)
    new = store.with_name(store.name + ".new")
    try:
        if not start_empty:
            _copy(store, new)
        connection = without_progress_bar(duckdb.connect(new, config=_settings(store)))
        try:
            yield connection
            connection.execute("CHECKPOINT")
        finally:
            connection.close()
        sync(new)
        new.replace(store)
        sync(store.parent)
    except (duckdb.Error, OSError) as error:
        raise UserError(_sentence(store, first_line(error)), 1) from error
    finally:
        clear_leftovers(store)


def clear_leftovers(store: Path) -> None:
    """Remove what a killed load left beside the store. Call it under the lock only."""
    for path in store.parent.glob(store.name + ".new*"):
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)
        else:
            path.unlink(missing_ok=True)


def append(
    connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, Any]]
) -> None:
    """Add rows to a table; a column that a row lacks is NULL."""
    if rows:
        import pyarrow as pa  # slow to import: a load that finds nothing new needs it not

        schema = connection.table(table).limit(0).to_arrow_table().schema
        # pyarrow wants a MAP as pairs
        plain = [
            {k: list(v.items()) if isinstance(v, dict) else v for k, v in row.items()}
            for row in rows
        ]
        insert(connection, table, pa.Table.from_pylist(plain, schema))


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: pa.Table) -> None:
    """Add Arrow rows to a table whose columns they have, in any order.

    A view of them would do too, but DuckDB keeps its rows until the transaction ends.
    """
    columns = connection.table(table).columns
    connection.from_arrow(row_groups(rows.select(columns))).insert_into(table)


def row_groups(rows: pa.Table) -> pa.Table:
    """The rows in batches such that DuckDB's threads take one each."""
    import pyarrow as pa

    whole = rows.combine_chunks()
    return pa.Table.from_batches(whole.to_batches(ROW_GROUP), whole.schema)


def remove(
    connection: duckdb.DuckDBPyConnection, name: str, **column: Sequence[str]
) -> None:
    """Run src/benchbook/sql/<name>.sql, which deletes what the relation gone holds."""
    if any(column.values()):
        import pyarrow as pa

        connection.register("gone", pa.table(column))
        connection.execute(statement(name))
        connection.unregister("gone")


def _settings(store: Path) -> dict[str, str | bool | int | float | list[str]]:
    spill = store.with_name(store.name + ".new.tmp")
    return {"memory_limit": MEMORY_LIMIT, "temp_directory": str(spill)}


def _copy(store: Path, new: Path) -> None:
    """Copy the file; on a filesystem that can share blocks, nothing is written."""
    with store.open("rb") as source, new.open("wb") as target:
        left = os.fstat(source.fileno()).st_size
        try:
            while left:
                left -= os.copy_file_range(source.fileno(), target.fileno(), left)
        except OSError as error:
            if error.errno not in CANNOT_SHARE:
                raise
            source.seek(0)
            target.seek(0)
            shutil.copyfileobj(source, target)


def _sentence(path: Path, problem: str) -> str:
    full = says_full(problem) or "File too large" in problem
    advice = "free some space" if full else "repair that"
    return (
        f"{path} could not be brought up to date and is as it was before ({problem}); "
        f"{advice}, then run `benchbook load`"
    )
