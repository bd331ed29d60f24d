"""`benchbook new`: a study from a template's example."""

from __future__ import annotations

import click

from benchbook.project import Project
from benchbook.study.find import new_study


@click.command()
@click.argument("slug")
@click.option("--from", "template", required=True, help="Template in notebooks/.")
def new(slug: str, template: str) -> None:
    """Start a study: posts/SLUG/study.yml, ready to edit."""
    click.echo(f"wrote {new_study(slug, template, Project.find())}")
