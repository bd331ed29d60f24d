"""Ratios over all values of a further dimension, and the fewest that are enough."""

import pandas as pd
import pytest
from job_frames import CLIENTS, JOBS, runs

from benchmath.ratios.averaged import averaged_pairs, fewest_enough, values_of

pytestmark = pytest.mark.unit

HIGH = {  # the end of an interval with the verdict
    "improved": 1.3, "regressed": 0.98, "equivalent": 1.01, "slower by chance": 0.99,
    "undecided": 1.1, "no interval": float("nan"),
}  # fmt: skip


def pairs(frame):
    return averaged_pairs(frame, JOBS, CLIENTS)


def answers(verdicts):
    """The answer to verdicts of 4 over 2, 8 over 2 and 8 over 4, with a margin of 2%."""
    rows = [
        {"step": "q", "me": me, "base": base, "verdict": verdict, "relative": relative,
         "high": HIGH[verdict], "margin": 0.02}
        for (me, base, relative), verdict in zip(
            (("4", "2", 1.1), ("8", "2", 1.2), ("8", "4", 1.1)), verdicts, strict=True
        )
    ]  # fmt: skip
    (row,) = fewest_enough(pd.DataFrame(rows)).to_dict("records")
    return row["answer"], row["needed"], row["best"]


def test_pairs_are_more_over_fewer_by_size():
    """10 is more than 9: numbers, not texts; each pair once."""
    table = pairs(runs({"10": 1.0, "9": 1.0, "2": 1.0}))

    assert [("9", "2"), ("10", "2"), ("10", "9")] == list(
        zip(table["me"], table["base"], strict=True)
    )


def test_ratio_is_that_of_geometric_means_over_all_clients():
    """Without noise 1.5 at every number of clients is 1.5 over all four."""
    table = pairs(runs({"2": 1.0, "8": 1.5}, noise=0.0))

    assert [1.5] == [pytest.approx(v) for v in table["relative"]]
    assert ["1, 2, 4, 8"] == list(table["over"])


def test_trials_are_the_repetitions():
    """Three trials of four numbers of clients are three measurements, not twelve."""
    table = pairs(runs({"2": 1.0, "4": 1.0, "8": 1.5}))

    assert {3} == set(table["n"]) == set(table["n_base"])
    assert table["paired"].all()


def test_clients_that_a_cell_lacks_count_for_none():
    """What 8 jobs did with 8 clients nobody knows: 8 clients are left out everywhere."""
    table = pairs(runs({"2": 1.0, "4": 1.1, "8": 1.5}, without=[("8", 8)]))

    assert {"1, 2, 4"} == set(table["over"])
    assert {3} == set(table["n_over"])


def test_one_number_of_jobs_has_no_pair():
    """And an empty frame none either."""
    assert pairs(runs({"2": 1.0})).empty
    assert pairs(runs({"2": 1.0}).head(0)).empty


@pytest.mark.parametrize(
    ("verdicts", "answer"),
    [
        (("equivalent", "regressed", "equivalent"), ("enough", "2", "8")),
        (("improved", "improved", "equivalent"), ("needed", "4", "8")),
        (("improved", "improved", "improved"), ("needed", "8", "8")),
        (("improved", "undecided", "regressed"), ("needed", "4", "4")),
        (("undecided", "improved", "undecided"), ("more", "4", "8")),
        (("improved", "improved", "undecided"), ("more", "4", "8")),
        (("undecided", "undecided", "undecided"), ("open", "2", "8")),
        (("slower by chance", "equivalent", "equivalent"), ("enough", "2", "8")),
        (("undecided", "equivalent", "equivalent"), ("open", "2", "8")),
        (("no interval", "no interval", "no interval"), ("open", "2", "8")),
    ],
)
def test_fewest_that_no_more_surely_beat(verdicts, answer):
    """Verdicts of 4 over 2, 8 over 2 and 8 over 4; what is not decided is open."""
    assert answer == answers(verdicts)


def test_values_are_ordered_by_size_where_they_are_numbers():
    """Else as they come."""
    assert ["2", "9", "10"] == values_of(pd.Series(["10", "2", "9"]))
    assert ["b", "10"] == values_of(pd.Series(["b", "10"]))
