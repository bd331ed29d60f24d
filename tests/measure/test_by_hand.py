"""Lines of `plan --commands` pasted elsewhere: the run is that host's, and says so."""

import json
import re
import shutil
import subprocess

import pytest
from fake_root import fake_root
from make_runs import make_run, write_manifest
from places import BENCH
from studies import NULL_STUDY

from benchbook.machine.facts import machine_id
from benchbook.project import Project
from benchbook.runs.inventory import OnDisk
from benchbook.store.load import load
from benchbook.store.query import query

CONFIGURED = """\
title: Does a setting matter?
template: ab
driver: ingest
base: {config: mine}
engines: [{engine: sqlite, config: mine}]
matrix: {dop: [1]}
steps: ['l.i0:rows=100']
trials: 1
"""


def paste(lines, checkout, **environ):
    """What bash makes of lines in a checkout, without the library's virtualenv."""
    return subprocess.run(
        ["bash", "-e"], input=lines, text=True, check=True, cwd=checkout.root,
        env=checkout.environ | environ, capture_output=True,
    )  # fmt: skip


@pytest.fixture
def elsewhere(make_checkout, tmp_path):
    """A checkout on a host with another CPU and 16 GB, as its own files say."""
    checkout = make_checkout("elsewhere", machine="c6i")
    (checkout.root / "bench").unlink()
    shutil.copytree(BENCH, checkout.root / "bench", ignore=shutil.ignore_patterns("bin"))
    file = checkout.root / "bench" / "facts.sh"
    root = fake_root(tmp_path / "root")
    text = file.read_text()
    assert "\nhost_root= " in text
    file.write_text(text.replace("\nhost_root= ", f"\nhost_root={root} "))
    return checkout


@pytest.fixture
def spread(checkout, elsewhere):
    """A study measured here, its lines pasted there, and all runs brought home."""
    checkout.study("s")
    lines = checkout.ok("plan", "s", "--commands")
    checkout.ok("run", "s")
    paste(lines, elsewhere)
    for folder in (elsewhere.root / "data/raw/s").iterdir():
        shutil.copytree(folder, checkout.root / "data/raw/s" / folder.name)
    return checkout


@pytest.mark.slow
@pytest.mark.engine
def test_pasted_run_belongs_to_the_host_that_ran(spread):
    """Name, id and hardware are those of the other host, and its cells stand apart."""
    report = load(spread.project)
    sql = """SELECT machine, any_value(env->'host'->>'cpu_model') AS cpu,
        count(*) AS runs, count(DISTINCT machine_id) AS ids
        FROM runs GROUP BY machine ORDER BY machine"""
    found = query(sql, project=spread.project)
    cells = query('SELECT machine, n FROM cov WHERE main AND "set" = \'s\'',
                  project=spread.project)  # fmt: skip

    assert ([], []) == (report.refused, report.warnings)
    assert ["c6i", "testbox"] == list(found["machine"])
    assert "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz" == found["cpu"][0]
    assert [(4, 1), (4, 1)] == list(zip(found["runs"], found["ids"], strict=True))
    assert {"c6i", "testbox"} == set(cells["machine"])
    assert {2} == set(cells["n"])


@pytest.mark.slow
@pytest.mark.engine
def test_lines_of_arms_that_take_turns_work_where_they_are_pasted(checkout):
    """The referee is found where the programs are built."""
    checkout.study("s", NULL_STUDY + "order: turns\n")
    paste(checkout.ok("plan", "s", "--commands"), checkout)

    assert 4 == len(checkout.runs("s"))


@pytest.mark.slow
def test_lines_name_nothing_of_the_host_that_planned(checkout):
    """No folder, no machine, no compiler; the settings file lies below the checkout."""
    study = checkout.study("configured", CONFIGURED)
    (study.parent / "mine").write_text("page_size=4096\n")
    checkout.study("s", NULL_STUDY)
    for slug in ("s", "configured"):
        lines = checkout.ok("plan", slug, "--commands")

        assert str(checkout.root) not in lines
        assert "testbox" not in lines
        assert "(Debian" not in lines
        assert not [word for word in lines.replace('"', " ").split() if word[0] == "/"]
    assert "--config posts/configured/mine" in lines


@pytest.mark.slow
@pytest.mark.engine
def test_pasted_run_has_the_version_that_its_engine_says(checkout):
    """Nobody asked the engine where it was planned; tag and digests are as of `run`."""
    study = checkout.study("configured", CONFIGURED)
    (study.parent / "mine").write_text("page_size=4096\n")
    paste(checkout.ok("plan", "configured", "--commands"), checkout)
    [pasted] = checkout.runs("configured")
    by_hand = json.loads((pasted / "spec.json").read_text())
    assert "every run is there" in checkout.ok("run", "configured")
    shutil.rmtree(checkout.root / "data" / "raw")
    checkout.ok("run", "configured")
    [measured] = checkout.runs("configured")
    spec = json.loads((measured / "spec.json").read_text())

    differ = {key for key in spec if spec[key] != by_hand.get(key)}
    assert {"build", "doctor"} >= differ  # the revision is not told by hand
    assert measured.parent.name == pasted.parent.name


HOST = {
    "cores": "2", "cpu_model": "Xeon A", "device": "d", "filesystem": "xfs",
    "hypervisor": "none", "mem_gib": "4", "sockets": "1", "threads": "2",
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize(("planned", "really", "told"), [
    ({"cpu_model": "Xeon A"}, {"cpu_model": "Xeon B"}, "cpu_model 'Xeon A'.* 'Xeon B'"),
    ({"mem_gib": "16"}, {"mem_kib": 4_100_000}, "mem_gib '16'.* on '4'"),
    ({"cores": "4"}, {"host": HOST}, "cores '4'.* on '2'"),
    ({"compiler": "gcc 12"}, {"host": HOST | {"compiler": "gcc 13"}},
     "compiler 'gcc 12'.* 'gcc 13'"),
])  # fmt: skip
def test_run_of_another_host_is_refused(tmp_path, planned, really, told):
    """What env.json says of the host must be what spec.json was written for."""
    project = Project(tmp_path)
    folder = make_run(project.raw)
    spec, env = (json.loads((folder / f).read_text()) for f in ("spec.json", "env.json"))
    env |= {"cpu_model": "", "mem_kib": None} | really
    if "host" in really:
        env["machine_id"] = spec["machine_id"] = machine_id(HOST)
    (folder / "spec.json").write_text(json.dumps(spec | {"host": planned}))
    (folder / "env.json").write_text(json.dumps(env))
    write_manifest(folder)
    refused = load(project).refused

    assert 1 == len(refused)
    assert refused[0].startswith(folder.relative_to(project.raw).as_posix())
    assert re.search(told, refused[0])
    assert [] == OnDisk(project).named()


def test_machine_id_of_another_host_is_refused(tmp_path):
    """A line of an older `plan --commands`, pasted elsewhere, has the planner's id."""
    project = Project(tmp_path)
    folder = make_run(project.raw, machine_id="0123456789abcdef")
    env = json.loads((folder / "env.json").read_text())
    env |= {"host": HOST, "machine_id": machine_id(HOST)}
    (folder / "env.json").write_text(json.dumps(env))
    write_manifest(folder)
    [refused] = load(project).refused

    assert "machine_id '0123456789abcdef'" in refused
    assert machine_id(HOST) in refused


@pytest.mark.parametrize(("line", "refused"), [
    ("gcc (Debian 12.2.0-14) 12.2.0", 0), ("gcc (Debian 13.2.0-1) 13.2.0", 1),
])  # fmt: skip
def test_driver_of_another_compiler_is_refused(tmp_path, line, refused):
    """A program that was brought along says itself what made it."""
    project = Project(tmp_path)
    folder = make_run(project.raw, build="gcc -O2")
    for name, old, new in (("spec.json", '"compiler": "gcc"', f'"compiler": "{line}"'),
                           ("driver.jsonl", '"compiler":"gcc"',
                            '"compiler":"gcc 12.2.0"')):  # fmt: skip
        text = (folder / name).read_text()
        assert old in text
        (folder / name).write_text(text.replace(old, new))
    write_manifest(folder)

    assert refused == len([r for r in load(project).refused if "13.2.0" in r])
