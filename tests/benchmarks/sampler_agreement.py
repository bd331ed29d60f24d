"""Does the sampler say what vmstat and iostat say?

All three watch the same load in the same seconds: a part of a CPU, files written with
fdatasync, files read past the cache. Means between the first and the last report of the
other tool; the sampler's counters are cut at the instants when those reports came. vmstat
divides by the seconds it meant to sleep and rounds us and sy to whole percent.
Goal: within 1%.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd
from script import show

BENCH = Path(__file__).parents[2] / "bench"
PACKAGES = {"vmstat": "procps", "iostat": "sysstat"}
# Of a device in the sampler's lines, behind its number.
READS, SECTORS_READ, WRITES, SECTORS_WRITTEN = 1, 3, 5, 7
LOAD = """
import os, sys, time
folder = sys.argv[1]
if not os.fork():
    while True:
        end = time.process_time() + 0.03
        while time.process_time() < end:
            pass
        time.sleep(0.03)
file = os.open(f"{folder}/read", os.O_RDWR | os.O_CREAT)
os.write(file, bytes(32 << 20))
os.fsync(file)
if not os.fork():
    at = 0
    while True:
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_RANDOM)
        for _ in range(64):
            at = (at + 7919 * 4096) % (32 << 20)
            os.pread(file, 4096, at)
            time.sleep(0.004)
file = os.open(f"{folder}/written", os.O_RDWR | os.O_CREAT)
while True:
    for n in range(256):
        os.pwrite(file, os.urandom(1) * 65536, n * 65536)
        os.fdatasync(file)
        time.sleep(0.005)
"""


def hurry(pid: int) -> None:
    """Where it is allowed: a report then comes when its counters were read."""
    with suppress(PermissionError):
        os.setpriority(os.PRIO_PROCESS, pid, -10)


@dataclass
class Report:
    """The lines of a tool, and when each of them came."""

    words: Sequence[str]
    lines: list[tuple[float, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.process = subprocess.Popen(
            ["stdbuf", "-oL", *self.words], stdout=subprocess.PIPE, text=True,
            env=os.environ | {"LC_ALL": "C", "S_TIME_FORMAT": "ISO"},
        )  # fmt: skip
        hurry(self.process.pid)
        self.reader = threading.Thread(target=self._read)
        self.reader.start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.append((time.monotonic(), line))

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()
        self.reader.join()


def arguments() -> argparse.Namespace:
    """How long, where, and a sampler that is there already."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--seconds", type=float, default=30, help="default 30")
    parser.add_argument("--folder", type=Path, default=BENCH.parent / "build",
                        help="on a disk; default build/")  # fmt: skip
    parser.add_argument("--bin", type=Path, help="compiled already; default: compile")
    return parser.parse_args()


def compiled(out: Path) -> Path:
    """The folder of the sampler."""
    subprocess.run(["make", "-s", "-C", str(BENCH), f"OUT={out}", "sampler"], check=True)
    return out


def watch(sampler: Path, folder: Path, seconds: float) -> tuple[list[dict], list[Report]]:
    """The sampler's lines at 50 Hz, and the reports of the others once a second."""
    out = folder / "sampler.jsonl"
    load = subprocess.Popen(
        [sys.executable, "-S", "-c", LOAD, str(folder)], start_new_session=True
    )
    hurry(0)
    try:
        time.sleep(2)  # the file to read is written by then
        sampling = subprocess.Popen(
            [sampler, "--out", out, "--interval-ms", "20", "--folder", folder]
        )
        time.sleep(0.3)
        reports = [Report(words) for words in (("vmstat", "1"), ("iostat", "-x", "1"))
                   if shutil.which(words[0])]  # fmt: skip
        time.sleep(seconds + 1.5)
        for report in reports:
            report.stop()
        time.sleep(0.3)
        sampling.terminate()
        sampling.wait()
    finally:
        os.killpg(load.pid, 9)
        load.wait()
    return [json.loads(line) for line in out.read_text().splitlines()], reports


class Sampled:
    """The sampler's counters at any instant, straight between two samples."""

    def __init__(self, lines: list[dict]) -> None:
        self.main = lines[0]["main_device"]
        self.number = lines[0]["devices"].index(self.main)
        self.samples = lines[1:-1]
        self.at = np.array([line["t_ns"] / 1e9 for line in self.samples])
        disk: list[list[int]] = []
        for line in self.samples:  # who is not mentioned did nothing
            found = [d for d in line["dev"] if d[0] == self.number]
            disk.append(found[0] if found else disk[-1])
        self.disk = np.array(disk, dtype=float)

    def growth(self, counts: np.ndarray, begin: float, end: float) -> float:
        """How much a counter grew between two instants."""
        return float(np.interp(end, self.at, counts) - np.interp(begin, self.at, counts))

    def cpu(self, kinds: Sequence[int]) -> np.ndarray:
        """Nanoseconds of some kinds of CPU time."""
        return np.array([[line["cpu_ns"][k] for k in kinds] for line in self.samples]
                        ).sum(axis=1)  # fmt: skip


def busy_percent(sampled: Sampled, begin: float, end: float) -> float:
    """User, nice, system, irq and softirq of all."""
    busy, all_kinds = sampled.cpu((0, 1, 2, 5, 6)), sampled.cpu(range(8))
    return 100 * sampled.growth(busy, begin, end) / sampled.growth(all_kinds, begin, end)


def against_vmstat(sampled: Sampled, report: Report) -> list[dict[str, object]]:
    """cs and us+sy; the first line is since the boot."""
    names: list[str] = []
    found = []
    for at, line in report.lines:
        words = line.split()
        if "us" in words and "cs" in words:
            names = words
        elif names and len(words) == len(names) and words[0].isdigit():
            found.append((at, dict(zip(names, map(float, words), strict=True))))
    begin, end = found[0][0], found[-1][0]
    rows = pd.DataFrame([row for _, row in found[1:]])
    switches = np.array([line["switches"] for line in sampled.samples], dtype=float)
    mine = {
        "cs": sampled.growth(switches, begin, end) / (end - begin),
        "us+sy": busy_percent(sampled, begin, end),
    }
    other = {"cs": rows["cs"].mean(), "us+sy": (rows["us"] + rows["sy"]).mean()}
    return compared("vmstat 1", len(rows), mine, other)


def against_iostat(sampled: Sampled, report: Report) -> list[dict[str, object]]:
    """The main device, and us+sy with two decimals; the first is since the boot."""
    disks: list[tuple[float, dict[str, float]]] = []
    cpus: list[float] = []
    names: list[str] = []
    after_cpu = False
    for at, line in report.lines:
        words = line.split()
        if after_cpu:
            cpus.append(sum(map(float, words[:3])))
        after_cpu = line.startswith("avg-cpu")
        if line.startswith("Device"):
            names = words[1:]
        elif words and words[0] == sampled.main:
            disks.append((at, dict(zip(names, map(float, words[1:]), strict=True))))
    begin, end = disks[0][0], disks[-1][0]
    rows = pd.DataFrame([row for _, row in disks[1:]])
    columns: dict[str, tuple[int, float]] = {
        "r/s": (READS, 1), "w/s": (WRITES, 1), "rkB/s": (SECTORS_READ, 0.5),
        "wkB/s": (SECTORS_WRITTEN, 0.5),
    }  # fmt: skip
    mine = {
        name: factor * sampled.growth(sampled.disk[:, i], begin, end) / (end - begin)
        for name, (i, factor) in columns.items()
    }
    other = {name: float(rows[name].mean()) for name in columns}
    mine["us+sy"] = busy_percent(sampled, begin, end)
    other["us+sy"] = float(np.mean(cpus[1 : len(disks)]))
    return compared("iostat -x 1", len(rows), mine, other)


def compared(
    tool: str, seconds: int, mine: dict[str, float], other: dict[str, float]
) -> list[dict[str, object]]:
    """A row per metric."""
    return [
        {
            "tool": tool, "seconds": seconds, "metric": name,
            "sampler": f"{mine[name]:.2f}", "tool's": f"{other[name]:.2f}",
            "difference": f"{mine[name] / other[name] - 1:+.2%}" if other[name] else "",
        }
        for name in mine
    ]  # fmt: skip


JUDGES: dict[str, Callable[[Sampled, Report], list[dict[str, object]]]] = {
    "vmstat": against_vmstat,
    "iostat": against_iostat,
}


def main() -> None:
    """Print the table."""
    asked = arguments()
    for name, package in PACKAGES.items():
        if not shutil.which(name):
            print(f"{name} is missing: install the package {package}")  # noqa: T201
    asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="agreement-", dir=asked.folder) as folder:
        sampler = (asked.bin or compiled(Path(folder) / "bin")) / "sampler"
        lines, reports = watch(sampler, Path(folder), asked.seconds)
    sampled = Sampled(lines)
    rows = [row for r in reports for row in JUDGES[r.words[0]](sampled, r)]
    show("Means over the same seconds", pd.DataFrame(rows))


if __name__ == "__main__":
    main()
