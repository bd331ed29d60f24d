"""`benchbook run` waits until nobody else uses the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchbook.measure.quiet import await_quiet
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
