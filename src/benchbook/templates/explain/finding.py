"""Why a step is slower, in a sentence each: what the machine's side says, or that it does
not say.

Frames in, Markdown out; every number in a sentence is a cell of a table beside it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from benchbook.finding import Draft, Finding, Row, chosen, names_as_data, sure
from benchbook.findings.causes import beside, clause
from benchbook.results.results import Results
from benchmath.costs.cpu import PER_OP, PROCESSES, REST, SPLIT, USED, WHOLE
from benchmath.costs.explanation import Explanation, explanation, of_step, slower
from benchmath.frames import METRIC, names_of_tests
from benchmath.prose import (
    counted,
    interval,
    listed,
    signed,
    two_digits,
    unsure,
    with_interval,
)

OPERATIONS = {
    "insert": "insert", "delete": "delete", "query": "query", "index": "row indexed",
    "scan": "scan", "bytes": "repetition",
}  # fmt: skip
# What a cost per operation is called in a sentence; others are in the table only.
COST_WORDS = {
    "cs_o": "context switches", "r_o": "reads of the device",
    "w_o": "writes to the device", "wkb_o": "KB written", "log_bytes_o": "bytes of log",
    "log_r_o": "reads of the log's device",
    "flushes_o": "flushes", "instructions_o": "instructions",
}  # fmt: skip
NOT_SLOWER = "No step regressed against the base."
_MOST_PARTS, _MOST_COSTS = 3, 3
_TIMES = 2  # from there on a ratio is told in times
_WAITED = 0.1  # of the loss, to be told


def explain(results: Results, frames: pd.DataFrame | None = None) -> Explanation:
    """``explanation`` of a study; ``frames`` are what ``explained`` gives."""
    own = results.runs[results.runs["run_id"].isin(results.metric["run_id"])]
    metric, base = results.metric, results.base
    return explanation(metric, own, base, frames, results.aa, results.counted)


@names_as_data
def explanation_finding(
    explained: Explanation,
    judged: pd.DataFrame | None = None,
    changed: pd.DataFrame | None = None,
    most: int = 6,
) -> Finding:
    """One sentence for each step that regressed, those that lost most first.

    ``judged`` is the frame of ``verdicts`` that says which steps regressed; without it
    those count whose interval lies below 1. ``changed``, the frame of
    ``costs.causes.differences``, has what else changed. At most ``most`` get one.
    """
    split = explained.split
    split = split.assign(test=names_of_tests(split, SPLIT, ["part", "me"]))
    worse = slower(replace(explained, split=split), judged)
    worse = worse.sort_values("relative", kind="stable")
    said = Draft(
        worse=worse, split=explained.split, parts=explained.parts, costs=explained.costs,
        frames=explained.frames,
    )  # fmt: skip
    if worse.empty:
        said.claim("no step", "none", count=0, quantifier="none", frame="worse")
        return said.finding(NOT_SLOWER)
    parts = [
        _sentence(said, row, clause(changed, str(row["me"])))
        for row in worse.head(most).to_dict("records")
    ]
    rest = max(len(worse) - most, 0)
    said.given("others", rest)
    if rest:
        are = "is" if rest == 1 else "are"
        parts.append(f"{counted(rest, 'further regression')} {are} in the tables.")
    return beside(said.finding("\n\n".join(parts)), changed)


def _sentence(said: Draft, rate: Row, also: str) -> str:
    """Claims every row that it is read from."""
    said.ratio("worse", rate)
    split, of_costs, of_whole = (
        _like(said, rate, *of)
        for of in (("split", "relative", "ratio"), ("costs", "relative", "ratio"),
                   ("parts", "diff", "us"))
    )  # fmt: skip
    functions = _same_cell(said.frames["frames"], rate)
    for _, row in (sure(functions) if len(functions) else functions).iterrows():
        said.value("frames", row, "difference", two_digits, "us")
    head = f"**{rate['test']}** is {_loss(rate)} with {rate['me']}{also} than with "
    head += str(rate["base"])
    terms = {str(row["part"]): row for row in split}
    if USED not in terms:
        return f"{head}; the CPU it used was not recorded."
    used, each = terms[USED], terms[PER_OP]
    operation = OPERATIONS.get(str(rate.get("op", "")), "operation")
    costs = _costs(of_costs, operation)
    if pd.isna(used["detected"]) or pd.isna(each["detected"]):
        return f"{head}; without repeated runs its cause stays open."
    if not _true(used["detected"]) and not _true(each["detected"]):
        text = (
            f"{head}, and CPU does not explain it: neither the CPU used per second "
            f"({_percent(used)}) nor that per {operation} ({_percent(each)}) differs "
            "detectably"
        )
        return f"{text}; {costs}." if costs else f"{text}, nor does any other cost."
    who = used["cpu"] if used["cpu"] == PROCESSES else f"the {used['cpu']}"
    text = f"{head}: {who} used {_amount(used, 'CPU per second')}"
    text += f" and {_amount(each, f'CPU per {operation}')}"
    if _true(each["detected"]):
        text += _parts(of_whole) + _frame(functions)
    if _true(used["detected"]) and _part_of(used, rate) > _WAITED:
        text += "; the time without CPU is waiting: for devices, locks or other processes"
    return f"{text}; {costs}." if costs else f"{text}."


def _part_of(used: Row, rate: Row) -> float:
    """Which part of the loss is CPU that was not used, on logarithms."""
    lost = np.log(rate["relative"])
    return float(np.log(used["relative"]) / lost) if lost else 0.0


def _loss(rate: Row) -> str:
    """`14% slower [9, 18]`."""
    word = "slower" if rate["relative"] < 1 else "faster"
    return f"{_share(rate)}% {word} {_share_bounds(rate)}".rstrip()


def _amount(row: Row, what: str) -> str:
    """`as much CPU (~ 0% [-1, 1])`, `16% [12, 20] more CPU`, `3 times [2, 4] the CPU`."""
    if not _true(row["detected"]):
        return f"as much {what} ({_percent(row)})"
    if row["relative"] >= _TIMES:
        return f"{_times(row)} the {what}"
    fewer = "less" if what.startswith("CPU") else "fewer"
    word = "more" if row["relative"] > 1 else fewer
    return f"{_share(row)}% {_share_bounds(row)} {word} {what}"


def _share(row: Row) -> str:
    return two_digits(100 * abs(row["relative"] - 1))


def _share_bounds(row: Row) -> str:
    low, high = sorted(100 * abs(row[side] - 1) for side in ("low", "high"))
    return interval(low, high, two_digits)


def _percent(row: Row) -> str:
    """`~ +0.3% [-1, 1.6]`: the tilde says that the interval holds 0."""
    value, low, high = (100 * (row[c] - 1) for c in ("relative", "low", "high"))
    share = unsure(f"{signed(value)}%", _true(row["detected"]))
    return with_interval(share, low, high, two_digits)


def _times(row: Row) -> str:
    """`3 times [2.9, 3.1]`"""
    times = f"{two_digits(row['relative'])} times"
    return with_interval(times, row["low"], row["high"], two_digits)


def _parts(rows: Sequence[Row]) -> str:
    """The whole in microseconds, and the parts that moved with it."""
    parts = {str(row["part"]): row for row in rows if row["part"] != REST}
    whole = parts.pop(WHOLE, None)
    if whole is None:
        return ""
    with_it = [
        row
        for row in parts.values()
        if _true(row["detected"]) and row["diff"] * whole["diff"] > 0
    ]
    with_it.sort(key=lambda row: -abs(row["diff"]))
    moved = [f"{row['part']} {_us(row)}" for row in with_it[:_MOST_PARTS]]
    return f" ({_us(whole)})" + (f", of which {listed(moved)}" if moved else "")


def _us(row: Row) -> str:
    return with_interval(f"{signed(row['diff'])} µs", row["low"], row["high"], two_digits)


def _frame(functions: pd.DataFrame) -> str:
    """The function whose time grew most, of those whose interval excludes 0."""
    if functions.empty:
        return ""
    detected = sure(functions)
    detected = detected[(detected["difference"] > 0) & (detected["unit"] == "us")]
    if detected.empty:
        return "; no function in the profiles accounts for it"
    row = detected.loc[detected["difference"].idxmax()]
    cost = f"{two_digits(row['difference'])} µs"
    cost = with_interval(cost, row["low"], row["high"], two_digits)
    return f"; `{row['frame']}` explains {cost} of it"


def _costs(rows: Sequence[Row], operation: str) -> str:
    """Costs besides CPU that differ detectably, those that differ most first."""
    rows = [
        row
        for row in rows
        if row["metric"] in COST_WORDS and _true(row["detected"]) and row["relative"] > 0
    ]
    rows.sort(key=lambda r: -max(r["relative"], 1 / r["relative"]))
    words = [_amount(r, COST_WORDS[r["metric"]]) for r in rows[:_MOST_COSTS]]
    return f"per {operation} there were {listed(words)}" if words else ""


def _like(said: Draft, rate: Row, name: str, column: str, unit: str) -> list[Row]:
    """The rows of a frame that belong to the same cell of the same step."""
    own = _same_cell(said.frames[name], rate).to_dict("records")
    for row in own:
        said.value(name, row, column, two_digits, unit)
    return own


def _same_cell(frame: pd.DataFrame, rate: Row) -> pd.DataFrame:
    """Its rows of the step, the compared value, and every dimension that it has."""
    rows = of_step(frame, str(rate["step"]), str(rate["me"]))
    no_dimension = {*SPLIT.columns, *METRIC.columns, "arm", "test"}
    cell = {k: str(rate[k]) for k in rate if k in rows and k not in no_dimension}
    return chosen(rows, cell)


def _true(flag: Any) -> bool:
    """Detected: neither not so nor not known."""
    return bool(pd.notna(flag) and flag)
