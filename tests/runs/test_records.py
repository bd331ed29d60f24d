"""Checking driver.jsonl: what is a record, and which line is at fault."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import zstandard
from make_runs import START_NS, make_records

from benchbook.runs.driver_file import Records, read_records
from benchbook.runs.records import RecordError

pytestmark = pytest.mark.unit

SPEC = {
    "driver": "ingest", "engine": "null", "version": "1", "dop": 1, "seed": 42,
    "build": {"compiler": "gcc"},
}  # fmt: skip
STEPS = [("l.i0", "insert", 300, 3.0), ("q100.1", "query", 50, 1.0)]


def lines(**changes: Any) -> list[dict[str, Any]]:
    """run, step, 3 samples, size, step, sample, size, hist, end: 11 lines."""
    found = make_records(SPEC, STEPS, hists={"l.i0/insert": [[5, 10], [130, 1]]})
    found[1] |= changes
    return found


def write(folder: Path, records: list[Any], end: str = "\n") -> Path:
    path = folder / "driver.jsonl"
    texts = [r if isinstance(r, str) else json.dumps(r) for r in records]
    path.write_text("\n".join(texts) + end)
    return path


def read(path: Path) -> Records:
    return read_records(path)


def refusal(path: Path) -> str:
    with pytest.raises(RecordError) as error:
        read(path)
    return str(error.value)


def test_a_whole_file_is_read_by_kind(tmp_path: Path):
    """Steps, hists and sizes come back in order; samples stay in the file."""
    found = read(write(tmp_path, lines()))

    assert "null" == found.run["engine"]
    assert ["l.i0", "q100.1"] == [step["step"] for step in found.steps]
    assert [[[5, 10], [130, 1]]] == [hist["counts"] for hist in found.hists]
    assert [4096, 4096] == [size["bytes"] for size in found.sizes]


def test_a_compressed_file_reads_the_same(tmp_path: Path):
    """driver.jsonl.zst is read directly and gives the same records."""
    plain = write(tmp_path, lines())
    packed = tmp_path / "driver.jsonl.zst"
    packed.write_bytes(zstandard.compress(plain.read_bytes()))

    assert read(plain) == read(packed)


def test_begins_and_waits_are_records(tmp_path: Path):
    """Steps that begin are read over; sessions come back by state."""
    begin = {"kind": "begin", "step": "l.i0", "t_ns": START_NS}
    wait = begin | {"kind": "wait", "sessions": {"running": 2}}
    first, *others = lines()

    assert [wait] == read(write(tmp_path, [first, begin, wait, *others])).waits


def test_a_wait_counts_sessions(tmp_path: Path):
    """A state without a number is refused with its line."""
    wait = {"kind": "wait", "step": "l.i0", "t_ns": 5, "sessions": {"running": "x"}}
    first, *others = lines()

    assert (
        'driver.jsonl line 2: sessions of a wait record is {"running": "x"}, not an '
        "object of counts"
    ) == refusal(write(tmp_path, [first, wait, *others]))


def test_keys_may_come_in_any_order(tmp_path: Path):
    """A sample whose keys stand in another order is the same sample."""
    found = lines()
    found[2] = dict(reversed(found[2].items()))

    assert 2 == len(read(write(tmp_path, found)).steps)


def test_a_corrupt_line_is_named(tmp_path: Path):
    """A line cut in the middle is refused with file and line."""
    found: list[Any] = lines()
    found[3] = json.dumps(found[3])[:30]

    assert (
        "driver.jsonl line 4: not a whole JSON object (Unterminated string starting at, "
        "column 28)"
    ) == refusal(write(tmp_path, found))


def test_a_corrupt_line_of_a_compressed_file_is_named(tmp_path: Path):
    """The number of the line is that of the text inside."""
    found: list[Any] = lines()
    found[3] = "{"
    packed = tmp_path / "driver.jsonl.zst"
    packed.write_bytes(zstandard.compress(write(tmp_path, found).read_bytes()))

    assert refusal(packed).startswith("driver.jsonl.zst line 4: not a whole JSON object")


def test_bytes_that_are_not_text_are_named(tmp_path: Path):
    """A damaged byte inside a sample is refused with its line."""
    path = write(tmp_path, lines())
    content = path.read_bytes().split(b"\n")
    content[4] = content[4].replace(b"insert", b"ins\xffrt")
    path.write_bytes(b"\n".join(content))

    assert "driver.jsonl line 5: not UTF-8 text" == refusal(path)


def test_a_truncated_file_is_refused(tmp_path: Path):
    """A file whose driver was killed has no end record."""
    path = write(tmp_path, lines()[:-1])

    assert "driver.jsonl line 10: the file stops without an end record" == refusal(path)


def test_an_empty_file_is_refused(tmp_path: Path):
    """A file of nothing has no end record either."""
    path = write(tmp_path, [], end="")

    assert "driver.jsonl line 0: the file stops without an end record" == refusal(path)


def test_the_first_record_must_be_run(tmp_path: Path):
    """Nothing can be read before the schema is known."""
    assert "driver.jsonl line 1: the first record is not run" == refusal(
        write(tmp_path, lines()[1:])
    )


def test_nothing_may_follow_the_end(tmp_path: Path):
    """Two runs in one file are refused at the first line of the second."""
    path = write(tmp_path, [*lines(), *lines()])

    assert refusal(path).startswith("driver.jsonl line 12: a file holds one run")


def test_a_failed_end_is_refused(tmp_path: Path):
    """An end record that says failed makes no finished run."""
    found = lines()
    found[-1] |= {"status": "failed"}

    assert refusal(write(tmp_path, found)).endswith("the end record says the run failed")


def test_a_newer_schema_is_refused(tmp_path: Path):
    """Schema 2 is not guessed at."""
    found = lines()
    found[0] |= {"schema": 2}

    assert (
        "driver.jsonl line 1: schema 2 is newer than 1, the newest known here: "
        "update Benchbook"
    ) == refusal(write(tmp_path, found))


@pytest.mark.parametrize("schema", [0, "1", [1], True, None])
def test_a_schema_that_never_was_is_refused(tmp_path: Path, schema: object):
    """The schema is a number, and there is none before 1."""
    found = lines()
    found[0] |= {"schema": schema}

    assert f"driver.jsonl line 1: there is no schema {json.dumps(schema)}" == refusal(
        write(tmp_path, found)
    )


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"speed": 1}, "unknown key 'speed' in a step record"),
        ({"rows": -1}, "rows of a step record is -1, not a count or null"),
        ({"rows": "300"}, 'rows of a step record is "300", not a count or null'),
        ({"seq": 1.5}, "seq of a step record is 1.5, not a whole number of 0 or more"),
        ({"seq": True}, "seq of a step record is true, not a whole number of 0 or more"),
        ({"main": 1}, "main of a step record is 1, not true or false"),
        ({"op": "update"}, 'op of a step record is "update", not one of insert, delete, '
         "query, transaction, index, scan, bytes, run"),
        ({"end_ns": 1}, "step l.i0 ends before it starts"),
        ({"kind": "stop"}, "unknown kind 'stop'"),
    ],
)  # fmt: skip
def test_a_wrong_step_is_refused(tmp_path: Path, change: dict[str, Any], message: str):
    """Unknown keys and kinds, wrong types, impossible times: each with its line."""
    assert f"driver.jsonl line 2: {message}" == refusal(write(tmp_path, lines(**change)))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"rows": "5"},
            'rows of a sample record is "5", not a whole number of 0 or more',
        ),
        (
            {"rows": 5.0},
            "rows of a sample record is 5.0, not a whole number of 0 or more",
        ),
        (
            {"clients": [None]},
            "clients of a sample record is [null], not a list of counts",
        ),
        ({"note": ""}, "unknown key 'note' in a sample record"),
    ],
)
def test_a_wrong_sample_is_refused(tmp_path: Path, change: dict[str, Any], message: str):
    """Samples are as strictly read as all else, though Python sees few of them."""
    found = lines()
    found[3] |= change

    assert f"driver.jsonl line 4: {message}" == refusal(write(tmp_path, found))


def test_a_missing_key_is_refused(tmp_path: Path):
    """A step without its end is not guessed at."""
    found = lines()
    del found[1]["end_ns"]

    assert "driver.jsonl line 2: a step record without end_ns" == refusal(
        write(tmp_path, found)
    )


def test_a_key_that_stands_twice_is_refused(tmp_path: Path):
    """JSON readers disagree about which of two values counts."""
    found: list[Any] = lines()
    found[5] = '{"kind":"size","step":"l.i0","bytes":1,"bytes":2}'

    assert "driver.jsonl line 6: a key stands twice" == refusal(write(tmp_path, found))


@pytest.mark.parametrize("seq", [1, 3])
def test_steps_are_numbered_one_by_one(tmp_path: Path, seq: int):
    """The second step with the first one's number or with the third's is refused."""
    found = lines()
    found[6] |= {"seq": seq}

    assert (
        f"driver.jsonl line 7: seq {seq} of step q100.1 does not follow: the step before "
        "has 1"
    ) == refusal(write(tmp_path, found))


def test_a_step_has_one_main_op(tmp_path: Path):
    """A step whose only op is not main has no throughput."""
    assert "driver.jsonl line 2: step l.i0 has 0 main ops, not one" == refusal(
        write(tmp_path, lines(main=False))
    )


def test_histogram_indexes_must_ascend(tmp_path: Path):
    """Buckets out of order cannot be added up to a percentile."""
    found = lines()
    found[9] |= {"counts": [[130, 1], [5, 10]]}

    assert (
        "driver.jsonl line 10: counts of a hist record is [[130, 1], [5, 10]], "
        "out of order at index 5"
    ) == refusal(write(tmp_path, found))


def test_histogram_indexes_must_stand_for_a_number(tmp_path: Path):
    """With 7 sub bits, 57 * 128 is the first index beyond 63 bits."""
    found = lines()
    found[9] |= {"counts": [[57 * 128, 1]]}

    assert (
        "driver.jsonl line 10: index 7296 of a hist stands for no 63 bit number"
    ) == refusal(write(tmp_path, found))


def test_half_a_character_is_refused(tmp_path: Path):
    """A lone surrogate is JSON, but no text that could be stored."""
    found = lines()
    found[0] |= {"engine": "\ud800"}

    assert "driver.jsonl line 1: not UTF-8 text" == refusal(write(tmp_path, found))


def test_counters_from_a_tools_output_are_null(tmp_path: Path):
    """A shell driver leaves ops, rows and bytes to the loader."""
    found = read(write(tmp_path, lines(ops=None, rows=None, bytes=None)))

    assert found.steps[0]["ops"] is None
