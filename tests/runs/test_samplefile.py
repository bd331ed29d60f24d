"""Samples by lines.c: the same records, rows and refusals as without a compiler."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import duckdb
import pytest
import zstandard
from damage import damaged
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from make_runs import START_NS, make_records

from benchbook.runs import driver_file
from benchbook.runs import samples as samplefile
from benchbook.runs.driver_file import Records, read_records
from benchbook.runs.records import RecordError
from benchbook.runs.samples import pieces, samples_of
from benchbook.sql import statement
from benchbook.store.rows import insert_samples
from benchformats.lines import lines
from benchmath.errors import UserError

pytestmark = pytest.mark.unit

SPEC = {
    "driver": "ingest", "engine": "null", "version": "1", "dop": 2, "seed": 42,
    "build": {"compiler": "gcc"},
}  # fmt: skip
ODD: dict[str, list[Any]] = {
    "step": ["", "l.i0", "é", "a b", 'a"b', "\\", "\x7f"],
    "op": ["insert", "scan", "inserts", ""],
    "t_ns": [0, 10**18 - 1, 10**18, 2**63 - 1, 2**63, -1, 1.0, None, "1"],
    "rows": [True, -0.0, 1e400, 1, 2**64],
    "clients": [[], [1], [1, 2], [10**18, 1], [-1], [1.5], 1, None],
    "kind": ["sample", "size"],
    "sub_bits": [0, 1, 2, 17, -1, None],
    "times": [
        [],
        [[5, 2]],
        [[7, 1], [5, 1]],
        [[5, 3]],
        [[5]],
        [[5, 1, 1]],
        [[-1, 2]],
        [[248, 2]],
        [5, 2],
        None,
    ],
    "more": [1],
}


TIMED = {"sub_bits": 2, "times": [[5, 1], [7, 1]]}  # response times of two operations


def sample(number: int = 0, **changes: Any) -> dict[str, Any]:
    """A second of two clients: what begins where the one before it ended."""
    return {
        "kind": "sample", "step": "l.i0", "op": "insert",
        "t_ns": START_NS + (number + 1) * 10**9, "interval_ns": 10**9, "ops": 2,
        "rows": 3, "max_ns": 4, "clients": [2, 1], **changes,
    }  # fmt: skip


def usual(record: dict[str, Any]) -> str:
    """As bench/common/record.c prints it, the last key the only list."""
    return json.dumps(record, separators=(",", ":"), ensure_ascii=False)


def spaced(record: dict[str, Any]) -> str:
    return json.dumps(record)


def turned(record: dict[str, Any]) -> str:
    """The kind first, the other keys in another order."""
    return usual({"kind": record["kind"], **dict(reversed(record.items()))})


def escaped(record: dict[str, Any]) -> str:
    return usual(record).replace("l.i0", "l\\u002ei0")


def file_of(samples: Iterable[str]) -> list[str]:
    """The lines of a whole file around so many samples of the usual size."""
    texts = list(samples)
    seconds = max(len(texts), 1)
    run, step, *others = make_records(SPEC, [("l.i0", "insert", 3 * seconds, seconds)])
    step |= {"ops": 2 * seconds}
    rest = [usual(one) for one in (step, *others) if one["kind"] != "sample"]
    return [usual(run), *texts, *rest]


@st.composite
def files(draw: st.DrawFn) -> str:
    """A file with samples, some of them odd, and perhaps damaged."""
    prints = st.sampled_from([usual, usual, spaced, turned, escaped])
    count = draw(st.integers(1, 8))
    times = TIMED if draw(st.booleans()) else {}
    texts = [draw(prints)(sample(number, **times)) for number in range(count)]
    if draw(st.booleans()):
        key = draw(st.sampled_from(sorted(ODD)))
        at = draw(st.integers(0, count - 1))
        change = {key: draw(st.sampled_from(ODD[key]))}
        texts[at] = draw(prints)(sample(at, **(times | change)))
    text = "\n".join(file_of(texts)) + draw(st.sampled_from(["\n", "", "\n\n"]))
    return draw(damaged(text)) if draw(st.booleans()) else text


def read(path: Path, compiler: bool = True) -> tuple[Records | str, list[Any]]:
    """The records, or why there are none, and the samples as they are stored."""
    with pytest.MonkeyPatch.context() as patch:
        if not compiler:
            patch.setattr(lines, "compiled", lambda _name: None)
        try:
            records = read_records(path)
        except UserError as error:
            return str(error), []
        connection = empty_store()
        insert_samples(connection, [(1, path, records.samples)])
        return records, connection.table("sample").fetchall()


def empty_store() -> duckdb.DuckDBPyConnection:
    """Without a sample; made once, because its schema takes longer than all the rest."""
    connection = made_store()
    connection.execute("DELETE FROM sample")
    return connection


@cache
def made_store() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(statement("schema"))
    return connection


@pytest.mark.slow
@settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=files())
def test_both_ways_give_the_same(tmp_path: Path, text: str):
    """Records, samples in their order, or the line at fault."""
    path = tmp_path / "driver.jsonl"
    path.write_bytes(text.encode())

    assert read(path, compiler=False) == read(path)


@pytest.mark.parametrize("prints", [usual, spaced])
@pytest.mark.parametrize("compiler", [True, False])
def test_a_null_is_no_missing_field(tmp_path: Path, prints: Any, compiler: bool):
    """Without response times a sample has no sub_bits, not an empty one."""
    path = tmp_path / "driver.jsonl"
    path.write_text("\n".join(file_of([prints(sample(0, sub_bits=None))])) + "\n")

    assert "sub_bits of a sample record is null" in str(read(path, compiler)[0])


@pytest.mark.parametrize("prints", [usual, spaced, turned, escaped])
@pytest.mark.parametrize("compiler", [True, False])
def test_any_json_of_a_sample_is_that_sample(tmp_path: Path, prints: Any, compiler: bool):
    """Blanks, order of keys and escapes do not matter."""
    path = tmp_path / "driver.jsonl"
    path.write_text("\n".join(file_of(prints(sample(n)) for n in range(3))) + "\n")
    records, rows = read(path, compiler)

    assert isinstance(records, Records)
    assert [START_NS + second * 10**9 for second in (1, 2, 3)] == [r[3] for r in rows]


@pytest.mark.parametrize("prints", [usual, spaced])
@pytest.mark.parametrize("compiler", [True, False])
def test_response_times_are_two_lists(tmp_path: Path, prints: Any, compiler: bool):
    """Buckets and counts of each sample, also where it has none."""
    path = tmp_path / "driver.jsonl"
    times = [[[5, 1], [7, 1]], [], [[0, 4]]]
    samples = [
        sample(n, sub_bits=2, times=pairs, ops=sum(count for _, count in pairs))
        for n, pairs in enumerate(times)
    ]
    path.write_text("\n".join(file_of(prints(one) for one in samples)) + "\n")
    _, rows = read(path, compiler)

    assert [(2, [5, 7], [1, 1]), (2, [], []), (2, [0], [4])] == [r[9:] for r in rows]


def test_samples_with_times_and_without_stay_in_their_order(tmp_path: Path):
    """Of two runs of lines each is of another shape."""
    path = tmp_path / "driver.jsonl"
    made = [sample(0), sample(1, **TIMED), sample(2), sample(3, **TIMED)]
    path.write_text("".join(usual(one) + "\n" for one in made))
    [table] = samples_of(path)

    assert [one["t_ns"] for one in made] == table["t_ns"].to_pylist()
    assert [None, [5, 7], None, [5, 7]] == table["buckets"].to_pylist()


def test_usual_samples_never_reach_python(tmp_path: Path):
    """Of three only the one with other blanks is handed on, with its number."""
    path = tmp_path / "driver.jsonl"
    odd = spaced(sample())
    path.write_text("\n".join([usual(sample()), odd, usual(sample())]) + "\n")
    [piece] = pieces(path)

    assert [1, 3] == piece.usual_at.tolist()
    assert [(2, odd.encode())] == list(piece.others())
    assert [3] == [table.num_rows for table in samples_of(path)]


@pytest.mark.parametrize("name", ["driver.jsonl", "driver.jsonl.zst"])
def test_many_samples_are_read_from_the_file_again(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
):
    """Samples too large to be kept: the same rows, and each line is read whole."""
    monkeypatch.setattr(driver_file, "HELD", 0)
    monkeypatch.setattr(samplefile, "BLOCK", 64)
    path = tmp_path / name
    texts = file_of(usual(sample(n, max_ns=n)) for n in range(50))
    data = ("\n".join(texts) + "\n").encode()
    path.write_bytes(zstandard.compress(data) if path.suffix == ".zst" else data)
    records, rows = read(path)

    assert isinstance(records, Records) and records.samples is None
    assert list(range(50)) == [row[7] for row in rows]


@pytest.mark.parametrize(
    ("at", "why"), [(0, "the first record is not run"), (99, "nothing follows its end")]
)
def test_a_sample_outside_the_run_is_named(tmp_path: Path, at: int, why: str):
    """Before the first record and after the last, though another line is worse."""
    path = tmp_path / "driver.jsonl"
    texts = file_of([usual(sample())])
    texts.insert(at, usual(sample()))
    path.write_text("\n".join([*texts, "{"]) + "\n")

    with pytest.raises(RecordError, match=f"line {min(at, 5) + 1}: .*{why}"):
        read_records(path)


def packed(path: Path, before: bytes, repeated: bytes, times: int) -> None:
    """A zstd file of a text and another so many times over, never whole in memory."""
    with path.open("wb") as file, zstandard.ZstdCompressor().stream_writer(file) as out:
        out.write(before)
        for _ in range(times):
            out.write(repeated)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("repeated", "times", "why"),
    [
        (b" " * 2**20, 17, "line 2: longer than the 16777216 bytes that a record may"),
        (b"\n" * 2**20, 8, "line 2: not a whole JSON object"),
        (b"[" * 2**20, 17, "line 2: longer than the 16777216 bytes that a record may"),
    ],
)
def test_a_bomb_is_refused_by_its_line(
    tmp_path: Path, repeated: bytes, times: int, why: str
):
    """What unpacks to a line without an end, or to lines of nothing, is not read on."""
    path = tmp_path / "driver.jsonl.zst"
    packed(path, file_of([])[0].encode() + b"\n", repeated, times)

    with pytest.raises(RecordError, match=why):
        read_records(path)


def test_what_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Good lines too: 20,000 equal notes of a kilobyte pack into a few."""
    monkeypatch.setattr(samplefile, "SMALL", 0)
    path = tmp_path / "driver.jsonl.zst"
    note = usual({"kind": "note", "step": "l.i0", "text": "x" * 1000}).encode()
    packed(path, file_of([])[0].encode() + b"\n", note + b"\n", 20_000)

    with pytest.raises(RecordError, match="unpacks to more than 250 times its size"):
        read_records(path)


def test_deeply_nested_lines_are_refused(tmp_path: Path):
    """Python's reader of JSON gives up; that is the line's fault."""
    path = tmp_path / "driver.jsonl"
    path.write_text(file_of([])[0] + "\n" + "[" * 200_000 + "\n")

    with pytest.raises(RecordError, match="line 2: nested too deeply"):
        read_records(path)
