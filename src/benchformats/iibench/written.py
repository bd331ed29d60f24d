"""Own figures as a merged table of the insert benchmark: what ``tables`` reads back."""

from __future__ import annotations

from collections.abc import Mapping

from benchformats.iibench.figures import is_query_step

COLUMNS = (
    "ips", "qps", "rps", "rmbps", "wps", "wmbps", "rpq", "rkbpq", "wpi", "wkbpi", "csps",
    "cpups", "cspq", "cpupq", "dbgb1", "dbgb2", "rss", "maxop", "p50", "p99",
)  # fmt: skip
_TENTHS = ("rmbps", "wps", "wmbps", "cpups", "dbgb1", "dbgb2", "rss")
_THOUSANDTHS = ("rpq", "rkbpq", "wpi", "wkbpi", "cspq", "maxop")


def per_second(
    step: str,
    inserts: float,
    queries: float,
    costs: Mapping[str, float],
    cpus: int,
) -> dict[str, float]:
    """The columns up to cpupq of one step and DBMS, of costs per main operation.

    ``inserts`` and ``queries`` per second; ``costs`` may have r_o, rkb_o, w_o, wkb_o,
    cs_o and machine_cpu_o [us]. Writes are per insert, reads, switches and CPU per query
    of a query step. What ``costs`` lacks is left out.
    """
    rate = queries if is_query_step(step) else inserts
    found = {"ips": inserts, "qps": queries}

    def add(cost: str, second: str, each: str, scale: float = 1.0) -> None:
        if cost in costs:
            found[second] = costs[cost] * rate / scale
            per = inserts if each.endswith("i") else rate
            if per:
                found[each] = costs[cost] * rate / per

    add("r_o", "rps", "rpq")
    add("rkb_o", "rmbps", "rkbpq", 1024)
    add("w_o", "wps", "wpi")
    add("wkb_o", "wmbps", "wkbpi", 1024)
    add("cs_o", "csps", "cspq")
    add(
        "machine_cpu_o", "cpups", "cpupq", 1e4 * cpus
    )  # us of all CPUs as percent of them
    return found


def merged(figures: Mapping[str, Mapping[str, Mapping[str, float]]]) -> str:
    """The text of mrg.some: step -> DBMS -> column -> value; NA for what is not known."""
    parts = []
    for step, cells in figures.items():
        lines = [step, "\t".join([*COLUMNS, "tag"])]
        for tag, values in cells.items():
            lines.append("\t".join([*(_cell(c, values) for c in COLUMNS), tag]))
        parts.append("".join(f"{line}\n" for line in lines))
    return "\n".join(parts)


def _cell(column: str, values: Mapping[str, float]) -> str:
    if column not in values:
        return "NA"
    digits = 1 if column in _TENTHS else 3 if column in _THOUSANDTHS else 0
    return f"{values[column]:.{digits}f}"
