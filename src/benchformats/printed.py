"""Numbers as tools print them."""

from __future__ import annotations

import math
import re

NO_NUMBER = "not a number"

# Nothing before or after the dot: what is left of a damaged number.
_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?", re.ASCII)


def number(text: str) -> float | None:
    """A printed decimal number; None for anything else, ``nan`` and ``inf`` included."""
    if not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None
