"""Figures of imported files as columns of the vocabulary: filled from names, numbered."""

from __future__ import annotations

import glob
import math
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from benchbook.sql import statement
from benchbook.sql.columns import _DIMS, METRIC
from benchbook.sql.progress_bar import without_progress_bar
from benchformats.names import STAND_INS, Place, Tag, decode_tag, split_range
from benchformats.parsed import Problem, Row

_TEXTS = ("machine", "engine", "version", "build", "config", "tag", "step", "op",
          "metric", "clock", "unit", "direction")  # fmt: skip
PARSED = pa.schema(
    [("path", pa.string()), ("format", pa.string()), ("ord", pa.int64()),
     ("line", pa.int64()), *((name, pa.string()) for name in _TEXTS), ("dims", _DIMS),
     ("main", pa.bool_()), ("dop", pa.int64()), ("said_trial", pa.int64()),
     ("value", pa.float64())]
)  # fmt: skip
DIRECTIONS = ("higher", "lower", "none")
# Comparisons have a column base of their own.
RENAMED_DIMS = {"base": "relative_to"}
GENERATION = "benchbook.generation"  # key in the files' metadata
BATCH = 50_000  # rows of a row group
FEW = 256  # tables that are held at most: of one row each takes some 20 KB
MOST_CONFLICTS = 1000  # that are told
MEMORY_LIMIT = "300MB"  # of DuckDB, while an import is numbered

Values = dict[str, Any]


def identity(place: Place, tag: Tag, machine: str) -> Values:
    """The columns that names decide; ``machine`` is what the user says, or ''."""
    return {
        "machine": machine or place.machine or tag.machine,
        "engine": tag.engine or place.engine,
        "version": _longer(tag.version, place.version),
        "build": tag.build or place.build,
        "config": tag.config or place.config,
        "tag": tag.raw,
        "step": place.step,
        "dop": place.dop,
    }


def dims_of(place: Place, tag: Tag) -> dict[str, str]:
    """The further dimensions that names decide."""
    said = {"folder": place.folder, "workload": place.workload, **place.dims,
            "pk": tag.pk or place.dims.get("pk", ""),
            "size": tag.size or place.dims.get("size", "")}  # fmt: skip
    return {name: value for name, value in said.items() if value}


def table_of(
    rows: Iterable[Row],
    path: str,
    format_name: str,
    place: Place,
    machine: str,
    before: int = 0,
) -> tuple[pa.Table, list[Problem]]:
    """Rows of one file as a table of PARSED, what they do not say filled from names.

    ``before``: how many rows the file gave already. A row that breaks the contract of
    Row is a problem instead.
    """
    columns: Values = {name: [] for name in PARSED.names}
    problems = []
    for number, row in enumerate(rows, before + 1):
        complaint = _complaint(row, place)
        if complaint:
            problems.append(Problem(row.line, complaint))
            continue
        values = _filled(row, place, machine)
        values |= {"path": path, "format": format_name, "ord": number}
        for name, value in values.items():
            columns[name].append(value)
    try:
        return pa.table(columns, schema=PARSED), problems
    except (pa.ArrowException, OverflowError, TypeError, UnicodeError) as error:
        problems.append(Problem(0, f"figures that cannot be stored: {error}"))
        return PARSED.empty_table(), problems


def _complaint(row: Row, place: Place) -> str:
    what = f"{row.metric or 'a figure'}: "
    if math.isnan(row.value):
        return what + "not a number"
    if not row.metric or not (row.step or place.step):
        return what + "no step, or no metric, to file it under"
    if row.direction not in DIRECTIONS:
        return what + f"direction {row.direction!r}"
    if row.value < 0 and row.direction != "none":  # it has no ratio to anything
        return what + f"{row.value:g} is below 0: not read"
    return ""


def _filled(row: Row, place: Place, machine: str) -> Values:
    tag = decode_tag(row.tag or place.tag)
    named = identity(place, tag, machine)
    stands_in = row.step in STAND_INS and place.said_step
    step = place.said_step if stands_in else row.step or place.step
    range_ = split_range(step)[1]
    own = {RENAMED_DIMS.get(name, name): value for name, value in row.dims.items()}
    dims = dims_of(place, tag) | ({"range": range_} if range_ else {}) | own
    return {
        "line": row.line,
        "machine": machine or row.machine or named["machine"],
        "engine": row.engine or named["engine"],
        "version": _longer(row.version or tag.version, place.version),
        "build": row.build or named["build"],
        "config": row.config or named["config"],
        "tag": tag.raw,
        "step": step,
        "op": row.op,
        "metric": row.metric,
        "clock": row.clock,
        "unit": row.unit,
        "direction": row.direction,
        "dims": sorted(dims.items()),
        "main": row.main,
        "dop": row.dop or place.dop,
        "said_trial": place.trial if row.trial is None else row.trial,
        "value": row.value,
    }


def _longer(own: str, said: str) -> str:
    """A file's own version, but 15.19 where it only says 15."""
    return said if not own or said.startswith(f"{own}.") else own


def _of_now(table: pa.Table) -> pa.Table:
    """Figures of an earlier import; until its version 2 a trial of 0 was none."""
    if "trial" in table.column_names:
        trial = table["trial"]
        trial = pc.if_else(pc.equal(trial, 0), pa.scalar(None, pa.int64()), trial)
        table = table.drop("trial").append_column("said_trial", trial)
    return table.select(PARSED.names)


def in_one(tables: Iterable[pa.Table]) -> pa.Table:
    """Their rows in columns of one piece, which take the memory of their values alone."""
    return pa.concat_tables(tables).combine_chunks()


class ParsedWriter:
    """Figures to one Parquet file, in batches; close() before it is read."""

    def __init__(self, path: Path) -> None:
        self._writer = pq.ParquetWriter(path, PARSED, compression="zstd")
        self._held: list[pa.Table] = []
        self._count = 0

    def add(self, table: pa.Table) -> None:
        """Append a table of PARSED."""
        self._held.append(table)
        self._count += table.num_rows
        if self._count >= BATCH:
            self._flush()
        elif len(self._held) > FEW:
            self._held = [in_one(self._held)]

    def keep(self, old: Path, paths: Iterable[str]) -> None:
        """Take over the rows of some files from an earlier import."""
        chosen = pa.array(list(paths), pa.string())
        for batch in pq.ParquetFile(old).iter_batches(BATCH):
            self.add(_of_now(pa.table(batch.filter(pc.is_in(batch["path"], chosen)))))

    def close(self, generation: str) -> None:
        """Finish the file, marked as part of one state of the set."""
        self._flush()
        self._writer.add_key_value_metadata({GENERATION: generation})
        self._writer.close()

    def _flush(self) -> None:
        if self._held:
            self._writer.write_table(pa.concat_tables(self._held), BATCH)
        self._held, self._count = [], 0


def write_metric(
    parsed: Path,
    target: Path,
    set_name: str,
    ranks: Mapping[str, int],
    trial_named: Sequence[str] = (),
    runs: Mapping[str, str] | None = None,
) -> list[str]:
    """Number, name and order the parsed figures into a Parquet file of METRIC.

    ``ranks``: of the formats by name, raw output first. ``trial_named``: paths of files
    that say which trial they are of. ``runs``: of files that only a number tells apart,
    by path what does not. Returns a sentence for each figure that was left out because
    another format has another value for it.
    """
    limits = {"memory_limit": MEMORY_LIMIT, "temp_directory": str(target.parent)}
    connected = duckdb.connect(config=limits)  # type: ignore[arg-type]
    with without_progress_bar(connected) as connection:
        name = glob.escape(str(parsed))
        connection.read_parquet(name, file_row_number=True).create_view("parsed")
        table = pa.table({"format": list(ranks), "rank": list(ranks.values())})
        connection.register("formats", table)
        paths = pa.table({"path": pa.array(trial_named, pa.string())})
        connection.register("trial_named", paths)
        columns = zip(*(runs or {}).items(), strict=True) if runs else ((), ())
        connection.register("runs", pa.table(
            [pa.array(column, pa.string()) for column in columns], ["path", "run"]
        ))  # fmt: skip
        connection.execute(statement("imported_cells"))
        connection.execute(statement("imported_figures"))
        most = {"most": MOST_CONFLICTS}
        conflicts = connection.execute(statement("imported_conflicts"), most).fetchall()
        rows = connection.sql(statement("imported_rows"), params={"set": set_name})
        with pq.ParquetWriter(target, METRIC, compression="zstd") as writer:
            for batch in rows.to_arrow_reader(BATCH) or ():
                writer.write_table(pa.table(batch).cast(METRIC), BATCH)
    return [
        f"{path}:{line}: {metric} {value:g} is left out: {other_path}:{other_line} "
        f"has {other_value:g}"
        for path, line, metric, value, other_path, other_line, other_value in conflicts
    ]
