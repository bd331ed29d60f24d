"""The order of version strings."""

import pytest

from benchmath.versions import in_version_order, version_key

pytestmark = pytest.mark.unit


def test_the_documented_order():
    """Numbers compare as numbers, and a beta comes before its release."""
    versions = ["18.0", "10.11", "5.7", "18beta1", "8.0", "10.2"]

    expected = ["5.7", "8.0", "10.2", "10.11", "18beta1", "18.0"]
    assert expected == in_version_order(versions)


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("18dev", "18alpha2"),
        ("18alpha2", "18beta1"),
        ("18beta1", "18rc1"),
        ("18rc1", "18"),
        ("18rc2", "18rc10"),
        ("18", "18.0"),
        ("8.0.3-rc", "8.0.3"),
        ("1.0.2", "1.0.2a"),
        ("1.0.2a", "1.0.2b"),
        ("1.0.2z", "1.0.3"),
        ("8.0.36", "8.0.36-28"),
        ("v7.10", "8.0"),
        ("mysql-5.7.44", "8.0.13"),
        ("17.5", "18devel"),
        ("18devel", "18alpha1"),
        ("3.13.0a1", "3.13.0b2"),
        ("3.13.0b2", "3.13.0"),
        ("8.0.0-dmr", "8.0.0"),
        ("1.0-M1", "1.0-M2"),
        ("1.0-M2", "1.0"),
        ("2.0-SNAPSHOT", "2.0-rc1"),
        ("21-ea", "21"),
        ("1.9-nightly", "1.9"),
    ],
)
def test_older_sorts_first(older, newer):
    """Each pair in its order of publication."""
    assert version_key(older) < version_key(newer)


def test_names_without_a_number_sort_as_words():
    """Branches have no number: they sort by name, after every numbered version."""
    assert ["8.0", "main", "trunk"] == in_version_order(["trunk", "8.0", "main"])


def test_separators_do_not_count():
    """8.0.36 and 8_0_36 are one place, and the first given stays first."""
    assert ["8_0_36", "8.0.36", "9"] == in_version_order(["9", "8_0_36", "8.0.36"])
