"""Why a step is slower, in a sentence each: what the machine's side says, or that it does
not say.

Frames in, Markdown out; every number in a sentence is a cell of a table beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from benchbook.finding import Claim, Finding, amount, names_as_data
from benchbook.findings.causes import beside, clause
from benchbook.results.results import Results
from benchmath.costs.cpu import PER_OP, PROCESSES, REST, USED, WHOLE
from benchmath.costs.explanation import Explanation, explanation, of_step, slower
from benchmath.prose import counted, interval, listed, unsure, with_interval

OPERATIONS = {
    "insert": "insert", "delete": "delete", "query": "query", "index": "row indexed",
    "scan": "scan", "bytes": "repetition",
}  # fmt: skip
# What a cost per operation is called in a sentence; others are in the table only.
COST_WORDS = {
    "cs_o": "context switches", "r_o": "reads of the device",
    "w_o": "writes to the device", "wkb_o": "KB written", "log_bytes_o": "bytes of log",
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
    worse = slower(explained, judged).sort_values("relative", kind="stable")
    if worse.empty:
        claim = Claim("no step", "none", count=0, quantifier="none", frame="worse")
        return Finding(NOT_SLOWER, [claim], {"worse": worse})
    rows = worse.head(most).to_dict("records")
    said = [_sentence(explained, row, clause(changed, str(row["me"]))) for row in rows]
    if len(worse) > most:
        rest = counted(len(worse) - most, "further regression")
        are = "is" if len(worse) - most == 1 else "are"
        said.append(f"{rest} {are} in the tables.")
    frames = {
        "worse": worse, "split": explained.split, "parts": explained.parts,
        "costs": explained.costs, "frames": explained.frames,
    }  # fmt: skip
    claims = [
        claim
        for row in worse.head(most).to_dict("records")
        for claim in _claims(explained, worse, {str(k): v for k, v in row.items()})
    ]
    claims.append(Claim("others", "given", max(len(worse) - most, 0)))
    return beside(Finding("\n\n".join(said), claims, frames), changed)


def _claims(
    explained: Explanation, worse: pd.DataFrame, rate: Mapping[str, Any]
) -> list[Claim]:
    """Every row that the sentence of a step is read from."""
    claims = [amount(worse, rate, "relative", "worse")]
    for name, table in (("split", explained.split), ("costs", explained.costs)):
        claims += [amount(table, row, "relative", name) for row in _like(table, rate)]
    parts = _like(explained.parts, rate)
    claims += [amount(explained.parts, row, "diff", "parts", unit="us") for row in parts]
    frames = of_step(explained.frames, str(rate["step"]), str(rate["me"]))
    if len(frames):
        sure = frames[frames["detected"].fillna(False).astype(bool)]
        claims += [
            amount(explained.frames, row, "difference", "frames", unit="us")
            for _, row in sure.iterrows()
        ]
    return claims


def _sentence(explained: Explanation, rate: Mapping[str, Any], also: str) -> str:
    step, me = str(rate["step"]), str(rate["me"])
    head = f"**{step}** is {_loss(rate)} with {me}{also} than with {rate['base']}"
    terms = {str(row["part"]): row for row in _like(explained.split, rate)}
    if USED not in terms:
        return f"{head}; the CPU it used was not recorded."
    used, each = terms[USED], terms[PER_OP]
    operation = OPERATIONS.get(str(rate.get("op", "")), "operation")
    costs = _costs(explained, rate, operation)
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
        text += _parts(explained, rate) + _frame(explained, step, me)
    if _true(used["detected"]) and _part_of(used, rate) > _WAITED:
        text += "; the time without CPU is waiting: for devices, locks or other processes"
    return f"{text}; {costs}." if costs else f"{text}."


def _part_of(used: Mapping[str, Any], rate: Mapping[str, Any]) -> float:
    """Which part of the loss is CPU that was not used, on logarithms."""
    lost = np.log(rate["relative"])
    return float(np.log(used["relative"]) / lost) if lost else 0.0


def _loss(rate: Mapping[str, Any]) -> str:
    """`14% slower [9, 18]`."""
    word = "slower" if rate["relative"] < 1 else "faster"
    return (
        f"{_two(100 * abs(rate['relative'] - 1))}% {word} {_share_bounds(rate)}".rstrip()
    )


def _amount(row: Mapping[str, Any], what: str) -> str:
    """`as much CPU (~ 0% [-1, 1])`, `16% [12, 20] more CPU`, `3 times [2, 4] the CPU`."""
    if not _true(row["detected"]):
        return f"as much {what} ({_percent(row)})"
    if row["relative"] >= _TIMES:
        return f"{_times(row)} the {what}"
    word = "more" if row["relative"] > 1 else "less"
    return f"{_two(100 * abs(row['relative'] - 1))}% {_share_bounds(row)} {word} {what}"


def _share_bounds(row: Mapping[str, Any]) -> str:
    low, high = sorted(100 * abs(row[side] - 1) for side in ("low", "high"))
    return interval(low, high, _two)


def _percent(row: Mapping[str, Any]) -> str:
    """`~ +0.3% [-1, 1.6]`: the tilde says that the interval holds 0."""
    value, low, high = (100 * (row[c] - 1) for c in ("relative", "low", "high"))
    share = unsure(f"{_signed(value)}%", _true(row["detected"]))
    return with_interval(share, low, high, _two)


def _times(row: Mapping[str, Any]) -> str:
    """`3 times [2.9, 3.1]`"""
    times = f"{_two(row['relative'])} times"
    return with_interval(times, row["low"], row["high"], _two)


def _two(value: float) -> str:
    """Two digits, more of large numbers."""
    return f"{value:,.0f}" if abs(value) >= 10 else f"{value:.2g}"


def _signed(value: float) -> str:
    return f"{'+' if value > 0 else ''}{_two(value)}"


def _parts(explained: Explanation, rate: Mapping[str, Any]) -> str:
    """The whole in microseconds, and the parts that moved with it."""
    parts = {str(row["part"]): row for row in _like(explained.parts, rate)}
    whole = parts.pop(WHOLE, None)
    if whole is None:
        return ""
    text = f" ({_us(whole)})"
    parts.pop(REST, None)
    with_it = [
        row
        for row in parts.values()
        if _true(row["detected"]) and row["diff"] * whole["diff"] > 0
    ]
    with_it.sort(key=lambda row: -abs(row["diff"]))
    moved = [f"{row['part']} {_us(row)}" for row in with_it[:_MOST_PARTS]]
    return f"{text}, of which {listed(moved)}" if moved else text


def _us(row: Mapping[str, Any]) -> str:
    return with_interval(f"{_signed(row['diff'])} µs", row["low"], row["high"], _two)


def _frame(explained: Explanation, step: str, me: str) -> str:
    """The function whose time grew most, of those whose interval excludes 0."""
    frames = of_step(explained.frames, step, me)
    if frames.empty:
        return ""
    detected = frames[frames["detected"].fillna(False).astype(bool)]
    detected = detected[(detected["difference"] > 0) & (detected["unit"] == "us")]
    if detected.empty:
        return "; no function in the profiles accounts for it"
    row = detected.loc[detected["difference"].idxmax()]
    cost = f"{_two(row['difference'])} µs"
    cost = with_interval(cost, row["low"], row["high"], _two)
    return f"; `{row['frame']}` explains {cost} of it"


def _costs(explained: Explanation, rate: Mapping[str, Any], operation: str) -> str:
    """Costs besides CPU that differ detectably, those that differ most first."""
    rows = [r for r in _like(explained.costs, rate) if r["metric"] in COST_WORDS]
    sure = [r for r in rows if _true(r["detected"]) and r["relative"] > 0]
    sure.sort(key=lambda r: -max(r["relative"], 1 / r["relative"]))
    words = [_amount(r, COST_WORDS[r["metric"]]) for r in sure[:_MOST_COSTS]]
    return f"per {operation} there were {listed(words)}" if words else ""


def _like(table: pd.DataFrame, rate: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The rows of a table that belong to the same cell of the same step."""
    rows = of_step(table, str(rate["step"]), str(rate["me"]))
    chosen = pd.Series(True, index=rows.index)
    for name in ("machine", "engine", "version", "config", "dop", "placement"):
        if name in rows.columns and name in rate:
            chosen &= rows[name].astype(str) == str(rate[name])
    return [{str(k): v for k, v in r.items()} for r in rows[chosen].to_dict("records")]


def _true(flag: Any) -> bool:
    """Detected: neither not so nor not known."""
    return bool(pd.notna(flag) and flag)
