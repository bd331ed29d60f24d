"""bench/quiet.sh: a host waits until nobody else uses it."""

import subprocess

import pytest
from places import ROOT

pytestmark = pytest.mark.unit

LOOK = '{"wall_ns":1000,"others_ns":%d,"kernel_ns":0,"steal_ns":%d,"busiest":"%s"}'


def waited(tmp_path, looks, patience=9):
    """What the script says where the tool says these, one after the other."""
    for number, look in enumerate(looks):
        (tmp_path / f"{number}").write_text(LOOK % look)
    tool = tmp_path / "quiet"
    tool.write_text('#!/bin/bash\ncd "${0%/*}"; f=$(ls | head -1); cat $f; rm $f\n')
    tool.chmod(0o755)
    words = [str(ROOT / "bench/quiet.sh"), str(tool), "50", str(patience)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    left = len(list(tmp_path.iterdir())) - 1
    return done.returncode, done.stderr.splitlines(), left


def test_a_quiet_machine_is_looked_at_once(tmp_path):
    """5% of a CPU may be taken."""
    assert (0, [], 1) == waited(tmp_path, [(30, 20, ""), (0, 0, "")])


@pytest.mark.slow
def test_what_was_loud_has_to_be_quiet_twice(tmp_path):
    """The host says whom it waits for, and when that is over."""
    code, said, left = waited(tmp_path, [(900, 0, "gcc"), (0, 0, ""), (0, 0, "")])

    assert (0, 0) == (code, left)
    assert "waits for quiet: gcc and others use 90% of a CPU, more than 5.0%" == said[0]
    assert said[1].startswith("quiet after ")


def test_who_is_not_patient_is_told_why(tmp_path):
    """The hypervisor's share counts as others' does."""
    code, said, _ = waited(tmp_path, [(0, 70, "")], patience=0)

    assert 1 == code
    assert 1 == len(said)
    assert said[0].startswith("not quiet after ")
    assert said[0].endswith(" s: the hypervisor takes 7% of a CPU, more than 5.0%")


def test_who_cannot_look_does_not_wait(tmp_path):
    """The run's own record says what is known."""
    words = [str(ROOT / "bench/quiet.sh"), str(tmp_path / "none"), "50", "9"]

    assert 0 == subprocess.run(words, capture_output=True, check=False).returncode
