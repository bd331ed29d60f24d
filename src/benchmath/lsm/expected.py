"""What is published of moves in key order, against what the runs of a study did.

M. Callaghan's notes of fillseq in key order: L0 is always written; not compressed, every
other level is only moved to; compressed in static levels, the level where compression
begins is written and the others are moved to; in dynamic levels the first one is only
moved to and those below are both, because the tree grows upwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from benchmath.lsm.moves import BOTH, MOVED, WRITTEN

EXPECTED_COLUMNS = ("case", "expected", "found", "holds")
Levels = Mapping[int, str]  # how each level of a case got its files, by its number


def expectations(
    levels: pd.DataFrame, arrivals: pd.DataFrame, cases: pd.DataFrame
) -> pd.DataFrame:
    """A row per expectation of each case, with what was found and whether it holds.

    ``levels`` is the frame of ``moves.by_case``, ``arrivals`` has case, level, first_s;
    ``cases`` has case, dynamic and begins (the level where compression begins; missing
    if nothing is compressed).
    """
    rows: list[dict[str, Any]] = []
    for case in cases.drop_duplicates("case").to_dict("records"):
        own = levels[levels["case"] == case["case"]]
        if own.empty:
            continue
        how = dict(zip(own["level"].astype(int), own["how"], strict=True))
        found = ", ".join(f"L{level} {word}" for level, word in how.items())
        rows += [
            {"case": case["case"], "expected": text, "found": found, "holds": holds(how)}
            for text, holds in _of(case)
        ]
        first = arrivals[(arrivals["case"] == case["case"]) & (arrivals["level"] > 0)]
        rows.append(_growth(case, first))
    return pd.DataFrame(rows, columns=[*EXPECTED_COLUMNS])


def _of(case: Mapping[str, Any]) -> list[tuple[str, Callable[[Levels], bool]]]:
    always = ("L0 written", lambda how: how.get(0) == WRITTEN)
    begins = case["begins"]
    if pd.isna(begins):
        return [always, ("every other level moved", _all_moved)]
    if case["dynamic"]:
        return [always, ("the first level moved, those below both", _first_moved)]
    n = int(begins)
    text = f"L{n} written, every other level below L0 moved"
    return [always, (text, lambda how: _written_at(how, n))]


def _all_moved(how: Levels) -> bool:
    return {word for level, word in how.items() if level} == {MOVED}


def _first_moved(how: Levels) -> bool:
    words = [how[level] for level in sorted(how) if level]
    return len(words) > 1 and words[0] == MOVED and set(words[1:]) == {BOTH}


def _written_at(how: Levels, begins: int) -> bool:
    rest = {word for level, word in how.items() if level not in (0, begins)}
    return how.get(begins) == WRITTEN and rest == {MOVED}


def _growth(case: Mapping[str, Any], first: pd.DataFrame) -> dict[str, Any]:
    """Levels get their first files from the last one upwards, or from L1 downwards."""
    order = list(first.sort_values("first_s", kind="stable")["level"].astype(int))
    upwards = bool(case["dynamic"])
    return {
        "case": case["case"],
        "expected": f"levels fill from the {'last' if upwards else 'first'} one on",
        "found": ", ".join(f"L{level}" for level in order),
        "holds": order == sorted(order, reverse=upwards),
    }
