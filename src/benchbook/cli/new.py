"""`benchbook new` and `init`: a study from an example or figures; a laboratory."""

from __future__ import annotations

from pathlib import Path

import click

from benchbook.cli.imports import fixed
from benchbook.imports.post_of_figures import post_of_figures
from benchbook.laboratory import make_laboratory
from benchbook.project import Project
from benchbook.study.find import examples, new_study
from benchmath.errors import UserError
from benchmath.prose import joined


@click.command()
@click.argument("slug")
@click.option("--from", "template", metavar="TEMPLATE", help="An example of notebooks/.")
@click.option(
    "--from-csv",
    "figures",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A table of figures: CSV, TSV, JSON lines, Parquet.",
)
@click.option(
    "--columns",
    metavar="ROLE=COLUMN,...",
    help="Which columns of the table hold what, or a YAML file that says so.",
)
@click.option("--engine", metavar="NAME", help="The engine, where the table has none.")
@click.option("--machine", metavar="NAME", help="The machine, where it has none.")
@click.option(
    "--dim",
    "dims",
    metavar="KEY=VALUE",
    multiple=True,
    help="A further dimension of all figures; may be given again.",
)
def new(
    slug: str,
    template: str | None,
    figures: Path | None,
    columns: str | None,
    engine: str | None,
    machine: str | None,
    dims: tuple[str, ...],
) -> None:
    """Start a study: posts/SLUG/study.yml, ready to edit.

    From a table of figures it is ready to be executed: the table becomes the set
    SLUG.figures, and its first version the base.
    """
    project = Project.find()
    if (template is None) == (figures is None):
        raise UserError(
            "give either --from-csv FILE, or --from one of: "
            f"{', '.join(examples(project))}"
        )
    if template is not None:
        if columns or engine or machine or dims:
            raise UserError(
                "--columns, --engine, --machine and --dim say what a table of figures "
                "holds: they go with --from-csv"
            )
        click.echo(f"wrote {new_study(slug, template, project)}")
        return
    assert figures is not None
    said = fixed(engine, None, dims)
    click.echo(
        f"wrote {post_of_figures(slug, figures, project, columns, said, machine)}; "
        f"see it with benchbook post {slug}"
    )


@click.command()
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=".")
def init(folder: Path) -> None:
    """Make a laboratory in FOLDER: templates, the site, a place for posts and data."""
    folder = folder.resolve()
    wrote = make_laboratory(folder)
    click.echo(
        f"{folder} is a laboratory: {joined(sorted(wrote))}\n"
        f"begin with: cd {folder} && benchbook new SLUG --from TEMPLATE"
    )
