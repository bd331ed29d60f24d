"""Frames of ratios against the runs: geometric means by plain arithmetic, verdicts,
intervals, and what changepoints say of the same versions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import pandas as pd

from benchbook.audit.claims import ALPHA, CHANGES, verdict_of
from benchbook.audit.contradiction import Contradiction
from benchbook.audit.turns import Turns, by_run, turn_ratios_of
from benchmath.frames import label

_CLOSE = 1e-6
_OF_A_STEP = 0.02  # that a step's start and end may make of its throughput
FAR = 0.10  # an interval this far from 1 must have a change of level before it
_NUMBERS = ("value", "main")  # columns of both that say nothing of a cell
_BUILT = ["build_no", "load_no"]


def ratio_contradictions(
    where: str,
    judged: pd.DataFrame,
    metric: pd.DataFrame,
    turns: pd.DataFrame | None = None,
    base: Mapping[str, str] | None = None,
) -> list[Contradiction]:
    """Rows of a frame of ratios that the runs do not bear out, or what took ``turns``."""
    if not {"value", "value_base", "relative", "step", "metric"} <= set(judged.columns):
        return []
    counted = {} if turns is None or turns.empty else by_run(turns)
    contradictions = []
    for _, row in judged.iterrows():
        name = f"{where}: {row.get('me', '')} {row['step']}"
        pairs = _of_row(row, metric, counted, base or {})
        contradictions += [Contradiction(name, *pair) for pair in pairs]
    return contradictions


def _of_row(
    row: pd.Series, metric: pd.DataFrame, turns: Turns, base: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    ratio, low, high = (row[c] for c in ("relative", "low", "high"))
    if pd.isna(ratio):
        return
    whole = row["value"] / row["value_base"]
    counted = _of_counted(row, metric, turns, base) or [whole]
    near = any(_near(ratio, one) for one in counted)
    if not (near or (counted == [whole] and _of_turns(row, whole))):
        yield f"a ratio of {ratio:.4g}", f"{counted[0]:.4g}"
    if pd.notna(low) and not low <= ratio <= high:
        yield f"{ratio:.3g} [{low:.3g}, {high:.3g}]", "an interval without its ratio"
    if "verdict" in row and "margin" in row and not _follows(row):
        yield f"{row['verdict']}", verdict_of(row)
    means = _means(_runs(row, metric))
    if means and not any(_near(row["value"], mean) for mean in means):
        yield f"{row['value']:.4g}", f"{means[0]:.4g}, the geometric mean of its runs"


def _of_counted(
    row: pd.Series, metric: pd.DataFrame, turns: Turns, base: Mapping[str, str]
) -> list[float]:
    """What the rounds give that count; nothing where the row is of no step in turns."""
    if row.get("noise") != "turns" or not turns:
        return []
    bases = metric[(metric["step"] == row["step"]) & (metric["op"] == row["op"])]
    bases = bases[label(bases, list(base)) == row["base"]]  # a row may have its own
    return turn_ratios_of(row, _runs(row, metric), bases, turns)


def _of_turns(row: pd.Series, whole: float) -> bool:
    """Is it a ratio over several steps in turns, near that of the whole steps?

    These hold each step's start and end too, and the cold start of every turn.
    """
    if row.get("noise") != "turns" or pd.isna(row["low"]):
        return False
    half = math.log(row["high"] / row["low"]) / 2
    return abs(math.log(row["relative"] / whole)) <= half + _OF_A_STEP


def _follows(row: pd.Series) -> bool:
    """The verdict of the interval; a change may be called not significant, if it is."""
    if row["verdict"] == "not significant":
        return verdict_of(row) in CHANGES and row["q"] > ALPHA
    return bool(row["verdict"] == verdict_of(row))


def _runs(row: pd.Series, metric: pd.DataFrame) -> pd.DataFrame:
    names = [c for c in row.index if c in metric.columns and c not in _NUMBERS]
    matching = pd.Series(True, index=metric.index)
    for name in names:
        matching &= metric[name].astype(str) == str(row[name])
    return metric[matching]


def _means(runs: pd.DataFrame) -> list[float]:
    """The geometric mean of all runs, of their builds and loads, and of their builds."""
    if runs.empty or not (runs["value"] > 0).all():
        return []
    logs = [math.log(v) for v in runs["value"]]
    means = [math.exp(math.fsum(logs) / len(logs))]
    frame = runs.assign(log=logs)
    for names in (_BUILT, _BUILT[:1], _BUILT[1:]):
        if set(names) <= set(frame.columns):
            means.append(math.exp(frame.groupby(names)["log"].mean().mean()))
    return means


def _near(a: float, b: float) -> bool:
    return abs(a - b) <= _CLOSE * max(abs(a), abs(b))


def unexplained(
    where: str, judged: pd.DataFrame, boundaries: pd.DataFrame, against: Sequence[str]
) -> list[Contradiction]:
    """Versions far from the base in a step of which no change is reported before them.

    ``judged`` in the order of the versions. ``against`` are the (step, version) pairs, as
    `step version`, of which the page says what speaks against a change.
    """
    if "version" not in judged.columns or "q" not in judged.columns:
        return []
    order = list(dict.fromkeys(judged["version"].astype(str)))
    contradictions = []
    for _, row in judged.iterrows():
        far = row["q"] <= 0.05 and (row["high"] < 1 - FAR or row["low"] > 1 + FAR)
        name = f"{row['step']} {row['version']}"
        if not far or name in against:
            continue
        upto = set(order[: order.index(str(row["version"])) + 1])
        if not any(_moves(b, str(row["step"]), upto, order) for _, b in
                   boundaries.iterrows()):  # fmt: skip
            text = f"{row['relative']:.2f} [{row['low']:.2f}, {row['high']:.2f}]"
            contradictions.append(Contradiction(
                where, f"no change of {row['step']} up to {row['version']}",
                f"{text} of the base there",
            ))  # fmt: skip
    return contradictions


def _moves(boundary: pd.Series, step: str, upto: set[str], order: list[str]) -> bool:
    """Does the boundary move the step, at one of these versions or one not listed?"""
    of_step = any(step in str(test).split() for test in boundary["members"])
    return of_step and (str(boundary["at"]) in upto or str(boundary["at"]) not in order)
