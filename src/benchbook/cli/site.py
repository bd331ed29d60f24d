"""`benchbook site`: the pages of the posts there are."""

from __future__ import annotations

from pathlib import Path

import click

from benchbook.cli.options import say
from benchbook.measure.lock import beside_measuring
from benchbook.posts.site import build_site
from benchbook.project import Project


@click.command()
@click.option("--out", type=click.Path(path_type=Path), help="Folder (default _site).")
@click.option("--wait", is_flag=True, help="Begin when nothing is being measured.")
def site(out: Path | None, wait: bool) -> None:
    """Render the site from the posts there are: Quarto's, or the built-in preview."""
    beside_measuring(wait, say)
    click.echo(f"site: {build_site(Project.find(), out)}")
