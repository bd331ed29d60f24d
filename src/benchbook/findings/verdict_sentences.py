"""The verdicts of what is compared, in one sentence each, and what they claim.

A value is decided where a test shows a change or an equivalence; where none does it
cannot be distinguished from its base, which is said of all such values together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchbook.finding import Draft, Row, span
from benchmath.prose import counted, listed, number
from benchmath.ratios.verdicts import (
    CHANGES,
    NOT_SIGNIFICANT,
    Family,
    announced,
    tests_of,
)

_SIDES = (
    ("improved", ("faster", "better")),
    ("regressed", ("slower", "worse")),
)
_TIMES = 2  # from twice on a gain reads better in times than in percent
_DECIMALS_BELOW = 10  # percent


def with_verdicts(judged: pd.DataFrame) -> pd.DataFrame:
    """The rows that have a ratio, with the verdicts that are announced."""
    rows = judged[judged["relative"].notna()]
    return rows.assign(verdict=announced(rows)) if len(rows) else rows


def farthest(rows: pd.DataFrame, verdict: str) -> pd.Series:
    """The row that improved most, or that regressed most, whichever way is better.

    Its ratio is the farthest from 1, so that it is the largest or the smallest too.
    """
    ratios = rows.loc[rows["verdict"] == verdict, "relative"].to_numpy(dtype=float)
    with np.errstate(divide="ignore"):  # of a run of 0
        place = np.abs(np.log(ratios)).argmax()
    return rows[rows["verdict"] == verdict].iloc[place]


def is_decided(group: pd.DataFrame) -> bool:
    """Does a test of the group show a change, or that there is none?"""
    return bool(group["verdict"].isin([*CHANGES, "equivalent"]).any())


def group_sentence(said: Draft, group: pd.DataFrame, also: str = "") -> str:
    """What the verdicts of one compared value are, claimed of ``judged``.

    `**9.7** is faster than 5.6 in 2 of 11 tests, most in q (+12% [+8, +16]); ...`.
    ``also`` says what else changed, at the end of a sentence that tells of a change.
    """
    if not is_decided(group):
        return undecided_sentence(said, [group], 1)
    count = _counts(said, group)
    me, base, tests = group["me"].iloc[0], group["base"].iloc[0], len(group)
    rates, names = _are_rates(group), tests_of(group)
    parts: list[str] = []
    for verdict, words in _SIDES:
        side = group[group["verdict"] == verdict]
        if len(side):
            word = words[0] if rates else words[1]
            extreme = farthest(group, verdict)
            relation = "largest" if extreme["relative"] > 1 else "smallest"
            said.ratio("judged", extreme, relation=relation,
                       where={"me": str(me), "verdict": verdict})  # fmt: skip
            where = f", {'most in ' * (len(side) > 1)}{names[extreme.name]} "
            than = "" if parts else f" than {base}"
            share = _share(len(side), tests, bool(parts))
            parts.append(f"{word}{than} {share}{where}({_change(extreme, rates)})")
    if changed := count.get("changed", 0):
        against = "" if parts else f" from {base}"
        parts.append(f"different{against} {_share(changed, tests, bool(parts))}")
    left = group[~group["verdict"].isin(CHANGES)]
    if not parts:
        same, margin = count["equivalent"], group["margin"].iloc[0]
        parts = [f"equivalent to {base} within {margin:.0%} {_share(same, tests, False)}"]
        left = left[left["verdict"] != "equivalent"]
    others = _others(said, left) if len(left) else ""
    sentences = [f"**{me}** is {', and '.join(parts)}", others, also]
    return f"{'; '.join(filter(None, sentences))}."


def undecided_sentence(said: Draft, groups: Sequence[pd.DataFrame], most: int) -> str:
    """`**9.7** cannot be distinguished from 5.6 in any of 6 tests: ...`.

    Of several groups the first ``most`` are named.
    """
    for group in groups:
        _counts(said, group)
    base = groups[0]["base"].iloc[0]
    if len(groups) == 1:
        (group,) = groups
        tests = len(group)
        where = {1: "in the one test", 2: "in either test"}.get(
            tests, f"in any of {tests} tests"
        )
        whole = {1: "it", 2: "both"}.get(tests, f"all {tests}")
        kinds = _kinds(said, group, whole)
        name = group["me"].iloc[0]
        return f"**{name}** cannot be distinguished from {base} {where}: {listed(kinds)}."
    names = [f"**{group['me'].iloc[0]}**" for group in groups[:most]]
    if len(groups) > most:
        names.append(f"{len(groups) - most} more")
    more = more_runs(said, groups)
    return f"{listed(names)} cannot be distinguished from {base} in any test{more}."


def of_family(said: Draft, every: Family, frame: str = "family", name: str = "") -> str:
    """How many of all comparisons are significant, how many of these may be false."""
    said.claim(f"all{name or every.among}", "significant", every.expected_false,
               count=every.flagged, of=every.tests, frame=frame,
               quantifier="" if every.flagged else "none")  # fmt: skip
    said.given("all", 100 * every.alpha, unit="%")
    said.given("no difference", 1, unit="ratio")
    return every.text


def _counts(said: Draft, group: pd.DataFrame) -> dict[str, int]:
    """How many tests of one compared value have which verdict, and the others."""
    me = str(group["me"].iloc[0])
    count = {
        verdict: said.count("judged", {"verdict": verdict}, {"me": me},
                            f"{me} {verdict}", "all")
        for verdict in dict.fromkeys(map(str, group["verdict"]))
    }  # fmt: skip
    # What a sentence without a change begins with is not among the others.
    first = CHANGES if group["verdict"].isin(CHANGES).any() else ("equivalent",)
    left = int((~group["verdict"].isin(first)).sum())
    said.claim(f"{me} others", "rest", count=left, of=len(group))
    return count


def _are_rates(group: pd.DataFrame) -> bool:
    """Rates are faster and slower, other metrics better and worse."""
    return "unit" in group and bool(group["unit"].astype(str).str.endswith("/s").all())


def _share(n: int, of: int, again: bool) -> str:
    """`in 2 of 11 tests`; where the number of tests was said before, `in 2`."""
    if n < of:
        return f"in {n}" if again else f"in {n} of {counted(of, 'test')}"
    return {1: "in the one test", 2: "in both tests"}.get(n, f"in all {n} tests")


def _change(row: Row, rates: bool) -> str:
    """`+12% [+8, +16]`; `24.2 times as fast [20.9, 27.9]` from twice on."""
    values = [float(row[name]) for name in ("relative", "low", "high")]
    if values[0] >= _TIMES:
        times, low, high = (number(value) for value in values)
        return f"{times} times{' as fast' * rates} [{low}, {high}]"
    decimals = 1 if abs(100 * (values[0] - 1)) < _DECIMALS_BELOW else 0
    share, low, high = (_percent(value, decimals) for value in values)
    return f"{share}% [{low}, {high}]"


def _percent(ratio: float, decimals: int) -> str:
    if math.isinf(ratio):
        return "no bound"
    text = f"{100 * (ratio - 1):+.{decimals}f}"
    return "0" if float(text) == 0 else text.replace("-", "−")


def _others(said: Draft, left: pd.DataFrame) -> str:
    """`the other 9 are undecided`; `of the other 9, 4 are undecided and 5 are ...`."""
    whole = "the other one" if len(left) == 1 else f"the other {len(left)}"
    kinds = _kinds(said, left, whole)
    return f"of {whole}, {listed(kinds)}" if len(kinds) > 1 else kinds[0]


def _kinds(said: Draft, group: pd.DataFrame, whole: str) -> list[str]:
    """`4 are undecided (...)`, the most frequent verdict first; one is the ``whole``."""
    verdicts = group["verdict"].value_counts().index
    return [_is(said, group, v, whole * (len(verdicts) == 1)) for v in verdicts]


def _is(said: Draft, group: pd.DataFrame, verdict: str, whole: str) -> str:
    """`4 are equivalent within 2%`: those with a verdict that shows no change."""
    n = int((group["verdict"] == verdict).sum())
    if verdict == "no interval":
        return f"{whole or n} {'has' if n == 1 else 'have'} no interval"
    words = {
        "equivalent": f"equivalent within {group['margin'].iloc[0]:.0%}",
        NOT_SIGNIFICANT: "not significant after Benjamini-Hochberg",
        "undecided": f"undecided{more_runs(said, [group])}",
    }[verdict]
    return f"{whole or n} {'is' if n == 1 else 'are'} {words}"


def more_runs(
    said: Draft, groups: Sequence[pd.DataFrame], frame: str = "judged", *by: str
) -> str:
    """How many further runs per side the undecided ones need, if their runs are few.

    Groups of a ``frame`` that are told apart ``by`` the compared value, or as said.
    """
    rows = pd.concat(groups)
    more = rows[(rows["verdict"] == "undecided") & rows["further_runs"].notna()]
    few = more[more["further_runs"] > 0]
    if more.empty or few.empty:
        return "" if more.empty else " (too close to the margin)"
    for _, one in few.groupby(list(by or ("me",)), sort=False):
        where = {name: str(one[name].iloc[0]) for name in by or ("me",)}
        who = next(iter(where.values()))
        said.reach(frame, one, "further_runs", f"{who} further runs", unit="runs",
                   where=where | {"verdict": "undecided"})  # fmt: skip
    margin, runs = rows["margin"].iloc[0], span(few["further_runs"])
    return (
        f" ({runs} more {'run' if runs == '1' else 'runs'} per side would detect a "
        f"difference of {margin:.0%})"
    )
