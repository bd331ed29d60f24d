"""Findings on the steadiness of setups as sentences, and their tables' frames.

Frames in, Markdown out; every number is one of a table beside it.
"""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, Row, chosen, names_as_data
from benchbook.findings.variation import by_verdict
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
    said = Draft(agreement=agreement, choice=choice)
    good = choice[choice["within"]]
    lacks = [f"{r.machine} dop {r.dop}" for r in good[~good["listed"]].itertuples()]
    same, kept, on_list, strict = (
        said.count(frame, dict.fromkeys(columns, "True"), None, subject)
        for frame, subject, *columns in (
            ("agreement", "cells", "same"), ("choice", "setups", "within"),
            ("choice", "listed", "within", "listed"),
            ("choice", "corrected", "within_corrected"),
        )
    )  # fmt: skip
    for name in lacks:
        said.claim(name, "lacks", frame="choice")
    text = ""
    if len(agreement):
        text = (
            f"**{same} of {len(agreement)}** published cells follow from the runs, digit "
            "for digit. "
        )
    text += (
        f"**{kept} of {len(choice)}** setups {'has' if kept == 1 else 'have'} a largest "
        f"CoV of at most {said.share('limit', limit)} in every workload"
    )
    if kept:
        text += f"; the published list has {on_list} of them"
        text += f" and lacks {listed(lacks)}. " if lacks else ". "
        text += f"By the corrected CoV {counted(strict, 'remains', 'remain')}"
    return said.finding(f"{text}.")


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
    said = Draft(setups=setups, pooled=pooled, needed=needed)
    n, limit = len(setups), said.share("limit", pooled["limit"].iloc[0])
    said.claim("setups", "rows", count=n, frame="setups")
    kept, strict = (
        said.count("setups", {column: "True"}, None, column.removeprefix("within_"))
        for column in ("within", "within_corrected")
    )
    steps = said.value("setups", first, "n_steps", lambda n: counted(int(n), "step"),
                       "steps", ends=())  # fmt: skip
    parts = [
        f"Of {counted(n, 'setup')} of workload and clients **{_setup(first)}** is the "
        f"steadiest: its largest CoV over {steps} is {_largest(said, first, 'smallest')}."
    ]
    if n > 1:
        most = _largest(said, last, "largest")
        parts.append(f"The least steady is {_setup(last)} with {most}.")
    parts.append(
        f"As published, by the stddev that divides by n, {kept} of {n} "
        f"{'keeps' if kept == 1 else 'keep'} the limit of {limit}; by the corrected "
        f"CoV {counted(strict, 'does', 'do')}."
    )
    parts += [_apart(said, pooled)] if n > 1 else []
    return said.finding(" ".join([*parts, _needed(said, setups, effect)]))


def _setup(row: Row) -> str:
    return f"{row['workload']} dop {row['dop']}"


def _largest(said: Draft, row: Row, relation: str) -> str:
    """`0.012 (q)`"""
    cov = said.value("setups", row, "largest", "{:.3f}".format, "ratio",
                     relation=relation, ends=())  # fmt: skip
    return f"{cov} ({row['worst_step']})"


def _apart(said: Draft, pooled: pd.DataFrame) -> str:
    """Whether the steps of the quietest and of the noisiest setup together differ."""
    ranked = pooled.sort_values("cov", kind="stable")
    quiet, noisy = ranked.iloc[0], ranked.iloc[-1]
    apart = bool(quiet["high"] < noisy["low"])
    least, most = (
        said.value("pooled", row, "cov", "{:.1%}".format, "ratio", relation=relation)
        for row, relation in ((quiet, "smallest"), (noisy, "largest"))
    )
    said.claim(
        _setup(quiet), "premise", **{"high" if apart else "low": noisy["low"]},
        frame="pooled", column="high",
        rows={"workload": str(quiet["workload"]), "dop": str(quiet["dop"])},
    )  # fmt: skip
    return (
        f"All its steps together, {_setup(quiet)} has the smallest CoV, {least}, and "
        f"{_setup(noisy)} the largest, {most}: the intervals {'do not ' * apart}overlap."
    )


def _needed(said: Draft, setups: pd.DataFrame, effect: float) -> str:
    """Runs of each side that show ``effect`` in the noisiest step of each setup."""
    column, parts = f"{100 * effect:g}%", []
    for row in setups.to_dict("records"):
        keys = {k: str(row[k]) for k in ("workload", "dop")}
        runs = int(chosen(said.frames["needed"], keys)[column].max())
        said.claim(_setup(row), "largest", runs, unit="runs", frame="needed",
                   column=column, where=keys)  # fmt: skip
        parts.append(f"{runs} with {_setup(row)}")
    said.share("asked", effect)
    return (
        f"To find a difference of {column} in its noisiest step with "
        f"{said.share('power', 0.8)} power takes so many runs of each side: "
        f"{listed(parts)}."
    )


@names_as_data
def paired_finding(paired: pd.DataFrame, base: str, other: str) -> Finding:
    """Whether setups with ``other`` are noisier than their partners with ``base``."""
    if paired.empty:
        return Finding(f"No two setups differ in {base} and {other} alone.")
    single = paired[paired["step"] != ALL_STEPS]
    said, parts, named = Draft(paired=paired, single=single), [], []
    for _, row in paired[paired["step"] == ALL_STEPS].iterrows():
        times = said.ratio("paired", row, "{:.2f}".format)
        pairs = said.value("paired", row, "n", lambda n: counted(int(n), "pair"), "pairs",
                           interval=False)  # fmt: skip
        if pd.isna(row["low"]):
            parts.append(
                f"**{row['me']}** has {times} times the CoV with {other} in {pairs} of "
                "setups, without an interval"
            )
            continue
        difference = (
            f"less variance with {other} than with {base}" if row["high"] < 1
            else f"more variance with {other} than with {base}" if row["low"] > 1
            else f"no detectable difference between {other} and {base}"
        )  # fmt: skip
        parts.append(
            f"**{row['me']}** shows {difference} ({times} times the CoV, {pairs} of "
            "setups)"
        )
    for _, row in single[(single["low"] > 1) | (single["high"] < 1)].iterrows():
        times = said.ratio("paired", row, "{:.2f}".format, interval=False)
        named.append(f"{row['me']} {row['step']} {times}")
    sure = len(named)
    said.claim("interval", "excludes 1", count=sure, of=len(single), frame="single")
    text = (
        f"Of {counted(len(single), 'single step')}, {counted(sure, 'has', 'have')} an "
        f"interval that excludes 1{f' ({listed(named)})' if named else ''}; by chance "
        "alone one in twenty would."
    )
    if len(single) == 1:
        whether = "excludes" if named else "does not exclude"
        text = f"The interval of its one step {whether} 1."
    return said.finding(f"{'; '.join(parts)}. {text}")


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
    low, high = (float((same[end] / same["cov"]).median()) for end in ("low", "high"))
    said = Draft(cov=covs)
    under, over, rest = by_verdict(said, "cov", covs)
    said.claim("cov", "rest", count=rest, of=len(covs), frame="cov")
    said.claim("runs", "median", runs, frame="cov", column="n")
    said.given("reach", low, high)
    said.given("n - 1", 1)
    limit = said.share("limit", covs["limit"].iloc[0])
    return said.finding(
        f"From {counted(runs, 'run')} the {said.share('interval', 0.95)} interval of a "
        f"CoV reaches from {low:.2f} to {high:.1f} times the CoV (n - 1). By these "
        f"intervals {under} of {counted(len(covs), 'cell')} "
        f"{'is' if under == 1 else 'are'} under {limit}, {over} over it and {rest} "
        "undecided."
    )
