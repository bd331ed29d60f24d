"""turns.jsonl: what it holds, and which line is at fault where it cannot have been."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import zstandard
from make_runs import make_records
from make_turns import MS, SPEC, session_line, text_of, turn_lines

from benchbook.runs.records import RecordError
from benchbook.runs.turns import Turns, read_turns
from benchformats.lines import lines as c_lines

pytestmark = pytest.mark.unit

# Three turns of l.i0 in lines 2 to 4, then two of q, each with lines for two ops.
STEPS = [("l.i0", "insert", 600, 0.3), ("q", "query", 40, 0.2), ("q", "insert", 200, 0.2)]
ASKED = {"id": "x", "turn_ms": 100}
Lines = list[dict[str, Any]]


def lines() -> Lines:
    return [session_line(), *turn_lines(make_records(SPEC, STEPS))]


def read(folder: Path, text: str, name: str = "turns.jsonl") -> Turns:
    data = text.encode()
    path = folder / name
    path.write_bytes(zstandard.compress(data) if path.suffix == ".zst" else data)
    steps = [r for r in make_records(SPEC, STEPS) if r["kind"] == "step"]
    return read_turns(path, ASKED, steps)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(RecordError) as error:
        read(folder, text)
    return str(error.value)


@pytest.mark.parametrize("name", ["turns.jsonl", "turns.jsonl.zst"])
def test_a_row_for_each_turn_and_op(tmp_path: Path, name: str):
    """Three turns of one op and two of two are 7 rows; the first line stands apart."""
    turns = read(tmp_path, text_of(lines()), name)

    assert 2 == turns.session["arms"]
    assert ["l.i0"] * 3 + ["q"] * 4 == turns.table["step"].to_pylist()
    assert [2, 2, 2, 20, 1, 20, 1] == turns.table["ops"].to_pylist()


def test_without_a_compiler_the_rows_are_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Each line is then read by itself."""
    fast = read(tmp_path, text_of(lines()))
    monkeypatch.setattr(c_lines, "compiled", lambda name: None)

    assert fast.table.equals(read(tmp_path, text_of(lines())).table)


def test_an_unusual_line_keeps_its_place(tmp_path: Path):
    """Blanks in the JSON of line 3 change nothing."""
    texts = text_of(lines()).splitlines()
    texts[2] = texts[2].replace(",", ", ")

    turns = read(tmp_path, "\n".join(texts) + "\n")

    assert [1, 2, 3, 1, 1, 2, 2] == turns.table["round"].to_pylist()


def changed(line: int, **changes: Any) -> Callable[[Lines], None]:
    """A change of the line with that number."""

    def change(found: Lines) -> None:
        found[line - 1] |= changes

    return change


def removed(line: int) -> Callable[[Lines], None]:
    def remove(found: Lines) -> None:
        del found[line - 1]

    return remove


def doubled(line: int) -> Callable[[Lines], None]:
    def double(found: Lines) -> None:
        found.insert(line, found[line - 1])

    return double


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (changed(1, id="y"), "line 1: the session is y, spec.json says x"),
        (changed(1, turn_ms=20), "line 1: the turn_ms is 20, spec.json says 100"),
        (changed(1, arm=3), "line 1: arm 3 of 2 arms"),
        (changed(1, frozen="no"), "line 1: frozen is 'no', not one of cgroup, stop"),
        (changed(1, schema=2), "line 1: schema 2 is newer than 1"),
        (removed(1), "line 1: the first line is not of the kind session"),
        (doubled(1), "line 2: a file has one first line"),
        (changed(3, more=1), "line 3: unknown key 'more' in a turn record"),
        (changed(3, ops=-1), "line 3: ops of a turn record is -1, not a whole number"),
        (changed(3, op="inserts"), 'line 3: op of a turn record is "inserts"'),
        (changed(2, round=0), "line 2: round 0"),
        (changed(3, place=2), "line 3: a place of 2 or more in a round of 2 arms"),
        (changed(3, active_ns=0, head_ns=0), "line 3: a turn that takes no time"),
        (changed(3, active_ns=11_001 * MS), "line 3: a turn of more than 11000000000 ns"),
        (changed(3, head_ns=101 * MS), "line 3: a turn whose first tenth is longer"),
        (changed(3, head_ops=3), "line 3: a turn with more ops in its first tenth"),
        (changed(3, client_cpu_ns=10**15), "line 3: a turn with more client_cpu_ns than"),
        (changed(6, place=1), "line 6: the ops of one turn have different place"),
        (changed(6, client_cpu_ns=1), "line 6: the ops of one turn have different"),
        (doubled(6), "line 7: a second line of one op and turn"),
        (changed(4, round=1), "line 4: its round does not follow the one before"),
        (changed(4, round=9), "line 4: its round does not follow the one before"),
        (changed(2, round=5), "line 2: its round does not follow the one before"),
        (changed(5, seq=1), "line 6: the ops of one turn have different seq"),
        (changed(4, begin_ns=1), "line 4: a turn begins before the one before it has"),
        (changed(8, op="scan"), "line 8: a turn of step q, op scan, which has no record"),
        (removed(4), "line 2: the turns of step l.i0, op insert have 4 ops, its record"),
        (changed(4, ops=1), "line 2: the turns of step l.i0, op insert have 5 ops"),
        (changed(4, rows=1), "line 2: the turns of step l.i0, op insert have 401 rows"),
        (changed(3, seq=7), "line 2: step l.i0 has another seq than its record"),
        (changed(3, active_ns=9_000 * MS), "line 4: a turn begins before"),
    ],
)  # fmt: skip
def test_what_cannot_have_been_is_refused_with_its_line(
    tmp_path: Path, change: Callable[[Lines], None], sentence: str
):
    """Lines against each other, against the driver's records, against spec.json."""
    found = lines()
    change(found)

    assert f"turns.jsonl {sentence}" in refusal(tmp_path, text_of(found))


def test_a_step_that_comes_again_is_refused(tmp_path: Path):
    """Turns of l.i0 do not go on after those of q."""
    found = lines()
    found.append(found[1] | {"round": 1, "begin_ns": 10**15})

    assert "line 9: its step is not later" in refusal(tmp_path, text_of(found))


def test_turns_take_the_time_of_their_step(tmp_path: Path):
    """Thrice 20 ms are less than nine tenths of 300 ms less a turn, 170 ms."""
    found = lines()
    for line in found[1:4]:
        line |= {"active_ns": 20 * MS}

    sentence = "line 2: the turns of step l.i0 take 60000000 ns, the step 300000000"
    assert sentence in refusal(tmp_path, text_of(found))


def test_each_turn_has_each_op_of_its_step(tmp_path: Path):
    """A line that is missing is missed though nothing was done in it."""
    found = lines()
    found[4] |= {"ops": 40, "rows": 40}
    del found[6]  # the second turn's queries

    assert "step q has turns without a line" in refusal(tmp_path, text_of(found))


def test_a_step_without_turns_is_refused(tmp_path: Path):
    """The driver says that there was a step q, the turns do not."""
    sentence = "line 4: no turn of step q, op query"

    assert sentence in refusal(tmp_path, text_of(lines()[:4]))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [("", "line 1: the file is empty"), ("{\n", "line 1: not a whole JSON object")],
)
def test_a_damaged_file_is_refused(tmp_path: Path, text: str, sentence: str):
    """Nothing in it, or no record."""
    assert sentence in refusal(tmp_path, text)


def test_a_session_without_a_turn_is_refused(tmp_path: Path):
    """A first line alone is no evidence."""
    text = text_of([session_line()])

    assert "line 1: the session has no turn" in refusal(tmp_path, text)


def machine_line(**changes: Any) -> dict[str, Any]:
    return {
        "kind": "machine", "step": "q", "seq": 2, "when": "before", "work_ns": 7_000_000,
        "busiest": "cc1", "busiest_ns": 20 * MS,
    } | changes  # fmt: skip


def test_what_others_took_is_a_column(tmp_path: Path):
    """Turns of before that was counted have none."""
    told = [line | {"others_ns": 3, "kernel_ns": 1} for line in lines()[1:]]
    counted = read(tmp_path, text_of([session_line(quiet=50), *told]))
    old = read(tmp_path, text_of(lines()))

    assert [3] * 7 == counted.table["others_ns"].to_pylist()
    assert [None] * 7 == old.table["others_ns"].to_pylist()


def around(*machine: dict[str, Any]) -> str:
    """The turns of l.i0 and q with what is told of the machine."""
    first, *rest = lines()
    return text_of([first, *machine, *rest])


def both(step: str, seq: int) -> Lines:
    return [machine_line(step=step, seq=seq, when=w) for w in ("before", "after")]


def test_the_machine_around_a_step_is_kept(tmp_path: Path):
    told = read(tmp_path, around(*both("l.i0", 1), *both("q", 2))).machine

    assert ("q", "before", 7_000_000) == tuple(
        told[2][k] for k in ("step", "when", "work_ns")
    )


def test_a_machine_told_of_around_one_step_is_told_of_around_each(tmp_path: Path):
    sentence = "the machine around step q is not told before and after it"

    assert sentence in refusal(tmp_path, around(*both("l.i0", 1), both("q", 2)[0]))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"step": "z"}, "step z, which has no record"),
        ({"when": "later"}, "when is 'later'"),
        ({"work_ns": 0}, "work that takes no time"),
    ],
)
def test_a_machine_that_cannot_be_is_refused(tmp_path: Path, changes: Any, why: str):
    first, *rest = lines()

    assert why in refusal(tmp_path, text_of([first, machine_line(**changes), *rest]))


def test_the_machine_is_told_once_before_a_step(tmp_path: Path):
    first, *rest = lines()
    text = text_of([first, machine_line(), machine_line(), *rest])

    assert "a second line of the machine before step q" in refusal(tmp_path, text)
