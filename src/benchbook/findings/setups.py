"""Findings on the steadiness of setups as sentences, and their tables' frames.

Frames in, Markdown out; every number is one of a table beside it.
"""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Claim, Finding, amount, chosen, names_as_data, tally
from benchmath.frames import Kind
from benchmath.prose import counted, listed, with_interval
from benchmath.variation.cov import cov_summary
from benchmath.variation.setups import ALL_STEPS

_STEPS = Kind("step_columns", {
    "setups": "count", "median": "CoV", "largest": "CoV", "under": "setups",
    "over": "setups", "unknown": "setups",
})  # fmt: skip
_PAIRS = Kind("paired_columns", {
    "relative": "ratio", "low": "ratio", "high": "ratio", "pairs": "count",
    "lower": "pairs",
})  # fmt: skip


@names_as_data
def setups_finding(
    choice: pd.DataFrame, agreement: pd.DataFrame, limit: float
) -> Finding:
    """How many published cells follow, and which setups keep the limit."""
    good = choice[choice["within"]]
    unlisted = good[~good["listed"]]
    strict = choice[choice["within_corrected"]]
    names = [f"{r.machine} dop {r.dop}" for r in unlisted.itertuples()]
    same = int(agreement["same"].sum())
    cells = f"**{same} of {len(agreement)}** published cells follow from the runs, "
    text = f"{cells}digit for digit. " if len(agreement) else ""
    text += (
        f"**{len(good)} of {len(choice)}** setups "
        f"{'has' if len(good) == 1 else 'have'} a largest CoV of at most {limit:.0%} in "
        "every workload"
    )
    if len(good):
        text += f"; the published list has {int(good['listed'].sum())} of them"
        text += f" and lacks {listed(names)}. " if names else ". "
        text += f"By the corrected CoV {len(strict)} "
        text += "remains" if len(strict) == 1 else "remain"
    text += "."
    claims = [
        tally(agreement, "agreement", {"same": "True"}, subject="cells"),
        tally(choice, "choice", {"within": "True"}, subject="setups"),
        tally(choice, "choice", {"within": "True", "listed": "True"}, subject="listed"),
        tally(choice, "choice", {"within_corrected": "True"}, subject="corrected"),
        Claim("limit", "given", 100 * limit, unit="%"),
        *(Claim(name, "lacks", frame="choice") for name in names),
    ]
    return Finding(text, claims, {"agreement": agreement, "choice": choice})


@names_as_data
def steadiest_finding(
    setups: pd.DataFrame, pooled: pd.DataFrame, needed: pd.DataFrame, effect: float
) -> Finding:
    """Which setup of one machine is steadiest, which keep the limit, and what it takes.

    ``setups`` is the frame of ``kept_limits``, ``pooled`` that of ``pooled_setups`` by
    workload and dop, ``needed`` that of ``runs_of_setups`` with a column for ``effect``.
    """
    ranked = setups.sort_values("largest", kind="stable")
    first, last = ranked.iloc[0], ranked.iloc[-1]
    n, kept = len(setups), int(setups["within"].sum())
    strict, limit = int(setups["within_corrected"].sum()), pooled["limit"].iloc[0]
    text = (
        f"Of {counted(n, 'setup')} of workload and clients **{_setup(first)}** is the "
        f"steadiest: its largest CoV over {counted(int(first['n_steps']), 'step')} is "
        f"{first['largest']:.3f} ({first['worst_step']}). "
    )
    claims = [
        amount(setups, first, "largest", "setups", "smallest", bounds=("", "")),
        amount(setups, first, "n_steps", "setups", unit="steps", bounds=("", "")),
        Claim("setups", "rows", count=n, frame="setups"),
        tally(setups, "setups", {"within": "True"}, subject="within"),
        tally(setups, "setups", {"within_corrected": "True"}, subject="corrected"),
        Claim("limit", "given", 100 * limit, unit="%"),
    ]
    if n > 1:
        text += (
            f"The least steady is {_setup(last)} with {last['largest']:.3f} "
            f"({last['worst_step']}). "
        )
        claims.append(
            amount(setups, last, "largest", "setups", "largest", bounds=("", ""))
        )
    text += (
        f"As published, by the stddev that divides by n, {kept} of {n} "
        f"{'keeps' if kept == 1 else 'keep'} the limit of {limit:.0%}; by the corrected "
        f"CoV {strict} {'does' if strict == 1 else 'do'}."
    )
    parts = [Finding(text, claims, {"setups": setups})]
    parts += [_apart(pooled)] if n > 1 else []
    parts.append(_needed(needed, setups, effect))
    return Finding(
        " ".join(str(part.data) for part in parts),
        [claim for part in parts for claim in part.claims],
        {name: frame for part in parts for name, frame in part.frames.items()},
    )


def _setup(row: pd.Series) -> str:
    return f"{row['workload']} dop {row['dop']}"


def _apart(pooled: pd.DataFrame) -> Finding:
    """Whether the steps of the quietest and of the noisiest setup together differ."""
    ranked = pooled.sort_values("cov", kind="stable")
    quiet, noisy = ranked.iloc[0], ranked.iloc[-1]
    apart = bool(quiet["high"] < noisy["low"])
    shown = [
        with_interval(f"{row['cov']:.1%}", row["low"], row["high"], "{:.1%}".format)
        for row in (quiet, noisy)
    ]
    text = (
        f"All its steps together, {_setup(quiet)} has the smallest CoV, {shown[0]}, and "
        f"{_setup(noisy)} the largest, {shown[1]}: "
        f"{'the intervals do not overlap' if apart else 'the intervals overlap'}."
    )
    limits = {"high": noisy["low"]} if apart else {"low": noisy["low"]}
    claims = [
        amount(pooled, quiet, "cov", "pooled", "smallest"),
        amount(pooled, noisy, "cov", "pooled", "largest"),
        Claim(
            _setup(quiet), "premise", **limits, frame="pooled", column="high",
            rows={"workload": str(quiet["workload"]), "dop": str(quiet["dop"])},
        ),
    ]  # fmt: skip
    return Finding(text, claims, {"pooled": pooled})


def _needed(needed: pd.DataFrame, setups: pd.DataFrame, effect: float) -> Finding:
    """Runs of each side that show ``effect`` in the noisiest step of each setup."""
    column = f"{100 * effect:g}%"
    said, claims = [], []
    for row in setups.to_dict("records"):
        keys = {k: str(row[k]) for k in ("workload", "dop")}
        runs = int(chosen(needed, keys)[column].max())
        said.append(f"{runs} with {keys['workload']} dop {keys['dop']}")
        claims.append(
            Claim(f"{keys['workload']} dop {keys['dop']}", "largest", runs, unit="runs",
                  frame="needed", column=column, where=keys)
        )  # fmt: skip
    text = (
        f"To find a difference of {column} in its noisiest step with 80% power takes so "
        f"many runs of each side: {listed(said)}."
    )
    claims += [
        Claim("asked", "given", 100 * effect, unit="%"),
        Claim("power", "given", 80, unit="%"),
    ]
    return Finding(text, claims, {"needed": needed})


@names_as_data
def paired_finding(paired: pd.DataFrame, base: str, other: str) -> Finding:
    """Whether setups with ``other`` are noisier than their partners with ``base``."""
    if paired.empty:
        return Finding(f"No two setups differ in {base} and {other} alone.")
    parts = []
    for row in paired[paired["step"] == ALL_STEPS].to_dict("records"):
        ratio = with_interval(f"{row['relative']:.2f}", row["low"], row["high"])
        if pd.isna(row["low"]):
            parts.append(
                f"**{row['me']}** has {ratio} times the CoV with {other} in "
                f"{counted(row['n'], 'pair')} of setups, without an interval"
            )
            continue
        difference = (
            f"less variance with {other} than with {base}" if row["high"] < 1
            else f"more variance with {other} than with {base}" if row["low"] > 1
            else f"no detectable difference between {other} and {base}"
        )  # fmt: skip
        parts.append(
            f"**{row['me']}** shows {difference} ({ratio} times the CoV, "
            f"{counted(row['n'], 'pair')} of setups)"
        )
    single = paired[paired["step"] != ALL_STEPS]
    sure = single[(single["low"] > 1) | (single["high"] < 1)]
    named = [f"{r.me} {r.step} {r.relative:.2f}" for r in sure.itertuples()]
    text = (
        f"{'; '.join(parts)}. Of {counted(len(single), 'single step')}, {len(sure)} "
        f"{'has' if len(sure) == 1 else 'have'} an interval that excludes 1"
        f"{f' ({listed(named)})' if named else ''}; by chance alone one in twenty would."
    )
    if len(single) == 1:
        whether = "excludes" if named else "does not exclude"
        text = f"{'; '.join(parts)}. The interval of its one step {whether} 1."
    every = paired[paired["step"] == ALL_STEPS]
    claims = [amount(paired, r, "relative", "paired") for _, r in every.iterrows()]
    claims += [
        amount(paired, r, "n", "paired", unit="pairs") for _, r in every.iterrows()
    ]
    claims += [amount(paired, r, "relative", "paired") for _, r in sure.iterrows()]
    claims.append(
        Claim("interval", "excludes 1", count=len(sure), of=len(single), frame="single")
    )
    return Finding(text, claims, {"paired": paired, "single": single})


def paired_columns(paired: pd.DataFrame) -> pd.DataFrame:
    """The frame of ``paired_cov`` as a table shows it."""
    names = {"me": "workload", "n": "pairs"}
    table = paired.rename(columns=names)
    return _PAIRS.of(table, ["workload", "step"])


def chosen_setups(choice: pd.DataFrame) -> pd.DataFrame:
    """The setups that keep the limit, as a table shows them: CoVs with 3 decimals."""
    good = choice[choice["within"]]
    marks = {True: "listed", False: "qualifies, not listed"}
    rule = {True: "within", False: "above"}
    numbers = good.drop(columns=["within", "within_corrected", "listed"])
    cells = numbers.map(lambda v: f"{v:.3f}" if isinstance(v, float) else v)
    return cells.assign(
        **{"corrected rule": good["within_corrected"].map(rule)},
        published=good["listed"].map(marks),
    )


def step_columns(cov: pd.DataFrame) -> pd.DataFrame:
    """How noisy each step of each workload is over all setups, as a table shows it."""
    steps = cov_summary(cov, ["workload", "step"])
    return _STEPS.shown(steps.drop(columns="n").rename(columns={"cells": "setups"}))


def pooled_columns(pooled: pd.DataFrame, by: str = "machine") -> pd.DataFrame:
    """The frame of ``pooled_setups``, one row per server, or ``by``."""
    texts = [
        with_interval(f"{row['cov']:.3f}", row["low"], row["high"], "{:.3f}".format)
        for row in pooled.to_dict("records")
    ]
    table = pooled[[by]].drop_duplicates()
    for workload, rows in pooled.assign(text=texts).groupby("workload", sort=False):
        names = {"text": str(workload), "verdict": f"{workload} verdict"}
        own = rows[[by, "text", "verdict"]].rename(columns=names)
        table = table.merge(own, on=by, how="left")
    return table


def chance_columns(chance: pd.DataFrame) -> pd.DataFrame:
    """The frame of ``chance_to_pass`` as texts in percent."""
    percentages = chance.map(lambda share: f"{share:.1%}")
    return percentages.rename(columns={"true_cov": "true CoV"})


@names_as_data
def reach_of_cov(cov: pd.DataFrame) -> Finding:
    """How far the interval of one CoV of so few runs reaches, and what it decides."""
    covs = cov[cov["cov"].notna()]
    if covs.empty:
        return Finding("No cell was run twice, so no CoV has an interval.")
    runs = int(covs["n"].median())
    same = covs[covs["n"] == runs]
    low, high = (
        (same["low"] / same["cov"]).median(),
        (same["high"] / same["cov"]).median(),
    )
    under = int(covs["verdict"].str.startswith("under").sum())
    over = int(covs["verdict"].str.startswith("over").sum())
    limit, cells = covs["limit"].iloc[0], counted(len(covs), "cell")
    text = (
        f"From {counted(runs, 'run')} the 95% interval of a CoV reaches from {low:.2f} "
        f"to {high:.1f} times the CoV (n - 1). By these intervals {under} of {cells} "
        f"{'is' if under == 1 else 'are'} under {limit:.0%}, {over} over it and "
        f"{len(covs) - under - over} undecided."
    )
    claims = [
        Claim("cov", "begins with", count=under, of=len(covs), frame="cov",
              column="verdict", where={"verdict": "under"}),
        Claim("cov", "begins with", count=over, of=len(covs), frame="cov",
              column="verdict", where={"verdict": "over"}),
        Claim("cov", "rest", count=len(covs) - under - over, of=len(covs), frame="cov"),
        Claim("runs", "median", runs, frame="cov", column="n"),
        Claim("reach", "given", float(low)), Claim("reach", "given", float(high)),
        Claim("limit", "given", 100 * float(limit), unit="%"),
        Claim("interval", "given", 95, unit="%"), Claim("n - 1", "given", 1),
    ]  # fmt: skip
    return Finding(text, claims, {"cov": covs})
