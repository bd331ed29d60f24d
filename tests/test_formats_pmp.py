"""Stacks of the poor man's profiler."""

from __future__ import annotations

import pytest

from benchbook.formats import pmp
from benchbook.formats.parsed import TextFile
from profile_files import PMP, found, text_file, told

pytestmark = pytest.mark.unit


def test_stacks_root_first():
    """Leaf first in the file; a thread without frames stays, with none."""
    table = pmp.read(text_file(PMP)).series["pmp"].to_pylist()

    assert [
        (1, "clone3;start_thread;do_command;vio_write;send", 130),
        (2, "clone3;worker;Pool::wait;wait_until<duration<long,", 19),
        (3, "main;log<4u,;CIterate<Release>::operator()", 1),
        (4, "", 1),
    ] == [(one["line"], one["frames"], one["weight"]) for one in table]


def test_totals():
    """151 threads seen in 4 stacks; the step is in the name."""
    name = "x.ma100434_rel.z11a_c32r128.pk1/sb.pmp.update-index.range100.pk1.all.hier"
    parsed = pmp.read(TextFile(name, PMP))

    assert [(1, "pmp_samples", 151, "count"), (1, "pmp_stacks", 4, "count")] == found(
        parsed
    )
    assert {"update-index_range=100"} == {row.step for row in parsed.rows}
    assert [] == told(parsed)


@pytest.mark.parametrize(
    "stack, frames",
    [
        ("b,a", ["a", "b"]),
        ("b<long,,a", ["a", "b<long,"]),
        (
            "Mutex<Event<A>,log_up_to,main",
            ["main", "log_up_to", "Mutex<Event<A>"],
        ),
        ("Iter<A,,Iter<B,,c", ["c", "Iter<B,", "Iter<A,"]),
        ("??,start_thread", ["start_thread", "??"]),
    ],
)
def test_names_that_were_cut(stack: str, frames: list[str]):
    """A comma before a comma is a name's last character; brackets tell nothing."""
    assert frames == pmp.frames_of(stack)


@pytest.mark.parametrize(
    "line", ["130 a,b", "    130 a b,c", "    130  a,b", "    1x0 a,b", "    130 1,2"]
)
def test_other_lines_are_told(line: str):
    """Not as uniq -c prints a count, or no names."""
    parsed = pmp.read(text_file(PMP + line + "\n"))

    assert [(5, "not a count and a stack")] == told(parsed)
    assert 151 == parsed.rows[0].value


def test_a_cut_file():
    """The last line may lack frames, so it is not counted."""
    parsed = pmp.read(text_file(PMP[:-20]))

    assert (149, [3]) == (parsed.rows[0].value, [line for line, _ in told(parsed)])
