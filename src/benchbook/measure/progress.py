"""The status file of a measuring process, and what `benchbook status` tells from it."""

from __future__ import annotations

import json
import time
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from benchbook.files import replace_text
from benchbook.project import Project


@dataclass(frozen=True)
class HostProgress:
    """What a host of a fleet does, since when (seconds of the clock), and its error."""

    host: str
    state: str
    running: str = ""
    since: float = 0.0
    error: str = ""


@dataclass(frozen=True)
class Progress:
    """Where a study's measuring stands; written after every run."""

    study: str
    pid: int
    state: str  # measuring, finished, stopped
    done: int
    failed: int
    left: int
    seconds_left: float
    running: str = ""
    last_error: str = ""
    updated: float = 0.0
    hosts: tuple[HostProgress, ...] = ()  # of a fleet

    def write(self, project: Project) -> None:
        """Replace the status file in one step; readers never see half of it."""
        file = project.status / f"{self.study}.json"
        replace_text(file, json.dumps(asdict(self) | {"updated": time.time()}))


def read_progress(project: Project) -> list[Progress]:
    """The last word of every study measured in this checkout, by study."""
    read = (_read(file) for file in sorted(project.status.glob("*.json")))
    return [_truth(one) for one in read if one]


def keep_error(begun: Progress, error: str, project: Project) -> None:
    """What ended measuring, into the status file: the rest as it was told last.

    ``begun`` is for where nothing was told yet. On a full disk it may not be told at all.
    """
    told = {one.study: one for one in read_progress(project)}.get(begun.study, begun)
    stopped = replace(told, state="stopped", running="", last_error=error)
    with suppress(OSError):
        stopped.write(project)


def _read(file: Path) -> Progress | None:
    """None where the file is not as this version writes it: the next `run` makes it."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
        hosts = tuple(HostProgress(**one) for one in told.pop("hosts", ()))
        return Progress(**told, hosts=hosts)
    except (ValueError, TypeError):
        return None


def _truth(progress: Progress) -> Progress:
    """A process that died without a word did not finish."""
    alive = Path(f"/proc/{progress.pid}").exists()
    if progress.state == "measuring" and not alive:
        return replace(progress, state="stopped", running="")
    return progress


def duration(seconds: float) -> str:
    """42 s, 3 min 05 s, 2 h 10 min: for people."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60:02d} s"
    return f"{whole // 3600} h {whole % 3600 // 60:02d} min"
