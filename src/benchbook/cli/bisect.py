"""`benchbook bisect`: the commit at which a command got slower."""

from __future__ import annotations

import sys
from dataclasses import replace

import click

from benchbook.cli.options import DETACH, ONLY, QUEUE, say, study_at
from benchbook.measure.launch import detach as detached
from benchbook.measure.progress import duration
from benchbook.measure.run import RunOptions, asked_for
from benchbook.project import Project
from benchbook.sets.bisect import bisect as search
from benchbook.sets.bisect import bisection_of, told


@click.command()
@click.argument("study")
@click.option("--good", required=True, metavar="REV", help="The revision that is fast.")
@click.option("--bad", required=True, metavar="REV", help="A later one that is not.")
@click.option("--step", default="", metavar="STEP", help="The command that got slower.")
@ONLY
@DETACH
@QUEUE
def bisect(
    study: str, good: str, bad: str, step: str, only: dict[str, str], detach: bool,
    wait: bool,
) -> None:  # fmt: skip
    """Find the first revision that is slower, by turns with both ends; resumes."""
    planned, project = study_at(study), Project.find()
    if detach:
        click.echo(detached(sys.argv[1:], planned, project))
        return
    cells = tuple(cell for cell in planned.cells if asked_for(cell, only))
    asked = bisection_of(replace(planned, cells=cells), good, bad, step, project)
    found = search(asked, RunOptions(wait=wait), say)
    click.echo(told(found, asked, duration(found.seconds)))
    if not found.commits:
        sys.exit(1)
