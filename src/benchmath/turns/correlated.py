"""How far the mean of a correlated series may be off.

Rounds that follow each other share what the machine does in these seconds, so their mean
varies more than that of as many independent ones.
"""

from typing import NamedTuple

import numpy as np

FEWEST = 12  # values; below, low frequencies say nothing about the mean
_STEEPEST = 0.97  # autocorrelation beyond which a series is as good as a walk
_FEWEST_WAVES = 4
_CAUTION = 1.0  # standard errors added to the autocorrelation


class OfMean(NamedTuple):
    """Variance of a mean, its degrees of freedom, and the lag-1 autocorrelation."""

    var: float
    df: float
    autocorrelation: float


def variance_of_mean(series: np.ndarray) -> OfMean:
    """Variance of the mean of a stationary series; NaN for fewer than ``FEWEST`` values.

    E. Lazarus, D. J. Lewis, J. H. Stock and M. W. Watson, "HAR Inference: Recommendations
    for Practice", Journal of Business & Economic Statistics 36 (2018): the series is
    projected on its 0.4 n^(2/3) slowest cosines, of which each coefficient estimates the
    long-run variance; the mean over its standard error is Student's t with as many
    degrees of freedom. Before, each square is scaled by the spectrum of an AR(1), as in
    D. W. K. Andrews and J. C. Monahan, Econometrica 60 (1992), because at the frequency
    of the cosines a strongly correlated series varies less than at frequency 0, which is
    that of the mean. The autocorrelation is M. G. Kendall's unbiased one (Biometrika 41,
    1954) plus its standard error, and never below 0.

    Chosen by simulation (4,000 series of 100 and of 200 values, seed 1; coverage of 95%
    intervals at autocorrelation 0, .3, .7, .9): .951 .951 .951 .957 and .942 .948 .950
    .960. Means of 20 batches cover .948 .937 .859 .625 and .940 .942 .902 .769; the
    cosines alone .950 .950 .929 .823 and .941 .947 .931 .858. Independent values cost 6%
    of width at 200 values, 13% at 100.
    """
    n = series.size
    centred = series - series.mean() if n else series
    squares = float(centred @ centred)
    if n < FEWEST:
        return OfMean(np.nan, np.nan, np.nan)
    if squares == 0:
        return OfMean(0.0, np.inf, 0.0)
    lag_1 = float(centred[1:] @ centred[:-1]) / squares
    correction = (n * lag_1 + 1) / (n - 3)
    correlation = correction + _CAUTION * np.sqrt((1 - lag_1**2) / n)
    rho = float(np.clip(correlation, 0, _STEEPEST))
    waves = max(_FEWEST_WAVES, int(0.4 * n ** (2 / 3)))
    frequency = np.pi * np.arange(1, waves + 1) / n
    coefficients = _cosines(centred, frequency)
    to_zero = (1 + rho**2 - 2 * rho * np.cos(frequency)) / (1 - rho) ** 2
    long_run = float(np.mean(coefficients**2 * to_zero))
    return OfMean(long_run / n, float(waves), float(np.clip(correction, -1, 1)))


def _cosines(values: np.ndarray, frequency: np.ndarray) -> np.ndarray:
    """The slowest coefficients of the orthonormal cosine transform, without the first.

    J. Makhoul, IEEE Transactions on Acoustics, Speech, and Signal Processing 28 (1980).
    scipy.fft takes longer to import than to compute all of a study.
    """
    there_and_back = np.concatenate([values[::2], values[1::2][::-1]])
    waves = np.fft.rfft(there_and_back)[1 : frequency.size + 1]
    return np.sqrt(2 / values.size) * (waves * np.exp(-0.5j * frequency)).real
