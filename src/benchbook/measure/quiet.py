"""Waiting until nobody else uses the machine, and saying where that did not help."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from benchbook.measure.progress import duration
from benchbook.runs.turns import FILES
from benchbook.sql import statement
from benchbook.study.premises import Quiet
from benchmath.errors import UserError
from benchmath.hazards.premises import OTHERS_LIMIT, UNRATED
from benchmath.turns.quiet import LEAST_QUIET, loudness

LOOK_MS = 500
PAUSE_S = 2.0
TWICE = 2  # looks in a row, once it was not quiet
FAILED = 1


@dataclass(frozen=True)
class Look:
    """What others and the hypervisor took for a moment."""

    share: float  # of one CPU
    busiest: str  # '': none

    @property
    def text(self) -> str:
        who = f"{self.busiest} and others use" if self.busiest else "the hypervisor takes"
        return f"{who} {100 * self.share:.0f}% of a CPU"


def look(tool: Path) -> Look | None:
    """What ``tool`` (bench/tools/quiet.c) sees; None where it cannot look."""
    try:
        words = [str(tool), str(LOOK_MS)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        seen = json.loads(done.stdout)
        share = (seen["others_ns"] + seen["steal_ns"]) / seen["wall_ns"]
    except (OSError, subprocess.CalledProcessError, ValueError, KeyError):
        return None
    return Look(share, seen["busiest"])


def await_quiet(
    quiet: Quiet,
    tool: Path,
    waiting: Callable[[str], None],
    sleep: Callable[[float], None] = time.sleep,
) -> float:
    """Return when it is quiet, with the seconds that took; ``waiting`` is told why not.

    UserError, exit code 1, where it was not within the study's patience. A machine on
    which nobody can look counts as quiet: the run's own record says what is known.
    """
    if quiet.limit is None:
        return 0.0
    began = time.monotonic()
    wanted = 1
    while wanted:
        seen = look(tool)
        if seen is None or seen.share <= quiet.limit:
            wanted -= 1
            continue
        waited, wanted = time.monotonic() - began, TWICE
        text = f"{seen.text}, more than {100 * quiet.limit:g}%"
        if waited >= quiet.patience_s:
            raise UserError(
                f"not quiet after {duration(waited)}: {text}; stop what runs there, wait "
                "longer (`quiet: 5%, 8h`) or measure all the same (`--quiet off`)",
                exit_code=FAILED,
            )
        waiting(f"waits for quiet: {text}")
        sleep(PAUSE_S)
    return time.monotonic() - began


def loudest_step(session: Iterable[Path], quiet: Quiet) -> str:
    """Of which step others took more than the study allows; '' where of none.

    ``session`` are the run folders of arms that took turns. Rounds that were left out,
    and made again, do not count.
    """
    files = [str(file) for folder in session for name in FILES
             if (file := folder / name).is_file()]  # fmt: skip
    if quiet.limit is None or not files:
        return ""
    try:
        with duckdb.connect() as connection:
            turns = connection.execute(statement("turns_of_files"), {"files": files}).df()
    except duckdb.Error:  # the session was broken off: `load` says of which line
        return ""
    loud = loudness(turns)
    loud = loud[~loud["step"].isin(UNRATED) & (loud["share"] > quiet.limit)]
    if loud.empty:
        return ""
    worst = loud.loc[loud["share"].idxmax()]
    who = "the hypervisor" if worst["steal"] > worst["others"] else "others"
    text = (
        f"not quiet: {who} took {100 * worst['share']:.0f}% of the busy CPU time of "
        f"{worst['step']}, more than {100 * quiet.limit:g}%"
    )
    if worst["share"] <= OTHERS_LIMIT:
        return text
    return (
        f"{text}, and than the {100 * OTHERS_LIMIT:g}% from which on a step does not "
        f"count: `publish` wants {LEAST_QUIET} quieter sessions of it"
    )
