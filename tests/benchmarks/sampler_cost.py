"""What does the sampler cost, beside the tools that show the same?

CPU time of the process per sample, measured from outside while all of them run at once,
and what share of one core that is. `files`: a machine of files with 64 devices that all
work, 500 other processes and a server of 64: the sampler's own part. `machine`: this
one, with 500 processes that sleep and a server of 64 of which half work: with the part of
the kernel. There vmstat, iostat -x and top (which reads every process of /proc, as many
samplers do) run beside it.
Goal: at most 2000 µs a sample, .2% of one core at 1 Hz.
"""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pandas as pd
from script import show

sys.path.append(str(Path(__file__).parents[1] / "helpers"))

from sampler_tree import disk, put, put_machine, put_process

BENCH = Path(__file__).parents[2] / "bench"
DEVICES, OTHERS, SERVERS = 64, 500, 64
SETTLE_S = 2.5
PACKAGES = {"vmstat": "procps", "iostat": "sysstat", "top": "procps"}
# A client with a server of 64, and those that have nothing to do with it.
POPULATION = f"""
import os, signal, sys, time
for n in range({OTHERS}):
    if not os.fork():
        signal.pause()
client = os.fork()
if not client:
    server = os.fork()
    if not server:
        for n in range({SERVERS} - 1):
            if not os.fork():
                while n % 2:
                    time.sleep(0.05)
                    sum(range(2000))
                signal.pause()
        print(os.getppid(), os.getpid(), flush=True)
    signal.pause()
signal.pause()
"""


@dataclass(frozen=True)
class Tool:
    """A command that samples so often a second, and the setting it does that in."""

    name: str
    where: str
    hz: float
    words: tuple[str | Path, ...]


def arguments() -> argparse.Namespace:
    """How long, and a sampler that is there already."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--seconds", type=float, default=20, help="default 20")
    parser.add_argument("--bin", type=Path, help="compiled already; default: compile")
    return parser.parse_args()


def compiled(out: Path) -> Path:
    """The folder of the sampler, as a run has it."""
    subprocess.run(["make", "-s", "-C", str(BENCH), f"OUT={out}", "sampler"], check=True)
    return out


def put_files(root: Path) -> Path:
    """The machine of files."""
    put_machine(root)
    children = range(1001, 1000 + SERVERS)
    put_process(root, 1000, children, ticks=5, io=4096)
    for pid in (*children, *range(2000, 2000 + OTHERS)):
        put_process(root, pid, ticks=5, io=4096)
    put(root, "server.pid", "1000\n")
    put(root, "proc/diskstats", diskstats(0))
    return root


def diskstats(tick: int) -> str:
    """Always as long as before: who reads it meanwhile finds whole lines."""
    reads = 10**9 + tick
    return "".join(disk(f"nvme{n:02d}n1", reads, 259, n) for n in range(DEVICES))


@contextmanager
def working_devices(root: Path) -> Iterator[None]:
    """All devices of the files go on, twenty times a second."""
    over = threading.Event()

    def work() -> None:
        tick = 0
        with (root / "proc/diskstats").open("r+b") as file:
            while not over.wait(0.05):
                tick += 1
                os.pwrite(file.fileno(), diskstats(tick).encode(), 0)

    worker = threading.Thread(target=work)
    worker.start()
    try:
        yield
    finally:
        over.set()
        worker.join()


@contextmanager
def population(server_file: Path) -> Iterator[str]:
    """The process id of the client; all end with the block."""
    process = subprocess.Popen(
        [sys.executable, "-S", "-c", POPULATION], stdout=subprocess.PIPE, text=True,
        start_new_session=True,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        client, server = process.stdout.readline().split()
        server_file.write_text(f"{server}\n")
        yield client
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def tools(sampler: Path, files: Path, work: Path, client: str) -> list[Tool]:
    """What is measured."""
    in_files = ("--root", files, "--pid", "1000", "--server-file", files / "server.pid")
    real = ("--pid", client, "--server-file", work / "server.pid",
            "--folder", work)  # fmt: skip
    found: list[Tool] = []
    for name, where, words in (
        ("sampler", "files", in_files),
        ("sampler", "machine", real),
        ("sampler --counters", "machine", (*real, "--counters")),
    ):
        for hz in (1, 10):
            out = work / f"{len(found)}.jsonl"
            found.append(
                Tool(name, where, hz, (sampler, "--out", out, "--interval-ms",
                                       str(1000 // hz), *words))
            )  # fmt: skip
    return [
        *found,
        Tool("vmstat 1", "machine", 1, ("vmstat", "1")),
        Tool("iostat -x 1", "machine", 1, ("iostat", "-x", "1")),
        Tool("top -b -d 1", "machine", 1, ("top", "-b", "-d", "1")),
        Tool("top -b -d 0.1", "machine", 10, ("top", "-b", "-d", "0.1")),
    ]


def cpu_s(pid: int) -> float:
    """Of all threads of a process: its clock, as clock_getcpuclockid(3) makes the id."""
    return time.clock_gettime((~pid << 3) | 2)


def measure(found: list[Tool], seconds: float) -> pd.DataFrame:
    """CPU seconds of each tool in the same seconds, after it has settled."""
    rows = []
    with ExitStack() as running:
        pids = []
        for tool in found:
            if not shutil.which(tool.words[0]):
                pids.append(0)
                continue
            process = subprocess.Popen(
                [str(word) for word in tool.words], stdout=subprocess.DEVNULL
            )
            running.callback(process.wait)
            running.callback(process.terminate)
            pids.append(process.pid)
        time.sleep(SETTLE_S)
        before = [cpu_s(pid) if pid else 0 for pid in pids]
        begun = time.monotonic()
        time.sleep(seconds)
        after = [cpu_s(pid) if pid else 0 for pid in pids]
        elapsed = time.monotonic() - begun
    for tool, pid, one, other in zip(found, pids, before, after, strict=True):
        cost = (other - one) / (elapsed * tool.hz) if pid else None
        rows.append({"tool": tool.name, "where": tool.where, "hz": tool.hz, "s": cost})
    return pd.DataFrame(rows)


def table(costs: pd.DataFrame) -> pd.DataFrame:
    """A row per tool: microseconds per sample, percent of a core; 1 and 10 Hz."""
    rows = []
    for (tool, where), part in costs.groupby(["tool", "where"], sort=False):
        row = {"tool": tool, "where": where}
        by = part.set_index("hz")["s"]
        for hz in (1, 10):
            known = hz in by.index and pd.notna(by[hz])
            row[f"µs at {hz} Hz"] = f"{by[hz] * 1e6:.0f}" if known else ""
            row[f"core at {hz} Hz"] = f"{by[hz] * hz:.3%}" if known else ""
        rows.append(row)
    return pd.DataFrame(rows)


def main() -> None:
    """Print the table."""
    asked = arguments()
    for name, package in PACKAGES.items():
        if not shutil.which(name):
            print(f"{name} is missing: install the package {package}")  # noqa: T201
    with tempfile.TemporaryDirectory(prefix="sampler-cost-") as folder:
        work = Path(folder)
        sampler = (asked.bin or compiled(work / "bin")) / "sampler"
        files = put_files(work / "files")
        with population(work / "server.pid") as client, working_devices(files):
            costs = measure(tools(sampler, files, work, client), asked.seconds)
    title = (
        f"CPU time per sample, {asked.seconds:.0f} s: {DEVICES} devices in the files, "
        f"{OTHERS} other processes, a server of {SERVERS}"
    )
    show(title, table(costs))


if __name__ == "__main__":
    main()
