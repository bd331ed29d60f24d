"""In which order commits stand, and how that is known."""

import pandas as pd
import pytest

from benchmath.changes.order import in_order, is_numbered, order_of

pytestmark = pytest.mark.unit
JANUARY, FEBRUARY, MARCH = "2024-01-01", "2024-02-01", "2024-03-01"


def rows(**started: str) -> pd.DataFrame:
    """A row per commit, in this order, with its time."""
    pairs = [{"version": name, "started": when} for name, when in started.items()]
    return pd.DataFrame(pairs)


def test_hashes_stand_in_the_order_of_time():
    """Not in that of their letters, in which files lie in a folder."""
    order = order_of(rows(aaaaaaa=MARCH, bbbbbbb=JANUARY, ccccccc=FEBRUARY), "version")

    assert ["bbbbbbb", "ccccccc", "aaaaaaa"] == order.names
    assert "time" == order.how
    assert () == order.notes("version")


def test_numbered_versions_stand_in_their_own_order():
    """Whenever each was measured."""
    frame = rows(**{"10.11": JANUARY, "10.2": FEBRUARY, "10.2-rc1": MARCH})

    assert ["10.2-rc1", "10.2", "10.11"] == order_of(frame, "version").names


def test_what_a_study_lists_comes_first():
    frame = rows(**{"1": "", "2": ""})

    assert ["2", "1"] == order_of(frame, "version", ["3", "2", "1"]).names


def test_commits_without_a_time_are_left_out_by_name():
    """Their place among the others is not known."""
    frame = rows(aaaaaaa=FEBRUARY, bbbbbbb="", ccccccc=JANUARY)
    order = order_of(frame, "version")

    assert ["ccccccc", "aaaaaaa"] == list(in_order(frame, "version", order)["version"])
    note = "1 version without a time, unlike the others, left out: bbbbbbb"
    assert (note,) == order.notes("version")


def test_an_unknown_order_is_said():
    """Hashes without any time stand as the files name them."""
    order = order_of(rows(bbbbbbb="", aaaaaaa=""), "version")

    assert ["bbbbbbb", "aaaaaaa"] == order.names
    assert "the order of version is not known" in order.notes("version")[0]


@pytest.mark.parametrize(
    ("name", "numbered"),
    [("5.6.51", True), ("18devel", True), ("my8036", True), ("c07", True), ("v2", True),
     ("a8948c89", False), ("0316909e000000", False), ("main", False)],
)  # fmt: skip
def test_a_hash_is_no_number(name, numbered):
    assert numbered == is_numbered(name)
