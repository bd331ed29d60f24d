"""`benchbook run` waits until nobody else uses the machine."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchbook.measure.quiet import await_quiet, loudest_step
from benchbook.study.premises import Quiet
from benchmath.errors import UserError

pytestmark = pytest.mark.unit


@pytest.fixture
def tool(tmp_path) -> Path:
    """It sees 90% of a CPU used by cc1 as often as `looks` says, then nobody."""
    looks, file = tmp_path / "looks", tmp_path / "quiet"
    looks.write_text("2")
    file.write_text(
        f"#!/bin/bash\nleft=$(<{looks}); echo $((left - 1)) >{looks}\n"
        "if ((left > 0)); then others=450 name=cc1; else others=0 name=; fi\n"
        'echo "{\\"wall_ns\\":500,\\"others_ns\\":$others,\\"steal_ns\\":0,'
        '\\"busiest\\":\\"$name\\"}"\n'
    )
    file.chmod(0o755)
    return file


def test_it_says_what_it_waits_for(tool):
    said: list[str] = []
    await_quiet(Quiet(0.05), tool, said.append, sleep=lambda _: None)

    assert ["waits for quiet: cc1 and others use 90% of a CPU, more than 5%"] * 2 == said


def test_two_looks_in_a_row_are_quiet(tool):
    await_quiet(Quiet(0.05), tool, lambda _: None, sleep=lambda _: None)

    assert "-2" == (tool.parent / "looks").read_text().strip()


def test_it_does_not_wait_for_ever(tool):
    with pytest.raises(UserError, match="not quiet after 0 s: cc1 and others use 90%"):
        await_quiet(Quiet(0.05, 0), tool, lambda _: None, sleep=lambda _: None)


def test_nobody_looks_where_it_is_off(tool):
    assert 0 == await_quiet(Quiet(None), tool, lambda _: None)
    assert "2" == (tool.parent / "looks").read_text()


def test_a_machine_on_which_nobody_can_look_counts_as_quiet(tmp_path):
    await_quiet(Quiet(0.05), tmp_path / "none", lambda _: pytest.fail("waits"))


def session(folder: Path, others: int, steal: int = 0, busy: int = 1000) -> list[Path]:
    """Two arms of a session with 20 rounds of a step and one of a debt that it pays."""
    folders = []
    for arm in ("a", "b"):
        lines = [{"kind": "session", "quiet": 50}, {"kind": "machine", "step": "q"}]
        lines += [
            {"kind": "turn", "step": step, "round": n, "machine_cpu_ns": busy,
             "steal_ns": steal, "others_ns": busy if step == "cleanup" else others}
            for step, rounds in (("q", 20), ("cleanup", 1)) for n in range(rounds)
        ]  # fmt: skip
        (folder / arm).mkdir()
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        (folder / arm / "turns.jsonl").write_text(text)
        folders.append(folder / arm)
    return folders


@pytest.mark.parametrize(
    ("others", "steal", "said"),
    [
        (500, 0, "not quiet: others took 50% of the busy CPU time of q, more than 5%, "
         "and than the 10% from which on a step does not count: `publish` wants 3 "
         "quieter sessions of it"),
        (80, 0, "not quiet: others took 8% of the busy CPU time of q, more than 5%"),
        (0, 250, "not quiet: the hypervisor took 20% of the busy CPU time of q, more "
         "than 5%, and than the 10% from which on a step does not count: `publish` wants "
         "3 quieter sessions of it"),
        (40, 0, ""),
    ],
)  # fmt: skip
def test_it_says_where_a_session_was_not_quiet(tmp_path, others, steal, said):
    """As a whole: all rounds were loud, so that none could be left out."""
    assert said == loudest_step(session(tmp_path, others, steal), Quiet(0.05))


def test_a_session_is_not_looked_at_where_nobody_asked(tmp_path):
    assert "" == loudest_step(session(tmp_path, 900), Quiet(None))


def test_a_run_without_turns_has_nothing_to_look_at(tmp_path):
    assert "" == loudest_step([tmp_path], Quiet(0.05))


@pytest.mark.parametrize("text", ["", '{"kind":"session"', '{"kind":"turn","round":"x"}'])
def test_a_session_that_was_broken_off_stops_nobody(tmp_path, text):
    folders = session(tmp_path, 900)
    (folders[0] / "turns.jsonl").write_text(text)

    assert loudest_step(folders[:1], Quiet(0.05)) == ""
