"""How fast the machine is, beside how fast it was for its posts."""

import pandas as pd
import pytest

from benchbook.machine.pace import changed_pace, pace_now, pace_of_posts
from benchbook.project import Project

pytestmark = pytest.mark.unit


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def compiled(project, answer):
    """A program that says how long the piece of work takes."""
    tool = project.build / "driver/digest/quiet"
    tool.parent.mkdir(parents=True)
    tool.write_text(f"#!/bin/sh\n{answer}\n")
    tool.chmod(0o755)


def takes(project, ms):
    compiled(project, f"echo '{{\"work_ns\":{round(ms * 1e6)}}}'")


def post(project, slug, *took_ms, machine_id="ab", env="{}"):
    """A post of one run whose probes took so long."""
    folder = project.posts / slug / "evidence"
    folder.mkdir(parents=True)
    runs = pd.DataFrame([{"run_id": slug, "machine_id": machine_id, "env": env}])
    runs.to_parquet(folder / "runs.parquet")
    probes = pd.DataFrame({"run_id": [slug] * len(took_ms),
                           "work_ns": [round(ms * 1e6) for ms in took_ms]})  # fmt: skip
    probes.to_parquet(folder / "probes.parquet")


def test_posts_of_this_machine_the_fastest_first(project):
    """Medians: of turns by their probes, else by what the run tells of its ends."""
    post(project, "slow", 9, 10, 20)
    post(project, "elsewhere", 1, machine_id="cd")
    ends = '{"before": {"work_ns": 5000000}, "after": {"work_ns": 6000000}}'
    post(project, "alone", env=ends)
    post(project, "old", env='{"before": {"load1": 0.1}, "after": null}')

    assert [("alone", 5.5), ("slow", 10.0)] == [*pace_of_posts(project, "ab").items()]


def test_no_posts_no_pace(project):
    assert {} == pace_of_posts(project, "ab")


def test_evidence_that_cannot_be_read_stops_nobody(project):
    post(project, "whole", 5)
    post(project, "damaged", 5)
    (project.posts / "damaged/evidence/runs.parquet").write_text("no table")

    assert {} == pace_of_posts(project, "ab")


@pytest.mark.parametrize("answer", ["exit 1", "echo nothing", "echo {}", "sleep 9"])
def test_a_program_that_does_not_answer(project, answer, monkeypatch):
    monkeypatch.setattr("benchbook.machine.pace.SECONDS", 0.05)
    compiled(project, answer)

    assert pace_now(project) is None


@pytest.mark.parametrize(
    ("now", "slug", "said"),
    [(10.0, "mine", "the machine is 2.50 times as slow as it was for posts/mine: a fixed "
      "piece of work takes 10 ms, 4 then"),
     (2.0, "mine", "the machine is 2 times as fast as it was for posts/mine"),
     (4.3, "mine", ""),
     (10.0, "new", "the machine is 5 times as slow as it was for posts/fastest")],
)  # fmt: skip
def test_one_sentence_where_the_pace_changed(project, now, slug, said):
    """Beside the post's own runs, else the fastest post's; a tenth is no change."""
    post(project, "mine", 4)
    post(project, "fastest", 2)
    takes(project, now)

    text = changed_pace(project, "ab", slug)

    assert text.startswith(said)
    assert bool(text) is bool(said)


def test_nothing_to_say_before_a_driver_is_compiled(project):
    post(project, "mine", 4)

    assert "" == changed_pace(project, "ab", "mine")
