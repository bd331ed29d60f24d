"""What an operation counts for: rows where throughput is that of rows."""

import numpy as np
import pytest
from turn_frames import session

from benchmath.turns.estimate import turn_ratios


def ratio(op: str) -> float:
    """One arm makes 200 rows in an operation and the other 100, at the same rate."""
    turns, runs = session("a", {"old": [10] * 40, "new": [10] * 40})
    rows = np.where(turns["run_id"] == turns["run_id"].iloc[0], 2000, 1000)
    table = turn_ratios(turns.assign(op=op, rows=rows), runs, {"version": "old"})
    return float(table.loc[table["measure"] == "throughput", "relative"].iloc[0])


def test_rows_count_where_throughput_is_of_rows():
    assert 2.0 == pytest.approx(max(ratio("index"), 1 / ratio("index")))


def test_operations_count_where_it_is_of_queries():
    assert 1.0 == pytest.approx(ratio("query"))
