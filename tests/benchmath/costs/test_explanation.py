"""Why a step got slower: its costs, its settings, and which steps did."""

import pandas as pd
import pytest
from explanation_frames import SERVER, frame, scaled, version

from benchmath.costs.cpu import per_run, split
from benchmath.costs.explanation import (
    Explanation,
    costs,
    slower,
)
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts

pytestmark = pytest.mark.unit

BASE = {"version": "1"}


def test_costs_absolute_and_relative():
    """Twice the switches: 3 more per insert, ratio 2; reads of 0 have no plain ratio."""
    two = frame(
        version("1", costs={"cs_o": 3.0, "r_o": 0.0}),
        version("2", costs={"cs_o": 6.0, "r_o": 0.5}),
    )

    found = costs(two, BASE).set_index("metric")

    assert 3 == pytest.approx(found.loc["cs_o", "diff"])
    assert 2 == pytest.approx(found.loc["cs_o", "relative"])
    assert found.loc["cs_o", "detected"]
    assert "inf" == found.loc["r_o", "field"]
    assert "a run of 0 has no ratio" in found.loc["r_o", "note"]
    assert pd.isna(found.loc["r_o", "relative"])
    assert found.loc["r_o", "diff_detected"]


def test_instructions_of_callgrind_stand_beside_those_of_counters():
    """Runs that are never timed have no rate; a note says where they are from."""
    both = frame(*(version(v, costs={"instructions_o": float(v)}) for v in "12"))
    counted = both[both["metric"] == "instructions_o"]
    timed = frame(version("1", costs={}, arm="main"), version("2", costs={}, arm="main"))

    row = costs(timed, BASE, None, counted.assign(arm="instructions")).iloc[0]

    assert 2 == pytest.approx(row["relative"])
    assert "counted by callgrind in a short run of the step" == row["note"]


def test_costs_of_two_dops_stay_apart():
    """Each cell is compared with the base cell of its own dop."""
    cells = [
        version(v, costs={"cs_o": c}, dop=dop)
        for v, c, dop in (("1", 3, 1), ("1", 5, 8), ("2", 6, 1), ("2", 5, 8))
    ]

    found = costs(frame(*cells), BASE)

    assert {1: 2.0, 8: 1.0} == {
        row.dop: pytest.approx(row.relative) for row in found.itertuples()
    }


def of_split(metric):
    none = pd.DataFrame()
    return Explanation(split(per_run(metric), BASE), none, none, none)


def test_slower_is_what_the_verdicts_say():
    """A detected loss of 2% is within a margin of 5%: not regressed."""
    loss = frame(version("1"), version("2", 980 * 0.98), version("3", 800))
    judged = verdicts(relative(loss, BASE), 0.05)

    found = of_split(loss)

    assert {"2", "3"} == set(slower(found)["me"])
    assert ["3"] == list(slower(found, judged)["me"])


def test_ratio_is_that_of_the_verdict():
    """A page's tables have ratios within rounds of turns, which differ a little."""
    loss = frame(version("1"), version("2", 800))
    judged = verdicts(relative(loss, BASE), 0.05).assign(
        relative=0.81, low=0.8, high=0.82
    )
    (row,) = slower(of_split(loss), judged).to_dict("records")

    assert (0.81, 0.8, 0.82) == (row["relative"], row["low"], row["high"])


def test_faster_step_is_not_slower():
    """An improvement is no regression."""
    two = frame(version("1"), version("2", 1250, scaled(SERVER, machine_cpu_o=0.8)))

    assert slower(of_split(two)).empty
