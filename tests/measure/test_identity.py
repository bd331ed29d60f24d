"""A key of study.yml that changes how a run is made changes which run it is."""

from __future__ import annotations

import json

import pytest
from places import ROOT
from server_studies import program, spec_of, study_of

from benchbook.engines.builds import plan_build
from benchbook.project import Project

pytestmark = pytest.mark.unit

# Two values of each key that reaches a run.
MADE = {
    "matrix": ("matrix", "{dop: [1, 2], price: [real]}", "{dop: [1, 2], price: [int]}"),
    "steps": ("steps", '["l.i0:rows=1000"]', '["l.i0:rows=2000"]'),
    "options": ("options", "{tables: 1}", "{tables: dop}"),
    "sampler_hz": ("sampler_hz", "1", "10"),
    "counters": ("counters", "false", "true"),
    "waits": ("waits", "false", "true"),
    "placement": ("placement", "same", "split"),
    "seed": ("seed", "1", "2"),
    "turn_ms": ("turn_ms", "100", "200"),
}
# Parts of steps, cells and files, which are in the identity with them.
INSIDE = {"engines", "commands", "build", "base", "workload", "vectors", "script",
          "seconds", "events", "warmup", "rate", "analyze", "driver", "preset",
          "presets"}  # fmt: skip
# Arms of their own, or what is made of runs and how many there are.
BESIDE = {"folder", "title", "description", "date", "categories", "template", "profile",
          "off_cpu", "instructions", "trials", "order", "until", "budget", "same_code",
          "margin", "machines", "servers", "reuse", "live", "data", "beside", "sources",
          "also", "label", "quiet", "noisy", "explains", "premises",
          "parameters"}  # fmt: skip
HOW = ("command", "cpus", "server_cpus", "watch", "steps", "options", "turn_ms")


def test_every_key_has_its_kind():
    """A new key says whether it changes how a run is made."""
    schema = json.loads((ROOT / "src/benchbook/study/schema.json").read_text("utf-8"))

    assert set(schema["properties"]) == {*MADE, "placement"} | INSIDE | BESIDE


def run_of(tmp_path, key: str, value: str) -> tuple[str, str]:
    """How the first cell's run is made, and its identity."""
    program(tmp_path / "my8036", "mysqld")
    turns = {"order": "turns"} if key == "turn_ms" else {}
    entry = f"{{engine: mysql, basedir: {tmp_path}/my8036}}"
    study = study_of(tmp_path, entry, **{key: value}, **turns)
    build = plan_build(study.cells[0], study.driver, Project(tmp_path))
    found = spec_of(study, build)
    how = {name: found.get(name) for name in HOW} | {"turn_ms": study.turn_ms}
    return json.dumps(how, sort_keys=True), found["declared_id"]


@pytest.mark.parametrize("name", MADE)
def test_what_changes_a_run_changes_its_identity(tmp_path, name):
    """Two values give two runs, and none is taken for the other."""
    key, one, other = MADE[name]
    (tmp_path / "bench").mkdir()
    first, second = run_of(tmp_path, key, one), run_of(tmp_path, key, other)

    assert first[0] != second[0]
    assert first[1] != second[1]
