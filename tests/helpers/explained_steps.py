"""Steps that got slower, with what explains them or does not."""

from __future__ import annotations

import pandas as pd

from benchbook.templates.explain.finding import explanation_finding
from benchmath.costs.explanation import Explanation

CELL = {"step": "l.i1", "op": "insert", "me": "2", "base": "1", "cpu": "machine"}
SLOWER = ("throughput", 0.8, 0.75, 0.85)
SAME_USED = ("CPU used", 1.003, 0.99, 1.016)
MORE_EACH = ("CPU per operation", 1.25, 1.2, 1.3)
SAME_EACH = ("CPU per operation", 1.01, 0.97, 1.05)


def table(rows, *columns, **more):
    """Rows of a step; what has an interval without 1, or 0, is detected."""
    none = 0.0 if "diff" in columns else 1.0
    frames = [
        CELL | more | dict(zip(columns, row, strict=True))
        | {"detected": pd.NA if pd.isna(row[2]) else not row[2] < none < row[3]}
        for row in rows
    ]  # fmt: skip
    return pd.DataFrame(frames, columns=[*(CELL | more), *columns, "detected"])


def explained(*terms, parts=(), costs=(), functions=(), **more):
    found = Explanation(
        table(terms, "part", "relative", "low", "high", **more),
        table(parts, "part", "diff", "low", "high"),
        table(costs, "metric", "relative", "low", "high"),
        pd.DataFrame(),
        table(functions, "frame", "difference", "low", "high", unit="us"),
    )
    return explanation_finding(found)
