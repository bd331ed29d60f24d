"""Did the writers reach their rate?"""

import pandas as pd
import pytest

from benchmath.hazards.writers import service_level

pytestmark = pytest.mark.unit


def step(achieved, target=1000, run_id="r1", op="insert", config="wal"):
    """The three metrics that a rate-limited op leaves in the view."""
    names = {"insert": ("ips", "target_ips"), "delete": ("dps", "target_dps")}[op]
    row = {
        "engine": "sqlite", "config": config, "run_id": run_id, "step": "qr100.L1",
        "op": op, "clock": "", "unit": "rows/s", "direction": "higher", "main": False,
    }  # fmt: skip
    return [
        row | {"metric": names[0], "value": achieved},
        row | {"metric": names[1], "value": target, "direction": "none"},
        row | {"metric": "sla", "value": achieved / target, "unit": "ratio"},
    ]


def level(*steps):
    return service_level(pd.DataFrame([row for rows in steps for row in rows]))


@pytest.mark.parametrize(
    ("achieved", "expected"),
    [(1000, "reached"), (999, "reached"), (950, "reached"), (949, "missed")],
)
def test_a_target_is_reached_from_095_on(achieved, expected):
    """999 of 1000 is the usual value of a satisfied target; below 0.95 it is missed."""
    row = level(step(achieved)).iloc[0]

    assert expected == row["verdict"]
    assert (1000, achieved, achieved / 1000) == tuple(
        row[["target", "achieved", "ratio"]]
    )


def test_the_worst_run_decides():
    """One run of three below the target: missed in 1 of 3 runs, ratio of the worst."""
    row = level(step(1000, run_id="a"), step(500, run_id="b"), step(999, run_id="c"))

    assert "missed in 1 of 3 runs" == row.iloc[0]["verdict"]
    assert 0.5 == row.iloc[0]["ratio"]
    assert 833 == row.iloc[0]["achieved"]


def test_deletes_have_their_own_row():
    """Inserts and deletes of a step are judged apart."""
    table = level(step(1000), step(100, op="delete"))

    assert [("insert", "reached"), ("delete", "missed")] == list(
        zip(table["op"], table["verdict"], strict=True)
    )


def test_steps_without_target_have_no_row():
    """A step without a rate limit gives no row, a frame without any an empty one."""
    load = pd.DataFrame(step(1000)[:1])

    assert service_level(load).empty


def test_target_without_rate_raises():
    """A target whose achieved rate is missing is an error, not a miss."""
    rows = pd.DataFrame([*step(1000), *step(1000, run_id="r2")[1:]])

    with pytest.raises(ValueError, match=r"run r2 step qr100\.L1: no ips or sla"):
        service_level(rows)


def test_different_targets_in_one_cell_raise():
    """Runs of one cell must have been asked for one rate."""
    with pytest.raises(ValueError, match="different values of target_ips"):
        level(step(1000), step(1000, target=2000, run_id="r2"))
