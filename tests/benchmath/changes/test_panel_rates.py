"""The chance of a change at a boundary, by the other tests."""

import numpy as np
import pytest

from benchmath.changes.panel import rates_of_others
from benchmath.changes.versions.model import usual_hazard

pytestmark = pytest.mark.unit

ALL = np.arange(6)
USUAL = usual_hazard(5)
SURE = np.array([0.01, 0.99, 0.01, 0.01, 0.01])


def test_rate_rises_where_the_others_change_and_falls_elsewhere():
    """Nine tests change at the second of five boundaries."""
    rates = rates_of_others([SURE] * 9 + [np.full(5, USUAL)], [ALL] * 10)[-1]

    assert rates[1] > 0.75
    assert (rates[[0, 2, 3, 4]] < USUAL / 2).all()


def test_test_does_not_hear_itself():
    """The one that changes expects it less than each of the nine that do not."""
    quiet = np.full(5, 0.01)

    rates = rates_of_others([quiet] * 9 + [SURE], [ALL] * 10)

    assert rates[-1][1] == pytest.approx(rates[-1][0])
    assert rates[0][1] > rates[-1][1]


def test_one_other_is_no_majority():
    """The usual chance is worth three tests."""
    rates = rates_of_others([SURE, np.full(5, USUAL)], [ALL] * 2)[-1]

    assert rates[1] == pytest.approx((3 * USUAL + 1) / 4, abs=0.02)


def test_boundary_across_a_missing_version_adds_its_parts():
    """Without version 2, a boundary spans the sure one and the next."""
    sparse = np.array([0, 1, 3, 4, 5])

    rates = rates_of_others(
        [SURE] * 9 + [np.full(4, usual_hazard(4))], [ALL] * 9 + [sparse]
    )
    whole = rates_of_others([SURE] * 9 + [np.full(5, USUAL)], [ALL] * 10)[-1]

    assert rates[-1] == pytest.approx(
        [whole[0], 1 - (1 - whole[1]) * (1 - whole[2]), whole[3], whole[4]]
    )


def test_votes_across_a_missing_version_are_split():
    """All tests but the first lack version 2: both its boundaries are as likely."""
    sparse = np.array([0, 1, 3, 4, 5])
    sure = np.array([0.01, 0.99, 0.01, 0.01])

    rates = rates_of_others([np.full(5, USUAL)] + [sure] * 9, [ALL] + [sparse] * 9)[0]

    assert rates[1] == pytest.approx(rates[2])
    assert rates[1] > 0.4
    assert 1 - (1 - rates[1]) * (1 - rates[2]) > 0.7
