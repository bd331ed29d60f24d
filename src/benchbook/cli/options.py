"""What the verbs share: the values of their arguments, and a line of progress."""

from __future__ import annotations

import re
from collections.abc import Callable

import click

from benchbook.errors import UserError
from benchbook.project import Project
from benchbook.study.find import find_study
from benchbook.study.study import Study, load_study
from benchbook.study.until import seconds_of


def budget_of(text: str | None) -> float | None:
    """The seconds that `--budget` names."""
    return None if text is None else seconds_of(text, "--budget")


def effect_of(text: str | None) -> float | None:
    """The change that `--detect` names: 3%, 3 and .03 are the same."""
    return None if text is None else _share(text, "--detect", "the change to find")


def _share(text: str, option: str, what: str) -> float:
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+) ?(%?)", text.strip())
    if not match:
        raise UserError(f"{option} {text!r}: write {what} as 3%, 3 or .03")
    share = float(match[1])
    if match[2] or share >= 1:
        share /= 100
    if not 0 < share < 1:
        raise UserError(f"{option} {text!r}: a change lies between 0% and 100%")
    return share


def margin_of(text: str | None) -> float | None:
    """The share that `--margin` names, if it does."""
    return None if text is None else _share(text, "--margin", "the margin")


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
DETACH = click.option("--detach", is_flag=True, help="Go on without this terminal.")
QUEUE = click.option(
    "--wait", is_flag=True, help="Queue behind another measuring process."
)


def takes_set(command: Callable[..., None]) -> Callable[..., None]:
    """The options by which a verb is told its set, and the metric of it."""
    for option in (
        click.option("--metric", default="throughput", show_default=True),
        click.option("--study", default="", help="A study, by name or path."),
        click.option("--set", "name", default="", help="A study, import or table."),
    ):
        command = option(command)
    return command


def study_at(name: str) -> Study:
    """A study by slug or by path."""
    return load_study(find_study(name, Project.find()))


def say(text: str) -> None:
    """Progress and warnings, which are no part of what a verb prints."""
    click.echo(text, err=True)
