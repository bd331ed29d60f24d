"""A server that does not start is not tried again in every trial of its cell."""

import json

import pytest

pytestmark = pytest.mark.engine
STUDY = """\
title: Does it start?
template: inserts
driver: ingest
base: {dop: 1}
engines:
  - {engine: mysql, version: "8.0.36", basedir: TREE}
matrix: {dop: [1, 2]}
steps: ["l.i0:rows=10"]
trials: 3
"""
NO_SERVER = """\
#!/bin/sh
case "$*" in
*--version*) echo "mysqld  Ver 8.0.36 for Linux on x86_64" ;;
*) echo "[ERROR] unknown option" >&2; exit 1 ;;
esac
"""


@pytest.fixture
def broken(checkout):
    """A checkout with a study of two cells, whose server says its version and fails."""
    file = checkout.root / "my8036" / "bin" / "mysqld"
    file.parent.mkdir(parents=True)
    file.write_text(NO_SERVER)
    file.chmod(0o755)
    checkout.study("s", STUDY.replace("TREE", str(checkout.root / "my8036")))
    return checkout


def attempts(checkout):
    """(dop, trial) of each run that was made."""
    texts = [(f / "spec.json").read_text() for f in checkout.runs("s")]
    return sorted((s["dop"], s["trial"]) for s in map(json.loads, texts))


@pytest.mark.slow
def test_other_trials_of_the_cell_are_skipped_and_said(broken):
    """One run of each cell instead of three; the other four are left."""
    done = broken.call("run", "s")

    assert 1 == done.returncode
    assert [(1, 1), (2, 1)] == attempts(broken)
    assert 2 == done.stderr.count("its server did not start, so 2 further runs of it are")
    assert "2 runs made, 2 failed, 4 left" in done.stdout
    assert "stopped" in broken.ok("status")


@pytest.mark.slow
def test_the_next_call_tries_again(broken):
    """Each cell once more, its second attempt at trial 1."""
    broken.call("run", "s")
    broken.call("run", "s")

    assert [(1, 1), (1, 1), (2, 1), (2, 1)] == attempts(broken)


@pytest.mark.slow
def test_an_engine_in_the_client_is_tried_in_every_trial(checkout):
    """A failed run of an embedded engine says nothing about the next one."""
    study = STUDY.replace('mysql, version: "8.0.36", basedir: TREE', "sqlite, config: c")
    file = checkout.study("s", study)
    (file.parent / "c").write_text("no_such_pragma = 1\n")
    done = checkout.call("run", "s")

    assert "6 runs made, 6 failed, 0 left" in done.stdout
