"""Cells with a run of 0 have no ratio, but a difference and a verdict."""

import pandas as pd
import pytest
from version_frames import ROW

from benchmath.ratios.gate import gated
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts

pytestmark = pytest.mark.unit


def judged(old: list[float], new: list[float], direction: str = "lower") -> dict:
    """The row of version 2 over version 1, with what the gate makes of it."""
    rows = [
        ROW | {"version": version, "value": float(value), "trial": trial}
        for version, values in (("1", old), ("2", new))
        for trial, value in enumerate(values, 1)
    ]
    frame = pd.DataFrame(rows).assign(direction=direction)
    table = gated(verdicts(relative(frame, {"version": "1"})))
    return table.iloc[0].to_dict()


@pytest.mark.parametrize(
    ("old", "new", "verdict", "outcome"),
    [([0, 0, 0], [0, 0, 0], "equivalent", "fine"),
     ([0, 0, 0], [2, 2, 2], "regressed", "failed"),
     ([2, 2, 2], [0, 0, 0], "improved", "fine"),
     ([0, 0, 1], [9, 10, 11], "regressed", "failed"),
     ([0, 1, 0], [0, 0, 1], "undecided", "undecided"),
     ([0], [2], "no interval", "undecided")],
)  # fmt: skip
def test_the_difference_has_the_verdict(old, new, verdict, outcome):
    """Of a cost: 0 to 0 stays, 0 to 2 is worse, 2 to 0 better, 1 run says nothing."""
    row = judged(old, new)

    assert (verdict, outcome) == (row["verdict"], row["outcome"])


def test_welchs_interval_of_the_difference():
    """Means 1/3 and 10, variances 1/3 and 1: 9.667 +- t(.975, 3.2) sqrt(4/9)."""
    row = judged([0, 0, 1], [9, 10, 11])

    assert 29 / 3 == pytest.approx(row["difference"])
    assert 11.714 == pytest.approx(row["difference_high"], abs=0.01)


def test_more_of_what_is_better_higher_is_an_improvement():
    assert "improved" == judged([0, 0], [5, 5], "higher")["verdict"]
