"""How fast the machine is now, beside how fast it was for the posts measured on it.

A fixed piece of work (bench/common/work.c) tells; a virtual machine may need twice as
long for it on one day as on another.
"""

from __future__ import annotations

import json
import subprocess

import duckdb

from benchbook.project import Project
from benchbook.sql import statement
from benchmath.hazards.pace import times_slower
from benchmath.prose import number

SECONDS = 5  # at most: it takes 25 ms


def pace_now(project: Project) -> float | None:
    """In ms; None where no driver is compiled that could tell."""
    for tool in sorted(project.build.glob("*/*/quiet")):
        try:
            done = subprocess.run(
                [tool, "0"], capture_output=True, text=True, timeout=SECONDS, check=True
            )
            return float(json.loads(done.stdout)["work_ns"]) / 1e6
        except (OSError, subprocess.SubprocessError, ValueError, KeyError):
            continue  # compiled for another machine
    return None


def pace_of_posts(project: Project, machine_id: str) -> dict[str, float]:
    """The same beside the runs of each post measured on a machine, the fastest first."""
    files = {
        name: [str(path) for path in project.posts.glob(f"*/evidence/{name}.parquet")]
        for name in ("runs", "probes")
    }
    if not all(files.values()):
        return {}
    asked = files | {"machine_id": machine_id}
    try:
        with duckdb.connect() as connection:
            rows = connection.execute(statement("pace_of_posts"), asked).fetchall()
    except duckdb.Error:  # damaged evidence: what reads that post says so
        return {}
    return dict(rows)


def changed_pace(project: Project, machine_id: str, slug: str) -> str:
    """Where the post, else the fastest one, had another pace: a sentence; else ''."""
    then, now = pace_of_posts(project, machine_id), pace_now(project)
    if now is None or not then:
        return ""
    post = slug if slug in then else next(iter(then))
    times = times_slower(now, then[post])
    if times == 1:
        return ""
    how = "slow" if now > then[post] else "fast"
    return (
        f"the machine is {number(times)} times as {how} as it was for posts/{post}: a "
        f"fixed piece of work takes {number(now)} ms, {number(then[post])} then; ratios "
        "of what takes turns stand, rates do not compare"
    )
