"""Samples by lines.c: the same records, rows and refusals as by DuckDB and Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from make_runs import make_records

from benchbook.errors import UserError
from benchbook.formats.lines import lines
from benchbook.runs import samples as samplefile
from benchbook.runs.driver_file import Records, read_records
from benchbook.runs.samples import pieces, samples_of
from benchbook.sql import statement
from benchbook.store.rows import insert_samples

pytestmark = pytest.mark.unit

SPEC = {
    "driver": "ingest", "engine": "null", "version": "1", "dop": 2, "seed": 42,
    "build": {"compiler": "gcc"},
}  # fmt: skip
KEYS = ("kind", "step", "op", "t_ns", "interval_ns", "ops", "rows", "max_ns", "clients")
ODD: dict[str, list[Any]] = {
    "step": ["", "l.i0", "é", "a b", 'a"b', "\\", "\x7f"],
    "op": ["insert", "scan", "inserts", ""],
    "t_ns": [0, 10**18 - 1, 10**18, 2**63 - 1, 2**63, -1, 1.0, None, "1"],
    "clients": [[], [1], [1, 2], [10**18, 1], [-1], [1.5], 1, None],
}


def sample(**changes: Any) -> str:
    """A line as bench/common/record.c prints it, the last key the only list."""
    plain = dict(
        zip(KEYS, ("sample", "l.i0", "insert", 5, 1, 2, 3, 4, [1, 1]), strict=True)
    )
    return json.dumps(plain | changes, separators=(",", ":"), ensure_ascii=False)


def file_of(samples: list[str]) -> list[str]:
    """The lines of a whole file around these."""
    lines = [json.dumps(r) for r in make_records(SPEC, [("l.i0", "insert", 300, 3.0)])]
    return [lines[0], *samples, *lines[1:]]


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file with samples, some of them odd, and perhaps damaged."""
    odd = st.sampled_from(sorted(ODD)).flatmap(
        lambda key: st.builds(lambda v: sample(**{key: v}), st.sampled_from(ODD[key]))
    )
    spaced = st.builds(lambda: json.dumps(json.loads(sample())))
    plain = st.builds(lambda n: sample(ops=n), st.integers(0, 10**18 - 1))
    kinds = [plain, spaced, *([odd] if draw(st.booleans()) else [])]
    lines = file_of(draw(st.lists(st.one_of(*kinds), max_size=8)))
    text = "\n".join(lines) + draw(st.sampled_from(["\n", "", "\n\n"]))
    return draw(damaged(text)) if draw(st.booleans()) else text


def read(path: Path, compiler: bool = True) -> tuple[Records | str, list[Any]]:
    """The records, or why there are none, and the samples as they are stored."""
    with pytest.MonkeyPatch.context() as patch, duckdb.connect() as connection:
        if not compiler:
            patch.setattr(lines, "compiled", lambda _name: None)
        try:
            records = read_records(path, connection)
        except UserError as error:
            return str(error), []
        connection.execute(statement("schema"))
        insert_samples(connection, [("r", path, records.pieces)])
        return records, connection.table("sample").fetchall()


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=files())
def test_both_ways_give_the_same(tmp_path: Path, text: str):
    """Records, samples in their order, or the line at fault."""
    path = tmp_path / "driver.jsonl"
    path.write_bytes(text.encode())
    quick, slow = read(path), read(path, compiler=False)

    if "cannot be read" not in str(slow[0]):  # what DuckDB does not take for JSON
        assert slow == quick


def test_usual_samples_never_reach_python(tmp_path: Path):
    """Of three only the one with other blanks is handed on, with its number."""
    path = tmp_path / "driver.jsonl"
    odd = json.dumps(json.loads(sample()))
    path.write_text("\n".join([sample(), odd, sample()]) + "\n")
    [piece] = pieces(path)

    assert [1, 3] == piece.samples_at.tolist()
    assert [(2, odd.encode())] == piece.others
    assert 3 == samples_of(piece).num_rows


@pytest.mark.parametrize("name", ["driver.jsonl", "driver.jsonl.zst"])
def test_many_samples_are_read_from_the_file_again(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
):
    """Pieces too large to be kept: the same rows, and each line is read whole."""
    monkeypatch.setattr(samplefile, "HELD", 0)
    monkeypatch.setattr(samplefile, "BLOCK", 64)
    path = tmp_path / name
    data = ("\n".join(file_of([sample(ops=n) for n in range(50)])) + "\n").encode()
    packed = zstandard.ZstdCompressor().compress(data)
    path.write_bytes(packed if path.suffix == ".zst" else data)
    records, rows = read(path)

    assert isinstance(records, Records) and records.pieces is None
    assert list(range(50)) == [row[5] for row in rows][:50]
