"""Reading one driver.jsonl strictly, quickly where nothing is wrong.

A run may hold a million samples. lines.c passes over those that are exactly as our
drivers print them, or DuckDB where there is no compiler; Python checks every other line.
Only where something is wrong are all lines read one by one, to name the line.
"""

from __future__ import annotations

import glob
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import duckdb
import zstandard

from benchbook.formats.lines.shapes import available
from benchbook.runs.records import (
    SCHEMA,
    SCHEMAS,
    Record,
    RecordError,
    check_record,
    kinds_of_file,
    parse,
)
from benchbook.runs.samples import Piece, added, open_lines, pieces
from benchbook.sql import first_line, statement

CHUNK = 1 << 20
LONGEST_END = 1 << 16  # bytes of the last line that are looked at
MOST_SUB_BITS = 16


@dataclass(frozen=True)
class Records:
    """One checked file: its records by kind, in order.

    ``pieces`` has its samples, unless they are so many that they stay in the file.
    """

    run: Record
    steps: list[Record]
    hists: list[Record]
    sizes: list[Record]
    uses: list[Record]
    waits: list[Record]
    notes: list[Record]
    outputs: list[Record]
    pieces: list[Piece] | None = field(default=None, compare=False)


def read_records(path: Path, connection: duckdb.DuckDBPyConnection) -> Records:
    """Check driver.jsonl or driver.jsonl.zst; RecordError names the line at fault."""
    refused = ""
    try:
        if not available():
            if lines := _by_duckdb(path, connection):
                return _check(path.name, lines)
        elif found := _unusual(path):
            return replace(_check(path.name, found[0]), pieces=found[1])
    except duckdb.Error as error:
        refused = first_line(error)
    except (RecordError, zstandard.ZstdError):
        pass  # raised again below, with the line's number
    records = _check(path.name, _numbered(path))
    if refused:
        raise RecordError(f"{path.name} cannot be read: {refused}")
    return records


def _unusual(
    path: Path,
) -> tuple[list[tuple[int, bytes]], list[Piece] | None] | None:
    """Lines that are no usual samples, and the pieces if they are small enough to keep.

    None where the file begins or ends with a sample: that is an error to be named.
    """
    lines: list[tuple[int, bytes]] = []
    samples: list[int] = []
    kept: list[Piece] | None = []
    for piece in pieces(path):
        lines += piece.others
        if len(piece.samples_at):
            samples += [int(piece.samples_at[0]), int(piece.samples_at[-1])]
        kept = added(kept, piece)
    if not lines or (
        samples and not lines[0][0] < samples[0] <= samples[-1] < lines[-1][0]
    ):
        return None
    return lines, kept


def _by_duckdb(
    path: Path, connection: duckdb.DuckDBPyConnection
) -> list[tuple[int, str]]:
    """The same without lines.c; their numbers are those among the lines found."""
    file = {"file": glob.escape(str(path))}
    unusual = connection.execute(statement("unusual_lines"), file).fetchall()
    lines = [line for (line,) in unusual]
    whole = lines and _first_and_last_line(path) == (lines[0], lines[-1])
    return list(enumerate(lines, 1)) if whole else []


def _check(
    name: str, lines: Iterable[tuple[int, str]] | Iterable[tuple[int, bytes]]
) -> Records:
    """The records of numbered lines; the first line at fault raises RecordError."""
    found: dict[str, list[Record]] = {kind: [] for kind in SCHEMAS[SCHEMA]}
    number, kind, kinds = 0, "", SCHEMAS[SCHEMA]
    for number, line in lines:
        try:
            record = parse(line)
            if not kind:
                kinds = kinds_of_file(record)
            elif record.get("kind") == "run" or kind == "end":
                raise ValueError("a file holds one run, and nothing follows its end")
            kind = check_record(record, kinds)
            if kind == "step":
                _check_order(record, found["step"])
            elif kind == "hist":
                _check_hist(record)
        except ValueError as error:
            raise RecordError(f"{name} line {number}: {error}") from None
        if kind != "sample":
            found[kind].append(record)
    if kind != "end":
        raise RecordError(f"{name} line {number}: the file stops without an end record")
    if found["end"][0]["status"] != "ok":
        raise RecordError(f"{name} line {number}: the end record says the run failed")
    _check_main(name, found["step"])
    return Records(
        run=found["run"][0],
        steps=found["step"],
        hists=found["hist"],
        sizes=found["size"],
        uses=found["use"],
        waits=found["wait"],
        notes=found["note"],
        outputs=found["output"],
    )


def _check_order(step: Record, before: list[Record]) -> None:
    """Steps come in order of seq; only the ops of one step share a number."""
    if step["end_ns"] < step["start_ns"]:
        raise ValueError(f"step {step['step']} ends before it starts")
    last = before[-1] if before else {"seq": 0, "step": None}
    same = step["step"] == last["step"]
    if (step["seq"] != last["seq"]) if same else (step["seq"] <= last["seq"]):
        raise ValueError(
            f"seq {step['seq']} of step {step['step']} does not ascend: "
            f"the step before has {last['seq']}"
        )
    if any(s["step"] == step["step"] and s["op"] == step["op"] for s in before):
        raise ValueError(f"a second record for step {step['step']}, op {step['op']}")


def _check_hist(hist: Record) -> None:
    """Buckets stand for values of less than 2**63, and all counts together fit too."""
    bits, pairs = hist["sub_bits"], hist["counts"]
    if hist["unit"] != "ns" or not 1 <= bits <= MOST_SUB_BITS:
        raise ValueError(f"a hist in {hist['unit']!r} with sub_bits {bits}")
    if pairs and pairs[-1][0] >= (64 - bits) << bits:
        raise ValueError(f"index {pairs[-1][0]} of a hist stands for no 63 bit number")
    if sum(count for _, count in pairs) >= 2**63:
        raise ValueError("the counts of a hist do not fit 63 bits")


def _check_main(name: str, steps: list[Record]) -> None:
    mains = {step["step"]: 0 for step in steps}
    for step in steps:
        mains[step["step"]] += step["main"]
    for step, count in mains.items():
        if count != 1:
            raise RecordError(f"{name}: step {step} has {count} main ops, not one")


def _first_and_last_line(path: Path) -> tuple[str, str]:
    with open_lines(path) as file:
        first = tail = file.read(CHUNK)
        if path.suffix != ".zst":
            file.seek(max(len(first), path.stat().st_size - LONGEST_END))
        while chunk := file.read(CHUNK):
            tail = (tail + chunk)[-LONGEST_END:]
    first = first.partition(b"\n")[0]
    last = tail.rstrip(b"\n").rpartition(b"\n")[2]
    return first.decode(errors="replace"), last.decode(errors="replace")


def _numbered(path: Path) -> Iterator[tuple[int, bytes]]:
    rest, number = b"", 0
    try:
        with open_lines(path) as file:
            while chunk := file.read(CHUNK):
                *lines, rest = (rest + chunk).split(b"\n")
                for line in lines:
                    number += 1
                    yield number, line
    except zstandard.ZstdError as error:
        raise RecordError(
            f"{path.name} is damaged after line {number}: {error}"
        ) from None
    if rest:
        yield number + 1, rest
