"""Which direction of a unit is better, for tools that let people name units."""

from __future__ import annotations

import re
from collections.abc import Mapping

# What costs: time, memory, energy, instructions. Of anything else nobody can tell.
_COSTS = frozenset(
    ("ns", "us", "µs", "μs", "ms", "s", "sec", "secs", "seconds", "min", "nsec", "usec",
     "msec", "b", "bytes", "kb", "mb", "gb", "kib", "mib", "gib", "allocs", "cycles",
     "instructions", "joules")
)  # fmt: skip
TIMES = r"(?:ns|nsec|us|µs|μs|usec|ms|msec|s|sec|secs?|seconds?|min|minutes?|h|hours?)"
_RATE = re.compile(rf"(?P<of>.*?)(?:/|(?:^|[-_ ])per[-_ ]){TIMES}$", re.IGNORECASE)
# What went wrong, between underscores: of it less is better, however often.
FAULTS = re.compile(
    r"(?:^|_)(?:err(?:s|ors?)?|abort(?:s|ed)?|faults?|miss(?:es|ed)?|retr(?:y|ies|ied)"
    r"|stall(?:s|ed)?|fail(?:s|ed|ures?)?|deadlocks?|timeouts?|rollbacks?|conflicts?"
    r"|drop(?:s|ped)|lost|rejected)(?:_|$)"
)
_TIME = re.compile(TIMES, re.IGNORECASE)
_PER = re.compile(r"/(?!s$)", re.IGNORECASE)
Meaning = tuple[str, str]  # unit, and which direction is better


def meanings(table: Mapping[Meaning, str]) -> dict[str, Meaning]:
    """Metrics to unit and direction, of a table that lists them under what they share.

    >>> meanings({("us", "lower"): "p50 p99"})
    {'p50': ('us', 'lower'), 'p99': ('us', 'lower')}
    """
    return {name: meaning for meaning, names in table.items() for name in names.split()}


def direction_of(unit: str) -> str:
    """Rates are better higher, costs lower; of the rest nothing is known.

    A rate is per ns, us, ms, s, min or h, and not a time itself (ms/s is a share); one of
    what went wrong is a cost.

    >>> [direction_of(unit) for unit in ("ns/op", "MB/s", "p99-ns", "req/s", "widgets")]
    ['lower', 'higher', 'lower', 'higher', 'none']
    >>> [direction_of(unit) for unit in ("ops/ms", "ops/min", "ms/s", "iter/sec")]
    ['higher', 'higher', 'none', 'higher']
    >>> [direction_of(unit) for unit in ("errors/s", "cache-misses/sec", "timeouts/op")]
    ['lower', 'lower', 'lower']
    """
    if match := _RATE.fullmatch(unit.strip()):
        if _TIME.fullmatch(match["of"].strip()):
            return "none"
        return "lower" if _went_wrong(match["of"]) else "higher"
    cost = _PER.split(unit, maxsplit=1)[0].lower()
    costs = re.split(r"[-_ ]", cost)[-1] in _COSTS or _went_wrong(cost)
    return "lower" if costs else "none"


def _went_wrong(what: str) -> bool:
    return bool(FAULTS.search(re.sub(r"\W+", "_", what.lower())))
