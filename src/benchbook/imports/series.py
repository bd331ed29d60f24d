"""Per-second series of imported files: Parquet row groups, written as they are parsed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchbook.imports.rows import FEW, GENERATION, in_one

BATCH = 2**18  # rows that are gathered before they are written
_WORD = pa.dictionary(pa.int32(), pa.string())


class SeriesWriter:
    """One series of a set, from any number of files, in parts of equal columns.

    Files of one set may have different columns (12 or 17 of them): each kind is a part of
    its own until close() joins them, absent columns NULL.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._parts: list[pq.ParquetWriter] = []
        self._schemas: list[pa.Schema] = []
        self._held: list[list[pa.Table]] = []
        self._count = 0
        self._thread = ThreadPoolExecutor(1)  # encodes while the next block is parsed
        self._pending: Future[None] | None = None

    def add(self, table: pa.Table) -> None:
        """Append a table whose columns are those of the target."""
        schema = table.schema.remove_metadata()
        if schema not in self._schemas:
            self._schemas.append(schema)
            self._parts.append(_writer(self._part(len(self._parts)), schema))
            self._held.append([])
        part = self._schemas.index(schema)
        self._held[part].append(table)
        self._count += table.num_rows
        if sum(t.num_rows for t in self._held[part]) >= BATCH:
            self._flush(part)
        elif len(self._held[part]) > FEW:
            self._held[part] = [in_one(self._held[part])]

    def keep(self, old: Path, paths: Iterable[str]) -> None:
        """Take over the rows of some source files from an earlier import."""
        chosen = pa.array(list(paths), pa.string())
        for batch in pq.ParquetFile(old).iter_batches(BATCH):
            rows = pa.table(batch.filter(pc.is_in(batch["path"].cast("string"), chosen)))
            if rows.num_rows:
                self.add(rows)

    def close(self, generation: str) -> int:
        """Finish the file, marked as part of one state of the set; how many rows."""
        for part in range(len(self._parts)):
            self._flush(part)
        self._wait()
        self._thread.shutdown()
        for writer in self._parts:
            writer.add_key_value_metadata({GENERATION: generation})
            writer.close()
        parts = [self._part(number) for number in range(len(self._parts))]
        if len(parts) == 1:
            parts[0].replace(self._path)
        elif parts:
            _join(parts, self._path, generation)
        return self._count

    def _part(self, number: int) -> Path:
        return self._path.with_name(f"{self._path.name}.{number}")

    def _flush(self, part: int) -> None:
        if self._held[part]:
            self._wait()
            table = pa.concat_tables(self._held[part])
            self._pending = self._thread.submit(self._parts[part].write_table, table)
        self._held[part] = []

    def _wait(self) -> None:
        if self._pending:
            self._pending.result()


def with_names(
    table: pa.Table, named: Mapping[str, Any], dims: Mapping[str, str], path: str
) -> pa.Table:
    """The table with its source file and what names say; its own columns win.

    ``dop`` and texts are dictionary-encoded constants: they cost next to nothing.
    """
    constants = {"path": path, **named, **dims}
    front: dict[str, pa.Array] = {}
    for name, value in constants.items():
        if name in table.column_names:
            continue
        if isinstance(value, str):
            index = pa.nulls(table.num_rows, pa.int32()).fill_null(0)
            front[name] = pa.DictionaryArray.from_arrays(index, pa.array([value]))
        else:
            front[name] = pa.repeat(pa.scalar(value, pa.int64()), table.num_rows)
    return pa.table(front | dict(zip(table.column_names, table.columns, strict=True)))


def _writer(path: Path, schema: pa.Schema) -> pq.ParquetWriter:
    words = [f.name for f in schema if f.type in (_WORD, pa.string(), pa.bool_())]
    return pq.ParquetWriter(path, schema, compression="zstd", compression_level=1,
                            use_dictionary=words)  # fmt: skip


def _join(parts: list[Path], target: Path, generation: str) -> None:
    """Several files of different columns as one; types are widened where they differ."""
    files = [pq.ParquetFile(part) for part in parts]
    schema = _unified([file.schema_arrow.remove_metadata() for file in files])
    with _writer(target, schema) as writer:
        for file in files:
            for table in _tables(file):
                writer.write_table(_fitted(table, schema))
        writer.add_key_value_metadata({GENERATION: generation})
    for part in parts:
        part.unlink()


def _unified(schemas: list[pa.Schema]) -> pa.Schema:
    """All columns; one whose types have nothing in common is text."""
    try:
        return pa.unify_schemas(schemas, promote_options="permissive")
    except pa.ArrowTypeError:
        fields: dict[str, pa.Field] = {}
        for schema in schemas:
            for field in schema:
                before = fields.setdefault(field.name, field)
                if before.type != field.type:
                    fields[field.name] = pa.field(field.name, pa.string())
        return pa.schema(fields.values())


def _tables(file: pq.ParquetFile) -> Iterator[pa.Table]:
    for batch in file.iter_batches(BATCH):
        yield pa.table(batch)


def _fitted(table: pa.Table, schema: pa.Schema) -> pa.Table:
    columns = [
        table[field.name].cast(field.type)
        if field.name in table.column_names
        else pa.nulls(table.num_rows, field.type)
        for field in schema
    ]
    return pa.table(columns, schema=schema)
