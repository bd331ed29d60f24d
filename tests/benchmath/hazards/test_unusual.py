"""What is so slow that its plan is looked at before its percentage."""

import pandas as pd
import pytest

from benchmath.hazards.unusual import far_apart, whole_scans

pytestmark = pytest.mark.unit
SQL = "SELECT total FROM orders WHERE buyer = $1"
STEPS = pd.DataFrame(
    {"run_id": ["a"], "step": ["history"], "engine": ["postgres"], "dop": [1]}
)


def statement(sql=SQL, plan="Seq Scan on orders", mean_us=50_000.0):
    return pd.DataFrame(
        {"run_id": ["a"], "step": ["history"], "name": ["past"], "sql": [sql],
         "plan": [plan], "mean_us": [mean_us]}
    )  # fmt: skip


@pytest.mark.parametrize("plan", ["Seq Scan on orders", "SCAN orders", "type: ALL"])
def test_a_whole_table_read_for_a_key_is_told(plan):
    """As Postgres, SQLite and MySQL say it."""
    [hazard] = whole_scans(statement(plan=plan), STEPS)

    assert {"step": "history"} == hazard.where
    assert "past reads a whole table for a key on postgres" in hazard.text


@pytest.mark.parametrize(
    "other",
    [
        {"plan": "Index Scan using orders_buyer on orders"},
        {"sql": "SELECT count(*) FROM orders WHERE total < $1"},
        {"mean_us": 20.0},
    ],
    ids=["index", "no key", "small table"],
)
def test_what_is_meant_so_is_not_told(other):
    """An index is used, no key is given, or the table is small."""
    assert [] == whole_scans(statement(**other), STEPS)
    duckdb = STEPS.assign(engine="duckdb")
    assert [] == whole_scans(statement(), duckdb)


def rates(of_postgres):
    return pd.DataFrame(
        {"engine": ["sqlite", "postgres"], "step": "history", "dop": 1, "metric": "qps",
         "main": True, "value": [10_000.0, of_postgres]}
    )  # fmt: skip


def test_a_step_a_hundred_times_slower_than_on_another_engine_is_told():
    """100 of 10,000 is told, 101 is not."""
    [hazard] = far_apart(rates(100.0))

    assert "history is a hundred times and more slower on postgres than on sqlite" in (
        hazard.text
    )
    assert [] == far_apart(rates(101.0))
