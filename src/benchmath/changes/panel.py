"""Changes of level of many tests over the same versions: each is evidence for the others.

One noisy test cannot tell a step of the size of its noise. Where nearly all other tests
of the study change, it needs less of its own to be believed, and more where none does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from benchmath.changes.changepoints import (
    Detected,
    Series,
    as_series,
    detect,
    runs_of,
)
from benchmath.changes.series import VersionSeries
from benchmath.changes.shift import OWN, SHARED, Shift
from benchmath.changes.versions.model import usual_hazard

_PRIOR_TESTS = 3.0  # what the usual chance of a change is worth, in tests
_ROUNDS = 5  # of expectation and maximisation
_LEAST = 1e-9  # of a chance, so that it has odds


def rates_of_others(
    chances: Sequence[np.ndarray], places: Sequence[np.ndarray]
) -> list[np.ndarray]:
    """Per test the chance of a change at each of its boundaries, by the other tests.

    ``chances[t]`` are the posterior chances of a test under the usual hazard,
    ``places[t]`` the rising places of its versions in the common order. A test that
    lacks versions has a boundary across several common ones: it changes where any of
    these does, and its vote is split among them as likely as each is.
    """
    boundaries = max(int(at[-1]) for at in places)
    usual = usual_hazard(boundaries)
    odds = [_odds(chance) / _odds(usual_hazard(chance.size)) for chance in chances]
    rates = np.full((len(odds), boundaries), usual)
    for _ in range(_ROUNDS):
        changed = np.full_like(rates, _PRIOR_TESTS * usual)
        heard = np.full_like(rates, _PRIOR_TESTS)
        for own, (evidence, at) in enumerate(zip(odds, places, strict=True)):
            others = np.arange(len(odds)) != own
            here = slice(at[0], at[-1])
            changed[others, here] += _votes(rates[others], evidence, at)
            heard[others, here] += 1
        rates = changed / heard
    return [_any_within(rate, at) for rate, at in zip(rates, places, strict=True)]


def _votes(rates: np.ndarray, evidence: np.ndarray, places: np.ndarray) -> np.ndarray:
    """What a test says of each common boundary it spans, one row per row of rates."""
    before = _any_within(rates, places)
    chance = evidence * before / (1 - before + evidence * before)
    wide = np.diff(places)
    return rates[:, places[0] : places[-1]] * np.repeat(chance / before, wide, axis=-1)


def _any_within(rates: np.ndarray, places: np.ndarray) -> np.ndarray:
    """The chance of any change between each two neighbouring places."""
    none = np.cumsum(np.log1p(-rates), axis=-1)
    none = np.insert(none, 0, 0.0, axis=-1)[..., places]
    return -np.expm1(np.diff(none, axis=-1))


def _odds(chance: np.ndarray | float) -> np.ndarray:
    inside = np.clip(chance, _LEAST, 1 - _LEAST)
    return inside / (1 - inside)


if TYPE_CHECKING:
    from benchmath.changes.versions.detector import VersionShifts

LEAST_TESTS = 5  # fewer cannot tell what a boundary does to most
LEAST_CHANCE = 0.8  # of a shared change: by simulation a tenth of them false at most


@dataclass(frozen=True)
class Judged:
    """A test and its changes, each with its chance and whose evidence it rests on.

    ``chances`` are posterior: of an own change with what the other tests tell, of a
    shared one with the test's own changes taken for granted too. NaN where the detector
    gives none. ``raised`` tells which the other tests make likelier than the own series
    alone does.
    """

    series: Series
    detection: Detected
    chances: list[float]
    evidence: list[str]
    raised: list[bool]


def detect_together(
    tests: Sequence[VersionSeries], method: str = "benchbook"
) -> list[Judged]:
    """What ``detect`` says of each test, and the changes that the other tests make clear.

    The changes of a test's own series stay, each at its place, whatever the others do:
    it may have changed a version later than they. Shared are the further boundaries
    whose posterior chance is at least ``LEAST_CHANCE`` when the chance beforehand is
    what the other tests tell, and the own changes are taken for granted: a step that
    the own series puts one version off is not reported twice. The p of a shared change
    is what the own series alone says of that boundary. A quiet test that stays says
    clearly that it does, and is left whole.

    1 - chance is the local false discovery rate (B. Efron, "Large-Scale Inference",
    2010), with a rate for each boundary as for groups (J. X. Hu, H. Zhao and H. H. Zhou,
    "False discovery rate control with groups", JASA 105 (2010)). By simulation at most a
    tenth of the shared changes are false; noise that all tests share at a version looks
    like a change. Fewer than ``LEAST_TESTS`` tests, the detectors of ruptures and more
    than 100 versions have no panel.
    """
    judged = [_alone(test, method) for test in tests]
    fits = {
        i: fit
        for i, one in enumerate(judged)
        if (fit := one.detection.fit) is not None and fit.chances_.size
    }
    if len(fits) < LEAST_TESTS:
        return judged
    chances = [fit.chances_ for fit in fits.values()]
    places = [_places(tests[i], judged[i].series, fit.starts_) for i, fit in fits.items()]
    for i, rate in zip(fits, rates_of_others(chances, places), strict=True):
        judged[i] = _with_others(judged[i], fits[i], rate)
    return judged


def _alone(test: VersionSeries, method: str) -> Judged:
    series = as_series(test.values, test.groups)
    detection = detect(series, method, test.floor_sd)
    chances = np.full(len(detection.changes), np.nan)
    if detection.fit is not None:
        chances = detection.fit.chances_[_boundaries(detection.fit, detection.changes)]
    count = len(detection.changes)
    return Judged(series, detection, chances.tolist(), [OWN] * count, [False] * count)


def _with_others(alone: Judged, fit: VersionShifts, rates: np.ndarray) -> Judged:
    """The changes of a test's own series, and those shared with the others."""
    own = _boundaries(fit, alone.detection.changes)
    chances = fit.chances_with(rates)
    with_own = rates.copy()
    with_own[own] = 1.0
    further = fit.chances_with(with_own)
    shared = further >= LEAST_CHANCE
    shared[own] = False
    if not shared.any():
        raised = chances[own] > fit.chances_[own]
        return replace(alone, chances=chances[own].tolist(), raised=raised.tolist())
    further[own] = chances[own]
    changes = dict(zip(own.tolist(), alone.detection.changes, strict=True))
    for at in np.flatnonzero(shared).tolist():
        changes[at] = Shift(int(fit.starts_[at + 1]), fit.p_at(at))
    shifts = [changes[at] for at in sorted(changes)]
    outlying = fit.outliers_between(change.position for change in shifts)
    return Judged(
        alone.series,
        Detected(shifts, runs_of(alone.series, outlying), fit),
        [float(further[at]) for at in sorted(changes)],
        [SHARED if shared[at] else OWN for at in sorted(changes)],
        [bool(further[at] > fit.chances_[at]) for at in sorted(changes)],
    )


def _boundaries(fit: VersionShifts, changes: Sequence[Shift]) -> np.ndarray:
    """The index of each change's boundary."""
    return np.searchsorted(fit.starts_[1:], [change.position for change in changes])


def _places(test: VersionSeries, series: Series, starts: np.ndarray) -> np.ndarray:
    """The places of the versions that have values, in the common order."""
    return np.array(test.places)[test.groups[series.places[starts]]]
