"""The clause of a sentence that says what else changed."""

import pandas as pd

from benchbook.findings.causes import clause
from benchbook.findings.verdicts import changes_finding, verdict_finding
from benchmath.costs.causes import COLUMNS


def changed(*rows, me="2"):
    """(kind, name, base, value, origin)"""
    return pd.DataFrame([(me, *row) for row in rows], columns=list(COLUMNS))


def setting(name, origin="set"):
    return ("setting", name, "1G", "4G", origin)


BUILD = ("build", "build", "gcc", "clang", "set")


def judged():
    row = {
        "me": "2", "base": "1", "step": "l.i0", "relative": 2.0, "low": 1.9, "high": 2.1,
        "verdict": "improved", "margin": 0.02, "further_runs": 0, "p": 0.001, "q": 0.001,
        "detected": True,
    }  # fmt: skip
    return pd.DataFrame([row])


def test_nothing_else_changed():
    """No clause, with and without a frame; a default of the version is none."""
    assert ["", "", ""] == [
        clause(None), clause(changed()), clause(changed(setting("a", "default")), "2")
    ]  # fmt: skip


def test_settings_are_another_config():
    """Named with both values."""
    assert " (with another config: a 1G → 4G)" == clause(changed(setting("a")), "2")


def test_three_are_named_and_the_rest_counted():
    """Of five settings two are in the settings table."""
    rows = changed(*(setting(n) for n in "abcde"))

    assert clause(rows).endswith("c 1G → 4G and 2 more in the settings table)")


def test_config_and_build_are_two_parts():
    """What else changed besides the config follows it."""
    text = " (with another config: a 1G → 4G; what else changed: build gcc → clang)"

    assert text == clause(changed(BUILD, setting("a")), "2")


def test_gain_and_what_else_changed_stand_in_one_sentence():
    """The version is not named alone."""
    text = verdict_finding(judged(), changed(setting("a"))).data

    assert text.startswith(
        "**2** is better than 1 in the one test, l.i0 (2 times [1.90, 2.10]); with "
        "another config: a 1G → 4G."
    )


def test_boundary_says_what_changed_there():
    """By the two versions of the boundary."""
    one = {"boundary": "1→2", "after": "1", "at": "2", "hit": 1, "of": 1, "shared": 0}
    one |= {"up": 1, "down": 0, "median": 50.0}

    found = changes_finding(pd.DataFrame([one]), changed(BUILD, me="1→2")).data

    assert (
        "The level changes at **1→2** in 1 of 1 test, median +50% "
        "(what else changed: build gcc → clang)."
    ) == found
