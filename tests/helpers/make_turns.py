"""The file of turns that an arm of a session leaves in its run folder, for tests.

make_run(raw, steps=STEPS, session="x", outputs=turns_file(STEPS))
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from make_runs import START_NS, Step, make_records

Record = dict[str, Any]

MS = 1_000_000
SPEC = {
    "driver": "ingest", "engine": "null", "version": "1", "dop": 1, "seed": 42,
    "build": {"compiler": "gcc"},
}  # fmt: skip


def session_line(**changes: Any) -> Record:
    """The first line: the first of two arms, whose turns are of 100 ms."""
    return {
        "schema": 1, "kind": "session", "id": "x", "arm": 1, "arms": 2, "turn_ms": 100,
        "seed": 7, "frozen": "cgroup",
    } | changes  # fmt: skip


def turn_lines(steps: Sequence[Step]) -> list[Record]:
    """Turns of 100 ms, the arm first in odd rounds; another one has each second turn.

    What a step did is spread over its turns, all of it where it does not divide evenly
    in the last ones; a tenth of it fell in the first tenth of a turn.
    """
    lines = []
    begin = START_NS
    records = [r for r in make_records(SPEC, steps) if r["kind"] == "step"]
    for name in dict.fromkeys(r["step"] for r in records):
        ops = [r for r in records if r["step"] == name]
        turns = (ops[0]["end_ns"] - ops[0]["start_ns"]) // (100 * MS)
        for number in range(turns):
            for op in ops:
                did = {
                    key: op[key] * (number + 1) // turns - op[key] * number // turns
                    for key in ("ops", "rows")
                }
                lines.append(_line(op, number + 1, begin, did))
            begin += 200 * MS
    return lines


def _line(op: Record, round_: int, begin_ns: int, did: dict[str, int]) -> Record:
    return {
        "kind": "turn", "step": op["step"], "seq": op["seq"], "op": op["op"],
        "round": round_, "place": (round_ + 1) % 2, "begin_ns": begin_ns,
        "active_ns": 100 * MS, "head_ns": 10 * MS, **did, "head_ops": did["ops"] // 10,
        "client_cpu_ns": 20 * MS, "server_cpu_ns": 70 * MS, "machine_cpu_ns": 95 * MS,
        "steal_ns": 0,
    }  # fmt: skip


def text_of(lines: Iterable[Record]) -> str:
    """As the referee prints them."""
    return "".join(json.dumps(one, separators=(",", ":")) + "\n" for one in lines)


def turns_file(steps: Sequence[Step], **changes: Any) -> dict[str, str]:
    """turns.jsonl, its first line changed."""
    return {"turns.jsonl": text_of([session_line(**changes), *turn_lines(steps)])}
