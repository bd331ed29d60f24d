"""Hazards: what makes a number doubtful, as values that name their rows."""

import pandas as pd
import pytest

from benchmath.hazard import Hazard
from benchmath.hazards.runs import (
    closed_loops,
    different_durability,
    missed_targets,
    short_steps,
)

pytestmark = pytest.mark.unit


def test_short_step_is_named_with_its_time():
    """The shortest run counts; steps long enough, or with nothing to do, are silent."""
    steps = pd.DataFrame(
        {
            "step": ["l.i0", "l.i0", "l.i1", "l.x"],
            "ops": [1, 1, 1, 0],
            "elapsed_ns": [20e9, 2.5e9, 60e9, 1],
        }
    )

    expected = Hazard(
        "short step", "l.i0 ran for 2.5 s only, less than 10 s", {"step": "l.i0"}
    )
    assert [expected] == short_steps(steps, seconds=10)


def test_missed_target_names_config_and_step():
    """The warning carries target and share, and points at the cell only."""
    sla = pd.DataFrame(
        {
            "config": ["wal", "rollback"],
            "step": "q1000.1",
            "op": "insert",
            "unit": "rows/s",
            "target": 4000.0,
            "ratio": [0.999, 0.62],
            "failed": [0, 3],
        }
    )

    (hazard,) = missed_targets(sla)

    expected = "inserts of q1000.1 reached 62% of their target of 4,000 rows/s: "
    assert expected + "not comparable" == hazard.text
    assert hazard.concerns({"config": "rollback", "step": "q1000.1"})
    assert not hazard.concerns({"config": "wal", "step": "q1000.1"})


def test_closed_loop_is_a_step_without_intended_clock():
    """Queries have only actual times: they are a closed loop; paced inserts are not."""
    times = pd.DataFrame(
        [
            ("qr100.L1", "query", "actual"),
            ("qr100.L1", "insert", "actual"),
            ("qr100.L1", "insert", "intended"),
        ],
        columns=["step", "op", "clock"],
    )

    (hazard,) = closed_loops(times)

    assert {"step": "qr100.L1", "op": "query"} == hazard.where


def test_durability_that_differs_from_the_base():
    """synchronous FULL against OFF is said; an equal journal mode is not."""
    full = {"synchronous": "FULL", "journal_mode": "wal"}
    runs = pd.DataFrame(
        {
            "config": ["wal", "fast", "same"],
            "settings": [full, full | {"synchronous": "OFF"}, dict(full)],
        }
    )

    (hazard,) = different_durability(runs, {"config": "wal"})

    assert {"me": "fast"} == hazard.where
    text = "durability differs from the base: synchronous OFF against FULL"
    assert text == hazard.text
