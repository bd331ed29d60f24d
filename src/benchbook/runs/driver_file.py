"""Reading one driver.jsonl strictly: once, from its first line to its last.

A run may hold a million samples. samplefile.py makes a table of those that are exactly
as our drivers print them; every other line is checked here by itself. Such records are
few: of 164 runs they took 24 ms of the 1,430 that a load of them took. msgspec reads the
same lines in a sixth of that, but takes a key that stands twice, so it is not used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa

from benchbook.runs.record_checks import (
    MOST_SUB_BITS,
    ContradictionError,
    Numbered,
    Op,
    SampleSums,
    check_agreement,
    check_order,
)
from benchbook.runs.records import (
    SCHEMA,
    SCHEMAS,
    Kinds,
    Record,
    RecordError,
    check_record,
    kinds_of_file,
    parse,
)
from benchbook.runs.samples import (
    HELD,
    Piece,
    pieces,
    sample_row,
    size_of,
    with_odd,
)

AFTER_END = "a file holds one run, and nothing follows its end"


@dataclass(frozen=True)
class Records:
    """One checked file: its records by kind, in order.

    ``samples`` are its own, unless they are so many that they stay in the file.
    """

    run: Record
    steps: list[Record]
    hists: list[Record]
    statements: list[Record]
    recalls: list[Record]
    sizes: list[Record]
    uses: list[Record]
    waits: list[Record]
    notes: list[Record]
    outputs: list[Record]
    end: Record
    samples: list[pa.Table] | None = field(default=None, compare=False)


def read_records(path: Path) -> Records:
    """Check driver.jsonl or driver.jsonl.zst; RecordError names the line at fault."""
    file = _File()
    try:
        for piece in pieces(path):
            file.add(piece)
        file.finish()
    except ContradictionError as error:
        raise RecordError(f"{path.name} line {error.line}: {error}") from None
    records = {kind: [record for _, record in of] for kind, of in file.records.items()}
    return Records(
        run=records["run"][0],
        steps=records["step"],
        hists=records["hist"],
        statements=records["statement"],
        recalls=records["recall"],
        sizes=records["size"],
        uses=records["use"],
        waits=records["wait"],
        notes=records["note"],
        outputs=records["output"],
        end=records["end"][0],
        samples=file.samples,
    )


class _File:
    """What was read so far; ContradictionError names the first line at fault."""

    def __init__(self) -> None:
        self.records: dict[str, list[Numbered]] = {kind: [] for kind in SCHEMAS[SCHEMA]}
        self.samples: list[pa.Table] | None = []
        self._kinds: Kinds = {}
        self._steps: dict[Op, Record] = {}
        self._sums = SampleSums()
        self._last = 0

    def add(self, piece: Piece) -> None:
        """The next lines."""
        odd: list[Numbered] = []
        for number, line in piece.others():
            try:
                record = self._checked(line)
            except ValueError as error:
                self._place(piece.usual_at[piece.usual_at < number])
                raise ContradictionError(number, str(error)) from None
            if record["kind"] == "sample":
                odd.append((number, sample_row(record)))
            else:
                self.records[record["kind"]].append((number, record))
        self._place(piece.usual_at)
        self._last = piece.first + len(piece.lines) - 1
        self._keep(*with_odd(piece, odd))

    def finish(self) -> None:
        """All lines were there: whether the file is whole, and agrees with itself."""
        if not self.records["end"]:
            raise ContradictionError(self._last, "the file stops without an end record")
        [(line, end)] = self.records["end"]
        if end["status"] != "ok":
            raise ContradictionError(line, "the end record says the run failed")
        if (lines := end.get("lines", line)) != line:
            text = f"the end record says that it is line {lines}: there are others"
            raise ContradictionError(line, text)
        check_agreement(self.records, self._sums)

    def _checked(self, line: bytes) -> Record:
        record = parse(line)
        if not self.records["run"]:
            self._kinds = kinds_of_file(record)
        elif record.get("kind") == "run" or self.records["end"]:
            raise ValueError(AFTER_END)
        kind = check_record(record, self._kinds)
        if kind == "step":
            check_order(record, self._steps)
            self._steps[record["step"], record["op"]] = record
        elif kind == "hist":
            _check_hist(record)
        elif kind == "statement":
            _check_buckets("statement", record)
        return record

    def _place(self, samples_at: np.ndarray) -> None:
        """Samples stand between the first record and the last."""
        run = self.records["run"][0][0] if self.records["run"] else np.inf
        end = self.records["end"][0][0] if self.records["end"] else np.inf
        for outside, text in (
            (samples_at < run, "the first record is not run"),
            (samples_at > end, AFTER_END),
        ):
            if outside.any():
                raise ContradictionError(int(samples_at[np.argmax(outside)]), text)

    def _keep(self, samples: pa.Table, at: Iterable[int]) -> None:
        self._sums.add(samples, at)
        if self.samples is not None:
            self.samples.append(samples)
            if size_of(self.samples) > HELD:
                self.samples = None


def _check_hist(hist: Record) -> None:
    if hist["unit"] != "ns":
        raise ValueError(f"a hist in {hist['unit']!r} with sub_bits {hist['sub_bits']}")
    _check_buckets("hist", hist)


def _check_buckets(what: str, record: Record) -> None:
    """Buckets stand for values of less than 2**63, and all counts together fit too."""
    bits, pairs = record["sub_bits"], record["counts"]
    if not 1 <= bits <= MOST_SUB_BITS:
        raise ValueError(f"a {what} in 'ns' with sub_bits {bits}")
    if pairs and pairs[-1][0] >= (64 - bits) << bits:
        raise ValueError(f"index {pairs[-1][0]} of a {what} stands for no 63 bit number")
    if sum(count for _, count in pairs) >= 2**63:
        raise ValueError(f"the counts of a {what} do not fit 63 bits")
