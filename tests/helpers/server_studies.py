"""Studies of servers for tests: one engine, two cells."""

from pathlib import Path

import pytest
from places import ROOT

from benchbook.engines.builds import plan_build
from benchbook.machine.facts import Machine
from benchbook.measure.spec import prepare, spec
from benchbook.project import Project
from benchbook.study.study import load_study
from benchmath.errors import UserError

STUDY = """\
title: Did it get slower?
template: inserts
driver: ingest
base: {dop: 1}
engines:
  - ENGINE
matrix: {dop: [1, 2]}
steps: ["l.i0:rows=1000", "qp100.L2:rows=300"]
trials: 1
"""


def study_of(tmp_path, engine_entry, **changes):
    """A study of one engine entry; changes replace the text of a key's line."""
    text = STUDY.replace("ENGINE", engine_entry)
    for key, value in changes.items():
        lines = [x for x in text.splitlines() if not x.startswith(f"{key}:")]
        text = "\n".join([*lines, f"{key}: {value}", ""])
    file = tmp_path / "posts" / "old-to-new" / "study.yml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return load_study(file)


def complaint(tmp_path, engine_entry, **changes):
    with pytest.raises(UserError) as caught:
        study_of(tmp_path, engine_entry, **changes)
    return str(caught.value)


def program(tree: Path, name: str) -> Path:
    """An install tree with one program, which nobody runs."""
    file = tree / "bin" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return file


def own_tree(tmp_path, *more):
    """The first cell of a study of an own MySQL tree, and its build."""
    program(tmp_path / "my8036", "mysqld")
    entry = f"engine: mysql, basedir: {tmp_path}/my8036"
    study = study_of(tmp_path, "{" + ", ".join([entry, *more]) + "}")
    (tmp_path / "bench").mkdir(exist_ok=True)
    return study, plan_build(study.cells[0], study.driver, Project(tmp_path))


def spec_of(study, build, version="8.0.36", number=0):
    prepared = prepare(study.cells[number], study, Project(ROOT), build, version)
    return spec(prepared, study, Machine("m", "id"), trial=1, attempt=1, position=1,
                cpus=[0, 1, 2, 3])  # fmt: skip
