"""What the verbs of the command say, as values for a notebook or a program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import pandas as pd

from benchbook.project import Project
from benchbook.sets.files import chosen_set
from benchbook.sets.gate import Gate, gate
from benchbook.sets.pairs import Choice, judged_pairs, pairs_of
from benchbook.sets.sets import MetricSet
from benchmath.changes.boundaries import version_changes
from benchmath.changes.changepoints import METHODS
from benchmath.changes.order import Order, in_order, order_of
from benchmath.changes.series import series_count
from benchmath.errors import UserError
from benchmath.frames import MetricFrame
from benchmath.ratios.floor import noise_floor
from benchmath.ratios.gate import REGRESSED
from benchmath.ratios.verdicts import VerdictFrame

Named: TypeAlias = str | pd.DataFrame  # a set by its name, a path, or a frame of figures
ANOTHER = "; choose --metric, --dimension or another set"


def load(name: Named, project: Project | None = None) -> MetricFrame:
    """The figures of a study, an import, a published table or of files, one a row.

    ``bb.load("postgres-old-to-new")``, ``bb.load("results/")``; `benchbook sets` lists
    the names. UserError for a name that nothing has.
    """
    return chosen_set(name, project).metric


def compare(
    name: Named, base: Choice, *others: Choice, metric: str = "throughput",
    margin: float | None = None, across: Sequence[str] = (),
    project: Project | None = None,
) -> VerdictFrame:  # fmt: skip
    """Ratios of each other cell to the base, with 95% intervals and verdicts.

    ``bb.compare("postgres-old-to-new", "13.23", "18.6")``; a cell is a value of one
    dimension, ``dim=value,...`` or a mapping; without ``others`` all are compared.
    ``margin``: as a fraction; the study's own by default.
    """
    chosen = chosen_set(name, project)
    with chosen.belonging_together("compared"):
        pairs = pairs_of(chosen.metric, base, others or None, metric, across)
        return judged_pairs(chosen, pairs, margin)


def check(
    name: Named, base: Choice, new: Choice, fail_on: str = REGRESSED,
    metric: str = "throughput", margin: float | None = None, across: Sequence[str] = (),
    project: Project | None = None,
) -> Gate:  # fmt: skip
    """The gate's answer about a new cell: its table, verdict, sentence and exit code.

    ``bb.check("mine", "old", "new").exit_code`` is 0 where nothing regressed, 1 where
    something did, 2 where that is not decided.
    """
    chosen = chosen_set(name, project)
    with chosen.belonging_together("checked"):
        pairs = pairs_of(chosen.metric, base, [new], metric, across)
        return gate(chosen, pairs, judged_pairs(chosen, pairs, margin), new, fail_on)


def changes(
    name: Named, dimension: str = "version", metric: str = "throughput",
    method: str = METHODS[0], project: Project | None = None,
) -> pd.DataFrame:  # fmt: skip
    """The changes of level over the versions of a set: ``version_changes``.

    ``bb.changes("postgres-old-to-new")``; UserError where no test has two versions.
    """
    chosen = chosen_set(name, project)
    with chosen.belonging_together("searched for changes", ANOTHER):
        frame, _ = versions_in_order(chosen, dimension, metric)
        floor = floor_of(chosen, metric)
        return version_changes(frame, dimension, metric, floor=floor, method=method)


def versions_in_order(
    chosen: MetricSet, dimension: str, metric: str
) -> tuple[pd.DataFrame, Order]:
    """The rows of a set in the order of its versions, and how that is known."""
    if dimension not in chosen.metric.columns:
        raise UserError(
            f"no dimension {dimension!r} in {chosen.name}: choose --dimension"
        )
    if not series_count(chosen.metric, dimension, metric):
        values = ", ".join(sorted(set(chosen.metric[dimension].astype(str))))
        raise UserError(
            f"no test of {chosen.name} has two values of {dimension} "
            f"(available: {values}): choose --dimension, --metric or another set"
        )
    order = order_of(chosen.metric, dimension, chosen.listed(dimension))
    return in_order(chosen.metric, dimension, order), order


def floor_of(chosen: MetricSet, metric: str) -> pd.DataFrame | None:
    """The noise floor of the A/A runs beside a set; None without any."""
    return noise_floor(chosen.aa, metric) if len(chosen.aa) else None
