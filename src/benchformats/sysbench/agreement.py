"""What must hold between the figures of one run of sysbench."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import pyarrow as pa

from benchformats.agreement import Law, Span, of_intervals, printed, spans

# As printed: rates and milliseconds with two decimals, seconds and means with four.
UNITS = {
    "qps": 0.01, "tps": 0.01, "eps": 0.0001, "rtavg": 0.01,
    "rtsum": 0.01, "thread_events": 0.0001, "thread_s": 0.0001,
}  # fmt: skip
# Rates, and events of a thread, are counted a moment before or after the totals are.
_MOMENT_S = 0.05
LAWS = (
    Law("queries", "reads + writes + others"),
    Law("queries", "qps * seconds", 0.001),
    Law("transactions", "tps * seconds", 0.001),
    Law("events", "eps * seconds", 0.001),
    Law("events", "histogram"),
    Law("events", "thread_events * threads", 0.001),
    Law("rtsum", "rtavg * events"),
    Law("rtsum", "1000 * thread_s * threads"),
    Law("queries", "queries_of_intervals"),
    Law("transactions", "transactions_of_intervals"),
)


@dataclass
class Beside:
    """What a run said above its statistics: interval lines and histogram."""

    events: int = 0  # of the histogram
    ends: list[float] = field(default_factory=list)
    tps: list[float | None] = field(default_factory=list)
    qps: list[float | None] = field(default_factory=list)

    def add(self, intervals: pa.Table | None, histogram: pa.Table | None) -> None:
        """More lines of the run."""
        if intervals is not None:
            self.ends += intervals["second"].to_pylist()
            self.tps += intervals["tps"].to_pylist()
            self.qps += intervals["qps"].to_pylist()
        if histogram is not None:
            self.events += sum(histogram["count"].to_pylist())


def known(figures: Mapping[str, float], threads: int, beside: Beside) -> dict[str, Span]:
    """All that the laws are about, as far as the run says it."""
    counts = {"threads": float(threads), "histogram": float(beside.events)}
    said = spans({**figures, **{k: n for k, n in counts.items() if n}}, UNITS)
    if "elapsed_s" in figures:
        elapsed = figures["elapsed_s"]
        said["seconds"] = printed(elapsed, _MOMENT_S)
        for name, rates in (("queries", beside.qps), ("transactions", beside.tps)):
            told = [rate for rate in rates if rate is not None]
            if told and len(told) == len(rates) and beside.ends[-1] < elapsed + 1:
                said[f"{name}_of_intervals"] = of_intervals(beside.ends, told, elapsed)
    return said
