"""Scalability laws against the runs, by plain arithmetic: nothing nearby fits better."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pandas as pd

from benchbook.audit.contradiction import Contradiction
from benchmath.scaling import SCALING

_CLOSE = 1e-6
_NEARBY = (0.97, 1.03)  # times sigma or kappa; of 0 this much more
_MORE_SIGMA, _MORE_KAPPA = 1e-3, 1e-5
_PARAMETERS = ("lambda", "sigma", "kappa", "peak", "peak_rate", "gain")


def law_contradictions(
    where: str, law: pd.DataFrame, metric: pd.DataFrame
) -> list[Contradiction]:
    """Rows of a frame of laws that do not follow from themselves or from the runs."""
    fitted = law[law["answer"] != "refused"]
    return [
        Contradiction(f"{where}: law of {row['test']}", *pair)
        for row in fitted.to_dict("records")
        for pair in (*_of_itself(row), *_of_runs(row, metric))
    ]


def _of_itself(row: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Peak and gain by the formula, and each parameter in its interval."""
    sigma, kappa = row["sigma"], row["kappa"]
    if sigma >= 1 or sigma + kappa >= 1:
        peak = 1.0
    else:
        peak = math.sqrt((1 - sigma) / kappa) if kappa else math.inf
    if not _near(row["peak"], peak):
        yield f"a peak at {row['peak']:.4g}", f"{peak:.4g}"
    if math.isfinite(peak) and not _near(row["gain"], _rate(1.0, sigma, kappa, peak)):
        yield f"{row['gain']:.4g} times one", f"{_rate(1.0, sigma, kappa, peak):.4g}"
    for name in _PARAMETERS:
        low, value, high = (row[f"{name}{end}"] for end in ("_low", "", "_high"))
        slack = _CLOSE * max(abs(value), 1e-6) if math.isfinite(value) else 0.0
        if not low - slack <= value <= high + slack:
            yield f"{name} {value:.4g} [{low:.4g}, {high:.4g}]", "not in its interval"


def _of_runs(row: Mapping[str, Any], metric: pd.DataFrame) -> Iterator[tuple[str, str]]:
    """The squares of a law nearby are no less than those of this one."""
    means = _means(row, metric)
    if not means:
        return
    sigma, kappa = row["sigma"], row["kappa"]
    one, least = _fit(means, sigma, kappa)
    if not _near(row["lambda"], one):
        yield f"lambda {row['lambda']:.4g}", f"{one:.4g}"
    sigmas = [sigma * f for f in _NEARBY] if sigma else [_MORE_SIGMA]
    kappas = [kappa * f for f in _NEARBY] if kappa else [_MORE_KAPPA]
    nearby = [(s, kappa) for s in sigmas] + [(sigma, k) for k in kappas]
    for s, k in nearby:
        if _fit(means, s, k)[1] < least * (1 - 1e-4) - 1e-12:
            yield f"sigma {sigma:.4g}, kappa {kappa:.4g}", f"{s:.4g}, {k:.4g} fit better"
            return


def _fit(
    means: Sequence[tuple[int, float, int]], sigma: float, kappa: float
) -> tuple[float, float]:
    """The best lambda beside sigma and kappa, and the squares around that law."""
    rest = [(log - math.log(_rate(1.0, sigma, kappa, n)), runs) for n, log, runs in means]
    mean = sum(r * runs for r, runs in rest) / sum(runs for _, runs in rest)
    return math.exp(mean), sum(runs * (r - mean) ** 2 for r, runs in rest)


def _means(row: Mapping[str, Any], metric: pd.DataFrame) -> list[tuple[int, float, int]]:
    """Clients, mean logarithm of the rates and runs, of the law's cell."""
    if not {"main", "dop", "value"} <= set(metric.columns):
        return []
    own = metric[metric["main"].fillna(False).astype(bool)]
    for name in SCALING.keys(pd.DataFrame([row])):
        if name in own.columns:
            value = row[name]
            same = own[name].isna() if pd.isna(value) else own[name] == value
            own = own[same]
    return [
        (int(dop), sum(map(math.log, part["value"])) / len(part), len(part))
        for dop, part in own.groupby("dop")
    ]


def _rate(one: float, sigma: float, kappa: float, n: float) -> float:
    return one * n / (1 + sigma * (n - 1) + kappa * n * (n - 1))


def _near(said: float, derived: float) -> bool:
    return said == derived or abs(said - derived) <= _CLOSE * abs(derived)
