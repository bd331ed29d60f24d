"""turns.jsonl: what one arm of a session did in each of its turns.

The referee (bench/referee/) writes it, not the driver, so what the two say of a step has
to agree. Unlike a sidecar it decides whether its run counts: ratios are made of turns.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchbook.runs.folder import Evidence, RunError
from benchbook.runs.record_checks import (
    MOST_CPUS,
    ContradictionError,
    Op,
    exact_sum,
    op_codes,
    refuse,
)
from benchbook.runs.records import Kinds, Record, RecordError, parse
from benchbook.runs.samples import of_known_ops, pieces, with_odd
from benchbook.runs.sidecar_records import check_line
from benchformats.lines.shapes import Integer, Rows, Shape, Text, read_shape

FILES = ("turns.jsonl", "turns.jsonl.zst")
FROZEN = ("cgroup", "stop")
# How long the referee waits for an arm to stand still; what a driver reads at the start
# and the end of a step stays far below it too.
PATIENCE_NS = 1_000_000_000
MOST_TURNS = 100  # turn_ms that one turn may take, on a machine that is busy
THAW_SHARE = 10  # a tenth of a step may pass between thawing an arm and counting its turn

_COUNTS = ("active_ns", "head_ns", "ops", "rows", "head_ops", "client_cpu_ns",
           "server_cpu_ns", "machine_cpu_ns", "steal_ns")  # fmt: skip
_OF_TURN = ("seq", "place", "begin_ns", "active_ns", "head_ns", "client_cpu_ns",
            "server_cpu_ns", "machine_cpu_ns", "steal_ns", "others_ns",
            "kernel_ns")  # fmt: skip
_OTHERS = ("others_ns", "kernel_ns")  # not in older files
_CPU = ("client_cpu_ns", "server_cpu_ns", "machine_cpu_ns", "steal_ns")
KINDS: Kinds = {
    "session": {
        "kind": "text", "schema": "count", "id": "text", "arm": "count", "arms": "count",
        "turn_ms": "count", "seed": "word", "quiet": "count?", "frozen": "text",
    },
    "machine": {
        "kind": "text", "step": "text", "seq": "count", "when": "text",
        "work_ns": "count", "busiest": "text", "busiest_ns": "count",
    },
    "turn": {
        "kind": "text", "step": "text", "seq": "count", "op": "op", "round": "count",
        "place": "count", "begin_ns": "count", **dict.fromkeys(_COUNTS, "count"),
        **dict.fromkeys(_OTHERS, "count?"), "outside_ns": "count?",
    },
}  # fmt: skip
_SHAPE = Shape((
    b'{"kind":"turn","step":"', Text("step"), b'","seq":', Integer("seq"),
    b',"op":"', Text("op"), b'","round":', Integer("round"), b',"place":',
    Integer("place"), b',"begin_ns":', Integer("begin_ns"),
    *(part for name in (*_COUNTS, *_OTHERS)
      for part in (f',"{name}":'.encode(), Integer(name))),
    b"}\n",
))  # fmt: skip


@dataclass(frozen=True)
class Turns:
    """A checked file: its first line, a row per turn and op, and before and after steps.

    ``machine`` are the records of that kind, which schema 1 has not.
    """

    session: Record
    table: pa.Table
    machine: tuple[Record, ...] = ()


def turns_of(evidence: Evidence, steps: Sequence[Record]) -> Turns | None:
    """The turns of a run that was an arm of a session; None of one that ran alone.

    ``steps`` are the driver's records of its steps.
    """
    name = next((n for n in FILES if n in evidence.names), None)
    session = evidence.spec.get("session")
    if session and not name:
        raise RunError(
            f"spec.json names the session {session}, but here is no {FILES[0]}"
        )
    if name and not session:
        raise RunError(f"{name} is here, but spec.json names no session")
    if not name:
        return None
    asked = {"id": session, "turn_ms": evidence.spec.get("turn_ms")}
    return read_turns(evidence.run.path / name, asked, steps)


def read_turns(path: Path, asked: Mapping[str, Any], steps: Sequence[Record]) -> Turns:
    """Check turns.jsonl or turns.jsonl.zst; RecordError names the line at fault.

    ``asked`` is what the first line has to say, ``steps`` what the driver says it did.
    """
    try:
        session, table, at, machine, whole = _read(path)
        _check_session(session, asked)
        _check_each(session, table, at, whole)
        _check_order(table, at)
        _check_steps(table, at, steps, session["turn_ms"])
        _check_machine(machine, steps)
    except ContradictionError as error:
        raise RecordError(f"{path.name} line {error.line}: {error}") from None
    return Turns(session, table, tuple(record for _, record in machine))


def _turns_among(lines: pa.StringArray) -> Rows:
    return of_known_ops(*read_shape(lines, _SHAPE))


Numbered = list[tuple[int, Record]]


def _read(path: Path) -> tuple[Record, pa.Table, np.ndarray, Numbered, bool]:
    """The first line, turns as a table with the numbers of their lines, other records.

    Last, do turns end with an operation, however long that takes?
    """
    session: Record | None = None
    tables, at = [], []
    machine: Numbered = []
    whole = False
    for piece in pieces(path, _turns_among):
        if session is None:
            session = _session(*next(piece.others(), (0, b"")))
        odd: Numbered = []
        for number, line in piece.others():
            if number > 1:
                record = _later(number, line)
                (odd if record["kind"] == "turn" else machine).append((number, record))
        whole |= any(record.get("outside_ns") is not None for _, record in odd)
        table, numbers = with_odd(piece, odd)
        tables.append(table)
        at.append(numbers)
    if session is None:
        raise ContradictionError(1, "the file is empty")
    table, numbers = pa.concat_tables(tables), np.concatenate(at)
    if not len(table):
        raise ContradictionError(1, "the session has no turn")
    return session, table, numbers, machine, whole


def _session(number: int, line: bytes) -> Record:
    """What the first line says, which is no turn."""
    record = _checked(1, line) if number == 1 else {}
    if record.get("kind") != "session":
        raise ContradictionError(1, "the first line is not of the kind session")
    return record


def _later(number: int, line: bytes) -> Record:
    record = _checked(number, line)
    if record["kind"] == "session":
        raise ContradictionError(number, "a file has one first line")
    return record


def _checked(number: int, line: bytes) -> Record:
    try:
        record = parse(line)
        check_line(record, KINDS)
    except ValueError as error:
        raise ContradictionError(number, str(error)) from None
    return record


def _check_session(session: Record, asked: Mapping[str, Any]) -> None:
    for key, value in asked.items():
        if session[key] != value:
            name = "session" if key == "id" else key
            text = f"the {name} is {session[key]}, spec.json says {value}"
            raise ContradictionError(1, text)
    if not 1 <= session["arm"] <= session["arms"]:
        text = f"arm {session['arm']} of {session['arms']} arms"
        raise ContradictionError(1, text)
    if session["frozen"] not in FROZEN:
        text = f"frozen is {session['frozen']!r}, not one of {', '.join(FROZEN)}"
        raise ContradictionError(1, text)


def _columns(table: pa.Table, *names: str) -> list[np.ndarray]:
    return [table[name].to_numpy() for name in names]


def _check_each(session: Record, table: pa.Table, at: np.ndarray, whole: bool) -> None:
    """What a line says of itself."""
    turn_ms, arms = session["turn_ms"], session["arms"]
    round_, place, active, head = _columns(
        table, "round", "place", "active_ns", "head_ns"
    )
    ops, head_ops = _columns(table, "ops", "head_ops")
    longest = MOST_TURNS * turn_ms * 1_000_000 + PATIENCE_NS
    for wrong, text in (
        (round_ == 0, "round 0: the first one of a step is 1"),
        (place >= arms, f"a place of {arms} or more in a round of {arms} arms"),
        (active == 0, "a turn that takes no time"),
        (
            (active > longest) & (not whole),
            f"a turn of more than {longest} ns: turn_ms is {turn_ms}",
        ),
        (head > active, "a turn whose first tenth is longer than the turn"),
        (head_ops > ops, "a turn with more ops in its first tenth than in all"),
    ):
        refuse(at, wrong, text)
    most = MOST_CPUS * (active + PATIENCE_NS)
    for name in (*_CPU, *_OTHERS):
        took = table[name].fill_null(0).to_numpy()
        refuse(at, took > most, f"a turn with more {name} than {MOST_CPUS} CPUs have")


def _check_order(table: pa.Table, at: np.ndarray) -> None:
    """Lines of one turn agree; a turn begins after the one before, in a later round."""
    ops = table["op"].combine_chunks().dictionary_encode().indices.to_numpy()
    steps = table["step"].combine_chunks().dictionary_encode().indices.to_numpy()
    round_, seq, begin, active = _columns(table, "round", "seq", "begin_ns", "active_ns")
    same_step = steps[1:] == steps[:-1]
    same_turn = same_step & (round_[1:] == round_[:-1])
    for name in _OF_TURN:
        of_turn = table[name].fill_null(-1).to_numpy()
        differ = same_turn & (of_turn[1:] != of_turn[:-1])
        refuse(at[1:], differ, f"the ops of one turn have different {name}")
    turns = np.concatenate(([0], np.cumsum(~same_turn)))
    _, first = np.unique(turns * (ops.max() + 1) + ops, return_index=True)
    twice = np.ones(len(ops), bool)
    twice[first] = False
    refuse(at, twice, "a second line of one op and turn")
    first_of_step = np.concatenate(([True], ~same_step))
    last = np.where(first_of_step, 0, np.concatenate(([0], round_[:-1])))
    same = np.concatenate(([False], same_turn))
    refuse(at, ~same & (round_ != last + 1), "its round does not follow the one before")
    back = ~same_step & (seq[1:] <= seq[:-1])
    refuse(at[1:], back, "its step is not later than that of the turn before")
    within = ~same_turn & (begin[1:] - begin[:-1] < active[:-1])
    refuse(at[1:], within, "a turn begins before the one before it has ended")


def _check_steps(
    table: pa.Table, at: np.ndarray, steps: Iterable[Record], turn_ms: int
) -> None:
    """The turns of a step are all that the driver did in it, and all the time it took."""
    codes, names = op_codes(table)
    lines_of = {names[code]: np.flatnonzero(codes == code) for code in np.unique(codes)}
    records: dict[Op, Record] = {(s["step"], s["op"]): s for s in steps}
    for op, rows in lines_of.items():
        if op not in records:
            text = f"a turn of step {op[0]}, op {op[1]}, which has no record"
            raise ContradictionError(int(at[rows[0]]), text)
    for op, step in records.items():
        if op not in lines_of and not step["ops"]:
            continue  # l.x where no index is asked for: nobody works in it
        if op not in lines_of:
            text = f"no turn of step {op[0]}, op {op[1]}"
            raise ContradictionError(int(at[-1]), text)
        rows = lines_of[op]
        line, turns = int(at[rows[0]]), table.take(rows)
        _check_sums(line, step, turns)
        _check_time(line, step, turns, turn_ms)
    _check_ops_of_turns(at, lines_of)


def _check_machine(machine: Numbered, steps: Iterable[Record]) -> None:
    """Once before and once after each step that there is, and work takes time."""
    places = {(step["step"], step["seq"]) for step in steps}
    told: set[tuple[str, int, str]] = set()
    for number, record in machine:
        place = record["step"], record["seq"]
        if place not in places:
            text = f"the machine around step {record['step']}, which has no record"
        elif record["when"] not in ("before", "after"):
            text = f"when is {record['when']!r}, not before or after"
        elif (*place, record["when"]) in told:
            text = f"a second line of the machine {record['when']} step {record['step']}"
        elif not record["work_ns"]:
            text = "work that takes no time"
        else:
            told.add((*place, record["when"]))
            continue
        raise ContradictionError(number, text)
    for step, seq in places if machine else ():
        if not {(step, seq, "before"), (step, seq, "after")} <= told:
            text = f"the machine around step {step} is not told before and after it"
            raise ContradictionError(machine[-1][0], text)


def _check_sums(line: int, step: Record, turns: pa.Table) -> None:
    """Exactly: an arm is at rest when its turns are read.

    Its counters begin at 0 with the step, and it says that the step is over when its last
    worker has ended, before that turn is over. More in the record than in the turns was
    done while the arm should have been frozen.
    """
    [seq] = _columns(turns, "seq")
    if (seq != step["seq"]).any():
        text = f"step {step['step']} has another seq than its record"
        raise ContradictionError(line, text)
    for key in ("ops", "rows"):
        [counts] = _columns(turns, key)
        if step[key] is not None and exact_sum(counts) != step[key]:
            text = (
                f"the turns of step {step['step']}, op {step['op']} have "
                f"{exact_sum(counts)} {key}, its record {step[key]}"
            )
            raise ContradictionError(line, text)


def _check_time(line: int, step: Record, turns: pa.Table, turn_ms: int) -> None:
    """About: turns begin before a step and end after it; an arm thaws before its turn."""
    [active] = _columns(turns, "active_ns")
    took, total = step["end_ns"] - step["start_ns"], exact_sum(active)
    turn_ns = turn_ms * 1_000_000
    if not took - took // THAW_SHARE - turn_ns <= total <= took + turn_ns + PATIENCE_NS:
        text = f"the turns of step {step['step']} take {total} ns, the step {took}"
        raise ContradictionError(line, text)


def _check_ops_of_turns(at: np.ndarray, lines_of: Mapping[Op, np.ndarray]) -> None:
    """Each turn of a step has a line for each op of the step."""
    turns: dict[str, int] = {}
    for (step, op), rows in lines_of.items():
        if turns.setdefault(step, len(rows)) != len(rows):
            text = f"step {step} has turns without a line for op {op}, or for another"
            raise ContradictionError(int(at[rows[0]]), text)
