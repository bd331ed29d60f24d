"""A small program to look into, and profile.sh beside it."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
import zstandard
from places import BENCH

from benchformats.parsed import TextFile

FRAMES = ("-fno-omit-frame-pointer", "-mno-omit-leaf-frame-pointer")
CLOCK = ("--event", "cpu-clock")
BEGUN, ENDED = "*.start", "*.end"
_BUILT = tempfile.TemporaryDirectory(prefix="profiled-")  # removed when Python ends

# work SERVER_FILE: three parts of the client's time are in hot() and one in cold(), its
# second thread rests for 10 ms at a time; its child, the server, is in serve(). Both nap,
# to leave something of the CPUs to perf.
SOURCE = r"""
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#define OWN __attribute__((noinline, noipa))

static volatile unsigned long sink;

OWN void hot(unsigned n) { while (n--) sink += n; }
OWN void cold(unsigned n) { while (n--) sink += n; }
OWN void serve(unsigned n) { while (n--) sink += n; }

OWN void nap(long us)
{
	const struct timespec time = { .tv_nsec = us * 1000 };

	nanosleep(&time, NULL);
	sink++;
}

OWN void *rest(void *nothing)
{
	for (;; sink++)
		nap(10000);
	return nothing;
}

int main(int argc, char **argv)
{
	pid_t parent = getpid(), server = fork();
	pthread_t thread;
	FILE *file;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	for (; !server && getppid() == parent; nap(1500))
		serve(200000);
	file = fopen(argv[argc - 1], "w");
	fprintf(file, "%d 1\n", server);
	fclose(file);
	pthread_create(&thread, NULL, rest, NULL);
	for (;; nap(1500)) {
		hot(150000);
		cold(50000);
	}
}
"""


def paranoid() -> int:
    """What the kernel permits to others than root."""
    return int(Path("/proc/sys/kernel/perf_event_paranoid").read_text())


def need(*programs: str) -> None:
    """Skip the test where one is not installed."""
    paths = os.environ.get("PATH", "").split(os.pathsep)
    for name in programs:
        if not any((Path(path) / name).exists() for path in paths):
            pytest.skip(f"{name} is not installed")


@cache
def build() -> Path:
    """A folder with the program and the helper `now`, once for all tests."""
    folder = Path(_BUILT.name)
    subprocess.run(
        ["gcc", "-O1", *FRAMES, "-pthread", "-x", "c", "-", "-o", folder / "work"],
        input=SOURCE, text=True, check=True,
    )  # fmt: skip
    subprocess.run(["make", "-s", "-C", BENCH, f"OUT={folder}", "now"], check=True)
    return folder


def build_for_perf() -> Path:
    """As build(); skips the test where perf may not be used."""
    need("perf", "setpriv", "zstd", "gcc")
    if os.geteuid() and paranoid() > 1:
        pytest.skip("not permitted: `sysctl kernel.perf_event_paranoid=1` permits it")
    return build()


class Work:
    """The program, and a run folder whose driver.jsonl the test writes."""

    def __init__(self, bin: Path, folder: Path, *before: str) -> None:
        self.bin, self.folder = bin, folder
        self.server_file = folder / "server.pid"
        self.run = folder / "run"
        self.run.mkdir(parents=True)
        for path in (folder, self.run):
            path.chmod(0o777)  # the program may be somebody else's
        (self.run / "driver.jsonl").touch()
        self.process = subprocess.Popen([*before, bin / "work", self.server_file])
        wait_for(lambda: self.server_file.exists() and self.server_file.read_text())

    def __enter__(self) -> Work:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()

    def words(self, script: str, *options: str) -> list[str]:
        """The command line of a sidecar."""
        run, pid, server = self.run, self.process.pid, self.server_file
        words = (BENCH / script, "--run", run, "--pid", pid, "--server-file", server)
        return [str(word) for word in (*words, *options)]

    def profile(self, *options: str, before: tuple[str, ...] = (), **environ: str):
        """profile.sh, started."""
        return subprocess.Popen(
            [*before, *self.words("profile/profile.sh", *options)],
            stderr=subprocess.PIPE, text=True,
            env=os.environ | {"BENCH_BIN": str(self.bin)} | environ,
        )  # fmt: skip

    def tells(self, kind: str, step: str = "") -> None:
        """A line of the driver."""
        line = {"kind": kind, "step": step, "t_ns": time.monotonic_ns()}
        with (self.run / "driver.jsonl").open("a") as file:
            file.write(json.dumps(line, separators=(",", ":")) + "\n")

    def captured(self, how_many: int, mark: str = ENDED) -> None:
        """Wait until so many slices have begun or ended."""
        wait_for(lambda: len(list(self.run.glob(f".profile-*/{mark}"))) >= how_many)

    def lines(self) -> dict[tuple[str, str, str], dict]:
        """profile.jsonl by step, tree, and event (cpu or off-cpu)."""
        text = (self.run / "profile.jsonl").read_text()
        found = {}
        for line in map(json.loads, text.splitlines()):
            event = "off-cpu" if line["event"] == "off-cpu" else "cpu"
            found[line["step"], line["tree"], event] = line
        return found

    def text(self, name: str) -> TextFile:
        """A file of the run folder."""
        path = self.run / name
        packed = path.suffix == ".zst"
        with zstandard.open(path, "rt") if packed else path.open() as file:
            return TextFile(name, file.read())


def wait_for(done: Callable[[], object], seconds: float = 60) -> None:
    """Until it is so; fails the test if that takes too long."""
    end = time.monotonic() + seconds
    while not done():
        assert time.monotonic() < end, "it took too long"
        time.sleep(0.02)


def processes_about(words: str) -> list[str]:
    """Command lines of processes that hold these words."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            line = path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if words in line:
            found.append(line)
    return found
