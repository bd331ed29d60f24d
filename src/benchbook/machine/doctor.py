"""What `doctor` looks at: each check reads one property and returns (value, status).

What cannot be read (in containers and virtual machines, mostly) is said to be so; no
check fails because of it.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import textwrap
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from benchbook.machine.facts import (
    CLOCK_SOURCE,
    CPUS,
    machine_facts,
    machine_id,
    machine_name,
    read,
)
from benchbook.machine.pace import pace_now, pace_of_posts
from benchbook.project import Project
from benchmath.hazards.pace import times_slower
from benchmath.prose import number, span

Status = Literal["ok", "warn", "info"]
Verdict = tuple[str, Status]
UNREADABLE = "not readable here"
UNKNOWN: Verdict = (UNREADABLE, "info")
STEAL_SECONDS = 1.0
SYNC_SECONDS = 0.3
TESTED_FILESYSTEMS = ("ext4", "xfs")
FAST_CLOCKS = ("tsc", "kvm-clock", "hyperv_clocksource_tsc_page", "arch_sys_counter")
COMPILER = re.compile(r"(gcc|clang)(-\d+)?")


@dataclass(frozen=True)
class MachineState:
    """What the checks look at; ``root`` holds proc/ and sys/.

    ``since`` and ``ticks`` are when examining began and the CPU ticks of that moment.
    """

    project: Project
    root: Path
    facts: dict[str, Any]
    since: float = field(default_factory=time.monotonic)
    ticks: tuple[int, ...] = ()

    @classmethod
    def now(cls, project: Project, root: Path) -> MachineState:
        """Begin to examine: steal time is counted from here on."""
        since, ticks = time.monotonic(), tuple(_cpu_ticks(root))
        return cls(project, root, machine_facts(project.data, root), since, ticks)

    def cpu(self, path: str) -> str:
        return read(self.root / CPUS / path)


def machine(state: MachineState) -> Verdict:
    name = machine_name(state.facts, state.project.data)
    return f"{name} ({machine_id(state.facts)})", "info"


def cpu(state: MachineState) -> Verdict:
    return state.facts["cpu_model"], "info"


def cores(state: MachineState) -> Verdict:
    facts, allowed = state.facts, len(os.sched_getaffinity(0))
    value = f"{facts['cores']} cores, {facts['threads']} hardware threads"
    if allowed < facts["threads"]:
        return f"{value}, {allowed} of them for this process", "warn"
    return value, "warn" if facts["cores"] < 4 else "ok"


def hyperthreading(state: MachineState) -> Verdict:
    active = state.cpu("smt/active")
    if active == "1":
        return "on", "warn"
    if active != "0":
        return UNKNOWN
    if state.facts["hypervisor"] != "none":
        return "off in this virtual machine; its host's setting is hidden", "info"
    return "off", "ok"


def governor(state: MachineState) -> Verdict:
    value = state.facts["governor"]
    return (value, "ok" if value == "performance" else "warn") if value else UNKNOWN


def turbo(state: MachineState) -> Verdict:
    no_turbo, boost = state.cpu("intel_pstate/no_turbo"), state.cpu("cpufreq/boost")
    if no_turbo not in ("0", "1") and boost not in ("0", "1"):
        return UNKNOWN
    on = no_turbo == "0" or (not no_turbo and boost == "1")
    return ("on", "warn") if on else ("off", "ok")


def clock(state: MachineState) -> Verdict:
    source = read(state.root / CLOCK_SOURCE / "current_clocksource")
    return (source, "ok" if source in FAST_CLOCKS else "warn") if source else UNKNOWN


def huge_pages(state: MachineState) -> Verdict:
    chosen = re.search(r"\[(\w+)\]", state.facts["thp"])
    return (chosen[1], "warn" if chosen[1] == "always" else "ok") if chosen else UNKNOWN


def memory(state: MachineState) -> Verdict:
    return f"{state.facts['mem_gib']} GiB", "info"


def swap(state: MachineState) -> Verdict:
    mib = state.facts["swap_kib"] // 1024
    return (f"{mib:,} MiB", "warn") if mib else ("none", "ok")


def virtualisation(state: MachineState) -> Verdict:
    value = state.facts["hypervisor"]
    return value, "ok" if value == "none" else "warn"


def steal(state: MachineState) -> Verdict:
    """Over a second that began with the examination: other checks may have had theirs."""
    since, before = state.since, list(state.ticks)
    if not before:
        since, before = time.monotonic(), _cpu_ticks(state.root)
    if not before:
        return UNKNOWN
    time.sleep(max(0.0, since + STEAL_SECONDS - time.monotonic()))
    seconds = time.monotonic() - since
    share = stolen_share(before, _cpu_ticks(state.root))
    return f"{share:.1%} over {seconds:.2g} s", "warn" if share > 0.01 else "ok"


def stolen_share(before: Sequence[int], after: Sequence[int]) -> float:
    """Steal as a part of all CPU time between two readings of /proc/stat."""
    return (after[7] - before[7]) / max(sum(after) - sum(before), 1)


def _cpu_ticks(root: Path) -> list[int]:
    """user nice system idle iowait irq softirq steal, all CPUs, since boot."""
    first = read(root / "proc/stat").partition("\n")[0].split()
    return [int(ticks) for ticks in first[1:9]] if len(first) > 8 else []


def pace(state: MachineState) -> Verdict:
    now = pace_now(state.project)
    if now is None:
        return "unknown until a driver is compiled", "info"
    said = f"{number(now)} ms for a fixed piece of work"
    then = list(pace_of_posts(state.project, machine_id(state.facts)).values())
    if not then:
        return said, "info"
    range_ = f"{said}; {span(then[0], then[-1], number)} for posts measured here"
    return range_, "warn" if times_slower(now, then[0]) > 1 else "ok"


def load(state: MachineState) -> Verdict:
    words = read(state.root / "proc/loadavg").split()
    if not words:
        return UNKNOWN
    busy = float(words[0]) > 0.25 * state.facts["threads"]
    return f"{words[0]} in the last minute", "warn" if busy else "ok"


def filesystem(state: MachineState) -> Verdict:
    value = state.facts["filesystem"]
    return value, "ok" if value in TESTED_FILESYSTEMS else "warn"


def device(state: MachineState) -> Verdict:
    return state.facts["device"], "info"


def free_disk(state: MachineState) -> Verdict:
    try:
        usage = shutil.disk_usage(state.project.data)
    except OSError:
        return UNKNOWN
    gib, share = usage.free / 2**30, usage.free / usage.total
    return f"{gib:.0f} GiB ({share:.0%})", "warn" if gib < 10 or share < 0.1 else "ok"


def fdatasync(state: MachineState) -> Verdict:
    try:
        rate = _probed_rate(state.project) or _sync_rate(state.project.data)
    except (OSError, subprocess.TimeoutExpired):
        return f"{UNREADABLE}: data/ cannot be written", "warn"
    return f"{rate:,.0f} per second", "warn" if rate < 1000 else "ok"


def _probed_rate(project: Project) -> float | None:
    """What the drivers' own probe says, where one is compiled."""
    built = [project.bench / "bin/probe", *project.build.glob("*/*/probe")]
    for probe in (path for path in built if path.is_file()):
        done = subprocess.run(
            [probe, project.data], capture_output=True, text=True, timeout=5, check=False
        )
        if done.returncode == 0:
            return float(json.loads(done.stdout)["fdatasync_per_s"])
    return None


def _sync_rate(folder: Path) -> float:
    """4 KiB overwrites of a file without a name, each followed by fdatasync."""
    block, count = bytes(4096), 0
    fd = os.open(folder, os.O_TMPFILE | os.O_RDWR)
    try:
        start = time.monotonic()
        while time.monotonic() - start < SYNC_SECONDS:
            os.pwrite(fd, block, 4096 * (count % 64))
            os.fdatasync(fd)
            count += 1
        return count / (time.monotonic() - start)
    finally:
        os.close(fd)


def compilers(state: MachineState) -> Verdict:
    files = [p for folder in os.get_exec_path() for p in Path(folder).glob("[gc][cl]*")]
    there = {path.name for path in files if COMPILER.fullmatch(path.name)}
    split = sorted((int(name.partition("-")[2] or 0), name) for name in there)
    value = ", ".join(name for _, name in split) or "none found"
    both = {"gcc", "clang"} <= {name.partition("-")[0] for name in there}
    return value, "ok" if both else "warn"


def counters(state: MachineState) -> Verdict:
    devices = state.root / "sys/bus/event_source/devices"
    units = [p for name in ("cpu", "cpu_core", "armv8*") for p in devices.glob(name)]
    paranoid = read(state.root / "proc/sys/kernel/perf_event_paranoid")
    if not units:
        return "none, software events only", "info"
    closed = paranoid in ("3", "4")
    value = f"cycles, instructions (perf_event_paranoid {paranoid or 'unknown'})"
    return value, "warn" if closed else "ok"


def renderer(state: MachineState) -> Verdict:
    if shutil.which("quarto"):
        return "quarto", "ok"
    return "built-in preview; quarto is not installed", "info"


@dataclass(frozen=True)
class Finding:
    """One property of the machine, its verdict, and why a benchmark cares."""

    name: str
    value: str
    status: Status
    why: str


# Name, check, why: in the order of reading.
CHECKS: tuple[tuple[str, Callable[[MachineState], Verdict], str], ...] = (
    ("machine", machine,
     "Runs are filed under this name; the id tells two machines of one name apart."),
    ("CPU", cpu,
     "A ratio between two builds or versions may be another one on another CPU."),
    ("cores", cores,
     "With more clients than cores, or a server beside them, a run measures the "
     "scheduler too."),
    ("hyperthreading", hyperthreading,
     "Two threads on one core share its execution units: throughput depends on which "
     "CPUs the clients land."),
    ("governor", governor,
     "Any other than performance lets a step run its first part at a lower clock."),
    ("turbo", turbo,
     "Turbo clocks depend on temperature and on other cores, so the same work takes "
     "another time later."),
    ("clock source", clock,
     "A clock that needs a system call adds about a microsecond to each response time."),
    ("huge pages", huge_pages,
     "With always, background merging of pages adds stalls and memory that differ from "
     "run to run."),
    ("memory", memory,
     "A database smaller than this is read from memory: its rates say nothing about the "
     "disk."),
    ("swap", swap,
     "A cache that is swapped out turns memory reads into disk reads without telling."),
    ("virtualisation", virtualisation,
     "Neighbours share caches, memory and disks: unpinned clients vary up to 5x on such "
     "machines, so pin them (placement) and repeat trials."),
    ("steal time", steal,
     "CPU time that the hypervisor gave to others counts as the engine's response time."),
    ("pace", pace,
     "A virtual machine may need twice as long for the same work on another day: ratios "
     "of what takes turns stand, rates of two days do not compare."),
    ("load", load,
     "Whatever else runs takes CPU, cache and disk from the step that is measured."),
    ("filesystem", filesystem,
     "Where data/ lies: memory, network, overlay and copy-on-write filesystems sync in "
     "ways of their own."),
    ("device", device,
     "It bounds commits, and reads that miss the cache."),
    ("free disk", free_disk,
     "A full disk fails runs, and SSDs slow down before they are full."),
    ("fdatasync", fdatasync,
     "It bounds commits per second; shared disks switch between thousands and hundreds, "
     "so each run that syncs records it before and after."),
    ("compilers", compilers,
     "Drivers and microbenchmarks are built here; a compiler that is missing stops the "
     "study that names it."),
    ("counters", counters,
     "Without hardware counters a difference can be measured, but not explained by "
     "instructions or cache misses."),
    ("site renderer", renderer,
     "The preview has the same pages at the same addresses; search and feed are "
     "Quarto's."),
)  # fmt: skip

# How the site is rendered is no matter of a run; what differs at every look, a run's
# env.json has of its own time.
NOT_OF_RUNS = ("site renderer", "steal time", "pace", "load", "fdatasync")


def doctor(project: Project, root: Path = Path("/")) -> list[Finding]:
    """All findings; takes a little more than a second, for the steal time."""
    state = MachineState.now(project, root)
    # Steal time comes last: it waits for the rest of its second only.
    findings = {
        name: Finding(name, *check(state), why)
        for name, check, why in sorted(CHECKS, key=lambda c: c[1] is steal)
    }
    return [findings[name] for name, _, _ in CHECKS]


def findings_record(project: Project, root: Path = Path("/")) -> list[list[str]]:
    """[name, value, status] of each finding, as every run's spec.json keeps them.

    Quick: without ``NOT_OF_RUNS``. Nothing in it is a path, and as in ``machine`` no host
    name, serial or address.
    """
    state = MachineState.now(project, root)
    checks = [(name, check) for name, check, _ in CHECKS if name not in NOT_OF_RUNS]
    return [[name, *check(state)] for name, check in checks]


def render(findings: list[Finding], width: int = 90) -> str:
    """The findings as aligned text: the value, and the reason below it."""
    edge = max(len(finding.name) for finding in findings) + 2
    lines: list[str] = []
    for finding in findings:
        head = f"{finding.status:<6}{finding.name:<{edge}}"
        below = " " * len(head)
        lines += textwrap.wrap(
            finding.value, width, initial_indent=head, subsequent_indent=below
        )
        lines += textwrap.wrap(
            finding.why, width, initial_indent=below, subsequent_indent=below
        )
    warned = [finding.name for finding in findings if finding.status == "warn"]
    verdict = f"look at: {', '.join(warned)}" if warned else "nothing to look at"
    return "\n".join([*lines, "", verdict])
