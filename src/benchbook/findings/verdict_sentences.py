"""The verdicts of what is compared, in one sentence each, and what they claim.

A value is decided where a test shows a change or an equivalence; where none does it
cannot be distinguished from its base, which is said of all such values together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import pandas as pd

from benchbook.finding import Claim, amount, tally
from benchmath.prose import counted, listed, number
from benchmath.ratios.power import ALPHA
from benchmath.ratios.verdicts import CHANGES

NOT_SIGNIFICANT = "not significant"
_SIDES = (
    ("improved", ("faster", "better"), "idxmax"),
    ("regressed", ("slower", "worse"), "idxmin"),
)
_TIMES = 2  # from twice on a gain reads better in times than in percent
_DECIMALS_BELOW = 10  # percent


def announced(rows: pd.DataFrame) -> pd.Series:
    """The verdicts, except of a change that Benjamini-Hochberg calls not significant."""
    withdrawn = rows["verdict"].isin(CHANGES) & (rows["q"] > ALPHA)
    return rows["verdict"].mask(withdrawn, NOT_SIGNIFICANT)


def is_decided(group: pd.DataFrame) -> bool:
    """Does a test of the group show a change, or that there is none?"""
    return bool(group["verdict"].isin([*CHANGES, "equivalent"]).any())


def decided_sentence(group: pd.DataFrame, also: str) -> str:
    """`**9.7** is faster than 5.6 in 2 of 11 tests, most in q (+12% [+8, +16]); ...`.

    ``also`` says what else changed, at the end of the sentence.
    """
    me, base, tests = group["me"].iloc[0], group["base"].iloc[0], len(group)
    count = group["verdict"].value_counts()
    rates = _are_rates(group)
    parts: list[str] = []
    for verdict, words, pick in _SIDES:
        side = group[group["verdict"] == verdict]
        if len(side):
            word = words[0] if rates else words[1]
            extreme = side.loc[getattr(side["relative"], pick)()]
            where = f", {'most in ' * (len(side) > 1)}{extreme['step']} "
            than = "" if parts else f" than {base}"
            share = _share(len(side), tests, bool(parts))
            parts.append(f"{word}{than} {share}{where}({_change(extreme, rates)})")
    if changed := int(count.get("changed", 0)):
        against = "" if parts else f" from {base}"
        parts.append(f"different{against} {_share(changed, tests, bool(parts))}")
    verdicts = [v for v in count.index if v not in CHANGES]
    if not parts:
        same, margin = int(count["equivalent"]), group["margin"].iloc[0]
        parts = [f"equivalent to {base} within {margin:.0%} {_share(same, tests, False)}"]
        verdicts.remove("equivalent")
    said = [f"**{me}** is {', and '.join(parts)}"]
    left = group[group["verdict"].isin(verdicts)]
    said.append(_others(left) if len(left) else "")
    return f"{'; '.join(filter(None, [*said, also]))}."


def undecided_sentence(groups: Sequence[pd.DataFrame], most: int) -> str:
    """`**9.7** cannot be distinguished from 5.6 in any of 6 tests: ...`.

    Of several groups the first ``most`` are named.
    """
    base = groups[0]["base"].iloc[0]
    if len(groups) == 1:
        (group,) = groups
        tests = len(group)
        where = {1: "in the one test", 2: "in either test"}.get(
            tests, f"in any of {tests} tests"
        )
        kinds = _kinds(group)
        if len(kinds) == 1:
            whole = {1: "it", 2: "both"}.get(tests, f"all {tests}")
            kinds = [_is(whole, tests, *_kind(group, group["verdict"].iloc[0]))]
        name = group["me"].iloc[0]
        return f"**{name}** cannot be distinguished from {base} {where}: {listed(kinds)}."
    names = [f"**{group['me'].iloc[0]}**" for group in groups[:most]]
    if len(groups) > most:
        names.append(f"{len(groups) - most} more")
    more = more_runs(pd.concat(groups))
    return f"{listed(names)} cannot be distinguished from {base} in any test{more}."


def claims_of_group(rows: pd.DataFrame, group: pd.DataFrame) -> list[Claim]:
    """What the sentence of one group says, read from all ``rows``."""
    claims = []
    me = str(group["me"].iloc[0])
    for verdict in dict.fromkeys(group["verdict"]):
        whole = bool((group["verdict"] == verdict).all())
        claims.append(
            tally(rows, "judged", {"verdict": str(verdict)}, {"me": me},
                  f"{me} {verdict}", "all" if whole else "")
        )  # fmt: skip
    # What a sentence without a change begins with is not among the others.
    first = CHANGES if group["verdict"].isin(CHANGES).any() else ("equivalent",)
    left = int((~group["verdict"].isin(first)).sum())
    claims.append(Claim(f"{me} others", "rest", count=left, of=len(group)))
    for verdict, _, pick in _SIDES:
        side = group[group["verdict"] == verdict]
        if len(side):
            extreme = side.loc[getattr(side["relative"], pick)()]
            relation = "largest" if pick == "idxmax" else "smallest"
            where = {"me": me, "verdict": verdict}
            claims.append(
                amount(rows, extreme, "relative", "judged", relation, where=where)
            )
    further = group.loc[group["verdict"] == "undecided", "further_runs"].dropna()
    few = further[further > 0]
    for relation, runs in (("smallest", few.min()), ("largest", few.max())):
        if len(few):
            claims.append(Claim(
                f"{me} further runs", relation, int(runs), unit="runs", frame="judged",
                column="further_runs", where={"me": me, "verdict": "undecided"},
            ))  # fmt: skip
    return claims


def _are_rates(group: pd.DataFrame) -> bool:
    """Rates are faster and slower, other metrics better and worse."""
    return "unit" in group and bool(group["unit"].astype(str).str.endswith("/s").all())


def _share(n: int, of: int, again: bool) -> str:
    """`in 2 of 11 tests`; where the number of tests was said before, `in 2`."""
    if n < of:
        return f"in {n}" if again else f"in {n} of {counted(of, 'test')}"
    return {1: "in the one test", 2: "in both tests"}.get(n, f"in all {n} tests")


def _change(row: pd.Series, rates: bool) -> str:
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


def _others(left: pd.DataFrame) -> str:
    """`the other 9 are undecided`; `of the other 9, 4 are undecided and 5 are ...`."""
    kinds = _kinds(left)
    if len(kinds) > 1:
        return f"of the other {len(left)}, {listed(kinds)}"
    whole = "the other one" if len(left) == 1 else f"the other {len(left)}"
    return _is(whole, len(left), *_kind(left, left["verdict"].iloc[0]))


def _kinds(group: pd.DataFrame) -> list[str]:
    """`4 are undecided (...)`, the most frequent verdict first."""
    count = group["verdict"].value_counts()
    return [_is(str(n), int(n), *_kind(group, str(v))) for v, n in count.items()]


def _is(whole: str, n: int, verb: str, words: str) -> str:
    verbs = {"is": ("is", "are"), "has": ("has", "have")}[verb]
    return f"{whole} {verbs[n != 1]} {words}"


def _kind(group: pd.DataFrame, verdict: str) -> tuple[str, str]:
    """Verb and words of a verdict that shows no change."""
    return {
        "equivalent": ("is", f"equivalent within {group['margin'].iloc[0]:.0%}"),
        NOT_SIGNIFICANT: ("is", "not significant after Benjamini-Hochberg"),
        "undecided": ("is", f"undecided{more_runs(group)}"),
        "no interval": ("has", "no interval"),
    }[verdict]


def more_runs(group: pd.DataFrame) -> str:
    """How many further runs per side the undecided ones need, if their runs are few."""
    more = group.loc[group["verdict"] == "undecided", "further_runs"].dropna()
    few = more[more > 0]
    if more.empty:
        return ""
    if few.empty:
        return " (too close to the margin)"
    low, high = int(few.min()), int(few.max())
    span = f"{low}" if low == high else f"{low} to {high}"
    margin = group["margin"].iloc[0]
    return f" ({span} more runs per side would detect a difference of {margin:.0%})"
