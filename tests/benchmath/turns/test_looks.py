"""Looks at what takes turns while loads are added, and what is reported of them."""

import numpy as np
import pandas as pd
import pytest
from turn_frames import sessions

from benchmath.turns.estimate import turn_ratios
from benchmath.turns.looks import as_decided, looks_at
from benchmath.turns.stopping import decisions

pytestmark = pytest.mark.unit

OLD = {"version": "old"}
KEYS = ["version", "step", "op"]
SHARES = {1: 0.2, 2: 0.4, 3: 0.6, 4: 0.8, 5: 1.0}


def loads(*ratios, versions=("old", "new")):
    """Turns and runs of a session of 14 rounds for each ratio, one trial each."""
    random = np.random.default_rng(1)
    arms = {
        f"t{n}": {
            version: list((factor * random.normal(1000, 10, 14)).astype(int))
            for version, factor in zip(versions, (1, ratio), strict=True)
        }
        for n, ratio in enumerate(ratios, 1)
    }
    turns, runs = sessions(**arms)
    return turns, runs.assign(trial=[int(name[1]) for name in runs["run_id"]])


def test_first_look_is_at_three_loads():
    """One or two say nothing of what another load would be."""
    looks = looks_at(*loads(1, 1, 1, 1), OLD, SHARES)

    assert [(3, 3, 0.6), (4, 4, 0.8)] == list(
        looks[["trial", "sessions", "share"]].itertuples(index=False, name=None)
    )


def test_a_look_knows_the_loads_up_to_its_trial():
    """Its ratio is that of turn_ratios of these sessions."""
    turns, runs = loads(1, 1.02, 0.99, 1.5)
    early = turns[turns["session"] != "t4"]
    of_three = turn_ratios(early, runs[runs["trial"] < 4], OLD).iloc[0]
    first = looks_at(turns, runs, OLD, SHARES).iloc[0]

    assert of_three["relative"] == first["relative"]
    assert of_three["se"] == first["se"]


def test_without_a_further_load_there_is_no_further_look():
    """The other version went on alone."""
    turns, runs = loads(1, 1, 1)
    others, other_runs = loads(1, 1, 1, 1, versions=("old", "newer"))
    others["session"] = "u" + others["session"]
    for frame in (others, other_runs):
        frame["run_id"] = "u" + frame["run_id"]
    both = pd.concat([turns, others], ignore_index=True)
    looks = looks_at(both, pd.concat([runs, other_runs]), OLD, SHARES)

    assert {"new": 1, "newer": 2} == looks["version"].value_counts().to_dict()


def decided(turns, runs, margin):
    table = decisions(looks_at(turns, runs, OLD, SHARES), KEYS, margin)
    return table.assign(stopped="said")


def test_reported_is_the_interval_of_all_looks():
    """Of the look that decided; se is such that its usual interval is that one."""
    turns, runs = loads(0.5, 0.5, 0.5, 0.9)
    table = decided(turns, runs, 0.1)
    row = as_decided(turn_ratios(turns, runs, OLD), table, KEYS).iloc[0]

    assert ("regressed", 1) == tuple(table.iloc[0][["verdict", "looks"]])
    assert (3, "said") == tuple(row[["sessions", "stopped"]])
    assert tuple(table.iloc[0][["relative", "low", "high"]]) == pytest.approx(
        tuple(row[["relative", "low", "high"]])
    )
    assert pytest.approx(row["relative"] * np.exp(4.302653 * row["se"])) == row["high"]


def test_cpu_ratios_stay():
    """They were not looked at."""
    turns, runs = loads(1, 1, 1)
    before = turn_ratios(turns, runs, OLD)
    after = as_decided(before, decided(turns, runs, 0.1), KEYS)
    columns = ["relative", "low", "high", "se", "sessions", "stopped"]

    pd.testing.assert_frame_equal(before.loc[[1], columns], after.loc[[1], columns])
