"""Conventions of the archives, to their digit, beside what is right.

A function ``published_...`` gives what the archives print; the one beside it without the
prefix is what we believe. Elsewhere: the published CoV, which divides by n, is
``cov_published`` of ``cov`` and understates the spread of three runs by a fifth; CPU and
IO per operation, whose samples of zeros are counted, are in ``per_operation``.
"""

import math
import re
from collections.abc import Mapping, Sequence
from decimal import ROUND_HALF_UP, Decimal

_FEWEST_SECONDS = 10
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


def half_up_ratio(me: str | float, base: str | float, decimals: int = 2) -> str:
    """A ratio as the tables of 2017 print it: of printed figures, rounded half up.

    44.50 over 1.75 is 25.43 there. Right is the ratio of what was measured, 44.50 over
    1.745 (3.49 / 2), 25.50: the base had lost a digit first. Raises ZeroDivisionError
    for a base of 0, which no table of 2017 has.
    """
    quotient = Decimal(str(me)) / Decimal(str(base))
    return half_up(quotient, decimals)


def published_rate_percentile(
    clients: Sequence[Sequence[float]], percent: int
) -> float | None:
    """A percentile of rates per second as the insert benchmark prints it.

    ``clients`` has the rates of each client, second by second; only the first counts.
    They are sorted downwards, and the value at ``percent`` of their number is taken,
    which is rounded half to even: "p99" is a rate that 99% of the seconds reached, a low
    tail, not a high one, and of one client among many. None below 10 seconds (``NA``).
    """
    rates = sorted(clients[0], reverse=True)
    if len(rates) < _FEWEST_SECONDS:
        return None
    return rates[round(percent * len(rates) / 100) - 1]


def rate_reached(clients: Sequence[Sequence[float]], percent: float) -> float:
    """The rate that all clients together reached in ``percent`` of the seconds.

    The highest such rate, an exact rank: with 99, at most 1% of the seconds are below.
    ``clients`` as above, of the same seconds; ValueError where their number differs.
    """
    totals = sorted(map(sum, zip(*clients, strict=True)), reverse=True)
    if not totals:
        raise ValueError("no second, so no rate that was reached")
    return totals[max(math.ceil(percent * len(totals) / 100), 1) - 1]


def published_w_amp(
    written_gb: float, flushed_gb: float, ingested_gb: float
) -> float | None:
    """Write amplification as db_bench's reporting script has it: flushes counted twice.

    It adds the flushed bytes to ``written_gb``, RocksDB's "Cumulative compaction", which
    has them already: a load that is only flushed shows 2.0. None where nothing was
    ingested (``NA``).
    """
    return (written_gb + flushed_gb) / ingested_gb if ingested_gb else None


def w_amp(written_gb: float, ingested_gb: float) -> float | None:
    """Bytes written by flushes and compactions over bytes ingested: 1.0 for a load.

    ``written_gb`` is RocksDB's "Cumulative compaction", which has flushes already. The
    write-ahead log is not in it, as it is not in the published figure.
    """
    return written_gb / ingested_gb if ingested_gb else None


def table_order(step: str) -> tuple[int, str]:
    """A sort key: sysbench tests as the archives' tables of throughput list them.

    By the word in a test's name point queries, ranges, then writes; within them as ``ls``
    sorts files, which looks at letters and digits only: random-points.pre with 1000, 100
    and 10, then random-points. Steps of another kind come first and keep their order.
    """
    found = _SYSBENCH.fullmatch(step)
    if not found:
        return 0, ""
    test = found["test"]
    kind = 1 if "point" in test else 3 if _WRITES.search(test) else 2
    return kind, re.sub(r"[^a-z0-9]", "", f"{test}.range{found['range']}.pk")
