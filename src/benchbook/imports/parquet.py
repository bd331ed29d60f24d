"""A Parquet table as the text that its CSV would be: one reader for both."""

from __future__ import annotations

import re
from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from benchbook.sql.columns import METRIC
from benchformats.parsed import TextFile
from benchformats.text.file import Opened, Problems, fingerprint
from benchmath.errors import UserError

SET = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")  # what a set can be called
PARQUET = "Parquet"  # what benchformats calls such a file
OF_IMPORT = "rows of an import: compare takes the file as it is"
MOST = 2_000_000  # rows that are read: a table of figures, no log of samples


def is_of_import(path: Path) -> bool:
    """Are these the rows of a set, as an import keeps them?"""
    try:
        return path.suffix == ".parquet" and pq.read_schema(path).equals(METRIC)
    except (pa.ArrowException, OSError, ValueError):
        return False


def set_of_import(path: Path) -> str:
    """What the set is called whose rows these are; UserError where that is no name."""
    column = pq.read_table(path, columns=["set"])["set"]
    names = column.unique().to_pylist()
    if len(names) != 1 or not SET.fullmatch(str(names[0])):
        raise UserError(f"{path}: rows of {len(names)} sets, or of one without a name")
    return str(names[0])


def opened_parquet(path: Path, name: str) -> Opened:
    """The file as CSV; a row's line is its number and one, for the header."""
    problems = Problems()
    try:
        with pq.ParquetFile(path) as file:
            rows = file.metadata.num_rows
            if rows > MOST:
                return Opened(None, f"Parquet of {rows} rows: at most {MOST}", problems)
            if is_of_import(path):
                return Opened(None, OF_IMPORT, problems)
            nested = [f.name for f in file.schema_arrow if pa.types.is_nested(f.type)]
            plain = [n for n in file.schema_arrow.names if n not in nested]
            table = file.read(plain)
        for column in nested:
            problems.tell(0, f"column {column} holds lists or maps: not read")
        text = BytesIO()
        csv.write_csv(table, text)
    except (pa.ArrowException, OSError, ValueError) as error:
        first = str(error).partition("\n")[0]
        return Opened(None, f"damaged Parquet ({first})", problems)
    facts = fingerprint(path)
    content = text.getvalue().decode(errors="replace")
    return Opened(TextFile(name, content), "", problems, lambda: facts)
