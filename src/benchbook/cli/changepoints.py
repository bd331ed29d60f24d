"""`benchbook changepoints`: answers to a stream of series, and a set as a report."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import click
import pandas as pd

from benchbook.cli.options import PATTERN, one_set, takes_set
from benchbook.cli.report import Report, Section, Table, as_text
from benchbook.project import Project
from benchbook.sets.files import chosen_set
from benchbook.sets.verbs import ANOTHER, floor_of, versions_in_order
from benchmath.changes.agreement import method_agreement, method_likeness
from benchmath.changes.boundaries import (
    boundaries,
    outlying_versions,
    percent_text,
    version_changes,
)
from benchmath.changes.changepoints import METHODS, shifts
from benchmath.changes.series import series_count, settings_note
from benchmath.changes.shift import SHARED, WITH_OTHERS
from benchmath.errors import UserError
from benchmath.prose import counted, joined, span


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
@PATTERN
def changepoints(
    jsonl: bool, name: str, study: str, metric: str, method: str, dimension: str,
    pattern: str | None,
) -> None:  # fmt: skip
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
    text = changes_text(name, study, metric, method, dimension, pattern=pattern)
    click.echo(text, nl=False)


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
    name: str, study: str, metric: str, method: str, dimension: str,
    project: Project | None = None, pattern: str | None = None,
) -> str:  # fmt: skip
    """`benchbook changepoints` of a set, a study, a published table or files."""
    _check_method(method)
    chosen = chosen_set(one_set(name, study, ", or --jsonl"), project, pattern)
    with chosen.belonging_together("searched for changes", ANOTHER):
        frame, order = versions_in_order(chosen, dimension, metric)
        settings = settings_note(frame, dimension, metric)
        notes = (*order.notes(dimension), *filter(None, [settings]), *chosen.notes)
        floor = floor_of(chosen, metric)
        return as_text(Changes(frame, dimension, metric, floor, method, notes))


@dataclass(frozen=True)
class Changes(Report):
    """Boundaries, the tests at each, versions that stand apart, other methods.

    Fields as the arguments of ``version_changes``; notes: what else is to be said.
    """

    metric_frame: pd.DataFrame
    dimension: str
    metric: str
    floor: pd.DataFrame | None
    method: str
    notes: tuple[str, ...]

    def sections(self) -> Iterator[Section]:
        """A paragraph and tables with a line above each."""
        of = (self.metric_frame, self.dimension, self.metric)
        tests = series_count(*of)
        changes = version_changes(*of, floor=self.floor, method=self.method)
        boundary_rows = boundaries(changes, tests)
        values = self.metric_frame[self.dimension].nunique()
        machines = joined(m for m in self.metric_frame["machine"] if m)
        yield (
            f"{self.metric}: {counted(tests, 'test')}{f' on {machines}' * bool(machines)}"
            f", {values} values of {self.dimension}; method {self.method}, "
            f"{_noise(self.floor)}\n"
            "ratios: new level over old one, with 95% interval"
        )
        yield _summary(boundary_rows)
        yield from _members(boundary_rows, changes)
        yield from _doubtful(changes, tests)
        yield from _apart(outlying_versions(*of, floor=self.floor), self.dimension)
        yield from _agreement(method_agreement(*of))
        yield from _likeness(method_likeness(*of))
        yield from self.notes


def _noise(floor: pd.DataFrame | None) -> str:
    if floor is None:
        return "no noise floor on record"
    built = "" if floor["build_sd"].notna().all() else ", build effect not measured"
    return f"noise floor of the A/A runs{built}"


def _summary(boundary_rows: pd.DataFrame) -> Section:
    if boundary_rows.empty:
        return "No test changed its level."
    rows = [
        (row["boundary"], f"{row['hit']} of {row['of']}",
         *(percent_text(row[name]) for name in ("median", "min", "max")))
        for row in boundary_rows.to_dict("records")
    ]  # fmt: skip
    return Table.of_words(("boundary", "tests", "median", "lowest", "highest"), rows)


def _listed(title: str, rows: Sequence[Sequence[str]]) -> Iterator[Table]:
    """Rows indented below their title, if there are any."""
    if rows:
        indented = [("", *row) for row in rows]
        yield Table.of_words([""] * len(indented[0]), indented, title)


def _members(boundary_rows: pd.DataFrame, changes: pd.DataFrame) -> Iterator[Table]:
    """For each boundary its sentence and the ratio of each test."""
    detected = changes[changes["detected"]]
    for boundary in boundary_rows.itertuples():
        here = detected[detected["boundary"] == boundary.boundary].to_dict("records")
        rows = [(row["test"], *_ratio(row), _by_others(row)) for row in here]
        yield from _listed(boundary.sentence, rows)


def _ratio(row: Mapping[str, float]) -> tuple[str, str]:
    if pd.isna(row["low"]):
        return f"{row['ratio']:.3f}", "no interval"
    return f"{row['ratio']:.3f}", span(row["low"], row["high"], "{:.3f}".format)


def _by_others(row: Mapping[str, Any]) -> str:
    """What is said of a change that only the other tests' evidence finds."""
    if row["evidence"] != SHARED:
        return ""
    chance = "> 0.99" if row["chance"] > 0.99 else f"{row['chance']:.2f}"
    return f"{WITH_OTHERS}, chance {chance}"


def _doubtful(changes: pd.DataFrame, tests: int) -> Iterator[Table]:
    """Changes of tests that so many tests show by chance."""
    rows = [
        (row.boundary, row.test, f"{row.ratio:.3f}", f"q = {row.q:.2f}")
        for row in changes[~changes["detected"]].itertuples()
    ]
    title = f"Not counted: may be chance among {counted(tests, 'test')} "
    return _listed(f"{title}(Benjamini-Hochberg at 5%)", rows)


def _apart(alone: pd.DataFrame, dimension: str) -> Iterator[Table]:
    rows = [
        (row.version, row.test, f"{row.ratio:.3f}", counted(row.n, "run"))
        for row in alone.itertuples()
    ]
    return _listed(f"A single {dimension} apart from its level", rows)


def _agreement(table: pd.DataFrame) -> Iterator[Table]:
    """How many tests each method changes at each boundary."""
    if len(table):
        rows = [tuple(map(str, row)) for row in table.itertuples(index=False)]
        yield Table.of_words(("each test alone", *METHODS, "all of them"), rows)


def _likeness(table: pd.DataFrame) -> Iterator[Table]:
    """How like ours the segmentations of ruptures are, on average."""
    if table["changes"].any():
        rows = [
            (row.method, str(row.changes), *(f"{v:.2f}" for v in row[3:6]))
            for row in table.itertuples()
        ]
        head = ("against benchbook", "changes", "precision", "recall", "Rand index")
        yield Table.of_words(head, rows)
