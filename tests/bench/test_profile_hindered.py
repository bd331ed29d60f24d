"""Profiles that cannot be made: each says why, in a sentence, and the run goes on."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from profiled import BENCH, CLOCK, Work, build_for_perf, paranoid, wait_for

pytestmark = pytest.mark.engine

NOBODY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--")


@pytest.fixture(scope="module", name="program")
def program_for_perf() -> Path:
    """The folder of the program and the clock."""
    return build_for_perf()


def hindered(program: Path, folder: Path, *options: str, **environ: str) -> dict:
    """The line of a run that cannot be profiled."""
    with Work(program, folder) as work:
        profile = work.profile(
            "--steps", "a", "--trees", "client", "--seconds", "0.1", "--after-s", "0",
            *options, **environ,
        )  # fmt: skip
        work.tells("begin", "a")
        wait_for(
            lambda: (
                any(f.stat().st_size for f in work.run.glob(".profile-*/*.log"))
                or profile.poll() == 0
            )
        )
        work.tells("end")
        said = profile.communicate(timeout=60)[1]
    assert (0, "") == (profile.returncode, said)
    (line,) = work.lines().values()
    assert ("failed", 0, "", "") == tuple(
        line[key] for key in ("status", "samples", "script", "report")
    )
    return line


def test_an_event_that_nobody_knows(program, tmp_path):
    """Said with its name; the run itself goes on."""
    line = hindered(program, tmp_path, "--event", "nonsense")

    assert "perf knows no event nonsense" == line["reason"]


def test_cycles_where_there_are_none(program, tmp_path):
    """perf itself would record another event without a word."""
    done = subprocess.run(["perf", "stat", "-e", "cycles", "true"], capture_output=True,
                          text=True, check=False)  # fmt: skip
    if "not supported" not in done.stderr:
        pytest.skip("this machine counts cycles")

    line = hindered(program, tmp_path, "--event", "cycles")
    assert "the event cycles is not supported on this machine" == line["reason"]


def test_no_perf(program, tmp_path):
    """What to install."""
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in ("bash", "env", "dirname", "realpath", "mktemp", "rm", "cat", "setpriv"):
        (tools / name).symlink_to(str(shutil.which(name)))

    line = hindered(program, tmp_path / "work", *CLOCK, PATH=str(tools))
    assert "perf is missing: install linux-perf" == line["reason"]


def test_without_a_server(program, tmp_path):
    """An embedded engine has none."""
    line = hindered(
        program, tmp_path, *CLOCK, "--trees", "server", "--server-file", "/none"
    )

    assert line["reason"].startswith("there was no server")


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be somebody else")
def test_somebody_else_than_root(program):
    """Without the kernel where only that is permitted, and without off-CPU time."""
    if paranoid() != 2:
        pytest.skip("perf_event_paranoid is not 2")
    folder = Path(tempfile.mkdtemp(prefix="profile-nobody-"))
    folder.chmod(0o777)
    try:
        for name in ("now", "work"):
            shutil.copy(program / name, folder / name)
        with Work(folder, folder / "run", *NOBODY) as work:
            profile = work.profile(
                *CLOCK, "--steps", "a", "--trees", "client", "--seconds", "0.2",
                "--after-s", "0", "--off-cpu", before=NOBODY, HOME=str(folder),
            )  # fmt: skip
            work.tells("begin", "a")
            work.captured(1)
            wait_for(lambda: list(work.run.glob(".profile-*/*off-cpu.reason")))
            work.tells("end")
            profile.communicate(timeout=60)
        lines = work.lines()
    finally:
        shutil.rmtree(folder)
    cpu, off = lines["a", "client", "cpu"], lines["a", "client", "off-cpu"]

    assert ("ok", "cpu-clock:u") == (cpu["status"], cpu["event"])
    assert cpu["reason"].startswith("only code of users, not of the kernel: ")
    assert ("failed", "off-CPU time is not permitted: kernel.perf_event_paranoid is 2; "
            "`sysctl kernel.perf_event_paranoid=1` permits it"
            ) == (off["status"], off["reason"])  # fmt: skip


@pytest.mark.parametrize(
    "option, value, said",
    [
        ("--hz", "x", "--hz takes samples per second, not x"),
        ("--trees", "both", "--trees are server and client, not both"),
        ("--seconds", "2s", "--seconds takes seconds, such as 0.5, not 2s"),
        ("--what", "a", "unknown option --what; see the head of this file"),
    ],
)
def test_bad_usage(tmp_path, option, value, said):
    """Exit 2 and one sentence."""
    words = ["--run", tmp_path, "--pid", "1", "--steps", "a", option, value]
    done = subprocess.run([BENCH / "profile/profile.sh", *words], capture_output=True,
                          text=True, check=False)  # fmt: skip

    assert (2, f"profile.sh: {said}\n") == (done.returncode, done.stderr)
