"""A panel: what the other tests say of a boundary is evidence, the own series remains."""

import numpy as np
import pytest

from benchmath.changes.changepoints import changepoints
from benchmath.changes.panel import LEAST_CHANCE, detect_together
from benchmath.changes.series import VersionSeries
from benchmath.changes.shift import OWN, SHARED

pytestmark = pytest.mark.unit

CLEAR = [100.0, 100.6, 99.5, 100.2, 80.1, 79.7, 80.4, 79.9]
NOISY = [100.0, 104.0, 95.0, 101.0, 85.0, 90.0, 80.0, 88.0]
QUIET = [100.0, 100.6, 99.5, 100.2, 100.1, 99.6, 100.5, 99.9]


def single(values, places=None):
    """A test with one run of each version."""
    places = tuple(places or range(len(values)))
    return VersionSeries(
        test="",
        labels={},
        versions=tuple(map(str, places)),
        places=places,
        values=np.array(values, dtype=float),
        groups=np.arange(len(values)),
    )


def finds(*tests):
    """Per test the versions that begin a level, and whose evidence says so."""
    return [
        [
            (tests[i].places[change.position], whose)
            for change, whose in zip(one.detection.changes, one.evidence, strict=True)
        ]
        for i, one in enumerate(detect_together(tests))
    ]


def nine():
    return [single(CLEAR) for _ in range(9)]


def test_noisy_test_gets_the_change_of_the_others():
    """14% down amid differences of 5% to 10% is no find alone; nine others are sure."""
    found = finds(*nine(), single(NOISY))

    assert [] == changepoints(NOISY)
    assert [[(4, OWN)]] * 9 + [[(4, SHARED)]] == found


def test_too_few_tests_are_no_panel():
    """With three others the noisy test is left as it is alone."""
    assert [] == finds(*nine()[:3], single(NOISY))[-1]


def test_test_that_stays_is_not_cut():
    """All others change at version 4: a quiet test that does not is left whole."""
    assert [] == finds(*nine(), single(QUIET))[-1]


def test_boundary_where_none_changes_gets_nothing():
    """The noisy test among nine quiet ones is not cut."""
    assert [[]] * 10 == finds(*[single(QUIET)] * 9, single(NOISY))


def test_own_change_stays_where_it_is():
    """A test that changes a version later than all others keeps that, and only that."""
    later = [*CLEAR[:4], 100.3, *CLEAR[5:]]

    assert [(5, OWN)] == finds(*nine(), single(later))[-1]


def test_own_changes_are_those_of_the_series_alone():
    """Whatever the others do, position and p are what changepoints() says."""
    judged = detect_together([*nine(), single(NOISY)])[0]

    (alone,) = changepoints(CLEAR)
    (change,) = judged.detection.changes
    assert (alone.position, alone.p) == (change.position, change.p)


def test_shared_change_has_its_chance_and_the_p_of_its_series():
    """A chance of 0.8 or more, though its own series has no p worth a find."""
    judged = detect_together([*nine(), single(NOISY)])[-1]

    assert LEAST_CHANCE <= judged.chances[0] < 1
    assert 0.05 < judged.detection.changes[0].p < 1


def test_missing_version_is_matched_by_place():
    """Without version 3, position 3 is version 4, where the others change."""
    sparse = single([*NOISY[:3], *NOISY[4:]], [0, 1, 2, 4, 5, 6, 7])

    assert [(4, SHARED)] == finds(*nine(), sparse)[-1]


def test_order_of_tests_does_not_matter():
    """The noisy test first, then the others: the same finds."""
    assert [[(4, SHARED)]] + [[(4, OWN)]] * 9 == finds(single(NOISY), *nine())


@pytest.mark.parametrize("factor", [1e-6, 1e9])
def test_scale_does_not_matter(factor):
    """Each test has a unit of its own."""
    scaled = single([factor * value for value in NOISY])

    assert [(4, SHARED)] == finds(*nine(), scaled)[-1]


def test_tests_without_a_model_have_no_part():
    """A constant test, one of two versions and one without values are left alone."""
    others = [single([7.0] * 8), single([1.0, 2.0]), single([np.nan] * 8)]

    found = finds(*nine(), *others, single(NOISY))

    assert [[], [], [], [(4, SHARED)]] == found[9:]


def test_detectors_of_ruptures_take_no_panel():
    """Their changes have neither chance nor p."""
    judged = detect_together([*nine(), single(NOISY)], "kernelcpd")

    assert {OWN} == {whose for one in judged for whose in one.evidence}
    assert all(np.isnan(chance) for one in judged for chance in one.chances)
