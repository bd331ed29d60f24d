"""The first sentence of a post on a workload."""

import pandas as pd

from benchbook.findings.workload import workload_finding


def judged(*steps):
    """One version, half as fast in each step."""
    row = {
        "me": "2", "base": "1", "relative": 0.5, "low": 0.4, "high": 0.6,
        "verdict": "regressed", "margin": 0.02, "further_runs": 0, "p": 0.001,
        "q": 0.001, "detected": True, "unit": "statements/s",
    }  # fmt: skip
    return pd.DataFrame([row | {"step": step} for step in steps])


def suite(*rows):
    """(me, group, relative)"""
    columns = ["me", "step", "group", "relative", "steps", "base", "low", "high"]
    return pd.DataFrame(
        [(me, g, g, r, 2, "1", r - 0.1, r + 0.1) for me, g, r in rows], columns=columns
    )


def test_the_mean_of_all_tests_comes_first():
    """The groups' own means are in a table."""
    means = suite(("2", "point", 0.9), ("2", "suite", 0.5))

    text = workload_finding(judged("a", "b"), means).data

    assert text.startswith(
        "In the geometric mean of 2 tests **2** reaches 0.50 [0.40, 0.60] of the "
        "throughput of 1. **2** is slower than 1 in both tests"
    )


def test_what_differs_most_is_named_first():
    """Of two versions that which is further from the base."""
    means = suite(("2", "suite", 0.9), ("3", "suite", 1.8))

    text = workload_finding(judged("a", "b"), means).data

    assert "tests **3** reaches 1.80 [1.70, 1.90] and **2** 0.90 [0.80, 1.00] of" in text


def test_means_of_several_settings_say_which():
    """One of them without the other's name would be anybody's."""
    means = suite(("2", "suite", 0.5), ("2", "suite", 0.8)).assign(dop=[1, 4])

    text = workload_finding(judged("a", "b"), means).data

    assert "**2** (dop=1) reaches 0.50 [0.40, 0.60] and **2** (dop=4) 0.80" in text


def test_of_versions_the_newest_is_told():
    """8 differs more, and is in the tables."""
    old, new = (judged("a", "b").assign(me=v, version=v) for v in ("8", "9"))
    means = suite(("8", "suite", 0.3), ("9", "suite", 0.5))

    text = workload_finding(pd.concat([old, new]), means).data

    assert "tests **9** reaches 0.50 [0.40, 0.60] and **8** 0.30 [0.20, 0.40] of" in text
    assert "**9** is slower" in text
    assert "**8** is slower" not in text


def test_one_test_has_no_mean():
    """Its own ratio says all."""
    text = workload_finding(judged("a"), suite(("2", "suite", 0.5))).data

    assert text.startswith("**2** is slower than 1 in the one test")
