"""The samples of checked runs into the store."""

from __future__ import annotations

import glob
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from benchbook.formats.line_shapes import available
from benchbook.query import statement
from benchbook.samplefile import Piece, pieces, samples_of
from benchbook.store import insert

ROWS = 2**19  # that are inserted at a time: of fewer, more is written twice
Driver = tuple[str, Path, list[Piece] | None]  # run_id, its file, its pieces if kept


def insert_samples(
    connection: duckdb.DuckDBPyConnection, drivers: Sequence[Driver]
) -> None:
    """Append the samples of files that have been checked, in their order."""
    if available():
        _by_tables(connection, drivers)
    elif drivers:
        _by_duckdb(connection, drivers)


def _by_tables(connection: duckdb.DuckDBPyConnection, drivers: Sequence[Driver]) -> None:
    """Those that were not kept never lie all in memory."""
    held: list[pa.Table] = []
    for run_id, file, kept in drivers:
        for piece in pieces(file) if kept is None else kept:
            table = samples_of(piece)
            runs = pa.repeat(pa.scalar(run_id), table.num_rows).dictionary_encode()
            held.append(table.append_column("run_id", runs))
            if sum(table.num_rows for table in held) >= ROWS:
                insert(connection, "sample", pa.concat_tables(held))
                held = []
    if held:
        insert(connection, "sample", pa.concat_tables(held))


def _by_duckdb(connection: duckdb.DuckDBPyConnection, drivers: Sequence[Driver]) -> None:
    """The same without lines.c."""
    files = [str(file) for _, file, _ in drivers]
    names = pa.table({"file": files, "run_id": [run_id for run_id, _, _ in drivers]})
    connection.register("incoming", names)
    escaped = [glob.escape(file) for file in files]
    connection.execute(statement("insert_samples"), {"files": escaped})
    connection.unregister("incoming")
