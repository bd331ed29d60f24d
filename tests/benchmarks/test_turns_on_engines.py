"""The benchmark of turns on engines: what it takes for the time of a row."""

import sys
from types import SimpleNamespace

import pandas as pd
import pytest
from places import ROOT

# Appended: a benchmark must not hide a module of another package.
sys.path.append(str(ROOT / "tests/benchmarks"))

import turns_on_engines

pytestmark = pytest.mark.unit


def test_time_of_a_row_is_the_bases_without_heads_of_turns():
    """2 + 8 statements of 100 rows in 1 + 2 ms: 2.5 us; CPU falls as from 3 to 2.5 us."""
    runs = pd.DataFrame(
        {
            "run_id": ["base", "me"],
            "flags": ["-O2 -DDELAY_SPINS=0", "-O2 -DDELAY_SPINS=9"],
        }
    )
    turn = {"ops": 10, "rows": 1000, "head_ops": 2, "active_ns": 3e6, "head_ns": 1e6,
            "client_cpu_ns": 0.5e6, "server_cpu_ns": 1.5e6}  # fmt: skip
    slow = {name: 7 * value for name, value in turn.items()}
    turns = pd.DataFrame([{"run_id": "base", **turn}, {"run_id": "me", **slow}])
    results = SimpleNamespace(runs=runs, main_turns=turns)

    by_clock, of_cpu = turns_on_engines.base_row_ns(results)

    assert by_clock == pytest.approx(2500)
    assert of_cpu == pytest.approx(2000 * 2500 / 3000)
