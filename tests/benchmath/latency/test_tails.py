"""The slowest hundredth of all operations, and what of a difference it makes."""

import pandas as pd
import pytest

from benchmath.latency.buckets import bucket_of
from benchmath.latency.tails import tails, tails_beside

pytestmark = pytest.mark.unit

BASE = {"jobs": "2"}


def hist(counts, jobs="2", run="r"):
    """Rows of the view `hists`: operations by nanoseconds."""
    return pd.DataFrame([
        {"run_id": run, "step": "overwrite", "jobs": jobs, "unit": "ns", "sub_bits": 7,
         "bucket": bucket_of(ns), "count": n} for ns, n in counts.items()
    ])  # fmt: skip


def row(frame):
    return tails(frame, ["step", "jobs"]).iloc[0]


def judged(verdict="improved", q=0.01):
    return pd.DataFrame([
        {"step": "overwrite", "jobs": "8", "me": "jobs=8", "relative": 2.0,
         "verdict": verdict, "q": q}
    ])  # fmt: skip


def beside(me, base, **verdict):
    frame = pd.concat([hist(me, "8"), hist(base)], ignore_index=True)
    return tails_beside(tails(frame, ["step", "jobs"]), judged(**verdict), BASE).iloc[0]


def test_mean_is_made_of_the_usual_and_the_slowest():
    """99 of 64 ns and one of 6336 ns: the slowest hundredth is half of all time."""
    cell = row(hist({64: 99, 6336: 1}))

    assert 50.0 == pytest.approx(cell["slowest_pct"], abs=0.3)
    assert cell["slow"] == pytest.approx(cell["mean"] / 2, rel=0.01)
    assert (100, 0.064) == (cell["count"], cell["p50"])


def test_a_bucket_on_the_border_counts_in_part():
    """All 1,000 take 100 ns: the slowest ten have a hundredth of the time."""
    assert 1.0 == pytest.approx(row(hist({100: 1000}))["slowest_pct"])


def test_share_of_the_quick_is_of_operations():
    """Nine of 9 us, one of 1 ms."""
    assert 90.0 == pytest.approx(row(hist({9_000: 9, 1_000_000: 1}))["quick_pct"])


def test_percentiles_have_ten_thousandths():
    """The 9,999th of 10,000 is the last but one."""
    cell = row(hist({10: 9998, 50: 1, 100: 1}))

    assert (0.05, 0.1) == (cell["p9999"], cell["max"])


def test_runs_are_merged():
    """Two of 50 are one of 100."""
    both = row(pd.concat([hist({64: 50}), hist({6336: 50}, run="s")]))

    assert (2, 100) == (both["n"], both["count"])


def test_slowest_explain_what_p50_and_p99_do_not():
    """The usual take as long; without the one slow of a hundred and fifty it is half."""
    found = beside({64: 1500}, {64: 1490, 6400: 10})

    assert bool(found["explained"])
    assert 100.0 == pytest.approx(found["of_slow_pct"], abs=1)


@pytest.mark.parametrize(
    ("me", "verdict"),
    [
        ({32: 1500}, {}),  # p50 halves
        ({64: 1500}, {"verdict": "undecided"}),
        ({64: 1500}, {"q": 0.2}),
    ],
)
def test_else_they_explain_nothing(me, verdict):
    """Where p50 differs too, or the rate has not surely changed."""
    assert not beside(me, {64: 1490, 6400: 10}, **verdict)["explained"]
