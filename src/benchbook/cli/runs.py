"""`benchbook load`, `status`, `show`, `du`, `rm`, `push`, `pull`, without pandas."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from benchbook.cli.options import slug_of
from benchbook.files import full_sentence, is_full
from benchbook.measure.lock import holder
from benchbook.measure.progress import duration, read_progress
from benchbook.project import Project
from benchbook.runs.folder import CONFIG, STDERR
from benchbook.runs.inventory import OnDisk, driver_lines, find_run, raw_folder, rm_study
from benchmath.errors import UserError
from benchmath.prose import aligned

if TYPE_CHECKING:
    from benchbook.store.load import LoadReport


@click.command()
@click.option("--rebuild", is_flag=True, help="From nothing instead of what is new.")
def load(rebuild: bool) -> None:
    """Load finished run folders into data/benchbook.duckdb."""
    from benchbook.store.load import load as load_runs  # brings DuckDB

    report = load_runs(Project.find(), rebuild=rebuild)
    click.echo(load_text(report))
    if report.refused:
        sys.exit(1)


@click.command()
def status() -> None:
    """Tell from any shell: done, failed, left, time left, last error."""
    click.echo(status_text(Project.find()))


@click.command()
@click.argument("run_name", metavar="RUN")
@click.argument("step", required=False)
def show(run_name: str, step: str | None) -> None:
    """Show a run: command, config, machine, output; or one STEP of it.

    RUN is a run folder, or a part of its path that only one run has.
    """
    click.echo(show_text(run_name, step, Project.find()))


@click.command()
def du() -> None:
    """Show disk space by study, and of the store, builds and scratch."""
    click.echo(du_text(Project.find()))


@click.command()
@click.argument("study")
@click.option("--yes", is_flag=True, help="Do not ask.")
def rm(study: str, yes: bool) -> None:
    """Delete the raw runs of a study (its study.yml and post stay)."""
    project = Project.find()
    name = Path(study).name
    what = rm_text(name, project)
    if not yes:
        click.confirm(what + " Delete them?", abort=True)
    click.echo(rm_study(name, project))


@click.command()
@click.argument("url")
@click.argument("study", default="")
def push(url: str, study: str) -> None:
    """Send run folders to a team's archive, where they are never changed.

    URL is one that fsspec opens: s3://bucket/folder, sftp://host/folder, a folder. STUDY
    sends its runs alone. What is there is left out; each run is verified before it goes.
    """
    from benchbook.fleet import archive  # brings the clients of stores

    there = archive.open_archive(url)
    done = archive.push(there, Project.find(), slug_of(study), click.echo)
    click.echo(archive.sentence(done, "sent"))


@click.command()
@click.argument("url")
@click.argument("study", default="")
def pull(url: str, study: str) -> None:
    """Bring the run folders of a team's archive that are not here.

    Each is verified before it counts; `benchbook load` takes them up then.
    """
    from benchbook.fleet import archive  # as above

    there = archive.open_archive(url)
    done = archive.pull(there, Project.find(), slug_of(study), click.echo)
    click.echo(archive.sentence(done, "brought"))


def _ago(since: float) -> str:
    return f"for {duration(max(0.0, time.time() - since))}"


def load_text(report: LoadReport) -> str:
    """`benchbook load`: counts, then one line for each refused folder and warning."""
    head = f"{report.loaded} runs loaded, {report.skipped} already there"
    return "\n".join([head, *(f"refused: {r}" for r in report.refused),
                      *(f"warning: {w}" for w in report.warnings)])  # fmt: skip


def status_text(project: Project) -> str:
    """`benchbook status`: one line per study ever measured here."""
    rows: list[tuple[object, ...]] = [
        ("study", "state", "done", "failed", "left", "time left", "running")
    ]
    errors = []
    for p in read_progress(project):
        left = duration(p.seconds_left) if p.left else ""
        rows.append((p.study, p.state, p.done, p.failed, p.left, left, p.running))
        rows += [
            (f"  on {h.host}", h.state, "", "", "", _ago(h.since), h.running)
            for h in p.hosts
        ]
        if p.last_error:
            errors.append(f"last error in {p.study}: {p.last_error}")
    head = _now_measured()
    if len(rows) == 1:
        rows = [("no study has been measured in this checkout yet",)]
    if is_full(project.data):
        errors.append(full_sentence(project.data))
    return "\n".join([head, aligned(rows), *errors])


def _now_measured() -> str:
    """Who measures; or why nobody knows, which hides nothing of what was measured."""
    try:
        who = holder()
    except UserError as error:
        return str(error)
    return f"measuring now: {who}" if who else "nothing is being measured on this machine"


def show_text(name: str, step: str | None, project: Project) -> str:
    """`benchbook show RUN [STEP]`."""
    run = find_run(name, project)
    lines = driver_lines(run.folder)
    if step:
        chosen = [x for x in lines if json.loads(x).get("step") == step]
        if not chosen:
            steps = dict.fromkeys(
                filter(None, (json.loads(x).get("step") for x in lines))
            )
            raise UserError(f"run has no step {step!r}; available: {', '.join(steps)}")
        return "\n".join(chosen)
    parts = [
        f"run      {run.folder.relative_to(project.raw)}",
        f"status   {run.status}{f': {run.reason}' if run.reason else ''}",
        f"command  {shlex.join(run.spec['command'])}",
        f"build    {run.spec['build']['label']} ({run.spec['build']['compiler']})",
        f"machine  {run.spec['machine']} ({run.spec['machine_id']}), cpus "
        f"{run.spec['cpus'] or 'not pinned'}",
        *_step_lines(json.loads(x) for x in lines if '"kind":"step"' in x),
    ]
    for file in (CONFIG, STDERR):
        path = run.folder / file
        if path.exists() and path.stat().st_size:
            parts += ["", f"--- {file}", path.read_text().rstrip()]
    return "\n".join(parts)


def _step_lines(steps: Iterable[dict[str, Any]]) -> list[str]:
    rows: list[tuple[object, ...]] = [("step", "op", "ops", "rows", "errors", "seconds")]
    for s in steps:
        seconds = (s["end_ns"] - s["start_ns"]) / 1e9
        rows.append(
            (s["step"], s["op"], s["ops"], s["rows"], s["errors"], f"{seconds:.3f}")
        )
    return ["", aligned(rows)] if len(rows) > 1 else []


def du_text(project: Project) -> str:
    """`benchbook du`: MiB on disk."""
    rows: list[tuple[str, str]] = [("MiB", "what")]
    for folder in sorted(p for p in project.raw.glob("*") if p.is_dir()):
        rows.append((_mib(folder), f"raw runs of {folder.name}"))
    for path, what in (
        (project.store, "store"), (project.imported, "imported results"),
        (project.data / "scratch", "scratch"), (project.build, "compiled drivers"),
        (project.site, "site"),
    ):  # fmt: skip
        if path.exists():
            rows.append((_mib(path), what))
    return aligned(rows)


def _mib(path: Path) -> str:
    files = [path] if path.is_file() else [f for f in path.rglob("*") if f.is_file()]
    return f"{sum(f.stat().st_blocks for f in files) * 512 / 2**20:.1f}"


def rm_text(name: str, project: Project) -> str:
    """What `benchbook rm` is about to delete."""
    folder = raw_folder(project, name)
    runs = OnDisk(project).named(name)
    return f"{folder} holds {len(runs)} runs, {_mib(folder)} MiB."
