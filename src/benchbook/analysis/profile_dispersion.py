"""How much more the trials differ than sampling explains, of many items at once.

G. K. Smyth, "Linear models and empirical Bayes methods for assessing differential
expression in microarray experiments", Statistical Applications in Genetics and Molecular
Biology 3 (2004), sections 6.1 and 6.2: the true factors are taken to follow a scaled
inverse chi-squared distribution, whose scale and degrees of freedom are found from the
logarithms of the observed ones. An item's factor is then the mean of its own and the
common one, each weighted by its degrees of freedom.
"""

from __future__ import annotations

import numpy as np
from scipy.special import digamma, polygamma

LEAST = 0.01  # of the median factor: trials that agree by chance have no logarithm


def squeezed(squares: np.ndarray, df: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The factor of each item, and its degrees of freedom.

    ``squares`` are sums of squared deviations over the variance that sampling makes, with
    ``df`` degrees of freedom; items with df 0 get the common factor. Without any to learn
    from the factor is 1, known exactly.
    """
    used = df > 0
    if not used.any():
        return np.ones(squares.shape), np.full(squares.shape, np.inf)
    common, prior = _common(squares[used] / df[used], df[used])
    pooled = float(df[used].sum())
    with np.errstate(invalid="ignore"):
        mixed = (prior * common + squares) / (prior + df)
    factor = np.where(np.isinf(prior), common, mixed)
    return factor, np.minimum(prior + df, pooled)


def _common(factors: np.ndarray, df: np.ndarray) -> tuple[float, float]:
    """Scale and degrees of freedom of the distribution of the factors."""
    least = LEAST * max(float(np.median(factors)), 1e-9)
    logs = np.log(np.maximum(factors, least)) - digamma(df / 2) + np.log(df / 2)
    spread = float(logs.var(ddof=1)) if logs.size > 1 else 0.0
    spread -= float(polygamma(1, df / 2).mean())
    if spread <= 0:
        return float(np.exp(logs.mean())), np.inf
    prior = 2 * _trigamma_inverse(spread)
    return float(np.exp(logs.mean() + digamma(prior / 2) - np.log(prior / 2))), prior


def _trigamma_inverse(value: float) -> float:
    """Newton's method from below, where 1/trigamma is nearly straight (Smyth 2004)."""
    found = 0.5 + 1 / value
    for _ in range(50):
        trigamma = float(polygamma(1, found))
        step = trigamma * (1 - trigamma / value) / float(polygamma(2, found))
        found += step
        if -step / found < 1e-8:
            break
    return found
