"""The main sentence: one value or forty, all decided, none, and what is missing."""

import re

import pandas as pd
import pytest

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.findings.verdicts import NO_BASE, old_to_new_finding, verdict_finding

pytestmark = pytest.mark.unit

FASTER, SLOWER = ("improved", 1.12, 1.08, 1.16), ("regressed", 0.30, 0.26, 0.34)
TIMES = ("improved", 24.16, 20.91, 27.90)
SAME, OPEN = ("equivalent", 1.0, 0.99, 1.01), ("undecided", 1.03, 0.95, 1.11)
ALONE = ("no interval", 1.5, float("nan"), float("nan"))
LESS = ("changed", 0.9, 0.85, 0.95)


def judged(**tests):
    """Verdict, ratio and interval of each test of each value, against `old`."""
    rows = [
        {"me": me, "base": "old", "step": f"q{chr(97 + i)}", "verdict": verdict,
         "relative": ratio, "low": low, "high": high, "margin": 0.02, "unit": "rows/s",
         "direction": "none" if verdict == "changed" else "higher",
         "further_runs": 9 if verdict == "undecided" else pd.NA,
         "p": float("nan") if low != low else 0.001 if low > 1 or high < 1 else 0.5,
         "q": float("nan") if low != low else 0.004 if low > 1 or high < 1 else 0.5}
        for me, verdicts in tests.items()
        for i, (verdict, ratio, low, high) in enumerate(verdicts)
    ]  # fmt: skip
    return pd.DataFrame(rows)


def verdict_part(finding):
    """The sentence without the last one, once the auditor has nothing to say of it."""
    names = [f"v{i}" for i in range(100)]
    assert [] == claim_contradictions("cell", finding.claims, finding.frames)
    assert [] == list(unborne(finding.data, finding.claims))
    assert [] == unclaimed(finding.data, finding.claims, names)
    return re.split(r" (?=Of \d|No comparison)", finding.data)[0]


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ([FASTER], "is faster than old in the one test, qa (+12% [+8, +16])."),
        ([FASTER, FASTER],
         "is faster than old in both tests, most in qa (+12% [+8, +16])."),
        ([SLOWER] * 3,
         "is slower than old in all 3 tests, most in qa (−70% [−74, −66])."),
        ([TIMES, OPEN, OPEN],
         "is faster than old in 1 of 3 tests, qa (24.2 times as fast [20.9, 27.9]); the "
         "other 2 are undecided (9 more runs per side would detect a difference of 2%)."),
        ([FASTER, SLOWER, SLOWER, SAME],
         "is faster than old in 1 of 4 tests, qa (+12% [+8, +16]), and slower in 2, most "
         "in qb (−70% [−74, −66]); the other one is equivalent within 2%."),
        ([SLOWER, SAME, SAME, ALONE],
         "is slower than old in 1 of 4 tests, qa (−70% [−74, −66]); of the other 3, 2 "
         "are equivalent within 2% and 1 has no interval."),
        ([SAME, SAME], "is equivalent to old within 2% in both tests."),
        ([SAME, ALONE],
         "is equivalent to old within 2% in 1 of 2 tests; the other one has no "
         "interval."),
        ([SAME, SAME, OPEN, OPEN, ALONE],
         "is equivalent to old within 2% in 2 of 5 tests; of the other 3, 2 are "
         "undecided (9 more runs per side would detect a difference of 2%) and 1 has no "
         "interval."),
        ([LESS, SAME],
         "is different from old in 1 of 2 tests; the other one is equivalent within 2%."),
    ],
)  # fmt: skip
def test_sentence_of_a_decided_value(tests, expected):
    """The answer with its number and interval, then what the other tests say."""
    assert f"**v1** {expected}" == verdict_part(verdict_finding(judged(v1=tests)))


@pytest.mark.parametrize(
    ("tests", "expected"),
    [
        ([OPEN], "in the one test: it is undecided (9 more runs per side would detect a "
         "difference of 2%)."),
        ([ALONE] * 2, "in either test: both have no interval."),
        ([ALONE] * 3, "in any of 3 tests: all 3 have no interval."),
        ([OPEN, ALONE, ALONE], "in any of 3 tests: 2 have no interval and 1 is undecided "
         "(9 more runs per side would detect a difference of 2%)."),
    ],
)  # fmt: skip
def test_sentence_of_one_undecided_value(tests, expected):
    """Nothing decided is said of all tests, with the reason."""
    text = verdict_part(verdict_finding(judged(v1=tests)))

    assert f"**v1** cannot be distinguished from old {expected}" == text


def test_change_that_may_be_chance_is_no_change():
    """An interval without 1, but q of 0.2: Benjamini-Hochberg does not call it one."""
    rows = judged(v1=[FASTER, OPEN]).assign(p=[0.1, 0.5], q=[0.2, 0.5])
    text = verdict_finding(rows).data

    assert text.startswith("**v1** cannot be distinguished from old in either test: ")
    assert "1 is not significant after Benjamini-Hochberg" in text


def test_forty_undecided_values_share_a_sentence():
    """Three are named, 37 counted."""
    frame = judged(**{f"v{i}": [OPEN, OPEN] for i in range(40)})

    assert verdict_part(verdict_finding(frame)) == (
        "**v0**, **v1**, **v2** and 37 more cannot be distinguished from old in any test "
        "(9 more runs per side would detect a difference of 2%)."
    )


def test_forty_decided_values_have_three_sentences():
    """Those that differ most; the other 37 are in the table."""
    frame = judged(**{f"v{i}": [FASTER] for i in range(40)})
    text = verdict_part(verdict_finding(frame))

    assert 3 == text.count("is faster than old")
    assert text.endswith("The other 37 are in the table.")


def test_cells_without_a_base_say_nothing():
    """Ratios that are missing are no tests."""
    frame = judged(v1=[FASTER, FASTER])
    frame.loc[0, "relative"] = float("nan")

    assert "in the one test, qb" in verdict_finding(frame).data
    assert NO_BASE == verdict_finding(frame.assign(relative=float("nan"))).data


def test_metric_that_is_no_rate_is_better_or_worse():
    """Milliseconds are not faster."""
    text = verdict_finding(judged(v1=[FASTER]).assign(unit="us/op")).data

    assert text.startswith("**v1** is better than old in the one test")


def test_last_sentence_counts_the_comparisons_of_all_versions():
    """q was adjusted among the six of both versions, not the three of the newest."""
    frame = judged(v1=[FASTER] * 3, v2=[SLOWER, OPEN, OPEN])
    finding = old_to_new_finding(frame, pd.DataFrame())

    assert finding.data.startswith("**v2** is slower than old in 1 of 3 tests")
    assert "Of 6 comparisons of all versions 4 differ from 1 by" in finding.data
    assert [] == claim_contradictions("cell", finding.claims, finding.frames)


def of_versions(low: float, high: float) -> pd.DataFrame:
    """One step of one version that is at half the base's rate, with this interval."""
    frame = judged(v1=[SLOWER])
    return frame.assign(version=frame["me"], relative=0.5, low=low, high=high, q=0.001)


def test_a_version_far_from_the_base_without_a_change_is_said():
    """Ratios and changepoints must not contradict each other in silence."""
    finding = old_to_new_finding(of_versions(0.45, 0.55), pd.DataFrame())

    assert "with no change of level detected on the way: " in finding.data
    assert finding.data.endswith("(v1: 0.50 [0.45, 0.55]).")
    assert [] == claim_contradictions("cell", finding.claims, finding.frames)


def test_a_version_near_the_base_needs_no_change():
    """Nothing to be placed."""
    finding = old_to_new_finding(of_versions(0.45, 0.95), pd.DataFrame())

    assert "on the way" not in finding.data


def test_the_extreme_is_named_with_its_engine_where_several_have_the_step():
    one, other = judged(new=[FASTER]), judged(new=[TIMES])
    rows = pd.concat(
        [one.assign(engine="mysql"), other.assign(engine="postgres")], ignore_index=True
    )
    assert "most in qa postgres (24.2 times" in verdict_finding(rows).data


def test_the_extreme_of_latencies_is_the_shortest():
    """Of 5% and 60% less time the latter is most."""
    near, far = ("improved", 0.95, 0.94, 0.96), ("improved", 0.4, 0.38, 0.42)
    rows = judged(new=[near, far]).assign(direction="lower", unit="ms")

    assert "in both tests, most in qb (−60% [−62, −58])" in verdict_part(
        verdict_finding(rows)
    )
