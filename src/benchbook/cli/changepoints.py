"""`benchbook changepoints`: answers to a stream of series, and a set as a report."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click
import pandas as pd

from benchbook.cli.changes_report import changes_report
from benchbook.cli.options import takes_set
from benchbook.project import Project
from benchbook.results.sets import metric_set
from benchmath.changes.changepoints import METHODS, shifts
from benchmath.changes.order import in_order, order_of
from benchmath.changes.series import series_count
from benchmath.errors import UserError
from benchmath.ratios.floor import noise_floor


@click.command()
@click.option(
    "--jsonl", is_flag=True, help="Series on standard input, positions on output."
)
@takes_set
@click.option(
    "--method",
    default="benchbook",
    show_default=True,
    help="Detector: benchbook, or kernelcpd or pelt of ruptures.",
)
@click.option("--dimension", default="version", show_default=True)
def changepoints(
    jsonl: bool, name: str, study: str, metric: str, method: str, dimension: str
) -> None:
    """Find changes of level: of the versions of a set, or of series in a stream.

    Five or more tests of a set are evidence for one another; what only the others show
    is marked. A stream's series are each taken alone.

    With --jsonl each line of standard input is a JSON list of numbers, or an object
    {"y": [...], "groups": [...]}; its answer is the list of the 0-based indexes of the
    first point of each new level.
    """
    if jsonl:
        for answer in answers(sys.stdin.buffer, method):
            click.echo(answer)
        return
    project = Project.find()
    click.echo(changes_text(name, study, metric, method, dimension, project))


def answers(lines: Iterable[str | bytes], method: str = "benchbook") -> Iterator[str]:
    """For each line with a series a JSON list of changepoints, as soon as it is known.

    A line is a list of numbers and nulls, or ``{"y": [...], "groups": [...]|null}``. An
    answer lists the 0-based index of the first point of each new level. Blank lines
    have none. UserError (exit code 1) names the line that is no series.
    """
    _check_method(method)
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            values, groups = parse_series(line)
            yield json.dumps([s.position for s in shifts(values, groups, method)])
        except (ValueError, RecursionError) as error:
            raise UserError(f"line {number}: {_reason(error)}", exit_code=1) from error


def parse_series(line: str | bytes) -> tuple[list[Any], list[Any] | None]:
    """Values and groups of one line; ValueError says what is wrong with it."""
    series = json.loads(line)
    values, groups = series, None
    if isinstance(series, dict):
        strange = sorted(series.keys() - {"y", "groups"})
        if strange or "y" not in series:
            raise ValueError('an object has the key "y" and may have "groups", no other')
        values, groups = series["y"], series.get("groups")
    if not isinstance(values, list) or not _numbers(values, (int, float, type(None))):
        raise ValueError("a series is a list of numbers and nulls")
    if groups is not None and (
        not isinstance(groups, list) or not _numbers(groups, (int,))
    ):
        raise ValueError("groups are a list of integers, one for each value")
    return values, groups


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise UserError(f"no method {method!r}; available: {', '.join(METHODS)}")


def _numbers(values: list[Any], types: tuple[type, ...]) -> bool:
    return all(type(value) in types for value in values)  # True is no number here


def _reason(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON ({error.msg} at character {error.pos + 1})"
    if isinstance(error, UnicodeDecodeError):
        return "not UTF-8"
    return "too deeply nested" if isinstance(error, RecursionError) else str(error)


def changes_text(
    name: str, study: str, metric: str, method: str, dimension: str, project: Project
) -> str:
    """`benchbook changepoints` of a set, a study or a published table."""
    _check_method(method)
    if not (name or study):
        raise UserError("say what to look at: --study STUDY, --set NAME, or --jsonl")
    chosen = metric_set(name or study, project)
    if dimension not in chosen.metric.columns:
        raise UserError(
            f"no dimension {dimension!r} in {chosen.name}: choose --dimension"
        )
    try:
        _check_values(chosen.metric, chosen.name, dimension, metric)
        order = order_of(chosen.metric, dimension, chosen.listed(dimension))
        frame = in_order(chosen.metric, dimension, order)
        floor = noise_floor(chosen.aa, metric) if len(chosen.aa) else None
        report = changes_report(frame, dimension, metric, floor, method)
    except ValueError as error:  # figures that do not belong into one series
        raise UserError(
            f"{chosen.name} cannot be searched for changes: {error}"
            f"{chosen.one_by_one or '; choose --metric, --dimension or another set'}"
        ) from error
    return "\n\n".join([report, *order.notes(dimension), *chosen.notes])


def _check_values(frame: pd.DataFrame, chosen: str, dimension: str, metric: str) -> None:
    if not series_count(frame, dimension, metric):
        values = ", ".join(sorted(set(frame[dimension].astype(str))))
        raise UserError(
            f"no test of {chosen} has two values of {dimension} (available: {values}): "
            "choose --dimension, --metric or another set"
        )
