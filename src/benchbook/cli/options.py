"""What the verbs share: the values of their arguments, and a line of progress."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import click

from benchbook.project import Project
from benchbook.study.find import find_study
from benchbook.study.study import Study, load_study
from benchbook.study.until import seconds_of, share_of
from benchmath.errors import UserError


def budget_of(text: str | None) -> float | None:
    """The seconds that `--budget` names."""
    return None if text is None else seconds_of(text, "--budget")


def effect_of(text: str | None) -> float | None:
    """The change that `--detect` names: 3%, 3 and .03 are the same."""
    return None if text is None else share_of(text, "--detect", "the change to find")


def margin_of(text: str | None) -> float | None:
    """The share that `--margin` names, if it does."""
    return None if text is None else share_of(text, "--margin", "the margin")


def pairs(
    ctx: click.Context, param: click.Parameter, values: tuple[str, ...]
) -> dict[str, str]:
    """key=value options as a dict."""
    out = {}
    for value in values:
        key, equals, rest = value.partition("=")
        if not equals or not key:
            raise click.BadParameter(f"{value!r} is not of the form name=value")
        out[key] = rest
    return out


ONLY = click.option(
    "--only", multiple=True, callback=pairs, metavar="DIM=VALUE",
    help="Only cells with this value; may be repeated.",
)  # fmt: skip
ACROSS = click.option(
    "--across", multiple=True, metavar="DIM",
    help="Compare cells that differ in this dimension too; may be repeated.",
)  # fmt: skip
PATTERN = click.option(
    "--name", "pattern", metavar="PATTERN",
    help="What names of files say, as for import: 'run{trial}.json'.",
)  # fmt: skip
DETACH = click.option("--detach", is_flag=True, help="Go on without this terminal.")
QUEUE = click.option(
    "--wait", is_flag=True, help="Queue behind another measuring process."
)


def takes_set(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which a verb is told its set, and the metric of it."""
    for option in (
        click.option("--metric", default="throughput", show_default=True),
        click.option("--study", default="", help="A study, by name or path."),
        click.option("--set", "name", default="", help="A study, import, table or path."),
    ):
        command = option(command)
    return command


def one_set(name: str, study: str, others: str = "") -> str:
    """The one set that ``takes_set`` was told; UserError for none, and for two."""
    if name and study:
        raise UserError(
            f"--set {name} and --study {study} are two sets: name one of them"
        )
    if not (name or study):
        raise UserError(f"say what of: --study STUDY, or --set NAME{others}")
    return name or study


def slug_of(named: str) -> str:
    """The name of a study, also of posts/SLUG and posts/SLUG/study.yml."""
    path = Path(named)
    return path.parent.name if path.suffix in (".yml", ".yaml") else path.name


def study_at(name: str) -> Study:
    """A study by slug or by path."""
    return load_study(find_study(name, Project.find()))


def say(text: str) -> None:
    """Progress and warnings, which are no part of what a verb prints."""
    click.echo(text, err=True)
