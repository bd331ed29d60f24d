"""What a run's spec.json declares is what it says elsewhere, and what its ids are of."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from make_runs import make_run, write_manifest

from benchbook.digests import cell_id, declared_id
from benchbook.project import Project
from benchbook.store.load import load

pytestmark = pytest.mark.unit

Spec = dict[str, Any]


def declaring(raw: Path, change: Callable[[Spec], object] = lambda _: None) -> None:
    """A run whose spec keeps its declaration, changed after its ids were made."""
    folder = make_run(raw, dims={"indexes": "0", "flags": "-O2"})
    spec = json.loads((folder / "spec.json").read_text())
    keys = ("driver", "engine", "dop", "placement", "arm", "steps", "options")
    declared = {key: spec[key] for key in keys}
    declared |= {"flags": "-O2", "dims": {"indexes": 0}, "version": "1"}
    made = (spec["version"], spec["build"]["digest"], spec["config"]["digest"])
    spec |= {"declared": declared, "declared_id": declared_id(declared)}
    spec |= {"cell_id": cell_id(declared, *made)}
    change(spec)
    (folder / "spec.json").write_text(json.dumps(spec))
    write_manifest(folder)


def test_a_run_that_is_what_it_declares_is_believed(tmp_path: Path):
    """The compiler and its flags are dimensions too, and numbers are written as text."""
    project = Project(tmp_path)
    declaring(project.raw)

    assert [] == load(project).refused


@pytest.mark.slow
@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            lambda spec: spec["dims"].update(indexes="3"),
            "spec.json has other dims than those that it declares",
        ),
        (
            lambda spec: spec.update(options={"delete": "1"}),
            "spec.json has other options than those that it declares",
        ),
        (
            lambda spec: spec["declared"].update(dop=8),
            "spec.json has a declared_id that is not that of what it declares",
        ),
        (
            lambda spec: spec["build"].update(digest="0" * 16),
            "spec.json has a cell_id that is not that of its version, build and config",
        ),
    ],
)
def test_a_run_of_another_cell_is_refused(
    tmp_path: Path, change: Callable[[Spec], object], sentence: str
):
    """Its dimensions or options were changed, or its ids are those of another."""
    project = Project(tmp_path)
    declaring(project.raw, change)
    [refused] = load(project).refused

    assert refused.endswith(sentence)
