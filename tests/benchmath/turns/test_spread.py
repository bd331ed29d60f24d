"""What loads differ by, from all arms of a step together."""

import numpy as np
import pandas as pd
import pytest

from benchmath.turns.loads import is_odd, spread_of_loads


def sessions(*arms: list[float]) -> pd.DataFrame:
    rows = [
        {"version": f"v{arm}", "step": "q", "op": "query", "group": 0, "session": n,
         "measure": "throughput", "part": "turn", "log": log}
        for arm, logs in enumerate(arms, 1)
        for n, log in enumerate(logs)
    ]  # fmt: skip
    return pd.DataFrame(rows)


KEYS = ["version", "step", "op"]


def test_of_one_arm_it_is_the_variance_of_its_ratios():
    # 0, 1, 2: variance 1, two degrees of freedom
    (row,) = spread_of_loads(sessions([0, 1, 2]), KEYS).to_dict("records")
    assert (pytest.approx(1.0), 2.0) == (row["var"], row["df"])


def test_what_all_arms_share_is_of_the_base():
    # Rates beside the base 0: sessions move both arms by 0, 3, 6. Of three rates each is
    # off by -+ (1, 1, -2) in the outer sessions: 2 * 6 = 12 over 4, and a ratio has two.
    (row,) = spread_of_loads(sessions([0, 3, 6], [0, 3, 6]), KEYS).to_dict("records")
    assert (pytest.approx(6.0), 4.0) == (row["var"], row["df"])


def test_two_loads_tell_nothing():
    assert spread_of_loads(sessions([0, 1], [0, 2]), KEYS).empty


def test_sessions_that_lack_an_arm_tell_nothing():
    assert spread_of_loads(sessions([0, 1, 2], [0, 1]), KEYS).empty


def test_an_arm_far_noisier_than_all_is_odd():
    one, ten = np.array([1.0]), np.array([10.0])
    assert is_odd(100 * one, 3 * one, one, ten).all()
    assert not is_odd(2 * one, 3 * one, one, ten).any()
