"""How likely a change is at each boundary of a test, as the other tests tell.

Empirical Bayes: a release that changed nearly all other tests has probably changed this
one too. What a test itself shows is left out of what is expected of it.
"""

from collections.abc import Sequence

import numpy as np

from benchbook.analysis.versions_model import usual_hazard

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
    kept = np.clip(chance, _LEAST, 1 - _LEAST)
    return kept / (1 - kept)
