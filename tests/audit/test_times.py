"""Response times of seconds against the operations of these seconds."""

import pandas as pd
import pytest

from benchbook.audit.bookkeeping import run_contradictions

pytestmark = pytest.mark.unit

RUNS = pd.DataFrame(
    {
        "run_id": ["r"], "machine": "m", "machine_id": "i", "folder": "s/m/t/x",
        "started": "2026-11-23T00:00:00Z", "env": [{}], "status": "ok",
    }
)  # fmt: skip
SAMPLES = pd.DataFrame(
    {"run_id": "r", "step": "q", "op": ["query", "query", "insert"],
     "second": [1.0, 2.0, 1.0], "ops": [3, 4, 9]}
)  # fmt: skip
TIMES = pd.DataFrame(
    {"run_id": "r", "step": "q", "op": "query", "second": [1.0, 1.0, 2.0],
     "lower_ns": [8, 10, 8], "count": [1, 2, 4]}
)  # fmt: skip


def said(times: pd.DataFrame) -> list[str]:
    frames = {"runs": RUNS, "samples": SAMPLES, "times": times}
    return [str(one) for one in run_contradictions(frames)]


def test_times_that_add_up_are_no_contradiction():
    """1 + 2 and 4 of the queries; inserts have no times here."""
    assert [] == said(TIMES)


@pytest.mark.parametrize(
    ("changed", "text"),
    [
        (
            TIMES.assign(count=[1, 2, 5]),
            "says 5 at second 2; the data give 4 operations",
        ),
        (
            TIMES[:2],
            "says 0 at second 2; the data give 4 operations",
        ),
    ],
)
def test_times_of_other_operations_are_named(changed: pd.DataFrame, text: str):
    """One too many, and a second left out."""
    assert [f"times of query of q of run r: {text}"] == said(changed)
