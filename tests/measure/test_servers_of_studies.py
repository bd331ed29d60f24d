"""`benchbook run` on a PostgreSQL of the distribution, as a user would call it."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import zstandard
from places import ROOT

from benchbook.engines.catalogue import cache
from benchbook.measure.run import clean_leftovers

pytestmark = pytest.mark.engine

SETTINGS = "shared_buffers = 16MB\nfsync = off\n"
STUDY = """\
title: Does it run?
template: inserts
driver: ingest
base: {indexes: 0}
engines:
  - {engine: postgres, version: "15", source: debian, config: small}
matrix: {indexes: [0, 3]}
steps: ["l.i0:rows=300", "l.x", "qp100.L2:seconds=0.2"]
trials: 1
"""


@pytest.fixture
def measured(checkout):
    """A checkout with a study of two cells on PostgreSQL 15."""
    file = checkout.study("s", STUDY)
    (file.parent / "configs").mkdir()
    (file.parent / "configs" / "small").write_text(SETTINGS)
    return checkout


def installed() -> Path:
    """The tree of PostgreSQL 15, which the first of these tests gets."""
    words = [ROOT / "bench" / "install.sh", "postgres", "15", "debian"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return Path(done.stdout.splitlines()[-1])


def text_of(folder: Path) -> str:
    """All that a folder's files hold, unpacked."""
    parts = []
    for file in (f for f in folder.rglob("*") if f.is_file()):
        data = file.read_bytes()
        if file.suffix == ".zst":
            data = zstandard.ZstdDecompressor().stream_reader(data).read()
        parts.append(data.decode(errors="replace"))
    return "\n".join(parts)


@pytest.mark.slow
def test_study_of_a_server_is_run_kept_and_resumed(measured):
    """Two cells, each with a server of its own, its log and settings; nothing is left."""
    said = measured.ok("run", "s")
    runs = measured.runs("s")
    spec = json.loads((runs[0] / "spec.json").read_text())

    assert "2 runs made, 0 failed" in said
    assert {"config", "server.conf", "server.log"} <= {f.name for f in runs[0].iterdir()}
    assert spec["version"].startswith("15.") and "debian" == spec["build"]["source"]
    assert ("same", spec["cpus"]) == (spec["placement"], spec["server_cpus"])
    assert SETTINGS in (runs[0] / "server.conf").read_text()
    for path in (str(measured.root), str(cache())):
        assert path not in (runs[0] / "spec.json").read_text()
    assert [] == list((measured.root / "data" / "scratch").iterdir())
    assert "every run is there" in measured.ok("run", "s")


@pytest.mark.slow
def test_pasted_lines_make_the_runs_of_a_server(measured):
    """`plan --commands` needs bash alone, and asks the installer for the tree."""
    measured.study("s", STUDY.replace("[0, 3]", "[0]"))
    lines = measured.ok("plan", "s", "--commands")
    subprocess.run(["bash", "-e"], input=lines, text=True, check=True,
                   env=measured.environ, capture_output=True)  # fmt: skip

    assert '"$(bench/install.sh postgres 15 debian)"' in lines
    assert "every run is there" in measured.ok("run", "s")


@pytest.mark.slow
def test_server_that_runs_elsewhere_stays_a_secret(measured):
    """Its place and password are in no file of data/; no variable is one sentence."""
    local = 'version: "15", source: debian, config: small'
    text = STUDY.replace(local, 'connect: "${PG_URL}"').replace("[0, 3]", "[0]")
    measured.study("far", text)
    unset = measured.call("run", "far")
    made = with_server(measured, installed(), "far")

    assert 2 == unset.returncode
    assert "connect names ${PG_URL}, but there is no variable PG_URL" in unset.stderr
    assert "1 runs made, 0 failed" in made.stdout, made.stderr
    kept = text_of(measured.root / "data") + made.stdout + made.stderr
    assert "hush-7f3a" not in kept and "/tmp/bb-" not in kept


def with_server(checkout, tree, slug):
    """`benchbook run` beside a server that somebody else has started."""
    bench, out = ROOT / "bench", checkout.root / "bin"
    subprocess.run(["make", "-C", bench, f"OUT={out}", "keeper"], check=True,
                   capture_output=True)  # fmt: skip
    call = f'PG_URL="$0 password=hush-7f3a" exec {sys.executable} -m benchbook run {slug}'
    return subprocess.run(
        [bench / "server.sh", "run", "--engine", "postgres", "--basedir", tree,
         "--bin", out, "--dir", checkout.root / "elsewhere", "--", "bash", "-c", call,
         "{server}"],
        cwd=checkout.root, env=checkout.environ, capture_output=True, text=True,
        check=False,
    )  # fmt: skip


def test_another_version_than_the_study_names_is_one_sentence(measured):
    """An own tree of 15.N is not 15.1; nothing is run."""
    tree = installed()
    measured.study("old", STUDY.replace(
        'version: "15", source: debian, config: small',
        f'version: "15.1", basedir: "{tree}"',
    ))  # fmt: skip
    done = measured.call("run", "old")

    assert 2 == done.returncode
    assert f"study.yml says postgres 15.1, but {tree} is 15." in done.stderr
    assert [] == measured.runs("old")


def test_what_a_killed_run_left_is_removed(measured):
    """The folder of sockets and the data of a server that nobody ended."""
    sockets = Path(tempfile.mkdtemp(prefix="bb-", dir="/tmp"))
    scratch = measured.root / "data" / "scratch" / "run-1-x"
    scratch.mkdir(parents=True)
    (scratch / "server.sockets").write_text(f"{sockets}\n")
    (measured.root / "data" / "raw").mkdir()
    clean_leftovers(measured.project)

    assert not scratch.exists() and not sockets.exists()
