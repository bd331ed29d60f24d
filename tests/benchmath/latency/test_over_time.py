"""Response times by second, in cells whose counts and shares are worked out by hand."""

import pandas as pd
import pytest

from benchmath.latency.over_time import times_over_time

pytestmark = pytest.mark.unit


def times(*rows: tuple[float, int, int], step: str = "q") -> pd.DataFrame:
    """Rows of the view: second, lower_ns, count."""
    frame = pd.DataFrame(rows, columns=["second", "lower_ns", "count"])
    return frame.assign(step=step)


def test_runs_are_added_up_and_shares_are_of_a_second():
    """1024 to 1279 ns: 3 + 1 of 5 operations in the first second; 80%."""
    table = times_over_time(
        times((1.0, 1024, 3), (1.02, 1024, 1), (1.02, 2048, 1), (2.01, 2048, 7))
    )

    assert [
        ["q", 0, 1, 1.024, 1.28, 4, 80.0],
        ["q", 0, 1, 2.048, 2.56, 1, 20.0],
        ["q", 1, 2, 2.048, 2.56, 7, 100.0],
    ] == table.to_numpy().tolist()


def test_the_moment_after_the_last_second_is_of_that_second():
    """A step of 2 s ends 80 us later, which has a sample of its own."""
    table = times_over_time(times((1.0, 1024, 1), (2.0, 1024, 1), (2.00008, 1024, 1)))

    assert [1, 2] == table["count"].tolist()


def test_a_long_step_has_wider_columns():
    """150 s in columns of 5 s: 30 of them."""
    table = times_over_time(times(*((float(s), 1024, 1) for s in range(1, 151))))

    assert [5] * 30 == table["count"].tolist()
    assert [145, 150] == table.iloc[-1][["begin_s", "end_s"]].tolist()


@pytest.mark.parametrize(
    ("cells", "bounds"),
    [
        (4, [(1.024, 1.28), (1.28, 1.536), (1.536, 1.792), (1.792, 2.048)]),
        (3, [(1.024, 1.536), (1.536, 2.048)]),
        (1, [(1.024, 2.048)]),
    ],
)
def test_too_many_cells_are_merged(cells: int, bounds: list[tuple[float, float]]):
    """Four parts of a doubling become two, then one; nothing is lost."""
    table = times_over_time(
        times((1, 1024, 1), (1, 1280, 1), (1, 1536, 1), (1, 1792, 1)), cells=cells
    )

    assert bounds == list(zip(table["lower_us"], table["upper_us"], strict=True))
    assert 4 == table["count"].sum()


def test_panels_stay_in_the_order_of_the_rows():
    """Steps as they ran, not by name."""
    rows = pd.concat([times((1, 5, 1), step="w"), times((1, 5, 1), step="r")])

    assert ["w", "r"] == times_over_time(rows)["step"].tolist()
