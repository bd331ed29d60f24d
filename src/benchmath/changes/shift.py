"""What a changepoint detector reports of one change, whatever the shape of the series."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

# Whose evidence a change rests on: its own series', or that of the others of a panel.
OWN, SHARED = "own", "shared"
WITH_OTHERS = (
    "found only with the help of the other tests"  # what shared means to readers
)


@dataclass(frozen=True)
class Shift:
    """A change of level.

    ``position`` is the index of the new level's first point; ``p`` is adjusted for all
    the positions that the detector could have chosen in its series.
    """

    position: int
    p: float


def near_one(values: np.ndarray) -> np.ndarray:
    """The values times a power of two: the largest size is from .5 to 1.

    Differences and squares of them do not overflow, and few are lost to underflow.
    """
    _, exponent = np.frexp(np.abs(values).max(initial=0.0))
    return np.ldexp(values, -exponent)


def one_list(signal: ArrayLike) -> np.ndarray:
    """A series as numbers; also of one column, as ruptures has it."""
    values = np.asarray(signal, dtype=float)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise ValueError("a series is one list of numbers")
    return values
