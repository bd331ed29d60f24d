"""`benchbook history`: what changed over the commits of a set."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import click
import pandas as pd

from benchbook.cli.options import PATTERN
from benchbook.cli.report import WRITERS, Report, Section, Table
from benchbook.escaped import markdown_text
from benchbook.results.history import History, HistoryOfTest
from benchbook.sets.history import history as history_of_set
from benchmath.changes.boundaries import percent_text
from benchmath.prose import counted

_HEAD = ("", "test", "change", "95% interval", "commits", "when", "since")


@click.command()
@click.argument("name", metavar="SET|PATH")
@click.option("--metric", default="", help="Only this metric; all of them otherwise.")
@click.option(
    "--dimension", default="", help="What the commits are: commit, else version."
)
@click.option("--all", "every", is_flag=True, help="Tests without a change too.")
@click.option("--json", "form", flag_value="json", help="Every test, all its changes.")
@click.option("--csv", "form", flag_value="csv", help="Every test, its last change.")
@click.option("--markdown", "form", flag_value="markdown", help="A table to paste.")
@PATTERN
@click.option("--fresh", is_flag=True, help="Search all anew, remember nothing.")
def history(
    name: str, metric: str, dimension: str, every: bool, form: str | None,
    pattern: str | None, fresh: bool,
) -> None:  # fmt: skip
    """Tell of each test of a set what changed over its commits, the worst first.

    A line is the last change of a test: by how much, between which two commits, when,
    and how many commits are measured since.
    """
    found = history_of_set(name, None, metric, dimension, not fresh, pattern)
    click.echo(WRITERS[form or "text"](HistoryReport(found, every)), nl=False)
    for note in found.notes:
        click.echo(note, err=form is not None)


@dataclass(frozen=True)
class HistoryReport(Report):
    """The history of a set; every: tests without a change are lines too."""

    found: History
    every: bool = False

    def sections(self) -> Iterator[Section]:
        """How many tests changed, and a line for each of them."""
        tests = self.found.tests
        still = sum(not test.changes for test in tests)
        most = max(len(test.series.commits) for test in tests)
        yield (
            f"{self.found.name}: {counted(len(tests), 'test')}, up to "
            f"{counted(most, self.found.dimension)}; {len(tests) - still} changed, "
            f"{still} did not"
        )
        if rows := [line_of(test) for test in tests if self.every or test.changes]:
            yield Table.of_words(_HEAD, rows)

    def page(self) -> Iterator[Section]:
        """The same; no name is markup."""
        head, *table = self.sections()
        yield markdown_text(head)
        yield from table

    def document(self) -> Mapping[str, Any]:
        """Every test with all its changes, worst first."""
        tests = [
            {
                "test": test.series.test,
                "labels": test.series.labels,
                "commits": len(test.series.commits),
                "newest": test.series.commits[-1],
                "changes": test.changes,
            }
            for test in self.found.tests
        ]
        found = self.found
        return {"set": found.name, "dimension": found.dimension, "order": found.order,
                "tests": tests}  # fmt: skip

    def frame(self) -> pd.DataFrame:
        """One line per test."""
        return self.found.table


def line_of(test: HistoryOfTest) -> tuple[str, ...]:
    """What a line says: the last change of a test, or that there is none."""
    last, series = test.last, test.series
    if not last:
        return ("", series.test, "no change", "", "", "", str(len(series.commits)))
    no_ratio = not math.isfinite(last["ratio"])
    change = f"{last['difference']:+.4g}" if no_ratio else _percent(last["ratio"])
    bounds = (last["low"], last["high"])
    interval = "" if math.isnan(sum(bounds)) else " to ".join(map(_percent, bounds))
    since = str(len(series.commits) - last["place"])
    commits = f"{last['after']}..{last['at']}"
    return last["verdict"], series.test, change, interval, commits, last["time"], since


def _percent(ratio: float) -> str:
    return percent_text(100 * (ratio - 1))
