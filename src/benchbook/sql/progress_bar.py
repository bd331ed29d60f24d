"""DuckDB's progress bar, which would stand on stdout before a verb's JSON or CSV."""

from contextlib import suppress

import duckdb


def without_progress_bar(
    connection: duckdb.DuckDBPyConnection,
) -> duckdb.DuckDBPyConnection:
    """The connection, whose queries of seconds print no bar.

    In a notebook DuckDB draws it with ipywidgets, and where these are missing it refuses
    to change the setting: there is no bar to turn off then.
    """
    with suppress(duckdb.InvalidInputException):
        connection.execute("SET enable_progress_bar = false")
    return connection
