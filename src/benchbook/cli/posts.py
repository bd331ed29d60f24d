"""`benchbook post`, `publish` and `report`: executing, freezing and rendering posts."""

from __future__ import annotations

import os
import sys

import click

from benchbook.cli.audit import audit_one
from benchbook.cli.options import say, study_at
from benchbook.measure.lock import beside_measuring
from benchbook.posts.execute import post as make_post
from benchbook.posts.publish import publish as freeze
from benchbook.posts.report import make_report
from benchbook.project import Project
from benchbook.study.find import find_study


@click.command()
@click.argument("study")
@click.option("--no-measure", is_flag=True, help="Render with what is there.")
@click.option("--force", is_flag=True, help="Execute even when nothing has changed.")
@click.option("--discard", is_flag=True, help="Drop edits that would be written over.")
@click.option("--wait", is_flag=True, help="Begin when nothing is being measured.")
def post(study: str, no_measure: bool, force: bool, discard: bool, wait: bool) -> None:
    """Execute the study's notebook into posts/<slug>/index.ipynb, and audit it.

    Markdown cells that you add to the post stay where they are, and so does text in cells
    tagged hand-written. An edit of what the notebook writes itself is refused, with where
    to write it.
    """
    if sys.stderr.isatty():  # the notebook's kernel has no terminal of its own
        os.environ.setdefault("BENCHBOOK_PROGRESS", f"/proc/{os.getpid()}/fd/2")
    chosen = study_at(study)
    beside_measuring(wait, say)
    path = make_post(
        chosen.path, Project.find(), measure=not no_measure, force=force,
        discard=discard,
    )  # fmt: skip
    audit_one(chosen, Project.find(), click.echo)
    click.echo(f"post: {path}")


@click.command()
@click.argument("study")
@click.option(
    "--thin", type=click.IntRange(min=1), default=1, show_default=True,
    help="Seconds per sample that is kept, where the evidence is too large.",
)  # fmt: skip
def publish(study: str, thin: int) -> None:
    """Freeze a post with its evidence: rendered ever after, never measured again."""
    project = Project.find()
    click.echo(freeze(find_study(study, project).parent.name, project, thin))


@click.command()
def report() -> None:
    """Measure, post and render every live study: what `make report` runs."""
    click.echo(make_report(Project.find(), say))
