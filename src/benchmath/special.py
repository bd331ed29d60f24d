"""scipy.special's compiled functions, without what its package does around them.

That wraps each of them for the arrays of other libraries, which takes longer than a
comparison. Whoever imports scipy.special gets it whole, with these same functions in it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import Any

import numpy as np
import scipy
from numpy.typing import ArrayLike

_NAME = "scipy.special"


def _compiled() -> Any:
    if _NAME in sys.modules:
        return import_module(f"{_NAME}._ufuncs")
    package = ModuleType(_NAME)  # for as long as its compiled part is imported
    package.__path__ = [f"{scipy.__path__[0]}/special"]
    sys.modules[_NAME] = package
    try:
        return import_module(f"{_NAME}._ufuncs")
    finally:
        del sys.modules[_NAME]


special = _compiled()


def polygamma(order: int, value: ArrayLike) -> Any:
    """The derivative of that order, 1 or more, of the digamma function."""
    sign_and_size = (-1.0) ** (order + 1) * special.gamma(order + 1.0)
    return sign_and_size * special._zeta(order + 1, np.asarray(value))
