"""The noise floor: variance of runs, builds and loads from A/A runs."""

from itertools import count

import numpy as np
import pandas as pd
import pytest
from pandas.testing import assert_frame_equal

from benchmath.ratios.floor import noise_floor

pytestmark = pytest.mark.unit

NUMBERS = {"main": (1, 1), "again": (1, 1), "reloaded-2": (1, 2)}
NUMBERS |= {f"rebuilt-{n}": (n, 1) for n in range(2, 9)}


def arms(logs, step="s", **more):
    """A metric frame of one cell: the logarithms of the trials of each arm."""
    run = count()
    return pd.DataFrame(
        {
            "set": "x.aa", "machine": "m", "machine_id": "id", "engine": "e",
            "version": "1", "dop": 1, "placement": "none", "arm": arm,
            "build_no": NUMBERS[arm][0], "load_no": NUMBERS[arm][1],
            "run_id": f"{step}{more}{next(run)}", "trial": trial, "step": step,
            "op": "bytes", "clock": "", "metric": "mbps", "main": True,
            "value": np.exp(log), "unit": "MB/s", "direction": "higher",
        } | more
        for arm, trials in logs.items()
        for trial, log in enumerate(trials, 1)
    )  # fmt: skip


def only(frame):
    [row] = noise_floor(frame).to_dict("records")
    return row


def test_runs_are_pooled_within_arms():
    """Two arms of variance 2 and 8 with two trials each: their mean, 2 degrees."""
    row = only(arms({"main": [0.0, 2.0], "again": [10.0, 14.0]}))

    assert (5.0, 2.0, 4, 2) == (
        pytest.approx(row["run_sd"] ** 2), row["run_df"], row["n"], row["arms"],
    )  # fmt: skip


def test_builds_are_what_their_means_differ_by():
    """Means 0, 1 and 2 without any spread of runs: variance 1, 2 degrees of freedom."""
    row = only(arms({"main": [0, 0], "rebuilt-2": [1, 1], "rebuilt-3": [2, 2]}))

    assert (1.0, 2.0) == (pytest.approx(row["build_sd"]), row["build_df"])


def test_main_and_again_are_one_build():
    """Build 1 is the mean of both arms, 1; build 2 is 3: variance 2, 1 degree."""
    row = only(arms({"main": [0, 0], "again": [2, 2], "rebuilt-2": [3, 3]}))

    assert (2.0, 1.0) == (pytest.approx(row["build_sd"] ** 2), row["build_df"])


def test_spread_of_runs_is_taken_out_of_that_of_builds():
    """Means 2 apart: variance 2, and trials of variance 4 add 4 * 1/2: 2 * 2 / (2 + 2).

    Residuals within trials: arms (-1, 1) and (1, -1) about their means, with one degree
    of freedom: variance 4.
    """
    row = only(arms({"main": [-1, 1], "rebuilt-2": [3, 1]}))

    assert (1.0, 1.0) == (row["build_sd"], row["build_df"])


def test_drift_of_all_arms_is_not_taken_out_of_the_builds():
    """Both builds get 6 faster from trial to trial and stay 2 apart: variance 2."""
    row = only(arms({"main": [0, 6], "rebuilt-2": [2, 8]}))

    assert pytest.approx([2**0.5, 18**0.5]) == [row["build_sd"], row["run_sd"]]


def test_loads_have_a_component_of_their_own():
    """A reloaded arm is no other build, and a rebuilt one no other load."""
    row = only(arms({"main": [0, 0], "reloaded-2": [2, 2], "rebuilt-2": [6, 6]}))

    assert pytest.approx([18**0.5, 2**0.5]) == [row["build_sd"], row["load_sd"]]
    assert "" == row["note"]


def test_what_no_arm_repeats_is_not_zero_but_unknown():
    """Without another build or load both are NaN, and the note names them."""
    row = only(arms({"main": [0, 1], "again": [0, 1]}))

    assert np.isnan([row["build_sd"], row["load_sd"]]).all()
    assert (0.0, 0.0) == (row["build_df"], row["load_df"])
    assert "build effect not measured; load effect not measured" == row["note"]


def test_cells_are_pooled_at_their_own_levels():
    """Two block sizes a factor apart: no build effect comes from that."""
    sizes = [
        arms({"main": [a, a], "rebuilt-2": [a + d, a + d]}, block_size=str(a))
        for a, d in ((0, 1), (100, 3))
    ]
    row = only(pd.concat(sizes))

    assert (pytest.approx((0.5 + 4.5) / 2), 2.0) == (
        row["build_sd"] ** 2, row["build_df"],
    )  # fmt: skip


def test_few_builds_borrow_from_the_other_steps():
    """Eight steps of equal build effects: each estimate moves towards the others'."""
    found = noise_floor(pd.concat(
        arms({"main": [0, 0], "rebuilt-2": [d, d]}, step=f"s{d}")
        for d in (0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8)
    ))  # fmt: skip

    assert (
        found["build_sd"].between(0.4 / 2**0.5, 1.8 / 2**0.5, inclusive="neither").all()
    )
    assert (found["build_df"] > 1).all()


def test_machines_and_steps_have_rows_of_their_own():
    """One row per machine and step in the order of the frame; engines, too."""
    frame = pd.concat([
        arms({"main": [0, 1]}, step="b"), arms({"main": [0, 1]}, step="a"),
        arms({"main": [0, 1]}, step="b", machine="n", machine_id="other"),
    ])  # fmt: skip
    found = noise_floor(frame)[["machine", "step", "n"]]

    expected = pd.DataFrame(
        {"machine": ["m", "m", "n"], "step": ["b", "a", "b"], "n": [2, 2, 2]}
    )
    assert_frame_equal(expected, found)


def test_a_run_of_zero_leaves_its_cell_out():
    """0 has no logarithm; without any other cell the floor has no row."""
    frame = arms({"main": [0, 1], "again": [0, 1]})

    assert noise_floor(frame.assign(value=[0.0, 1.0, 1.0, 1.0])).empty


def test_runs_of_one_arm_and_trial_cannot_be_two_machines():
    """Two machines of one name are not one machine: refused."""
    frame = arms({"main": [0, 1]}).assign(machine_id=["a", "b"])

    with pytest.raises(ValueError, match="mixes machine_id a, b"):
        noise_floor(frame)
