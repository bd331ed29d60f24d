"""Records of the statements of a workload, as the driver sql prints them."""

from collections.abc import Sequence
from typing import Any

SCAN = "Seq Scan on t\n  Filter: (k = $1)"
INDEX = "Index Scan using k_1 on t\n  Index Cond: (k = $1)"


def statement(
    step: str,
    name: str,
    counts: Sequence[Sequence[int]] = ((100, 3), (200, 1)),
    **changes: Any,
) -> dict[str, Any]:
    """One line; it was sent as often as ``counts`` ([index, times], ns) say."""
    sent = sum(times for _, times in counts)
    record = {
        "kind": "statement", "step": step, "name": name,
        "sql": f"SELECT c FROM t WHERE {name} = ?", "sent": sent, "rows": sent,
        "affected": 0, "errors": 0, "retries": 0, "total_ns": 1000 * sent,
        "max_ns": 900 if sent else 0, "sub_bits": 7, "counts": list(map(list, counts)),
        "plan": None,
    }  # fmt: skip
    return record | changes


def with_statements(
    lines: Sequence[dict[str, Any]], *statements: dict[str, Any]
) -> list[dict[str, Any]]:
    """The lines of driver.jsonl with statements before its end."""
    return [*lines[:-1], *statements, lines[-1]]
