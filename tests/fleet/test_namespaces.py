"""A study on three hosts with networks, homes and CPUs of their own."""

from __future__ import annotations

import json
import subprocess
import sys
import time

import pytest
from studies import NULL_STUDY

pytestmark = [pytest.mark.engine, pytest.mark.slow]
STUDY = NULL_STUDY.replace("rows=20000", "rows=3000000").replace("trials: 2", "trials: 6")


def test_a_run_has_the_cpus_of_its_host(checkout, far_hosts):
    """What env.json says of a run is said by the host that made it."""
    checkout.study("nothing", NULL_STUDY)
    checkout.ok("run", "nothing", "--on", str(far_hosts.file))
    found = {
        (run.parent.parent.name,
         json.loads((run / "env.json").read_text())["cpus_allowed"])
        for run in checkout.runs("nothing")
    }  # fmt: skip

    assert found <= {("bee", "0"), ("wasp", "1"), ("ant", "0-1"), ("ant", "0,1")}
    assert 2 <= len(found)


def test_networks_that_break_and_come_back(checkout, far_hosts):
    """Two are cut while runs are made, one comes back in time and one after patience."""
    checkout.study("nothing", STUDY)
    words = [
        sys.executable, "-m", "benchbook", "run", "nothing", "--on", str(far_hosts.file),
    ]  # fmt: skip
    with subprocess.Popen(words, cwd=checkout.root, env=checkout.environ) as process:
        time.sleep(4)
        far_hosts.cut("bee")
        far_hosts.cut("wasp")
        time.sleep(3)
        far_hosts.cut("bee", "up")
        time.sleep(9)
        far_hosts.cut("wasp", "up")
        assert 0 == process.wait(timeout=180)
    made = [folder.parent.name + folder.name[:7] for folder in checkout.runs("nothing")]

    assert 12 == len(made) == len(set(made))
    checkout.ok("run", "nothing", "--on", str(far_hosts.file))
    assert 12 == len(checkout.runs("nothing"))
