"""`benchbook compare`: cells of a set or study at the terminal."""

from __future__ import annotations

from pathlib import Path

import click

from benchbook.cli import comparison
from benchbook.errors import UserError
from benchbook.project import Project
from benchbook.prose import joined
from benchbook.store.query import expand_dims, query


@click.command()
@click.option("--set", "name", default="", help="A set in the view metric.")
@click.option("--study", "study", default="", help="A study.")
@click.option("--metric", default="throughput", show_default=True)
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
    chosen = name or Path(study).name
    if not chosen:
        raise UserError("say what to compare: --study STUDY, or --set NAME")
    frame = expand_dims(query("metric_of_set", project=project, set=chosen))
    if frame.empty and name:
        raise UserError(_no_set(name, project))
    if frame.empty:
        raise UserError(
            f"no measured runs of {chosen!r}: `benchbook run` and `load` first"
        )
    try:
        table = comparison.compare(
            frame, base, others, metric, csv=csv, compatible=compatible
        )
    except ValueError as error:  # figures that do not belong into one table
        raise UserError(f"{chosen} cannot be compared: {error}") from error
    return table.text, table.notes if csv else ()


def _no_set(name: str, project: Project) -> str:
    names = joined(query("sets", project=project)["set"])
    lists = f"`benchbook sets` lists {names}" if names else "`benchbook sets` lists none"
    return f"no set {name!r}: {lists}; `benchbook import DIR` brings in results of others"
