"""The recipes of examples/gate: run as a shell and as a workflow would run them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml
from places import ROOT
from workflow import run_steps

pytestmark = [pytest.mark.engine, pytest.mark.slow]

GATE = ROOT / "examples/gate"


@pytest.fixture(scope="module")
def workspace(shared_checkout):
    """A checkout with the example in it and `.venv/bin/benchbook` as in a clone."""
    root = shared_checkout.root
    shutil.copytree(GATE, root / "examples/gate")
    program = root / ".venv/bin/benchbook"
    program.parent.mkdir(parents=True)
    program.write_text(f'#!/bin/sh\nexec "{ROOT}/.venv/bin/python" -m benchbook "$@"\n')
    program.chmod(0o755)
    (root / "setup.sh").write_text("#!/bin/sh\n")
    (root / "setup.sh").chmod(0o755)
    return shared_checkout


def gate(workspace, new: str, out: str) -> tuple[int, dict]:
    done = subprocess.run(
        ["examples/gate/gate.sh", "examples/gate/study.yml", "-O2", new, out],
        cwd=workspace.root, env=workspace.environ, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    folder = workspace.root / out
    assert (folder / "check.json").is_file(), done.stdout + done.stderr
    return done.returncode, json.loads((folder / "check.json").read_text())


def test_shell_recipe_finds_a_slower_build(workspace):
    """A build that does 10% more work fails the gate, with a comment that says so."""
    code, answer = gate(workspace, "-O2 -DEXTRA_PERCENT=10", "slow")
    comment = (workspace.root / "slow/comment.md").read_text()

    assert (1, "regressed") == (code, answer["verdict"]), answer["sentence"]
    assert comment.startswith(":x: **regressed**: ")


def test_workflow_fails_and_writes_its_summary(workspace, tmp_path):
    """Its `run:` steps in order: the gate fails the job, its summary is there."""
    workflow = yaml.safe_load((GATE / "benchmark.yml").read_text())
    summary = tmp_path / "summary.md"
    env = workspace.environ | {"GITHUB_STEP_SUMMARY": str(summary)}
    ran = run_steps(workflow["jobs"]["gate"], Path(workspace.root), env)

    assert {"Set up": 0, "Measure and decide": 1, "Summary": 0} == ran
    assert summary.read_text().startswith(":x: **regressed**: ")


def test_recipe_says_how_it_is_called():
    done = subprocess.run([GATE / "gate.sh"], capture_output=True, text=True, check=False,
                          env=dict(os.environ))  # fmt: skip

    assert 2 == done.returncode
    assert "USAGE: gate.sh STUDY.yml BASE NEW [OUT]" in done.stderr
