"""`benchbook compare`: cells of a set or study at the terminal."""

from __future__ import annotations

import click

from benchbook.cli import comparison
from benchbook.cli.options import ACROSS, margin_of, takes_set
from benchbook.project import Project
from benchbook.results.sets import metric_set
from benchmath.errors import UserError


@click.command()
@takes_set
@click.option(
    "--csv", "form", flag_value=comparison.CSV,
    help="Header test,<OTHER>,...: ratios, then their intervals and verdicts.",
)  # fmt: skip
@click.option("--json", "form", flag_value=comparison.JSON, help="All that is known.")
@click.option(
    "--markdown", "form", flag_value=comparison.MARKDOWN,
    help="Tables for a page or a comment; names in them are never markup.",
)  # fmt: skip
@click.option(
    "--compatible", is_flag=True, help="Ratios as the archives of the field print them."
)
@ACROSS
@click.option("--margin", help="Ignore less: 3%. Default: the study's own, else 2%.")
@click.argument("base")
@click.argument("others", nargs=-1)
def compare(
    name: str, study: str, metric: str, form: str | None, compatible: bool,
    across: tuple[str, ...], margin: str | None, base: str, others: tuple[str, ...],
) -> None:  # fmt: skip
    """Compare cells at the terminal: ratios to BASE with intervals and verdicts.

    BASE and OTHER are dim=value[,dim=value], a value that only one dimension has, or a
    DBMS tag as the archives write it. --metric takes their names too: cpu/o, wKB/o.

    Exits 0 whatever the verdicts are: `benchbook check` is the gate.
    """
    text, notes = compare_text(
        name, study, metric, form or comparison.TEXT, compatible, base, others,
        Project.find(), margin_of(margin), across,
    )  # fmt: skip
    click.echo(text, nl=False)
    for note in notes:
        click.echo(note, err=True)


def compare_text(
    name: str, study: str, metric: str, form: str, compatible: bool, base: str,
    others: tuple[str, ...], project: Project, margin: float | None = None,
    across: tuple[str, ...] = (),
) -> tuple[str, tuple[str, ...]]:  # fmt: skip
    """The table of `benchbook compare`, and what a CSV has to tell beside its lines."""
    if not (name or study):
        raise UserError("say what to compare: --study STUDY, or --set NAME")
    if compatible and form in (comparison.JSON, comparison.MARKDOWN):
        raise UserError("--compatible has the form of the archives: text, or --csv")
    chosen = metric_set(name or study, project)
    try:
        table = comparison.compare(
            chosen, base, others, metric, form, compatible, margin, across
        )
    except ValueError as error:  # figures that do not belong into one table
        raise UserError(
            f"{chosen.name} cannot be compared: {error}{chosen.one_by_one}"
        ) from error
    return table.text, (*(table.notes if form == comparison.CSV else ()), *chosen.notes)
