"""`benchbook calibrate`: A/A runs of a study's base, and the noise they show."""

import json

import pytest
from studies import NULL_STUDY

from benchbook.engines.builds import Build
from benchbook.machine.facts import Machine
from benchbook.measure.spec import prepare, spec
from benchbook.project import Project
from benchbook.store.query import expand_dims, query
from benchbook.study.check import is_compiled
from benchbook.study.derived import aa_study, left_out
from benchbook.study.study import load_study
from benchmath.errors import UserError
from benchmath.ratios.relative import relative

engine = pytest.mark.engine
SQLITE = NULL_STUDY.replace('engine: "null"', "engine: sqlite, config: wal_normal_4k")
MICRO = """\
title: Which block is faster?
template: compilers
driver: micro
base: {compiler: gcc, flags: -O2}
engines:
  - {engine: ours}
matrix:
  compiler: [gcc, clang]
  flags: ["-O2", "-O3"]
  block_size: [4096, 8192]
steps: ["crc32c-table:seconds=0.05"]
"""


def study_of(tmp_path, text):
    file = tmp_path / "posts" / "x" / "study.yml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return load_study(file)


@pytest.mark.unit
def test_every_base_cell_gets_every_arm(tmp_path):
    """Of two compilers and flags only the base; each of its block sizes in four arms."""
    aa = aa_study(study_of(tmp_path, MICRO))

    expected = [
        (size, arm)
        for size in ("4096", "8192")
        for arm in ("main", "again", "rebuilt-2", "rebuilt-3")
    ]
    assert expected == [(dict(c.dims)["block_size"], c.arm) for c in aa.cells]
    assert {("gcc", "-O2")} == {(c.compiler, c.flags) for c in aa.cells}


@pytest.mark.unit
def test_an_aa_study_has_a_name_of_its_own_and_five_trials_or_more(tmp_path):
    """`.aa` behind the study's; its trials where they are more, or those asked for."""
    study = study_of(tmp_path, MICRO)
    more = study_of(tmp_path, MICRO + "trials: 7\n")

    assert ("x.aa", 5) == (aa_study(study).slug, aa_study(study).trials)
    assert (7, 3) == (aa_study(more).trials, aa_study(more, trials=3).trials)


@pytest.mark.unit
def test_an_engine_of_the_system_is_not_rebuilt(tmp_path):
    """libsqlite3 was compiled elsewhere: no rebuilt arm, and a sentence that says so."""
    aa = aa_study(study_of(tmp_path, SQLITE), loads=3)

    assert ["main", "again", "reloaded-2", "reloaded-3"] == [c.arm for c in aa.cells]
    [sentence] = left_out(aa, builds=3, loads=3)
    assert sentence.startswith("sqlite cannot be built again here")
    assert "the build effect is not measured" in sentence


@pytest.mark.unit
def test_a_driver_without_a_database_has_no_reloaded_arm(tmp_path):
    """micro keeps nothing: the sentence says so, and is not said when nobody asked."""
    aa = aa_study(study_of(tmp_path, MICRO))

    assert ["micro loads no database, so there is no reloaded arm"] == left_out(aa, 3, 2)
    assert [] == left_out(aa, 3, 1)


@pytest.mark.unit
def test_an_install_tree_is_not_rebuilt(tmp_path):
    """An engine with a basedir comes as it is, even if this checkout has compiled it."""
    study = study_of(
        tmp_path, NULL_STUDY.replace('engine: "null"', 'engine: "null", basedir: /opt/x')
    )

    assert [False, False] == [is_compiled(c, study.driver) for c in study.cells]
    assert is_compiled(study_of(tmp_path, NULL_STUDY).cells[0], study.driver)


@pytest.mark.unit
def test_a_base_elsewhere_takes_all_cells(tmp_path):
    """The base names a machine: on this one every cell is calibrated."""
    text = NULL_STUDY.replace("base: {indexes: 0}", "base: {machine: other}")
    aa = aa_study(study_of(tmp_path, text), builds=1, loads=1)

    assert [("0", "main"), ("0", "again"), ("3", "main"), ("3", "again")] == [
        (dict(c.dims)["indexes"], c.arm) for c in aa.cells
    ]


@pytest.mark.unit
def test_a_base_that_no_cell_is_is_refused(tmp_path):
    """Each value exists, but no cell has both."""
    engines = """\
engines:
  - {engine: "null", dims: {indexes: 0}}
  - {engine: sqlite, dims: {indexes: 3}}
"""
    text = NULL_STUDY.replace("matrix:\n  indexes: [0, 3]\n", "")
    text = text.replace('engines:\n  - {engine: "null"}\n', engines)
    text = text.replace("base: {indexes: 0}", "base: {engine: sqlite, indexes: 0}")

    with pytest.raises(UserError, match=r"no cell is the base .engine=sqlite indexes=0"):
        aa_study(study_of(tmp_path, text))


@pytest.mark.unit
def test_another_load_takes_another_seed(tmp_path):
    """reloaded-2 of a study with seed 1 loads from seed 2; the spec says which load."""
    study = aa_study(study_of(tmp_path, SQLITE.replace(", config: wal_normal_4k", "")))
    project = Project(tmp_path)
    build = Build(study.driver, "", "", "cc", "gcc 12", "-O2", "gcc", "d", tmp_path)
    specs = [
        spec(prepare(c, study, project, build, ""), study, Machine("m", "id"),
             trial=1, attempt=1, position=1, cpus=[])
        for c in study.cells
    ]  # fmt: skip

    expected = [("main", 1, "1"), ("again", 1, "1"), ("reloaded-2", 2, "2")]
    assert expected == [
        (s["arm"], s["load_no"], s["command"][s["command"].index("--seed") + 1])
        for s in specs
    ]


@engine
@pytest.mark.slow
def test_calibrate_files_runs_of_every_arm_and_says_the_noise(checkout):
    """One base cell, five arms, two trials; build and load numbers stand in each spec."""
    checkout.study("s")
    out = checkout.ok("calibrate", "s", "--trials", "2")
    specs = [json.loads((f / "spec.json").read_text()) for f in checkout.runs("s.aa")]

    expected = {
        "main": (1, 1), "again": (1, 1), "rebuilt-2": (2, 1), "rebuilt-3": (3, 1),
        "reloaded-2": (1, 2),
    }  # fmt: skip
    assert {(a, *n, t) for a, n in expected.items() for t in (1, 2)} == {
        (s["arm"], s["build_no"], s["load_no"], s["trial"]) for s in specs
    }
    assert "s.aa: 10 runs made, 0 failed, 0 left" in out
    assert ["step", "runs", "run", "build", "load"] == out.splitlines()[-2].split()
    assert ["l.i0", "10"] == out.splitlines()[-1].split()[:2]


@engine
@pytest.mark.slow
def test_calibrate_resumes_and_leaves_the_study_alone(checkout):
    """What is there is not made again; the study's own runs are still to be made."""
    checkout.study("s")
    few = ("--builds", "1", "--loads", "1", "--trials", "2")
    checkout.ok("calibrate", "s", *few)
    first = checkout.runs("s.aa")
    again = checkout.ok("calibrate", "s", *few)

    assert (4, first) == (len(first), checkout.runs("s.aa"))
    assert "s.aa: every run is there" in again
    assert "4 to make" in checkout.ok("plan", "s")


@engine
@pytest.mark.slow
def test_arms_are_compared_like_any_other_cells(checkout):
    """Runs from the store go into `relative` with main as the base: one row per arm."""
    checkout.study("s")
    checkout.ok("calibrate", "s", "--trials", "2", "--builds", "2")
    frame = expand_dims(query("FROM metric WHERE main", checkout.project))
    found = relative(frame, {"arm": "main"})

    assert ["again", "rebuilt-2", "reloaded-2"] == sorted(found["me"])
    assert found["relative"].notna().all()


@engine
@pytest.mark.slow
def test_only_and_other_verbs_know_the_aa_study(checkout):
    """--only takes an arm; status, du and compare show the runs; rm of the study keeps
    them.
    """
    checkout.study("s")
    checkout.ok("calibrate", "s", "--trials", "2", "--only", "arm=again")
    checkout.ok("run", "s", "--trials", "1")
    specs = [json.loads((f / "spec.json").read_text()) for f in checkout.runs("s.aa")]
    checkout.ok("rm", "s", "--yes")

    assert ["again", "again"] == [s["arm"] for s in specs]
    assert "s.aa" in checkout.ok("status") and "s.aa" in checkout.ok("du")
    assert 2 == len(checkout.runs("s.aa"))


@pytest.mark.slow
@engine
def test_a_build_of_the_system_cannot_be_an_arm_of_a_study(checkout):
    """A rebuilt arm in a matrix is refused where only the driver would be built again."""
    matrix = "matrix:\n  arm: [main, rebuilt-2]\n"
    checkout.study("s", SQLITE.replace("matrix:\n", matrix))
    done = checkout.call("plan", "s")

    assert 2 == done.returncode
    assert "arm rebuilt-2: sqlite is not compiled here" in done.stderr
