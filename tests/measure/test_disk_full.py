"""A full data/: said in `run` and `status`, with what was kept and what to do."""

import os
import subprocess

import pytest
from studies import NULL_STUDY

pytestmark = pytest.mark.engine
STUDY = """\
title: What if there is no room?
template: inserts
driver: ingest
base: {indexes: 0}
engines: [{engine: sqlite}]
matrix: {indexes: [0, 3]}
steps: ["l.i0:rows=100000", l.x]
trials: 1
"""


@pytest.fixture
def small(checkout):
    """A function that makes data/ a disk of so many KiB; it is unmounted in the end."""
    words = ["mount", "-t", "tmpfs", "none", checkout.project.data, "-o"]

    def mount(kib):
        made = subprocess.run([*words, f"size={kib}k"], capture_output=True, check=False)
        if made.returncode:
            pytest.skip(f"no small disk can be made here: {made.stderr.decode().strip()}")
        return checkout

    yield mount
    if os.path.ismount(checkout.project.data):
        subprocess.run(["umount", "-l", checkout.project.data], check=True)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["abba", "turns"])
def test_a_full_disk_is_said(small, order):
    """By `run` and by `status`; of the run folders that were kept the names."""
    checkout = small(1500)
    checkout.study("s", f"{STUDY}order: {order}\n")
    run, status = checkout.call("run", "s"), checkout.call("status")
    kept = [folder.name for folder in checkout.runs("s")]

    said = f"disk full: no space is left for {checkout.project.data}; free some"
    assert (1, True) == (run.returncode, said in run.stderr)
    assert f"last error in s: {said}" in status.stdout
    assert ("nothing of this run was kept" in run.stderr) == (not kept)
    assert all(name in run.stderr for name in kept)


@pytest.mark.slow
def test_what_was_finished_is_kept(small):
    """The study stops, its finished runs are whole, nothing half-written stays."""
    checkout = small(200)
    checkout.study("s", NULL_STUDY.replace("trials: 2", "trials: 20"))
    done = checkout.call("run", "s")

    assert (1, 1) == (done.returncode, done.stderr.count("disk full"))
    assert checkout.runs("s")
    assert [] == list(checkout.project.data.rglob(".partial-*"))


@pytest.mark.slow
def test_after_room_was_made_all_is_measured(small):
    """What failed for want of room is tried again, as often as it was."""
    checkout = small(1500)
    checkout.study("s", f"{STUDY}order: turns\n")
    for _ in range(3):
        assert 1 == checkout.call("run", "s").returncode
    resize = ["mount", "-o", "remount,size=100m", checkout.project.data]
    subprocess.run(resize, check=True)

    assert 0 == checkout.call("run", "s").returncode
    assert "finished" in checkout.call("status").stdout


@pytest.mark.slow
def test_a_disk_without_room_for_a_file_is_said_before_anything_is_run(small):
    """At once, and by `status`, whoever filled it."""
    checkout = small(64)
    checkout.study("s", STUDY)
    checkout.project.data.joinpath("filler").write_bytes(bytes(56 * 1024))
    run, status = checkout.call("run", "s"), checkout.call("status")

    assert (1, []) == (run.returncode, checkout.runs("s"))
    assert "disk full: no space is left for" in run.stderr
    assert "disk full: no space is left for" in status.stdout
