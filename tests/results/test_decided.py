"""What a study with `until: decided` has spent, and what it says of its comparisons."""

from pathlib import Path

import pandas as pd
import pytest

from benchbook.results.decided import (
    Spending,
    further_seconds,
    sentence,
    session_times,
    spending,
)
from benchbook.study.drivers import driver_named
from benchbook.study.study import Study

pytestmark = pytest.mark.unit

START = pd.Timestamp("2026-11-23 10:00:00")


def study(budget_s=None, trials=10):
    path = Path("study.yml")
    return Study(
        slug="s", path=path, title="?", template="ab", base={"version": "old"}, cells=(),
        driver=driver_named("ingest", path), trials=trials, until="decided",
        budget_s=budget_s,
    )  # fmt: skip


def runs(*rows):
    """(run_id, trial, second in which it began, seconds)."""
    return pd.DataFrame(
        [
            {"run_id": name, "trial": trial, "elapsed_s": seconds,
             "started": START + pd.Timedelta(seconds=began)}
            for name, trial, began, seconds in rows
        ]
    )  # fmt: skip


TURNS = pd.DataFrame({"run_id": ["a", "b"], "session": "x"})
SPENT = Spending(by_trial={3: 30.0, 4: 40.0}, used_s=40.0, shortest_s=10.0)


def test_a_session_takes_from_the_first_arm_to_the_last():
    """Two arms side by side for 11 s, then a run alone for 5."""
    rows = runs(("a", 1, 0, 10.0), ("b", 1, 1, 10.0), ("c", 2, 60, 5.0))
    spent = spending(session_times(rows, TURNS))

    assert Spending({1: 11.0, 2: 16.0}, 16.0, 5.0) == spent


def test_share_of_a_budget_is_that_of_its_time():
    """30 of 100 s after three loads of at most twenty."""
    shares = SPENT.shares(study(budget_s=100.0, trials=20))

    assert {3: 0.3, 4: 0.4} == shares


def test_share_without_a_budget_is_that_of_the_trials():
    """Three and four of ten loads."""
    assert {3: 0.3, 4: 0.4} == SPENT.shares(study())


def test_the_last_look_may_spend_all_that_is_left():
    """After 40 of 45 s no session of 10 s fits, so nothing is kept for later."""
    assert 1.0 == SPENT.shares(study(budget_s=45.0))[4]
    assert 1.0 == SPENT.shares(study(budget_s=1000.0, trials=4))[4]


def comparisons(*rows):
    columns = ["step", "me", "verdict", "rounds", "further_s"]
    return pd.DataFrame(rows, columns=columns)


def test_sentence_of_what_is_decided_and_what_is_open():
    """The nearest to a decision first, with the time that it takes."""
    table = comparisons(
        ("q", "new", "equivalent", 3, 0.0), ("l", "new", "regressed", 5, 0.0),
        ("r", "new", "undecided", 5, 90.0), ("s", "new", "undecided", 5, float("inf")),
    )  # fmt: skip

    assert (
        "2 of 4 comparisons decided, after 3 to 5 loads (40 s of 1 min 00 s used); open: "
        "r of new (about 1 min 30 s more would decide it), "
        "s of new (its ratio is at the margin, no time decides it)"
    ) == sentence(table, study(budget_s=60.0), SPENT)


def test_what_is_open_takes_another_load_at_least():
    """Known well by Student's t, not yet by the wider bounds of a look."""
    row = {"relative": 1.0, "se": 0.005, "df": 1e9, "rounds": 3, "seconds": 40.0}
    table = pd.DataFrame([row | {"verdict": v} for v in ("undecided", "equivalent")])

    assert [40.0, 0.0] == further_seconds(table, 0.03).tolist()


def test_sentence_when_all_is_decided():
    """Nothing is open."""
    table = comparisons(("q", "new", "equivalent", 3, 0.0))

    assert "1 of 1 comparison decided, after 3 loads" == sentence(table, study(), SPENT)
