"""Versions that alone stand apart from the others of their level."""

import numpy as np
from scipy import stats

from benchbook.analysis.versions_model import Chain, Pass
from benchbook.analysis.versions_noise import Centres

_OFF = 0.01  # chance of any version standing apart in a series of its level's noise
_FREEDOM = 7  # of Student's t
_LEAST_OTHERS = 3  # versions that tell where their level is


def versions_apart(
    centres: Centres, model: Chain, done: Pass, starts: np.ndarray
) -> list[int]:
    """Index of each version far from the median of its level's other versions.

    ``starts`` are the indexes of the first version of every level but the first one.
    """
    weight = model.weight + done.evidence
    weight = np.exp(weight - weight.max())
    error = np.sqrt((weight[:, None] * model.error**2).sum(axis=0) / weight.sum())
    mean = centres.mean[centres.likely]
    limit = stats.t.isf(_OFF / 2 / mean.size, _FREEDOM)
    apart = []
    for level in np.split(np.arange(mean.size), starts):
        for at in level:
            others = np.delete(mean[level], at - level[0])
            if others.size >= _LEAST_OTHERS:
                distance = abs(mean[at] - np.median(others)) / error[at]
                if distance > limit:
                    apart.append(int(at))
    return apart
