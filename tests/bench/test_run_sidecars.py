"""What stands beside a run: the sampler's lines, perf's captures, callgrind's counts."""

import json
import os
import shutil
import subprocess

import pytest
from servers import BENCH, compiled

pytestmark = pytest.mark.engine
L_I0 = ["ingest", "--engine", "null", "--target", "x", "--step", "l.i0:rows=2000000"]


@pytest.fixture(scope="module")
def programs(builds):
    for goal in ("ingest", "now"):
        compiled(builds, goal)
    return compiled(builds, "sampler")


def run(programs, home, *options, steps=L_I0, **variables):
    """The run folder that run.sh makes."""
    dest = home / "data/raw/s/m/null/dop1.t1"
    words = [BENCH / "run.sh", "--bin", programs, *options, '{"schema":1}', dest, *steps]
    done = subprocess.run(
        words, capture_output=True, text=True, check=False, env=os.environ | variables
    )
    assert 0 == done.returncode, done.stderr
    return next(dest.parent.glob("dop1.t1-*"))


def lines(folder, name):
    """The JSON lines of a file, packed or not."""
    packed = folder / f"{name}.zst"
    words = ["zstd", "-dcq", packed] if packed.exists() else ["cat", folder / name]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in said.splitlines()]


def test_the_sampler_covers_the_step(programs, tmp_path):
    """50 ms between samples, from before the step's begin to after its end."""
    folder = run(programs, tmp_path, "--sample", "50")

    head, *samples, end = lines(folder, "sampler.jsonl")
    [step] = [r for r in lines(folder, "driver.jsonl") if r["kind"] == "step"]
    assert ("sampler", "end") == (head["kind"], end["kind"])
    assert samples[0]["t_ns"] < step["end_ns"] < samples[-1]["t_ns"] + 100_000_000
    assert "client" in samples[0]["trees"]
    assert "sampler.log" not in [path.name for path in folder.iterdir()]


def test_a_run_without_sidecars_has_none(programs, tmp_path):
    """Nothing is started that was not asked for."""
    folder = run(programs, tmp_path)

    assert {"driver.jsonl.zst", "env.json", "manifest.json", "spec.json",
            "stderr.log"} == {path.name for path in folder.iterdir()}  # fmt: skip


def test_this_machine_is_not_sampled_for_a_server_elsewhere(programs, tmp_path):
    """Its figures would be taken for those of the server's host."""
    folder = run(programs, tmp_path, "--sample", "50", "--remote")

    assert [] == list(folder.glob("sampler*"))


@pytest.mark.slow
def test_a_server_elsewhere_is_sampled_there(programs, tmp_path):
    """By ssh, here a shell in its place; how it is reached is in no file."""
    ssh = tmp_path / "ssh"
    ssh.write_text(
        '#!/bin/sh\ntest "$1" = me@db.example || exit 255\nshift\nexec sh -c "$*"\n'
    )
    ssh.chmod(0o755)
    options = ("--sample", "50", "--remote", "--sample-host", "env:DB_SSH")
    steps = [*L_I0[:-1], "l.i0:rows=60000000"]
    folder = run(
        programs,
        tmp_path,
        *options,
        steps=steps,
        BENCH_SSH=str(ssh),
        DB_SSH="me@db.example",
    )

    head, *_, end = lines(folder, "sampler.jsonl")
    assert ("sampler", "end") == (head["kind"], end["kind"])
    assert "offset_ns" in head
    found = subprocess.run(["grep", "-rl", "db.example", folder], capture_output=True)
    assert b"" == found.stdout


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("perf"), reason="perf is not installed")
def test_a_profile_lies_in_the_run_folder(programs, tmp_path):
    """Half a second of the step: a capture with samples."""
    words = "--steps l.i0 --trees client --hz 499 --event cpu-clock --call-graph fp "
    words += "--after-s 0 --seconds 0.5"
    steps = [*L_I0[:-1], "l.i0:rows=60000000"]
    folder = run(programs, tmp_path, "--profile", words, steps=steps)

    [capture] = lines(folder, "profile.jsonl")
    assert ("l.i0", "client") == (capture["step"], capture["tree"])
    assert capture["status"] == "ok", capture["reason"]
    assert capture["samples"] > 0
    assert (folder / capture["script"]).is_file()


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("valgrind"), reason="valgrind is not installed")
def test_instructions_are_counted_per_step(programs, tmp_path):
    """callgrind.json names the step and what ran in it."""
    steps = [*L_I0[:-1], "l.i0:rows=1000"]
    folder = run(programs, tmp_path, "--count-instructions", steps=steps)

    found = json.loads((folder / "callgrind.json").read_text())
    assert found["steps"]["l.i0"]["instructions"] > 1000
