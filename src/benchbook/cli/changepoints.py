"""`benchbook changepoints`: answers to a stream of series, and a set as a report.

The stream needs neither pandas nor the store, so it does not wait for their import.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd

from benchbook.analysis.changes.agreement import (
    METHODS,
    method_agreement,
    method_likeness,
)
from benchbook.analysis.changes.boundaries import (
    boundaries,
    outlying_versions,
    percent_text,
    version_changes,
)
from benchbook.analysis.changes.series import series_count
from benchbook.analysis.changes.shift import SHARED
from benchbook.errors import UserError
from benchbook.project import Project
from benchbook.prose import aligned, counted, joined, span


def changes_report(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    floor: pd.DataFrame | None = None,
    method: str = "benchbook",
) -> str:
    """Boundaries, the tests at each, versions that stand apart, other methods.

    Arguments as of ``analysis.version_changes``.
    """
    tests = series_count(frame, dimension, metric)
    changes = version_changes(frame, dimension, metric, floor=floor, method=method)
    found = boundaries(changes, tests)
    parts = [
        _head(frame, dimension, metric, floor, method, tests),
        _summary(found),
        *_members(found, changes),
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


def _summary(found: pd.DataFrame) -> str:
    if found.empty:
        return "No test changed its level."
    rows = [("boundary", "tests", "median", "lowest", "highest")]
    for row in found.to_dict("records"):
        sizes = (percent_text(row[name]) for name in ("median", "min", "max"))
        rows.append((row["boundary"], f"{row['hit']} of {row['of']}", *sizes))
    return aligned(rows)


def _members(found: pd.DataFrame, changes: pd.DataFrame) -> Iterator[str]:
    """For each boundary its sentence and the ratio of each test."""
    known = changes[changes["detected"]]
    for boundary in found.itertuples():
        here = known[known["boundary"] == boundary.boundary]
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
    return (f"by the others' evidence, chance {chance}",)


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


if TYPE_CHECKING:
    import pandas as pd

    from benchbook.study.study import Study


def answers(lines: Iterable[str | bytes], method: str = "benchbook") -> Iterator[str]:
    """For each line with a series a JSON list of changepoints, as soon as it is known.

    A line is a list of numbers and nulls, or ``{"y": [...], "groups": [...]|null}``. An
    answer lists the 0-based index of the first point of each new level. Blank lines
    have none. UserError (exit code 1) names the line that is no series.
    """
    from benchbook.analysis.changes.changepoints import shifts

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
    given = json.loads(line)
    values, groups = given, None
    if isinstance(given, dict):
        unknown = sorted(given.keys() - {"y", "groups"})
        if unknown or "y" not in given:
            raise ValueError('an object has the key "y" and may have "groups", no other')
        values, groups = given["y"], given.get("groups")
    if not isinstance(values, list) or not _numbers(values, (int, float, type(None))):
        raise ValueError("a series is a list of numbers and nulls")
    if groups is not None and (
        not isinstance(groups, list) or not _numbers(groups, (int,))
    ):
        raise ValueError("groups are a list of integers, one for each value")
    return values, groups


def _check_method(method: str) -> None:
    from benchbook.analysis.changes.changepoints import METHODS

    if method not in METHODS:
        raise UserError(f"no method {method!r}: choose {', '.join(METHODS)}")


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
    pass

    _check_method(method)
    chosen = name or Path(study).name
    if not chosen:
        raise UserError("say what to look at: --study STUDY, --set NAME, or --jsonl")
    asked = _study(chosen, project)
    frame = _metric_frame(chosen, asked, project)
    if dimension not in frame.columns:
        raise UserError(f"no dimension {dimension!r} in {chosen}: choose --dimension")
    _check_values(frame, chosen, dimension, metric)
    frame = _ordered(frame, dimension, _listed(asked, dimension))
    floor = _noise_floor(frame, chosen, metric, project)
    return changes_report(frame, dimension, metric, floor, method)


def _check_values(frame: pd.DataFrame, chosen: str, dimension: str, metric: str) -> None:
    from benchbook.analysis.changes.series import series_count

    if not series_count(frame, dimension, metric):
        values = ", ".join(sorted(set(frame[dimension].astype(str))))
        raise UserError(
            f"no test of {chosen} has two values of {dimension}, only {values}: "
            "choose --dimension, --metric or another set"
        )


def _study(chosen: str, project: Project) -> Study | None:
    """The study of that name; None where the set has no study here."""
    from benchbook.study.study import load_study

    path = project.posts / chosen / "study.yml"
    return load_study(path) if path.is_file() else None


def _metric_frame(chosen: str, asked: Study | None, project: Project) -> pd.DataFrame:
    from benchbook.published.figures import published_frame, published_names
    from benchbook.store.query import expand_dims, query

    if asked and asked.data:
        return published_frame(asked.data, project)
    if chosen in published_names(project):
        return published_frame([chosen], project)
    frame = expand_dims(query("metric_of_set", project=project, set=chosen))
    if frame.empty:
        raise UserError(
            f"no measured runs of {chosen!r}: `benchbook run` and `load` first"
        )
    return frame


def _listed(asked: Study | None, dimension: str) -> list[str]:
    """The values of a dimension as the study lists them; none without a study."""
    cells = (cell.dimensions() for cell in (asked.cells if asked else ()))
    return list(dict.fromkeys(c[dimension] for c in cells if dimension in c))


def _ordered(frame: pd.DataFrame, dimension: str, listed: Sequence[str]) -> pd.DataFrame:
    """Rows in the order of the list; by version where it lacks a value."""
    from benchbook.versions import in_version_order

    values = frame[dimension].astype(str)
    order = listed if set(values) <= set(listed) else in_version_order(values)
    place = values.map({value: i for i, value in enumerate(order)})
    return frame.iloc[place.argsort(kind="stable")]


def _noise_floor(
    frame: pd.DataFrame, chosen: str, metric: str, project: Project
) -> pd.DataFrame | None:
    """The noise floor by the A/A runs of the study, or of others on its machines."""
    from benchbook.analysis.ratios.floor import noise_floor
    from benchbook.store.query import expand_dims, query

    if "machine_id" not in frame.columns:
        return None
    machines = sorted(set(frame["machine_id"]))
    own = f"{chosen}.aa"
    found = query("collect_aa", project=project, sets=[own], machine_ids=machines)
    found = found[found["set"] == own] if (found["set"] == own).any() else found
    return noise_floor(expand_dims(found), metric) if len(found) else None
