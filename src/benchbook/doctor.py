"""What this machine does to measurements, and why it matters."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchbook import checks as find
from benchbook.checks import Examined, Status, Verdict
from benchbook.project import Project


@dataclass(frozen=True)
class Finding:
    """One property of the machine, its verdict, and why a benchmark cares."""

    name: str
    value: str
    status: Status
    why: str


# Name, check, why: in the order of reading.
CHECKS: tuple[tuple[str, Callable[[Examined], Verdict], str], ...] = (
    ("machine", find.machine,
     "Runs are filed under this name; the id tells two machines of one name apart."),
    ("CPU", find.cpu,
     "A ratio between two builds or versions may be another one on another CPU."),
    ("cores", find.cores,
     "With more clients than cores, or a server beside them, a run measures the "
     "scheduler too."),
    ("hyperthreading", find.hyperthreading,
     "Two threads on one core share its execution units: throughput depends on which "
     "CPUs the clients land."),
    ("governor", find.governor,
     "Any other than performance lets a step run its first part at a lower clock."),
    ("turbo", find.turbo,
     "Turbo clocks depend on temperature and on other cores, so the same work takes "
     "another time later."),
    ("clock source", find.clock,
     "A clock that needs a system call adds about a microsecond to each response time."),
    ("huge pages", find.huge_pages,
     "With always, background merging of pages adds stalls and memory that differ from "
     "run to run."),
    ("memory", find.memory,
     "A database smaller than this is read from memory: its rates say nothing about the "
     "disk."),
    ("swap", find.swap,
     "A cache that is swapped out turns memory reads into disk reads without telling."),
    ("virtualisation", find.virtualisation,
     "Neighbours share caches, memory and disks: unpinned clients vary up to 5x on such "
     "machines, so pin them (placement) and repeat trials."),
    ("steal time", find.steal,
     "CPU time that the hypervisor gave to others counts as the engine's response time."),
    ("load", find.load,
     "Whatever else runs takes CPU, cache and disk from the step that is measured."),
    ("filesystem", find.filesystem,
     "Where data/ lies: memory, network, overlay and copy-on-write filesystems sync in "
     "ways of their own."),
    ("device", find.device,
     "It bounds commits, and reads that miss the cache."),
    ("free disk", find.free_disk,
     "A full disk fails runs, and SSDs slow down before they are full."),
    ("fdatasync", find.fdatasync,
     "It bounds commits per second; shared disks switch between thousands and hundreds, "
     "so each run that syncs records it before and after."),
    ("compilers", find.compilers,
     "Drivers and microbenchmarks are built here; a compiler that is missing stops the "
     "study that names it."),
    ("counters", find.counters,
     "Without hardware counters a difference can be measured, but not explained by "
     "instructions or cache misses."),
    ("site renderer", find.renderer,
     "The preview has the same pages at the same addresses; search and feed are "
     "Quarto's."),
)  # fmt: skip

# How the site is rendered is no matter of a run; what differs at every look, a run's
# env.json has of its own time.
NOT_OF_RUNS = ("site renderer", "steal time", "load", "fdatasync")


def doctor(project: Project, root: Path = Path("/")) -> list[Finding]:
    """All findings; takes a little more than a second, for the steal time."""
    seen = Examined.now(project, root)
    # Steal time comes last: it waits for the rest of its second only.
    found = {
        name: Finding(name, *check(seen), why)
        for name, check, why in sorted(CHECKS, key=lambda c: c[1] is find.steal)
    }
    return [found[name] for name, _, _ in CHECKS]


def findings_record(project: Project, root: Path = Path("/")) -> list[list[str]]:
    """[name, value, status] of each finding, as every run's spec.json keeps them.

    Quick: without ``NOT_OF_RUNS``. Nothing in it is a path, and as in ``machine`` no host
    name, serial or address.
    """
    seen = Examined.now(project, root)
    wanted = [(name, check) for name, check, _ in CHECKS if name not in NOT_OF_RUNS]
    return [[name, *check(seen)] for name, check in wanted]


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
