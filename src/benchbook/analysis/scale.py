"""Values brought near 1 without a change of their digits."""

import numpy as np


def near_one(values: np.ndarray) -> np.ndarray:
    """The values times a power of two: the largest size is from .5 to 1.

    Differences and squares of them do not overflow, and few are lost to underflow.
    """
    _, exponent = np.frexp(np.abs(values).max(initial=0.0))
    return np.ldexp(values, -exponent)
