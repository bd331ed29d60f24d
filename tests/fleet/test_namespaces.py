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
OWN = {("bee", "0"), ("wasp", "1"), ("ant", "0-1"), ("ant", "0,1")}


def _machines(checkout, slug):
    """The hosts of a study's runs, each with the CPUs that env.json says it had."""
    return {
        (run.parent.parent.name,
         json.loads((run / "env.json").read_text())["cpus_allowed"])
        for run in checkout.runs(slug)
    }  # fmt: skip


def test_a_run_has_the_cpus_of_its_host(checkout, far_hosts):
    """What env.json says of a run is said by the host that made it."""
    checkout.study("nothing", NULL_STUDY)
    checkout.ok("run", "nothing", "--on", str(far_hosts.file))

    assert _machines(checkout, "nothing") <= OWN
    assert 2 <= len(_machines(checkout, "nothing"))


def test_workers_of_dask_measure_where_they_are(checkout, far_workers):
    """SQLite, by workers with networks and CPUs of their own: each run once, whole."""
    text = NULL_STUDY.replace('engine: "null"', "engine: sqlite")
    text = text.replace("[0, 3]", "[0, 3]\n  price: [int, real]")
    checkout.study("inserts", text.replace("trials: 2", "trials: 3"))

    assert "12 runs made, 0 failed, 0 left" in checkout.ok(
        "run", "inserts", "--on", far_workers
    )
    assert _machines(checkout, "inserts") <= OWN
    assert 2 <= len(_machines(checkout, "inserts"))
    assert "l.i0" in checkout.ok("compare", "inserts", "indexes=0", "indexes=3")


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
