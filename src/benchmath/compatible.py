"""Conventions of the archives, to their digit, beside what is right.

A function ``published_...`` gives what the archives print; the one beside it without the
prefix is what we believe. Elsewhere: the published CoV, which divides by n, is
``cov_published`` of ``cov`` and understates the spread of three runs by a fifth; CPU and
IO per operation, whose samples of zeros are counted, are in ``per_operation``.
"""

import re
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal

_SYSBENCH = re.compile(r"(?P<test>[a-z][\w-]*(?:\.\w+)?)_range=(?P<range>\d+)", re.ASCII)
_WRITES = re.compile("delete|insert|update|write")

_HEADERS = "repeated headers of vmstat count as samples of 0, so it is some 4% too low"
_LOW_TAIL = (
    "not a response time: the rate that the first client alone reached in that share of "
    "its seconds, the low tail"
)
_FLUSHED_TWICE = (
    "about 1 too high where the reporting script adds flushed bytes to those that "
    "compaction wrote, which has them already"
)
# (metric, what its unit ends with) -> what is known to be wrong with it in the archives.
# Ratios of cpu_o and cs_o are nearly right: all are too low by almost the same share.
_ERRORS: Mapping[tuple[str, str], str] = {
    ("cpu_o", "% s"): _HEADERS,
    ("cs_o", "switches"): _HEADERS,
    ("cpu_s", "%"): _HEADERS,
    ("cs_s", "/s"): _HEADERS,
    ("csps", ""): _HEADERS,
    ("cpups", ""): _HEADERS,
    ("cspq", ""): _HEADERS,
    ("cpupq", ""): _HEADERS,
    ("p50", "/s"): _LOW_TAIL,
    ("p99", "/s"): _LOW_TAIL,
    ("rate_p50", ""): _LOW_TAIL,
    ("rate_p99", ""): _LOW_TAIL,
    ("w_amp", "ratio"): _FLUSHED_TWICE,
}


def known_error(metric: str, unit: str) -> str:
    """What is systematically wrong with a metric as the archives print it, or ''.

    The unit tells their metric from one of ours with the same name (cpu_o in us).
    """
    for (name, end), error in _ERRORS.items():
        if metric == name and unit.endswith(end):
            return error
    return ""


def published_ratio(me: float, base: float) -> str:
    """A ratio as the archives print it: ``1`` for 0/0, ``inf`` over 0, else C's %.2f.

    Both are the printed, already rounded figures, and C rounds the binary quotient half
    to even: 1005/1000 is 1.00. Right is the quotient of what was measured, with an
    interval (``relative``); and 1 for 0/0 hides that nothing was measured, inf by how
    much: 0 of 3 decimals may have been 0.0004. Digits: every relative cell of the
    archives follows from the absolute ones beside it.
    """
    if base == 0:
        return "1" if me == 0 else "inf"
    return f"{me / base:.2f}"


def tabled_rate(value: float, step: str, unit: str) -> float:
    """A rate as the archives' tables have it and divide it: whole queries/s, C's %.0f.

    sysbench prints two decimals. Scans, metrics and steps of other benchmarks are as
    they were printed.
    """
    whole = unit == "queries/s" and _SYSBENCH.fullmatch(step)
    return float(f"{value:.0f}") if whole else value


def half_up(value: str | float | Decimal, decimals: int = 2) -> str:
    """A decimal number rounded as by hand, halves away from 0: 1.745 is 1.75.

    The tables of 2017 are rounded so, for example MyRocks' bytes written, half of the
    raw figure because half of them were trims: 2.71 is 1.36, where C's %.2f of the
    binary 1.355 is 1.35. A float counts as its shortest decimal text.
    """
    step = Decimal(1).scaleb(-decimals)
    return str(Decimal(str(value)).quantize(step, rounding=ROUND_HALF_UP))


def table_order(step: str) -> tuple[int, str]:
    """A sort key: sysbench tests as the archives' tables of throughput list them.

    By the word in a test's name point queries, ranges, then writes; within them as ``ls``
    sorts files, which looks at letters and digits only: random-points.pre with 1000, 100
    and 10, then random-points. Steps of another kind come first and keep their order.
    """
    match = _SYSBENCH.fullmatch(step)
    if not match:
        return 0, ""
    test = match["test"]
    kind = 1 if "point" in test else 3 if _WRITES.search(test) else 2
    return kind, re.sub(r"[^a-z0-9]", "", f"{test}.range{match['range']}.pk")
