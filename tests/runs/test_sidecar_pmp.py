"""Looks of gdb become stacks of the step in which they began."""

import pytest

from benchbook.runs.pmp import looks, read_looks

pytestmark = pytest.mark.unit
LOOK = """\
# gdb: tree server, pid 7, start_ns 150, end_ns 160
Thread 2 (Thread 0x7f0a2bfff6c0 (LWP 8) "a"):
#0  0x00007f0a3c0f in __poll () from /lib/libc.so.6
#1  0x00005f0a3c0f in wait_for_work ()

Thread 1 (Thread 0x7f0a2bfff6c1 (LWP 7) "a"):
#0  0x00007f0a3c0f in __poll () from /lib/libc.so.6
#1  0x00005f0a3c0f in wait_for_work ()

[Inferior 1 (process 7) detached]
"""


def test_threads_with_one_stack_are_added_up(tmp_path):
    """Two threads wait in the same place: weight 2, root first."""
    (tmp_path / "pmp-1.txt").write_text(LOOK)

    [row], problems = read_looks(tmp_path, ["pmp-1.txt"], {"l.i0": (100, 200)})

    expected = ("l.i0", "server", "pmp", "wait_for_work;__poll", 2)
    assert expected == tuple(
        row[key] for key in ("step", "tree", "event", "frames", "weight")
    )
    assert [] == problems


def test_a_look_between_steps_is_left_out(tmp_path):
    """It says nothing of either."""
    (tmp_path / "pmp-1.txt").write_text(LOOK)

    assert ([], []) == read_looks(tmp_path, ["pmp-1.txt"], {"l.i0": (160, 200)})


def test_looks_are_named_so():
    """Other files of a run folder are none."""
    assert ["pmp-1.txt"] == looks(["pmp-1.txt", "pmp.log", "driver.jsonl"])
