"""Many small files: what is held of them until it is written."""

import pyarrow as pa
import pytest

from benchbook.imports.rows import ParsedWriter, table_of
from benchbook.imports.series import SeriesWriter
from benchformats.names import Place
from benchformats.parsed import Row

pytestmark = pytest.mark.unit

FILES = 3000
ENOUGH = 4_000_000  # bytes; a table of one row takes some 20 KB


def test_figures_take_the_memory_of_their_rows(tmp_path):
    """Not that of as many tables."""
    table, _ = table_of([Row(1, "scan", "qps", 1.0, "queries/s", "higher")], "f", "go",
                        Place(), "m")  # fmt: skip
    writer = ParsedWriter(tmp_path / "rows.parquet")
    before = pa.total_allocated_bytes()
    for _ in range(FILES):
        writer.add(pa.table([c.take(pa.array([0])) for c in table.columns], table.schema))

    assert ENOUGH > pa.total_allocated_bytes() - before
    writer.close("g")
    assert FILES == pa.parquet.read_metadata(tmp_path / "rows.parquet").num_rows


def test_series_take_the_memory_of_their_rows(tmp_path):
    """Their words are dictionaries, of which each file has its own."""
    writer = SeriesWriter(tmp_path / "series.parquet")
    before = pa.total_allocated_bytes()
    for number in range(FILES):
        words = pa.DictionaryArray.from_arrays([0], [f"file {number}"])
        writer.add(pa.table({"path": words, "value": pa.array([1.0])}))

    assert ENOUGH > pa.total_allocated_bytes() - before
    assert FILES == writer.close("g")
    paths = pa.parquet.read_table(tmp_path / "series.parquet")["path"]
    assert FILES == len(paths.unique())
