"""How long a run will take, said before any was made."""

from __future__ import annotations

import pytest

from benchbook.measure.guess import VECTORS_INDEXED_PER_S, run_seconds
from benchbook.study.cell import Cell, Step
from benchbook.study.drivers import DRIVERS

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("step", ["index", "rebuild:events=1", "build_half:events=1"])
def test_an_index_of_vectors_takes_the_longer_the_more_there_are(step: str):
    """Ten seconds more for ten times as many as are put into one in a second."""
    few, many = (
        Cell("sqlite", (Step.parse(step),), dims=(("vectors", str(number)),))
        for number in (VECTORS_INDEXED_PER_S, 11 * VECTORS_INDEXED_PER_S)
    )
    driver = DRIVERS["sql"]

    assert 10 == pytest.approx(run_seconds(many, driver) - run_seconds(few, driver))


def test_a_search_is_no_index():
    """It takes the seconds that are said."""
    seconds = [
        run_seconds(
            Cell("sqlite", (Step.parse("ef40:seconds=5"),), dims=(("vectors", number),)),
            DRIVERS["sql"],
        )
        for number in ("1000", "100000")
    ]

    assert seconds[0] == seconds[1]


@pytest.mark.parametrize("placement", ["split", "same"])
def test_each_client_loads_rows_of_its_own(placement: str):
    """A server on one CPU takes four times as long for the rows of four clients."""
    steps = (Step.parse("l.i0:rows=170000"), Step.parse("l.x"))
    one, two, four = (
        run_seconds(
            Cell("postgres", steps, dop=dop, placement=placement), DRIVERS["ingest"]
        )
        for dop in (1, 2, 4)
    )

    assert two - one == pytest.approx(1 + 170_000 / 190_000)
    assert four - one == pytest.approx(3 * (two - one))
