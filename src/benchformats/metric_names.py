"""Names of metrics in the vocabulary, made of what tools print."""

from __future__ import annotations


def metric_name(column: str) -> str:
    """A column's name in the vocabulary: rkB/o is rkb_o, %util is pct_util.

    Lower case; "/" and "-" become "_", "%" becomes "pct", "." becomes "_".

    >>> [metric_name(c) for c in ("rKB/o", "stall%", "p99.9", "%rrqm", "cpu/s")]
    ['rkb_o', 'stall_pct', 'p99_9', 'pct_rrqm', 'cpu_s']
    """
    text = column.strip().lower()
    text = text.replace("%", "pct_" if text.startswith("%") else "_pct")
    return text.replace("/", "_").replace(".", "_").replace("-", "_")


def event_metric(event: str) -> str:
    """An event's name as a metric: L1-dcache-loads is l1_dcache_loads, cycles:u cycles_u.

    Written ``migratons`` in some files of the archives.
    """
    name = "migrations" if event == "migratons" else event.replace(":", "_")
    return metric_name(name).strip("_")
