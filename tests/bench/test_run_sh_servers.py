"""bench/run.sh for servers: what is secret stays so, and nothing of a run outlives it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from servers import BENCH, END, alive, until

pytest_plugins = ("server_fixtures",)
pytestmark = pytest.mark.engine

PLACE = "host=db7.example port=3307 user=me password='open sesame' dbname=ib"


@pytest.fixture
def run(helpers, tmp_path):
    """A function that starts run.sh with a driver that is a script of bash."""
    programs = tmp_path / "bin"
    shutil.copytree(helpers, programs)

    def start(
        script: str, *arguments: str, options: tuple[object, ...] = (), **environ: str
    ):
        (programs / "driver").write_text(f"#!/bin/bash\n{script}\n")
        (programs / "driver").chmod(0o755)
        words = [BENCH / "run.sh", "--bin", programs, *options, "{}"]
        words += [tmp_path / "data/raw/s/m/tag/dop1.t1", "driver", *arguments]
        return subprocess.Popen(
            [*map(str, words)], env=os.environ | environ, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip

    return start


def finished(process: subprocess.Popen[str]) -> Path:
    return Path(process.communicate(timeout=30)[0].strip())


def test_words_of_a_connection_are_in_no_file(run):
    """The value of env:NAME, and who and where of it; what is like them stays."""
    script = f"""echo "$PLACE; no user me at db7.example, but some" >&2; echo '{END}'"""
    made = finished(run(script, "--target", "env:PLACE", PLACE=PLACE))
    said = (made / "stderr.log").read_text()

    assert "***; no user me at ***, but some\n" == said


def test_refusal_of_a_server_keeps_the_secret(run):
    """A word of it in the last message is not in the manifest's reason either."""
    script = "echo 'no access to \"sales\" with open sesame' >&2; exit 1"
    made = finished(
        run(script, "--target=env:PLACE", PLACE=PLACE.replace("=ib", "=sales"))
    )

    assert 'no access to "***" with ***' == json.loads(
        (made / "manifest.json").read_text()
    )["reason"]  # fmt: skip


def test_place_that_is_not_set_is_one_sentence(run):
    """Before anything is made."""
    process = run("true", "--target", "env:NOT_SET_ANYWHERE")

    assert "NOT_SET_ANYWHERE is not set" in process.communicate(timeout=30)[1]
    assert 2 == process.returncode


@pytest.mark.slow
@pytest.mark.parametrize(("options", "probed"), [((), True), (("--remote",), False)])
def test_disk_of_the_client_is_not_recorded_as_the_servers(run, drivers, options, probed):
    """--remote says so in env.json, and leaves out the probe."""
    process = run(f"echo '{END}'", options=("--bin", drivers, "--probe", *options))
    process.communicate(timeout=30)  # the driver is not there: that is a failed run
    made = next(Path(process.args[-2]).parent.glob("dop1.t1-*"))
    env = json.loads((made / "env.json").read_text())

    assert (not probed) == env.get("remote", False)
    assert probed == bool(env["before"]["probe"]) == bool(env["after"]["probe"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--config", "{empty}"), "is empty: it sets nothing"),
        (("--memory", "100"), "--memory is about a server"),
    ],
)
def test_wrong_options_are_one_sentence(run, tmp_path, options, said):
    """Exit 2, and no run folder."""
    (tmp_path / "empty").write_text("# nothing\n[mysqld]\n")
    process = run(
        "true", options=tuple(o.format(empty=tmp_path / "empty") for o in options)
    )

    assert said in process.communicate(timeout=30)[1]
    assert 2 == process.returncode
    assert not (tmp_path / "data").exists()


def test_kill_9_of_run_sh_leaves_no_driver_and_no_folder(run, tmp_path):
    """A daemon of the driver included."""
    process = run(
        f"setsid sleep 60 & echo $! $$ >{tmp_path}/pids; touch $1/db; sleep 60",
        "{target}",
    )
    pids = until(
        lambda: (tmp_path / "pids").exists() and (tmp_path / "pids").read_text().split()
    )
    process.kill()
    process.communicate()

    until(lambda: not any(alive(int(pid)) for pid in pids))
    until(lambda: not any((tmp_path / "data" / "scratch").iterdir()))
    assert [] == list((tmp_path / "data/raw/s/m/tag").iterdir())


@pytest.mark.slow
def test_server_log_and_settings_are_files_of_the_run(run, postgres, tmp_path):
    """server.log, server.conf and the user's own config stand in the manifest."""
    config = tmp_path / "small"
    config.write_text("fsync = off\n")
    options = ("--server", "postgres", "--basedir", postgres, "--config", config)
    made = finished(run(f"echo \"$1\" >&2; echo '{END}'", "{server}", options=options))
    files = json.loads((made / "manifest.json").read_text())["files"]

    assert {"config", "server.conf", "server.log"} <= set(files)
    assert (made / "stderr.log").read_text().startswith("host=/tmp/bb-")
    assert config.read_text() == (made / "config").read_text()
    assert not any((tmp_path / "data" / "scratch").iterdir())
