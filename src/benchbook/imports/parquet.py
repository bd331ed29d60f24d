"""A Parquet table as the text that its CSV would be: one reader for both."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyarrow import csv

from benchformats.parsed import TextFile
from benchformats.text.file import Opened, Problems, fingerprint

PARQUET = "Parquet"  # what benchformats calls such a file
MOST = 2_000_000  # rows that are read: a table of figures, no log of samples


def opened_parquet(path: Path, name: str) -> Opened:
    """The file as CSV; a row's line is its number and one, for the header."""
    problems = Problems()
    try:
        with pq.ParquetFile(path) as file:
            rows = file.metadata.num_rows
            if rows > MOST:
                return Opened(None, f"Parquet of {rows} rows: at most {MOST}", problems)
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
