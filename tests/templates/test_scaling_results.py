"""What a study over numbers of clients says of its CPUs and of its databases."""

import pandas as pd
import pytest

from benchbook.views.scaling import cpus_of, listed_cpus
from benchmath.hazards.scaling import growing_databases

pytestmark = pytest.mark.unit


def test_ranges_and_single_cpus_are_counted():
    """`0,2-3` are three CPUs; no list is none."""
    assert {0, 2, 3} == listed_cpus("0,2-3")
    assert set() == listed_cpus("")


def test_cpus_are_those_of_client_and_server_else_of_the_machine():
    """Split over four CPUs they have four; unpinned what the run was allowed."""
    runs = pd.DataFrame(
        [
            {"run_id": "split", "spec": '{"cpus": "2,3", "server_cpus": "0,1"}',
             "env": {"cpus_allowed": "2,3"}},
            {"run_id": "none", "spec": '{"cpus": ""}', "env": {"cpus_allowed": "0-7"}},
            {"run_id": "unknown", "spec": None, "env": None},
        ]
    )  # fmt: skip

    assert {"split": 4, "none": 8} == cpus_of(runs)


def test_database_that_grows_with_the_clients_is_said():
    """8 clients on 8 times the bytes: more clients on more data."""
    rows = [
        {"step": "q", "op": "query", "main": True, "metric": "size_bytes", "dop": n,
         "value": 1e6 * n, "run_id": str(n)}
        for n in (1, 8)
    ]  # fmt: skip

    (hazard,) = growing_databases(pd.DataFrame(rows))

    assert "with 8 clients the database is 8 times as large as with 1" in hazard.text
    assert [] == growing_databases(pd.DataFrame(rows).assign(value=1e6))
