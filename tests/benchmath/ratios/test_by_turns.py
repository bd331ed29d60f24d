"""Pairs of cells that took turns have their ratio and its error from the turns."""

import numpy as np
import pandas as pd
import pytest

from benchmath.ratios.relative import relative
from benchmath.ratios.suite import suite

pytestmark = pytest.mark.unit

OLD = {"version": "old"}


def rows(trials=1):
    cell = {
        "step": "s", "op": "query", "main": True, "clock": "", "metric": "qps",
        "unit": "ops/s", "direction": "higher",
    }  # fmt: skip
    return pd.DataFrame(
        [
            cell
            | {
                "version": version,
                "trial": n,
                "value": value + n,
                "run_id": f"{version} {n}",
            }
            for version, value in (("old", 100.0), ("new", 90.0), ("newer", 80.0))
            for n in range(trials)
        ]
    )


def turns(**changed):
    row = {
        "version": "new", "step": "s", "op": "query", "measure": "throughput",
        "base": "old", "relative": 0.95, "se": 0.01, "df": 10.0, "covers": "loads",
        "stopped": "",
    }  # fmt: skip
    return pd.DataFrame([row | changed])


def of(version, frame, **options):
    table = relative(frame, OLD, **options)
    return table[table["version"] == version].iloc[0]


def test_ratio_and_error_are_those_of_the_turns():
    """Not 90 / 100 of one run a side."""
    row = of("new", rows(), turns=turns())

    assert pytest.approx((0.95, 0.01, 10.0)) == tuple(row[["relative", "se", "df"]])
    assert ("turns", True, "") == tuple(row[["noise", "paired", "note"]])
    assert pytest.approx(0.95 * np.exp(2.228139 * 0.01)) == row["high"]


def test_interval_of_one_load_says_so():
    """Another load may differ."""
    row = of("new", rows(), turns=turns(covers="this load"))

    assert (
        "turns within one load: what another load would add is not known" == row["note"]
    )


def test_pairs_that_took_no_turns_stay_as_they_are():
    """newer ran alone."""
    frame = rows(trials=3)
    alone, beside = of("newer", frame), of("newer", frame, turns=turns())

    assert alone["se"] == beside["se"]
    assert "turns" != beside["noise"]


def test_turns_beside_another_base_do_not_count():
    """Their ratio is of something else."""
    assert pytest.approx(0.9) == of("new", rows(), turns=turns(base="oldest"))["relative"]


def test_turns_without_an_interval_do_not_count():
    """An index made once in a load has what runs tell."""
    row = of("new", rows(), turns=turns(se=np.nan))

    assert pytest.approx(0.9) == row["relative"]
    assert "turns" != row["noise"]


def test_load_of_a_noise_floor_counts_for_one_load_only():
    """What loads add is in the spread of several loads already."""
    floor = pd.DataFrame(
        {"step": ["s"], "run_sd": [0.01], "run_df": [9.0], "load_sd": [0.03],
         "load_df": [9.0]}
    )  # fmt: skip
    one = of("new", rows(), turns=turns(covers="this load"), floor=floor)
    several = of("new", rows(), turns=turns(), floor=floor)

    assert pytest.approx(np.sqrt(0.01**2 + 2 * 0.03**2)) == one["se"]
    assert pytest.approx(0.01) == several["se"]
    assert "" == one["note"]


def test_group_of_steps_says_nothing_of_the_looks_at_each():
    """Whether a step was decided is no fact of the geometric mean over all of them."""
    decided = turns(stopped="stopped when decided, after 5 loads")
    table = suite(rows(), OLD, turns=decided)
    row = table[table["me"] == "new"].iloc[0]

    assert (
        "stopped when decided, after 5 loads" == of("new", rows(), turns=decided)["note"]
    )
    assert "steps added as independent" == row["note"]
