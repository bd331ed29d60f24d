"""How many tests changed over their commits, and which one is the worst off."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, names_as_data
from benchbook.templates.history.analysis import Histories
from benchmath.prose import counted, listed

_KINDS = ("worse", "better", "changed", "not sure")
_WAYS = {"worse": "for the worse", "better": "for the better",
         "changed": "in a metric without direction"}  # fmt: skip


@names_as_data
def history_finding(found: Histories) -> Finding:
    """Of how many tests the level changed, which way, and the worst of them."""
    tests = found.tests
    said = Draft(tests=tests)
    n = said.count("tests", {"changed": "True"}, None, "", "all", "none")
    most = int(tests["commits"].max())
    said.claim("commits", "largest", most, frame="tests", column="commits")
    over = f"over up to {counted(most, found.dimension)}"
    of = counted(len(tests), "test")
    if not n:
        text = f"**No test of {len(tests)} changed** its level for certain {over}."
        return said.finding(f"{text}{_not_sure(said, tests)}")
    kinds = [(said.count("tests", {"kind": kind}, None, kind), kind) for kind in _KINDS]
    ways = [f"{count} {_WAYS[kind]}" for count, kind in kinds if count and kind in _WAYS]
    head = f"**{n} of {of} changed** {over}, {listed(ways)}."
    return said.finding(f"{head} {_worst(said, tests)}{_not_sure(said, tests)}")


def _worst(said: Draft, tests: pd.DataFrame) -> str:
    """The first of the tests, which stand worst first."""
    row = tests[tests["changed"]].iloc[0]
    word = {"worse": "Worst off", "better": "Most changed"}.get(row["kind"], "First")
    keys = ("test",)
    if pd.isna(row["ratio"]):
        amount = said.value("tests", row, "difference", "{:+.4g}".format, keys=keys,
                            interval=False, ends=())  # fmt: skip
        size = f"its level moved by {amount} {row['unit']}"
    else:
        ratio = said.value("tests", row, "ratio", unit="ratio", keys=keys)
        size = f"its level is {ratio} of the one before"
    since = said.value("tests", row, "since", "{:.0f}".format, keys=keys,
                       interval=False, ends=())  # fmt: skip
    when = f", {row['time']}" if row["time"] else ""
    are = "is" if row["since"] == 1 else "are"
    return (
        f"{word} is {row['test']}: {size}, since {row['at']} ({row['commits_between']}"
        f"{when}), and {since} {are} measured from there on."
    )


def _not_sure(said: Draft, tests: pd.DataFrame) -> str:
    n = said.count("tests", {"kind": "not sure"}, None, "unsure")
    if not n:
        return ""
    return f" In {counted(n, 'further test')} the interval of the last change holds 1."
