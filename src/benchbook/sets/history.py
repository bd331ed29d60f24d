"""What changed over the commits of a set, with a memory of what was searched before.

The memory lies under build/history/, may be deleted at any time, and is worth nothing to
another version of the detectors or of the libraries that they compute with.
"""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import benchmath
from benchbook.digests import files_digest, short_digest
from benchbook.files import replace_text
from benchbook.project import Project, here, user_cache
from benchbook.sets.files import chosen_set
from benchbook.sets.sets import MetricSet
from benchmath.changes.changepoints import Detected
from benchmath.changes.history import (
    CommitSeries,
    Search,
    change_rows,
    commit_dimension,
    commit_series,
    found,
    history_of,
)
from benchmath.changes.order import order_of
from benchmath.changes.shift import Shift
from benchmath.errors import UserError

_COMPUTES = ("numpy", "scipy", "numba", "pandas", "ruptures")
_RANK = {"worse": 0, "changed": 1, "better": 2, "unsure": 3, "": 4}


@dataclass(frozen=True)
class HistoryOfTest:
    """The series of a test and its changes, first to last."""

    series: CommitSeries
    changes: list[dict[str, Any]]

    @property
    def last(self) -> dict[str, Any]:
        return self.changes[-1] if self.changes else {}


@dataclass(frozen=True)
class History:
    """All tests of a set, those with the worst last change first."""

    name: str
    dimension: str
    tests: list[HistoryOfTest]
    searched: int
    notes: tuple[str, ...] = ()
    order: str = ""  # how that of the commits is known

    @property
    def table(self) -> pd.DataFrame:
        """One row per test: its last change, or none."""
        return pd.DataFrame([_row(test) for test in self.tests])


@dataclass
class Memory:
    """Answers by the digest of a block's values, of this library and no other."""

    file: Path
    library: str
    old: dict[str, Any] = field(default_factory=dict)
    used: dict[str, Any] = field(default_factory=dict)
    searched: int = 0

    def search(self, values: np.ndarray) -> Detected:
        key = hashlib.sha256(np.ascontiguousarray(values, "<f8").tobytes()).hexdigest()
        answer = detected_of(self.old.get(key), values.size)
        if answer is None:
            answer, self.searched = found(values), self.searched + 1
        self.used[key] = [
            [[int(c.position), float(c.p)] for c in answer.changes],
            [int(i) for i in answer.outliers],
        ]
        return answer

    def keep(self) -> None:
        """A memory that cannot be kept costs time, nothing else."""
        if self.used != self.old:
            with suppress(OSError):
                text = json.dumps({"library": self.library, "blocks": self.used})
                replace_text(self.file, text)


def history(
    name: str,
    project: Project | None = None,
    metric: str = "",
    dimension: str = "",
    memory: bool = True,
    pattern: str | None = None,
) -> History:
    """What changed over the commits of a set: a study, an import, a table, or files.

    ``bb.history("imported/mine").tests[0]`` is what matters most.  ``metric`` keeps one
    metric, ``dimension`` says what the commits are (``commit``
    where the set has it, else ``version``); ``pattern`` what names of files say.
    UserError for a set without a history.
    """
    chosen = chosen_set(name, project, pattern)
    if not memory:
        return history_in(chosen, metric, dimension)
    kept = memory_of(chosen.name, project)
    told = history_in(chosen, metric, dimension, kept.search)
    kept.keep()
    return replace(told, searched=kept.searched)


def history_in(
    chosen: MetricSet, metric: str = "", dimension: str = "", search: Search = found
) -> History:
    """What changed over the commits of a set that is there: see ``history``."""
    frame = chosen.metric
    if metric:
        frame = frame[frame["metric"] == metric]
        if frame.empty:
            there = ", ".join(sorted(map(str, chosen.metric["metric"].unique())))
            raise UserError(f"{chosen.name} has no metric {metric!r}; available: {there}")
    dimension = dimension or commit_dimension(frame)
    if dimension not in frame.columns:
        raise UserError(
            f"no dimension {dimension!r} in {chosen.name}: choose --dimension"
        )
    order = order_of(
        frame[frame[dimension].astype(str) != ""], dimension, chosen.listed(dimension)
    )
    try:
        series = commit_series(frame, dimension, order)
    except ValueError as error:
        raise UserError(f"{chosen.name} has no history: {error}") from error
    if not any(len(one.commits) > 1 for one in series):
        of_files = ", or say with --name '{version}.json' what names of files are"
        raise UserError(
            f"no test of {chosen.name} has two values of {dimension}: choose "
            f"--dimension, --metric or another set{of_files * ('file' in frame.columns)}"
        )
    notes = (*order.notes(dimension), *chosen.notes)
    return History(chosen.name, dimension, searched(series, search), 0, notes, order.how)


def searched(series: list[CommitSeries], search: Search) -> list[HistoryOfTest]:
    """Every test with its changes, sorted by what matters."""
    tests = [
        HistoryOfTest(one, change_rows(one, history_of(one.values, search)))
        for one in series
    ]
    return sorted(tests, key=_importance)


def memory_of(name: str, project: Project | None) -> Memory:
    """What is remembered of a set; nothing where another library wrote it."""
    project = project or here()
    folder = project.build / "history" if project else user_cache("history")
    memory = Memory(folder / f"{short_digest(name)}.json", _library_digest())
    try:
        there = json.loads(memory.file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return memory
    if isinstance(there, dict) and there.get("library") == memory.library:
        blocks = there.get("blocks")
        memory.old = blocks if isinstance(blocks, dict) else {}
    return memory


def detected_of(answer: Any, size: int) -> Detected | None:
    """An answer as it was kept; None where it is none for a block of that size."""
    try:
        changes, outliers = answer
        shifts = [Shift(int(at), float(p)) for at, p in changes]
        away = [int(i) for i in outliers]
    except (TypeError, ValueError):
        return None
    places = [shift.position for shift in shifts]
    inside = all(0 < at < size for at in places) and all(0 <= i < size for i in away)
    return Detected(shifts, away) if inside and places == sorted(places) else None


@cache
def _library_digest() -> str:
    """The files of the detectors, and the versions of what they compute with."""
    package = Path(benchmath.__file__).parent
    files = package.rglob("*.py")
    versions = [f"{name} {version(name)}" for name in _COMPUTES]
    return short_digest("\n".join([files_digest(package, files), *versions]))


def _importance(test: HistoryOfTest) -> tuple[int, float, str]:
    last = test.last
    size = abs(np.log(last["ratio"])) if last and last["ratio"] > 0 else 0.0
    return _RANK[last.get("verdict", "")], -float(size), test.series.test


def _row(test: HistoryOfTest) -> dict[str, Any]:
    series, last = test.series, test.last
    columns = ("verdict", "ratio", "low", "high", "p", "after", "at", "time")
    numbers = ("ratio", "low", "high", "p")
    figures = {c: last.get(c, np.nan if c in numbers else "") for c in columns}
    since = len(series.commits) - last["place"] if last else 0
    labels = {k: series.labels[k] for k in ("unit", "direction")}
    counts = {
        "since": since,
        "changes": len(test.changes),
        "commits": len(series.commits),
    }
    return {"test": series.test, **labels, **figures, **counts,
            "newest": series.commits[-1]}  # fmt: skip
