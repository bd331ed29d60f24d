"""Profiles and instruction counts: studies that follow from a study, and their runs."""

import pytest
from studies import NULL_STUDY

from benchbook.measure.execute import profile_words, sidecar_words
from benchbook.measure.run import RunOptions, measure_all
from benchbook.measure.spec import declaration, watched
from benchbook.project import Project
from benchbook.study.arms import INSTRUCTIONS, PROFILE
from benchbook.study.derived import companions, with_companions
from benchbook.study.study import load_study
from benchmath.errors import UserError

pytestmark = pytest.mark.unit
MIXED = """\
title: What does an insert cost?
template: insert-cost
driver: ingest
base: {engine: sqlite}
engines:
  - {engine: sqlite, config: wal_normal_4k}
  - {engine: postgres, version: "15", source: debian, config: x10a_1g}
steps: ["l.i0:rows=1000"]
trials: 5
"""
PROFILED = MIXED + "profile: {steps: [l.i0], trials: 2, hz: 99}\noff_cpu: true\n"
COUNTED = MIXED + 'instructions: {steps: ["l.i0:rows=100"]}\n'
NATIVE = """\
title: Which flags?
template: compilers
driver: micro
base: {flags: -O2}
engines: [{engine: ours}]
matrix:
  compiler: [gcc]
  flags: ["-O2", "-O3 -march=native"]
  block_size: [4096]
steps: ["crc32c-table:seconds=0.05"]
instructions: {}
"""


def study_of(tmp_path, text):
    file = tmp_path / "posts" / "x" / "study.yml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return load_study(file)


def test_a_study_has_no_companion_unless_it_asks_for_one(tmp_path):
    """Neither profiles nor counts: the study alone."""
    study = study_of(tmp_path, MIXED)

    assert (study,) == with_companions(study)


def test_profiles_are_all_cells_again_in_an_arm_of_their_own(tmp_path):
    """Filed under x.profile, with trials of their own."""
    [profile] = companions(study_of(tmp_path, PROFILED))

    assert ("x.profile", 2) == (profile.slug, profile.trials)
    assert [("sqlite", PROFILE), ("postgres", PROFILE)] == [
        (cell.engine, cell.arm) for cell in profile.cells
    ]


def test_instructions_are_counted_of_embedded_engines_alone(tmp_path):
    """A server's process is not the driver's; the steps are the short ones."""
    [counted] = companions(study_of(tmp_path, COUNTED))

    assert [("sqlite", INSTRUCTIONS, "l.i0:rows=100")] == [
        (cell.engine, cell.arm, str(cell.steps[0])) for cell in counted.cells
    ]
    assert ("x.instructions", 1) == (counted.slug, counted.trials)


def test_a_build_for_this_machine_is_counted_without_avx512(tmp_path):
    """valgrind does not know those instructions; other flags stay as they are."""
    [counted] = companions(study_of(tmp_path, NATIVE))

    expected = ["-O2", "-O3 -march=native -mno-avx512f"]
    assert expected == [cell.flags for cell in counted.cells]
    assert "crc32c-table:seconds=0.05" == str(counted.cells[0].steps[0])


def test_the_usual_sampler_is_no_part_of_a_cell_and_another_rate_is(tmp_path):
    """A study measured before there was a sampler is not measured again."""
    usual = study_of(tmp_path, MIXED)
    faster = study_of(tmp_path, MIXED + "sampler_hz: 10\n")

    assert "watch" not in declaration(usual.cells[0], usual)
    assert {"sampler_hz": 10.0} == declaration(faster.cells[0], faster)["watch"]


def test_a_profiled_cell_is_another_cell_than_the_timed_one(tmp_path):
    """Its identity names what is recorded, so that another rate is measured anew."""
    study = study_of(tmp_path, PROFILED)
    [profile] = companions(study)

    assert declaration(study.cells[0], study) != declaration(profile.cells[0], profile)
    assert 99 == declaration(profile.cells[0], profile)["watch"]["hz"]


def test_an_embedded_engine_is_profiled_in_the_client(tmp_path):
    """It has no process of its own; a server is profiled, unless the study says both."""
    [profile] = companions(study_of(tmp_path, PROFILED))
    trees = [watched(cell, profile)["profile"]["trees"] for cell in profile.cells]

    assert [("client",), ("server",)] == trees


def test_the_sidecars_become_options_of_run_sh():
    """Ten samples a second and counters; callgrind stands alone."""
    watch = {"sample_ms": 100, "counters": True}

    assert ["--sample", "100", "--counters"] == sidecar_words(watch)
    assert ["--count-instructions"] == sidecar_words({"count_instructions": True})
    assert [] == sidecar_words({"sample_ms": 0, "counters": True})


def test_a_profile_is_one_argument_of_run_sh():
    """Options of profile.sh, its lists separated by commas."""
    profile = {
        "steps": ["l.i0", "qp100.L2"], "trees": ["server"], "hz": 99, "event": "auto",
        "call_graph": "fp", "after_s": 0.5, "seconds": 2.0, "off_cpu": True,
    }  # fmt: skip

    expected = (
        "--steps l.i0,qp100.L2 --trees server --hz 99 --event auto --call-graph fp "
        "--after-s 0.5 --seconds 2.0 --off-cpu"
    )
    assert expected == profile_words(profile)


def test_an_unknown_key_of_profile_is_refused(tmp_path):
    """A misspelt frequency would be recorded with another."""
    with pytest.raises(UserError, match="herz"):
        study_of(tmp_path, NULL_STUDY + "profile: {steps: [l.i0], herz: 9}\n")


def test_a_part_that_a_study_has_not_is_refused(tmp_path):
    """`run --count-instructions` on a study that names no steps for it."""
    study = study_of(tmp_path, PROFILED)
    options = RunOptions(part=INSTRUCTIONS)

    with pytest.raises(UserError, match="has no `instructions:`, such as"):
        measure_all(study, Project(tmp_path), options, print)


def test_servers_alone_have_no_instructions_to_count(tmp_path):
    """The study asks for counts, but has no engine whose instructions are counted."""
    text = COUNTED.replace("  - {engine: sqlite, config: wal_normal_4k}\n", "")
    study = study_of(tmp_path, text.replace("base: {engine: sqlite}", "base: {dop: 1}"))

    with pytest.raises(UserError, match="of embedded engines alone, and all of these"):
        measure_all(study, Project(tmp_path), RunOptions(part=INSTRUCTIONS), print)
