"""`benchbook history`: what changed over the commits of a set."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

import click

from benchbook.escaped import markdown_text
from benchbook.results.history import History, HistoryOfTest
from benchbook.results.history import history as history_of_set
from benchmath.changes.boundaries import percent_text
from benchmath.prose import aligned, counted

_HEAD = ("", "test", "change", "95% interval", "commits", "when", "since")


@click.command()
@click.argument("name", metavar="SET")
@click.option("--metric", default="", help="Only this metric; all of them otherwise.")
@click.option(
    "--dimension", default="", help="What the commits are: commit, else version."
)
@click.option("--all", "every", is_flag=True, help="Tests without a change too.")
@click.option("--json", "form", flag_value="json", help="Every test, all its changes.")
@click.option("--csv", "form", flag_value="csv", help="Every test, its last change.")
@click.option("--markdown", "form", flag_value="markdown", help="A table to paste.")
@click.option("--fresh", is_flag=True, help="Search all anew, remember nothing.")
def history(
    name: str, metric: str, dimension: str, every: bool, form: str | None, fresh: bool
) -> None:
    """Tell of each test of a set what changed over its commits, the worst first.

    A line is the last change of a test: by how much, between which two commits, when,
    and how many commits are measured since.
    """
    found = history_of_set(name, metric=metric, dimension=dimension, memory=not fresh)
    forms = {"json": json_text, "csv": csv_text}
    if form in forms:
        click.echo(forms[form](found), nl=False)
    else:
        click.echo(report(found, every, markdown=form == "markdown"))
    for note in found.notes:
        click.echo(note, err=form is not None)


def report(found: History, every: bool = False, markdown: bool = False) -> str:
    """One line per test that changed, and how many did not."""
    rows = [line_of(test) for test in found.tests if every or test.changes]
    still = sum(not test.changes for test in found.tests)
    most = max(len(test.series.commits) for test in found.tests)
    head = (
        f"{found.name}: {counted(len(found.tests), 'test')}, up to "
        f"{counted(most, found.dimension)}; {len(found.tests) - still} changed, "
        f"{still} did not"
    )
    if not rows:
        return head
    if markdown:
        lines = ["|".join(map(markdown_text, row)) for row in rows]
        rule = "|".join(["---"] * len(_HEAD))
        return "\n".join(
            [
                markdown_text(head),
                "",
                *(f"|{x}|" for x in ("|".join(_HEAD), rule, *lines)),
            ]
        )
    return f"{head}\n\n{aligned([_HEAD, *map(_plain, rows)])}"


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


def json_text(found: History) -> str:
    """Every test with all its changes, worst first."""
    tests = [
        {
            "test": test.series.test,
            "labels": test.series.labels,
            "commits": len(test.series.commits),
            "newest": test.series.commits[-1],
            "changes": [_without_nan(change) for change in test.changes],
        }
        for test in found.tests
    ]
    whole = {
        "set": found.name, "dimension": found.dimension, "order": found.order,
        "tests": tests,
    }  # fmt: skip
    return json.dumps(whole, indent=1, allow_nan=False) + "\n"


def csv_text(found: History) -> str:
    """One line per test; no cell is a formula to a spreadsheet."""
    text = io.StringIO()
    table = found.table
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(table.columns)
    for row in table.itertuples(index=False):
        writer.writerow([_cell(value) for value in row])
    return text.getvalue()


def _percent(ratio: float) -> str:
    return percent_text(100 * (ratio - 1))


def _without_nan(change: dict[str, Any]) -> dict[str, Any]:
    return {
        k: None if isinstance(v, float) and not math.isfinite(v) else v
        for k, v in change.items()
    }


def _cell(value: object) -> object:
    if isinstance(value, float):
        return "" if math.isnan(value) else value
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


def _plain(row: tuple[str, ...]) -> tuple[str, ...]:
    """No name breaks a line or moves the terminal's cursor."""
    return tuple("".join(c if c.isprintable() else "?" for c in cell) for cell in row)
