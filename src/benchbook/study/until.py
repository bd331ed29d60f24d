"""`until: decided`: the keys of study.yml that end measuring, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchbook.study.order import TURNS
from benchmath.errors import UserError

DECIDED = "decided"
FEWEST_LOADS = 3  # that tell what loads differ by: nothing is decided before
USUAL_TRIALS = 3
MOST_TRIALS = 20  # where a study that ends when it is decided does not say
_UNITS_S = {"s": 1, "m": 60, "min": 60, "h": 3600, "d": 86400}


def seconds_of(text: str, what: str) -> float:
    """90s, 30m, 8h or 2d in seconds; ``what`` is the key or option that says it."""
    match = re.fullmatch(r"(\d+(?:\.\d+)?)(s|m|min|h|d)", text)
    if not match:
        raise UserError(f"{what} {text!r}: write 90s, 30m, 8h or 2d")
    return float(match[1]) * _UNITS_S[match[2]]


def share_of(said: str | float, what: str, example: str) -> float:
    """A share as 3%, 3 or .03; ``what`` is the key or option that says it."""
    match = re.fullmatch(r"(\d+\.?\d*|\.\d+) ?(%?)", str(said).strip())
    if not match and isinstance(said, str):
        raise UserError(f"{what} {said!r}: write {example} as 3%, 3 or .03")
    share = float(match[1] if match else said)
    if share >= 1 or (match and match[2]):
        share /= 100
    if not 0 < share < 1:
        raise UserError(f"{what} {said!r}: a change lies between 0% and 100%")
    return share


def until_of(raw: Mapping[str, Any], file: Path) -> dict[str, Any]:
    """until, budget_s and trials of a study; UserError where they do not go together."""
    until, budget = raw.get("until", ""), raw.get("budget")
    trials = raw.get("trials", MOST_TRIALS if until else USUAL_TRIALS)
    if until and raw.get("order") != TURNS:
        raise UserError(
            f"{file}: `until: {until}` looks at rounds of turns: it needs `order: turns`"
        )
    if budget and not until:
        raise UserError(
            f"{file}: budget is what `until: {DECIDED}` may use at most: write that too, "
            "or use `benchbook run --budget`"
        )
    if until and trials < FEWEST_LOADS:
        raise UserError(
            f"{file}: trials is {trials}, but nothing is decided before {FEWEST_LOADS} "
            f"loads: give {FEWEST_LOADS} or more with `until: {until}`"
        )
    budget_s = seconds_of(budget, f"{file}: budget") if budget else None
    if budget_s == 0:
        raise UserError(f"{file}: budget {budget!r} is no time: write 90s, 30m, 8h or 2d")
    return {"until": until, "budget_s": budget_s, "trials": trials}
