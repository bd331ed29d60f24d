"""A study on three hosts: whole at home, whatever breaks on the way."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import pytest
from studies import EQUAL, NULL_STUDY

pytestmark = [pytest.mark.engine, pytest.mark.slow]


def machines(checkout, slug: str) -> list[str]:
    return [folder.parent.parent.name for folder in checkout.runs(slug)]


def test_cells_are_spread_and_come_home(checkout, hosts):
    """Each run once, verified, on a machine that is named; nothing left on the hosts."""
    checkout.study("nothing", NULL_STUDY)
    said = checkout.ok("run", "nothing", "--on", str(hosts.file))

    assert "nothing: 4 runs made, 0 failed, 0 left" in said
    assert 2 == len(set(machines(checkout, "nothing")))
    assert 4 == len(checkout.runs("nothing"))
    left = [p for n in hosts.ports for p in (hosts.folder / n / "lab/fleet").glob("*")]
    assert [] == left
    assert "every run is there" in checkout.ok("run", "nothing", "--on", str(hosts.file))
    assert "on bee" in checkout.ok("status")


def test_arms_that_take_turns_are_on_one_host(checkout, hosts):
    checkout.study("turns", NULL_STUDY.replace("trials: 2", "trials: 3\norder: turns"))
    checkout.ok("run", "turns", "--on", str(hosts.file))
    on = machines(checkout, "turns")

    assert 6 == len(on)
    assert 1 == len(set(on))


def test_host_that_is_gone_is_replaced(checkout, hosts):
    """What it had is made elsewhere; the end says which host failed."""
    hosts.stop("bee")
    checkout.study("nothing", NULL_STUDY)
    done = checkout.call("run", "nothing", "--on", str(hosts.file))

    assert 0 == done.returncode, done.stderr
    assert "bee: " in done.stderr
    assert 4 == len(checkout.runs("nothing"))
    assert "bee" not in machines(checkout, "nothing")


def test_host_where_nothing_can_be_made_stops_no_other(checkout, hosts):
    """Its folder cannot be written, so it gives up; the others make all."""
    (hosts.folder / "bee" / "lab").write_text("no folder\n")
    checkout.study("nothing", NULL_STUDY)
    done = checkout.call("run", "nothing", "--on", str(hosts.file))

    assert 0 == done.returncode, done.stderr
    assert "bee: " in done.stderr
    assert 4 == len(checkout.runs("nothing"))


def test_a_study_ends_when_its_host_has_decided(checkout, hosts):
    """Arms of the null engine are alike: at most a few loads of twenty are made."""
    checkout.study("alike", EQUAL)
    checkout.ok("run", "alike", "--on", str(hosts.file))
    made = checkout.runs("alike")

    assert 6 <= len(made) < 40
    assert 1 == len(set(machines(checkout, "alike")))
    assert "every run is there" in checkout.ok("run", "alike", "--on", str(hosts.file))
    assert made == checkout.runs("alike")


def test_further_trials_are_where_the_first_are(checkout, hosts):
    """Those of an earlier call count: what is compared is of one machine."""
    study = NULL_STUDY.replace("trials: 2", "trials: 1\norder: turns")
    checkout.study("turns", study)
    checkout.ok("run", "turns", "--on", str(hosts.file))
    checkout.study("turns", study.replace("trials: 1", "trials: 4"))
    checkout.ok("run", "turns", "--on", str(hosts.file))

    assert 8 == len(checkout.runs("turns"))
    assert 1 == len(set(machines(checkout, "turns")))


def test_nothing_is_measured_on_a_busy_host(checkout, hosts):
    """It says who was busy when its patience ended."""
    checkout.study("nothing", NULL_STUDY)
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        words = ("run", "nothing", "--on", str(hosts.file))
        done = checkout.call(*words, BENCHBOOK_QUIET="5%, 1s")
        busy.kill()

    assert 1 == done.returncode
    assert "not quiet after" in done.stderr and "others use" in done.stderr
    assert [] == checkout.runs("nothing")


def test_coordinator_that_is_killed_goes_on(checkout, hosts):
    """No run is lost, none is there twice."""
    text = NULL_STUDY.replace("rows=20000", "rows=2000000").replace(
        "trials: 2", "trials: 4"
    )
    checkout.study("nothing", text)
    words = [sys.executable, "-m", "benchbook", "run", "nothing", "--on", str(hosts.file)]
    for seconds in (3, 5):
        process = subprocess.Popen(words, cwd=checkout.root, env=checkout.environ)
        time.sleep(seconds)
        process.send_signal(signal.SIGKILL)
        process.wait()
    checkout.ok("run", "nothing", "--on", str(hosts.file))
    made = [folder.parent.name + folder.name[:7] for folder in checkout.runs("nothing")]

    assert 8 == len(made) == len(set(made))


def test_unknown_host_key_is_refused(checkout, hosts):
    (hosts.folder / "known").write_text("")
    checkout.study("nothing", NULL_STUDY)
    done = checkout.call("run", "nothing", "--on", str(hosts.file))

    assert 0 != done.returncode
    assert "Host key verification failed" in done.stderr
    assert [] == checkout.runs("nothing")
