"""The ratios of several posts, named so that those of two posts can be compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

import pandas as pd

from benchbook.results.collect import collect
from benchbook.results.decided import is_compared
from benchbook.results.results import Results
from benchbook.several import each_of
from benchbook.study.drivers import PUBLISHED
from benchbook.study.study import Study
from benchmath.frames import label, name_of

_NAMES = ("engine", "version")
# What may explain that two posts differ, and what follows from it, tells no tests apart.
_NO_TEST = (
    "set", "machine", "build", "config", "arm", "placement", "table_size", "workload",
    "compiler", "flags", "memory", "keys",
)  # fmt: skip


@dataclass(frozen=True)
class Measured:
    """A ratio of a post: ``me`` over ``base``, and the ``test`` that both made."""

    post: str
    me: str
    base: str
    test: str
    ratio: float
    low: float
    high: float
    pace_ms: float = float("nan")  # of the machine, as ``benchmath.hazards.pace`` has it

    def __str__(self) -> str:
        return f"{self.ratio:.3g} [{self.low:.3g}, {self.high:.3g}]"

    def excludes(self, other: Measured) -> bool:
        return self.low > other.high or self.high < other.low


def measured_by(studies: Sequence[Study]) -> list[Measured]:
    """The ratios by the clock of posts, to their own bases and to those of the others."""
    measured = [s for s in studies if s.driver.name != PUBLISHED]
    return [*chain(*each_of(_ratios, measured, [_bases(s, measured) for s in measured]))]


def _bases(study: Study, others: Sequence[Study]) -> list[dict[str, str]]:
    """The study's base, and those of others that ran the same."""
    bases = [study.base]
    for other in others:
        same = _what(other) == _what(study) and set(other.base) == set(study.base)
        if same and other.base not in bases:
            bases.append(other.base)
    return bases


def _what(study: Study) -> str:
    return study.ran.name if study.ran else study.driver.name


def _ratios(study: Study, bases: Sequence[dict[str, str]]) -> list[Measured]:
    results = collect(study.path, measure=False)
    ratios: list[Measured] = []
    for base in bases:
        if not set(base) <= set(results.metric.columns):
            continue
        if name_of(base) in set(label(results.metric, [*base])):
            ratios += _named(replace(results, study=replace(study, base=base)))
    return ratios


def _named(results: Results) -> Iterator[Measured]:
    judged = results.judged()
    rows = judged[judged["low"].notna() & is_compared(judged["step"], results.study)]
    theirs, pace = _of_base(results), results.pace_ms
    for row in rows.to_dict("records"):
        names = dict.fromkeys([*_NAMES, *results.base])
        mine = {name: str(row[name]) for name in names if row.get(name)}
        base = {
            name: results.base.get(name, theirs.get(name) or value)
            for name, value in mine.items()
        }
        names_of_both = (_text(mine), _text(base))
        ratio, low, high = (float(row[c]) for c in ("relative", "low", "high"))
        test = _test(row, results)
        said = (results.study.slug, *names_of_both, test)
        yield Measured(*said, ratio, low, high, pace)


def _text(names: Mapping[str, str]) -> str:
    """`postgres 18.6 placement=same`."""
    return " ".join(v if n in _NAMES else f"{n}={v}" for n, v in names.items())


def _of_base(results: Results) -> dict[str, str]:
    """What all runs of the base are: a version that follows from the base's engine."""
    runs = results.runs
    for name, value in results.base.items():
        runs = runs[runs[name].astype(str) == value]
    names = [n for n in _NAMES if n not in results.base]
    many = "engine" not in results.base
    return {n: "" if many else ", ".join(sorted(runs[n].astype(str).unique()))
            for n in names}  # fmt: skip


def _test(row: Mapping, results: Results) -> str:
    """The step, of which workload, on which machine, and the other dimensions of it."""
    others = [
        f"{name}={row[name]}"
        for name in sorted(results.dimensions)
        if name not in (*_NO_TEST, *_NAMES, *results.base)
        and name in row and not pd.isna(row[name]) and str(row[name])
    ]  # fmt: skip
    return " ".join(
        [f"{row['step']} of {_what(results.study)} on {row['machine']}", *others]
    )
