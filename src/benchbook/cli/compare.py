"""`benchbook compare`: cells of a set or study at the terminal."""

from __future__ import annotations

import click

from benchbook.cli import comparison
from benchbook.cli.options import takes_set
from benchbook.errors import UserError
from benchbook.project import Project
from benchbook.results.sets import metric_set


@click.command()
@takes_set
@click.option(
    "--csv", is_flag=True, help="Header test,<OTHER>,...: ratios, then their intervals."
)
@click.option(
    "--compatible", is_flag=True, help="Ratios as the archives of the field print them."
)
@click.argument("base")
@click.argument("others", nargs=-1)
def compare(
    name: str, study: str, metric: str, csv: bool, compatible: bool, base: str,
    others: tuple[str, ...],
) -> None:  # fmt: skip
    """Compare cells at the terminal: ratios to BASE with intervals.

    BASE and OTHER are dim=value[,dim=value], a value that only one dimension has, or a
    DBMS tag as the archives write it. --metric takes their names too: cpu/o, wKB/o.
    """
    text, notes = compare_text(
        name, study, metric, csv, compatible, base, others, Project.find()
    )
    click.echo(text, nl=False)
    for note in notes:
        click.echo(note, err=True)


def compare_text(
    name: str, study: str, metric: str, csv: bool, compatible: bool, base: str,
    others: tuple[str, ...], project: Project,
) -> tuple[str, tuple[str, ...]]:  # fmt: skip
    """The table of `benchbook compare`, and what a CSV has to tell beside its lines."""
    if not (name or study):
        raise UserError("say what to compare: --study STUDY, or --set NAME")
    chosen = metric_set(name or study, project)
    try:
        table = comparison.compare(
            chosen.metric, base, others, metric, csv=csv, compatible=compatible
        )
    except ValueError as error:  # figures that do not belong into one table
        raise UserError(
            f"{chosen.name} cannot be compared: {error}{chosen.one_by_one}"
        ) from error
    return table.text, (*(table.notes if csv else ()), *chosen.notes)
