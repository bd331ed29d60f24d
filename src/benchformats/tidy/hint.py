"""What to say of a table whose columns do not tell what they hold."""

from __future__ import annotations

import shlex

from benchformats.clean import one_line
from benchformats.parsed import TextFile
from benchformats.text.cells import number_or_why
from benchformats.text.table import Table, table_of
from benchformats.tidy.columns import ROLES, Columns, columns_of

_HEAD = 2**17  # characters, and rows, by which a table is told
_ROWS = 20
_SHOWN = 8  # columns


def hint_of(file: TextFile) -> str:
    """How to say what the columns of a table hold; '' of a file that is no table.

    A header of words, rows of as many cells, and figures in at least one column.
    """
    table = table_of(file.text[:_HEAD], _ROWS)
    if table is None or not table.rows or table.problems:
        return ""
    if any(isinstance(number_or_why(name, "dot"), float) for name in table.header):
        return ""
    ways = [columns_of(table, Columns(decimal=d)) for d in ("", "comma", "dot")]
    columns = max(
        filter(None, ways), key=lambda c: len(c.values) + ("value" in c.of), default=None
    )
    if columns is None:
        return ""
    names = ", ".join(map(one_line, table.header[:_SHOWN]))
    names += ", ..." if len(table.header) > _SHOWN else ""
    example = shlex.quote(_example(table, columns))
    return (
        f"a table with the columns {names}: say which hold what, e.g. --columns {example}"
    )


def _example(table: Table, columns: Columns) -> str:
    """What the names tell, else the first two columns of words and of figures."""
    roles = {role: columns.of[role] for role in ROLES if role in columns.of}
    words = [name for name in table.header if name not in columns.values]
    said = roles or {"step": words[0] if words else "", "values": columns.values[0]}
    said |= {"decimal": columns.decimal}
    return ",".join(f"{key}={name}" for key, name in said.items() if name)
