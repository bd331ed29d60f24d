"""What others took of a study's steps, however it is known."""

from __future__ import annotations

import pandas as pd
import pytest

from benchmath.hazards.premises import StudyFrames, alone, loads_by_others

pytestmark = pytest.mark.unit


def costs(**values: float) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "run_id": "r", "step": "q", "op": "query", "main": True, "metric": name,
            "value": value,
        }
        for name, value in values.items()
    )  # fmt: skip


TREES = {"server_user_o": 30.0, "server_system_o": 10.0, "client_user_o": 20.0,
         "client_system_o": 10.0, "irq_o": 0.0}  # fmt: skip


def test_counters_of_others_take_the_place_of_a_difference():
    """2 of 100 us by their own counters; the difference would say 30."""
    counted = costs(machine_cpu_o=100.0, others_o=2.0, steal_o=0.0, **TREES)
    [row] = loads_by_others(counted, pd.DataFrame()).to_dict("records")

    assert (0.02, True) == (row["share"], row["counted"])


def test_what_the_hypervisor_took_counts():
    """2 and 8 of 108 us."""
    counted = costs(machine_cpu_o=100.0, others_o=2.0, steal_o=8.0)
    [row] = loads_by_others(counted, pd.DataFrame()).to_dict("records")

    assert 10 / 108 == pytest.approx(row["share"])


def test_a_difference_has_a_limit_of_its_own():
    """Without counters kernel threads and clock ticks are in what is left: 30% of it."""
    metric = costs(machine_cpu_o=100.0, **TREES)
    runs = pd.DataFrame({"run_id": ["r"]})
    [row] = alone(StudyFrames(runs, pd.DataFrame(), metric)).to_dict("records")

    assert (pytest.approx(30), pytest.approx(40)) == (row["value"], row["limit"])


def test_old_turns_are_told_by_difference():
    """60 of 100 ns of the machine were neither client's nor server's."""
    turns = pd.DataFrame([{
        "run_id": "r", "session": "s", "step": "q", "op": "query", "round": 1,
        "machine_cpu_ns": 100, "client_cpu_ns": 10, "server_cpu_ns": 30, "steal_ns": 0,
    }])  # fmt: skip
    [row] = loads_by_others(pd.DataFrame(), turns).to_dict("records")

    assert (0.6, False) == (row["share"], row["counted"])
