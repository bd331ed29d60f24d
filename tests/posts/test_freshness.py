"""A post, and what Explore shows, is stale when what it is made by has changed."""

from __future__ import annotations

import pytest
from source_imports import SRC, rooms_reached

from benchbook.explore.files import ROOMS
from benchbook.posts.freshness import COLLECTING, SHOWING

pytestmark = pytest.mark.unit

# Where frames come from and where files lie, not what is made of them.
OTHERS = {"digests", "engines", "files", "machine", "measure", "project", "secret",
          "vectors"}  # fmt: skip
# Read by Explore through evidence, which has a digest of its own.
STORED = {"commands", "published", "runs", "sql", "store"}


def rooms(places: tuple[str, ...]) -> set[str]:
    return {p.split("/")[1].removesuffix(".py") for p in places if "/" in p}


def test_every_place_is_there():
    """One that was renamed would be watched no more."""
    places = (*SHOWING, *COLLECTING, *ROOMS)

    assert [] == [place for place in places if not (SRC / place).exists()]


@pytest.mark.slow
def test_what_a_notebook_reaches_is_watched():
    """Every room that templates or `collect` import from."""
    reached = rooms_reached("benchbook.templates", "benchbook.results.collect")

    assert set() == reached - rooms((*SHOWING, *COLLECTING)) - OTHERS


@pytest.mark.slow
def test_what_explore_reaches_is_watched():
    """Every room that makes its figures."""
    assert set() == rooms_reached("benchbook.explore") - rooms(ROOMS) - OTHERS - STORED
