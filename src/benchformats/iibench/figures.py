"""What the insert-benchmark formats share: metrics and their units, steps, buckets."""

from __future__ import annotations

import re
from collections.abc import Mapping

from benchformats.agreement import Contradiction, Law, broken, spans
from benchformats.units import meanings

# metric -> unit and which is better; GB are 2^30 bytes, MB and KB 2^20 and 2^10. Per "q"
# is per insert in load steps and per query in query steps, per "i" per insert always.
METRICS = meanings({
    ("rows/s", "higher"): "ips dps",
    ("queries/s", "higher"): "qps",
    ("reads/s", "none"): "rps",
    ("writes/s", "none"): "wps",
    ("KB/s", "none"): "rkbps wkbps",
    ("MB/s", "none"): "rmbps wmbps",
    ("reads", "lower"): "rpq",
    ("writes", "lower"): "wpq wpi",
    ("KB", "lower"): "rkbpq wkbpq wkbpi",
    ("1/s", "none"): "csps",
    ("%", "none"): "cpups",
    ("switches", "lower"): "cspq",
    ("us", "lower"): "cpupq ccpupq",
    ("% s", "lower"): "cpu_o",
    ("% us", "lower"): "mcpu_o",
    ("GB", "lower"): "dbgb dbgb1 dbgb2 vsz rss",
    ("s", "lower"): "maxop rt_max elapsed_s",
})  # fmt: skip
RESPONSE_TIMES = ("maxop", "rt_max")  # of statements, from their issue: a closed loop

# Response times up to this, and those above all; then the longest, in seconds.
BUCKETS = ("256us", "1ms", "4ms", "16ms", "64ms", "256ms", "1s", "4s", "16s", "gt")
# What holds between the figures of a run, to the digits that they are printed with.
LAWS = (
    Law("clients * rows", "ips * elapsed_s", 0.05),
    Law("queries", "qps * elapsed_s", 0.05),
)
ABSENT = frozenset(("", "NA", "nonzero"))
OPS = ("insert", "delete", "query")

_RATIO = re.compile(r"\d{1,15}\.\d\d|1|inf", re.ASCII)
_QUERY_STEP = re.compile(r"q[rp]?(?:\.L)?\d", re.ASCII)


def cells_of(line: str) -> list[str]:
    """Of a line of a table, which has tabs or, as csv, commas."""
    return line.split("\t" if "\t" in line else ",")


def ratio(text: str) -> float | None:
    """A cell of a relative table: two decimals, 1 of 0/0, inf of x/0."""
    return float(text) if _RATIO.fullmatch(text) else None


def contradiction(
    line: int, figures: Mapping[str, float], second: float
) -> Contradiction | None:
    """Rates that are not those of the run's rows, queries and seconds.

    ``second``: the unit of the last digit of ``elapsed_s``.
    """
    units = {"elapsed_s": second, "ips": 0.1, "qps": 0.1}
    return broken(LAWS, spans(figures, units), line)


def is_query_step(step: str) -> bool:
    """q100.1, q.L1.ips100, qr100.L1, qp100.L2; the others load or create indexes."""
    return bool(_QUERY_STEP.match(step))


def op_of(step: str, queries: bool) -> str:
    """What a step's rate counts; ``queries``: whether it did any."""
    if queries:
        return "query"
    return "index" if step == "l.x" else "insert"


def bucket_metric(label: str, percent: bool) -> str:
    """Statements that took up to ``label``: rt_4ms counts them, rt_pct_4ms is in %."""
    return f"rt_pct_{label}" if percent else f"rt_{label}"
