"""The file of turns that an arm of a session leaves in its run folder, for tests.

make_run(raw, steps=STEPS, session="x", outputs=turns_file(STEPS))
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from make_runs import START_NS, Step, make_records, write_manifest

from benchbook.runs.inventory import driver_lines

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


def turn_lines(records: Iterable[Record]) -> list[Record]:
    """Turns of 100 ms, the arm first in odd rounds; another one has each second turn.

    ``records`` are the driver's. What a step did is spread over its turns, the rest of
    it in the last ones; a tenth of it fell in the first tenth of a turn.
    """
    steps = [record for record in records if record["kind"] == "step"]
    lines = []
    begin = START_NS
    for name in dict.fromkeys(step["step"] for step in steps):
        ops = [step for step in steps if step["step"] == name]
        turns = max(1, (ops[0]["end_ns"] - ops[0]["start_ns"]) // (100 * MS))
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


def turns_file(steps: Sequence[Step], **changes: Any) -> dict[str, str | bytes]:
    """turns.jsonl of a run with these steps, its first line changed."""
    turns = turn_lines(make_records(SPEC, steps))
    return {"turns.jsonl": text_of([session_line(**changes), *turns])}


def took_turns(folder: Path, arm: int, session: str = "x") -> None:
    """Make the run of a folder an arm of a session."""
    spec = json.loads((folder / "spec.json").read_text())
    spec |= {"session": session, "turn_ms": 100}
    (folder / "spec.json").write_text(json.dumps(spec))
    turns = turn_lines(json.loads(line) for line in driver_lines(folder))
    text = text_of([session_line(id=session, arm=arm), *turns])
    (folder / "turns.jsonl").write_text(text)
    write_manifest(folder)
