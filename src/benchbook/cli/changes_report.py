"""The changes of level of a set as a report: boundaries, tests, other methods."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from benchmath.changes.agreement import (
    METHODS,
    method_agreement,
    method_likeness,
)
from benchmath.changes.boundaries import (
    boundaries,
    outlying_versions,
    percent_text,
    version_changes,
)
from benchmath.changes.series import series_count
from benchmath.changes.shift import SHARED, WITH_OTHERS
from benchmath.prose import aligned, counted, joined, span


def changes_report(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    floor: pd.DataFrame | None = None,
    method: str = "benchbook",
) -> str:
    """Boundaries, the tests at each, versions that stand apart, other methods.

    Arguments as of ``version_changes``.
    """
    tests = series_count(frame, dimension, metric)
    changes = version_changes(frame, dimension, metric, floor=floor, method=method)
    boundary_rows = boundaries(changes, tests)
    parts = [
        _head(frame, dimension, metric, floor, method, tests),
        _summary(boundary_rows),
        *_members(boundary_rows, changes),
        _doubtful(changes, tests),
        _apart(outlying_versions(frame, dimension, metric, floor=floor), dimension),
        _agreement(method_agreement(frame, dimension, metric)),
        _likeness(method_likeness(frame, dimension, metric)),
    ]
    return "\n\n".join(part for part in parts if part)


def _head(
    frame: pd.DataFrame,
    dimension: str,
    metric: str,
    floor: pd.DataFrame | None,
    method: str,
    tests: int,
) -> str:
    machines = joined(frame["machine"])
    return (
        f"{metric}: {counted(tests, 'test')} on {machines}, {frame[dimension].nunique()} "
        f"values of {dimension}; method {method}, {_noise(floor)}\n"
        "ratios: new level over old one, with 95% interval"
    )


def _noise(floor: pd.DataFrame | None) -> str:
    if floor is None:
        return "no noise floor on record"
    built = "" if floor["build_sd"].notna().all() else ", build effect not measured"
    return f"noise floor of the A/A runs{built}"


def _summary(boundary_rows: pd.DataFrame) -> str:
    if boundary_rows.empty:
        return "No test changed its level."
    rows = [("boundary", "tests", "median", "lowest", "highest")]
    for row in boundary_rows.to_dict("records"):
        sizes = (percent_text(row[name]) for name in ("median", "min", "max"))
        rows.append((row["boundary"], f"{row['hit']} of {row['of']}", *sizes))
    return aligned(rows)


def _members(boundary_rows: pd.DataFrame, changes: pd.DataFrame) -> Iterator[str]:
    """For each boundary its sentence and the ratio of each test."""
    detected = changes[changes["detected"]]
    for boundary in boundary_rows.itertuples():
        here = detected[detected["boundary"] == boundary.boundary]
        rows = [
            ("", row["test"], *_ratio(row), *_by_others(row))
            for row in here.to_dict("records")
        ]
        yield f"{boundary.sentence}\n{aligned(rows)}"


def _ratio(row: Mapping[str, float]) -> tuple[str, str]:
    if pd.isna(row["low"]):
        return f"{row['ratio']:.3f}", "no interval"
    return f"{row['ratio']:.3f}", span(row["low"], row["high"], "{:.3f}".format)


def _by_others(row: Mapping[str, Any]) -> tuple[str, ...]:
    """What is said of a change that only the other tests' evidence finds."""
    if row["evidence"] != SHARED:
        return ("",)
    chance = "> 0.99" if row["chance"] > 0.99 else f"{row['chance']:.2f}"
    return (f"{WITH_OTHERS}, chance {chance}",)


def _doubtful(changes: pd.DataFrame, tests: int) -> str:
    """Changes of tests that so many tests show by chance."""
    rows = changes[~changes["detected"]]
    if rows.empty:
        return ""
    lines = [
        ("", row.boundary, row.test, f"{row.ratio:.3f}", f"q = {row.q:.2f}")
        for row in rows.itertuples()
    ]
    return (
        f"Not counted: may be chance among {counted(tests, 'test')} "
        f"(Benjamini-Hochberg at 5%)\n{aligned(lines)}"
    )


def _apart(alone: pd.DataFrame, dimension: str) -> str:
    if alone.empty:
        return ""
    rows = [
        ("", row.version, row.test, f"{row.ratio:.3f}", counted(row.n, "run"))
        for row in alone.itertuples()
    ]
    return f"A single {dimension} apart from its level\n{aligned(rows)}"


def _agreement(table: pd.DataFrame) -> str:
    """How many tests each method changes at each boundary."""
    if table.empty:
        return ""
    counts = [tuple(map(str, row)) for row in table.itertuples(index=False)]
    return aligned([("each test alone", *METHODS, "all of them"), *counts])


def _likeness(table: pd.DataFrame) -> str:
    """How like ours the segmentations of ruptures are, on average."""
    if not table["changes"].any():
        return ""
    rows = [
        (row.method, str(row.changes), *(f"{v:.2f}" for v in row[3:6]))
        for row in table.itertuples()
    ]
    head = ("against benchbook", "changes", "precision", "recall", "Rand index")
    return aligned([head, *rows])
