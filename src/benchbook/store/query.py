"""Reading the store: open, fetch, close, so that a reader is never in a loader's way."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from benchbook.project import Project
from benchbook.sql import SQL, VIEWS, first_line, statement
from benchmath.errors import UserError

if TYPE_CHECKING:
    import duckdb
    import pandas as pd
    import pyarrow as pa

Got = TypeVar("Got")


def query(
    name_or_sql: str, project: Project | None = None, **params: Any
) -> pd.DataFrame:
    """Rows of a view, of a named query in src/benchbook/sql/, or of SQL text.

    `params` are the statement's $named parameters:
    ``bb.query("from metric where set = $name", name="ab")``.
    """
    return _read(
        (project or Project.find()).store,
        lambda connection: connection.execute(_text(name_or_sql), params).df(),
    )


def _read(store: Path, ask: Callable[[duckdb.DuckDBPyConnection], Got]) -> Got:
    """What is asked of the store; DuckDB's complaints as a UserError."""
    import duckdb  # slow to import: what has evidence asks no store

    while True:
        file = _inode(store)
        connection = open_store(store)
        try:
            return ask(connection)
        except (duckdb.Error, RuntimeError) as error:
            # DuckDB opens a file more than once: a load may have replaced it meanwhile.
            if isinstance(error, duckdb.IOException) and _inode(store) != file:
                continue
            raise UserError(f"the query failed: {first_line(error)}") from error
        finally:
            connection.close()


def _inode(store: Path) -> int:
    """Which file the store is now; 0 where there is none."""
    return store.stat().st_ino if store.exists() else 0


def open_store(store: Path) -> duckdb.DuckDBPyConnection:
    """A read-only connection to the store as it is now.

    The store is attached, not opened: DuckDB hands a process that still holds the file
    of before the last load that old file again when it opens the path once more.
    """
    import duckdb

    from benchbook.sql.progress_bar import without_progress_bar

    if not store.exists():
        raise UserError(f"there is no {store}: make it with `benchbook load`")
    connection = without_progress_bar(duckdb.connect())
    try:
        connection.execute("ATTACH $store AS store (READ_ONLY)", {"store": str(store)})
        connection.execute("USE store")
    except duckdb.Error as error:
        connection.close()
        raise UserError(
            f"{store} cannot be read ({first_line(error)}): "
            "build it anew with `benchbook load --rebuild`"
        ) from error
    return connection


def rows_of_set(name: str, project: Project) -> pd.DataFrame:
    """The metric frame of a study's runs or of an import, its rows in their order.

    As ``expand_dims`` of `metric_of_set`, in a third of the time and less than half of
    the memory: DuckDB takes the map apart, and Arrow brings the rows.
    """
    from benchbook.sql.columns import METRIC  # brings pyarrow, as frames of a store do

    named = query("dimensions_of_set", project, set=name)["name"]
    values = {key: _dimension(key) for key in named}
    replaced = [value for key, value in values.items() if key in METRIC.names]
    added = [value for key, value in values.items() if key not in METRIC.names]
    columns = "* EXCLUDE (dims)" + f" REPLACE ({', '.join(replaced)})" * bool(replaced)
    select = f"SELECT {', '.join([columns, *added])}"
    text = statement("metric_of_set").replace("SELECT *", select)

    def ask(opened: duckdb.DuckDBPyConnection) -> pa.Table:
        opened.execute("SET arrow_large_buffer_size = true")  # texts as pandas has them
        return opened.sql(text, params={"set": name}).to_arrow_table()

    table = _read(project.store, ask)
    # DuckDB's memory is free by now, and each column's as soon as pandas has it.
    return table.to_pandas(split_blocks=True, self_destruct=True)


def _dimension(key: str) -> str:
    """SQL for a key of `dims` as a column of its name."""
    text, column = ("".join((m, key.replace(m, m * 2), m)) for m in "'\"")
    return f"coalesce(map_extract_value(dims, {text}), '') AS {column}"


def expand_dims(frame: pd.DataFrame) -> pd.DataFrame:
    """The column `dims` as one column per dimension, '' where a run lacks it.

    A dimension named like a column of the frame (compiler, flags) replaces it: the
    study's word for what it varies, not the compiler's own version line.
    """
    if "dims" not in frame:
        return frame
    dims = [dict(value) for value in frame["dims"]]
    names = sorted({name for one in dims for name in one})
    columns = {name: [one.get(name, "") for one in dims] for name in names}
    return frame.drop(columns="dims").assign(**columns)


def _text(name_or_sql: str) -> str:
    if not re.fullmatch(r"\w+", name_or_sql):
        return name_or_sql
    if name_or_sql in VIEWS:
        return "FROM " + name_or_sql
    named = sorted(p.stem for p in SQL.glob("*.sql") if "$" in p.read_text("utf-8"))
    if not (SQL / f"{name_or_sql}.sql").is_file():
        raise UserError(
            f"there is no view and no query {name_or_sql!r}; views: {', '.join(VIEWS)}; "
            f"queries: {', '.join(named)}"
        )
    return statement(name_or_sql)
