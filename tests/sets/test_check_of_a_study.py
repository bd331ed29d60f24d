"""`benchbook check STUDY BASE NEW`: runs that are not there are not passed over."""

from __future__ import annotations

import pytest
from click.testing import CliRunner
from make_runs import make_run

from benchbook.cli.main import main
from benchbook.project import Project
from benchbook.store.load import load

pytestmark = pytest.mark.unit

STUDY = """\
title: Is 2 as fast as 1?
template: inserts
driver: ingest
base: {version: "1"}
steps: ["l.i0:rows=1000"]
placement: none
trials: 4
engines: [{engine: "null", version: "1"}, {engine: "null", version: "2"}]
"""


@pytest.mark.slow
@pytest.mark.parametrize(("lacking", "code", "said"), [
    ("2", 2, "undecided: 1 of 1 test is undecided at 2%: l.i0; 2 has fewer runs, "
             "and not all of them are there"),
    ("1", 2, "undecided: 1 of 1 test is undecided at 2%: l.i0; 1 has fewer runs, "
             "and not all of them are there"),
    ("", 0, "fine: none of 1 test is worse by more than 2%"),
])  # fmt: skip
def test_a_side_that_lacks_runs_is_undecided(lacking, code, said, tmp_path, monkeypatch):
    """One of four failed; the others are as fast as those of the other side."""
    (tmp_path / "bench").mkdir()
    (tmp_path / "_quarto.yml").touch()
    monkeypatch.setenv("BENCHBOOK_ROOT", str(tmp_path))
    project = Project(tmp_path)
    for version in ("1", "2"):
        for trial in (1, 2, 3, 4):
            failed = version == lacking and trial == 4
            make_run(project.raw, version=version, trial=trial,
                     steps=[("l.i0", "insert", 100_000 + 10 * trial, 2.0)],
                     status="failed" if failed else "ok",
                     reason="killed" if failed else "")  # fmt: skip
    load(project)
    (project.posts / "s").mkdir(parents=True)
    (project.posts / "s" / "study.yml").write_text(STUDY)
    done = CliRunner().invoke(main, ["check", "s", "1", "2"])

    assert (code, said) == (done.exit_code, done.stdout.splitlines()[0])
