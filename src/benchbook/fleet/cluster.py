"""The same jobs on a cluster of Dask: one worker per host that measures.

Each worker is started with `--nthreads 1 --resources bench=1`, and may name its machine
with BENCHBOOK_MACHINE. Jobs of one group are one task, so trials that are compared are of
one host. A worker that dies loses its task to another; what it had ended is made again.
"""

from __future__ import annotations

import io
import itertools
import os
import shutil
import subprocess
import tarfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchbook.digests import short_digest
from benchbook.fleet.coordinator import Board, Say, brought_home, folders_of
from benchbook.fleet.hosts import Fleet, Host
from benchbook.fleet.jobs import Job, jobs_of
from benchbook.measure.run import Outcome
from benchbook.project import Project, user_cache
from benchbook.study.study import Study
from benchmath.errors import UserError

if TYPE_CHECKING:
    from distributed import Client, Future

ANYWHERE = Fleet((Host("any", "any"),))


def measure_on_cluster(
    study: Study, project: Project, client: Client, say: Say
) -> Outcome:
    """Make the study's missing runs on the workers of a cluster.

    UserError for a study that is judged between its loads: a task has all of a group.
    """
    if study.until:
        raise UserError(
            f"{study.path}: `until: decided` is judged between loads, which one task of "
            "a cluster makes together: say `trials`, or name the hosts in a file"
        )
    jobs, made = jobs_of(study, project, ANYWHERE, anywhere=True)
    there = sum(job.runs for job in made)
    total = there + sum(job.runs for job in jobs)
    board = Board(study.slug, os.getpid(), project, total, there)
    post = study.path.resolve().parent
    sent = packed({"bench": project.bench, f"posts/{post.name}": post})
    sources = client.scatter(sent, broadcast=True)
    groups = [list(of) for _, of in itertools.groupby(
        sorted(jobs, key=lambda job: job.group), lambda job: job.group)]  # fmt: skip
    tasks = {
        client.submit(
            run_there, [job.script for job in group], sources, resources={"bench": 1},
            key=f"{group[0].name}-{os.getpid()}", retries=1,
        ): group
        for group in groups
    }  # fmt: skip
    from distributed import as_completed

    for task in as_completed(tasks, loop=client.loop):
        _take(tasks[task], task, board, project, say)
    board.close()
    return Outcome(
        board.done - there, board.failed, board.total - board.done, board.last_error
    )


def _take(
    group: Sequence[Job], task: Future, board: Board, project: Project, say: Say
) -> None:
    """What a worker made of a group, into its place."""
    label = group[0].label
    try:
        answers = task.result()
    except Exception as error:  # whatever a worker may raise, and a worker that is killed
        board.tell("cluster", "failed", group[0], f"{label}: {error}")
        say(f"{label}: {error}")
        return
    for job, (out, complaint, content) in zip(group, answers, strict=True):
        folders = folders_of(out)
        if len(folders) != job.runs:
            board.tell("cluster", "failed", job, complaint)
            say(f"{job.label}: {complaint}")
            continue
        reasons = brought_home(job, folders, project, partial(unpack, content))
        board.made(job.runs, len(reasons))
        say(f"[{board.done}/{board.total}] {job.label}")


def run_there(scripts: Sequence[str], sources: bytes) -> list[tuple[str, str, bytes]]:
    """On a worker: of each script what it prints, its last complaint, its run folders."""
    from distributed import get_worker

    home = user_cache("worker") / short_digest(str(get_worker().name))
    unpack(sources, home)
    return [_run(script, home) for script in scripts]


def _run(script: str, home: Path) -> tuple[str, str, bytes]:
    done = subprocess.run(
        ["bash", "-c", script], cwd=home, capture_output=True, text=True, check=False
    )
    raw = home / "data" / "raw"
    folders = {folder: raw / folder for folder in folders_of(done.stdout)}
    content = packed(folders)
    for folder in folders.values():
        shutil.rmtree(folder, ignore_errors=True)
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    return done.stdout, lines[-1] if lines else f"exit code {done.returncode}", content


def packed(folders: dict[str, Path]) -> bytes:
    """Folders by the names that they have there, without what was made of them."""

    def wanted(member: tarfile.TarInfo) -> tarfile.TarInfo | None:
        parts = Path(member.name).parts
        made = {"bin", "evidence", "data"} & set(parts[1:]) and parts[0] in (
            "bench",
            "posts",
        )
        return None if made or member.name.endswith(".ipynb") else member

    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w:gz") as archive:
        for name, folder in folders.items():
            archive.add(folder.resolve(), name, filter=wanted)
    return content.getvalue()


def unpack(content: bytes, folder: Path) -> None:
    """What ``packed`` made, below a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        archive.extractall(folder, filter="data")


def connect(address: str, measuring: bool = True) -> Client:
    """A client of the scheduler at that address, which has workers (that measure).

    UserError where none answers, and for one without such a worker.
    """
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise UserError(
            "--on dask needs the package distributed: install 'benchbook[fleet]'"
        ) from None
    try:
        client = Client(address, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:
        raise UserError(f"no scheduler of Dask at {address}: {error}") from error
    workers = client.scheduler_info()["workers"].values()
    if not workers and not measuring:
        client.close()
        raise UserError(f"no worker at {address}: start one with `dask worker ADDRESS`")
    if measuring and not any(w.get("resources", {}).get("bench") for w in workers):
        client.close()
        raise UserError(
            f"no worker at {address} measures: start one per host with "
            "`dask worker ADDRESS --nthreads 1 --resources bench=1`"
        )
    return client
