"""Which direction of a unit is better, for tools that let people name units."""

from __future__ import annotations

import re

# What costs: time, memory, energy, instructions. Of anything else nobody can tell.
_COSTS = frozenset(
    ("ns", "us", "µs", "μs", "ms", "s", "sec", "secs", "seconds", "min", "nsec", "usec",
     "msec", "b", "bytes", "kb", "mb", "gb", "kib", "mib", "gib", "allocs", "cycles",
     "instructions", "joules", "misses", "faults")
)  # fmt: skip
_RATE = re.compile(r"(?:/|_per_|-per-| per )(?:s|sec|second)$", re.IGNORECASE)
_PER = re.compile(r"/(?!s$)", re.IGNORECASE)


def direction_of(unit: str) -> str:
    """Rates per second are better higher, costs lower; of the rest nothing is known.

    >>> [direction_of(unit) for unit in ("ns/op", "MB/s", "p99-ns", "req/s", "widgets")]
    ['lower', 'higher', 'lower', 'higher', 'none']
    """
    if _RATE.search(unit):
        return "higher"
    cost = _PER.split(unit, maxsplit=1)[0].lower()
    return "lower" if re.split(r"[-_ ]", cost)[-1] in _COSTS else "none"
