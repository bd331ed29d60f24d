"""Verdicts: the interval of a ratio against the margin below which nobody cares.

Decided in this order: an interval within 1 +- margin is *equivalent*; one that excludes
1, with the estimate beyond the margin, is *improved* or *regressed*; all others are
*undecided*. A significant difference of half a percent is thus equivalent (with an
arrow), and a large difference that may be noise is undecided, not absent.
"""

import math
from collections.abc import Mapping
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.errors import UserError
from benchmath.frames import require
from benchmath.ratios.differences import differences_of, limit
from benchmath.ratios.families import benjamini_hochberg
from benchmath.ratios.power import ALPHA, further_runs
from benchmath.ratios.relative import RATIOS, RatioFrame

MARGIN = 0.02
_ADDED = ("verdict", "arrow", "further_runs", "q", "margin", "note")
VERDICTS = RATIOS.extended("verdicts", *_ADDED)
VerdictFrame = Annotated[pd.DataFrame, VERDICTS]
CHANGES = ("improved", "regressed", "changed")
_NEEDED = ["direction", "n", "n_base", "relative", "low", "high", "df", "p"]
_NEEDED += ["run_sd", "floor_sd", "subject", "note"]
_BINARY = "build effect not measured: this binary, not the version"
_CHANCE = "not significant after Benjamini-Hochberg"


def verdicts(relative: RatioFrame, margin: float = MARGIN) -> VerdictFrame:
    """The frame of ``relative`` with a verdict in each row.

    ``margin`` is a share: with 0.02 ratios from 0.98 to 1.02, both included, are as
    good as 1. Added columns:

    - verdict: improved, regressed (by the metric's direction), changed (where it has
      none), equivalent, undecided, no interval.
    - arrow: up or down where an equivalent ratio surely differs from 1, else "".
    - further_runs: runs to add on each side so that a true effect as large as the
      margin is found with 80% power at 5%; from the noise on record, never from the
      difference observed; 0 where the runs are enough and the ratio is near the margin.
      Only of undecided rows; NA where no number of runs can do it,
      which ``note`` says.
    - q: p adjusted by Benjamini-Hochberg over all rows of the frame.
    - margin: the margin.
    - note: extended by what limits the verdict.

    UserError for a margin that is not above 0.
    """
    require(relative, _NEEDED)
    if not 0 < margin < math.inf:
        raise UserError(f"margin: {margin:g} is not a share above 0 (0.02 means 2%)")
    judged = relative.assign(
        verdict=decide(relative, margin),
        q=benjamini_hochberg(relative["p"]),
        margin=margin,
    )
    judged["arrow"] = _arrow(judged)
    rows = judged.to_dict("records")
    further = [_further(row, margin) for row in rows]
    notes = ["; ".join(_notes(row, n)) for row, n in zip(rows, further, strict=True)]
    judged["further_runs"] = pd.array(further, dtype="Int64")
    judged["note"] = np.array(notes, dtype=object)
    return judged[[*(c for c in relative.columns if c not in _ADDED), *_ADDED]]


def decide(relative: pd.DataFrame, margin: float) -> np.ndarray:
    """The verdict of each row alone: from its ratio, or else its difference.

    Nobody minds a difference within the margin of the base's mean; of a base of 0 none.
    """
    ratio, low, high = (relative[c].to_numpy(float) for c in ("relative", "low", "high"))
    apart, least, most = differences_of(relative)
    minded = limit(relative, margin)
    has_interval = ~np.isnan(ratio + low + high) | ~np.isnan(apart + least + most)
    inside = (low >= 1 - margin) & (high <= 1 + margin)
    inside |= (least >= -minded) & (most <= minded)
    excludes_1 = (low > 1) | (high < 1)
    beyond = excludes_1 & ((ratio > 1 + margin) | (ratio < 1 - margin))
    beyond |= ((least > 0) | (most < 0)) & (np.abs(apart) > minded)
    more, less = (ratio > 1) | (apart > 0), (ratio < 1) | (apart < 0)
    good = np.select(
        [relative["direction"] == "higher", relative["direction"] == "lower"],
        [more, less],
    )
    directed = relative["direction"].isin(["higher", "lower"])
    change = np.where(directed, np.where(good, "improved", "regressed"), "changed")
    verdict = np.where(beyond, change, "undecided")
    verdict = np.where(inside, "equivalent", verdict)
    return np.where(has_interval, verdict, "no interval").astype(object)


def _arrow(judged: pd.DataFrame) -> np.ndarray:
    equivalent = judged["verdict"] == "equivalent"
    sides = [equivalent & (judged["low"] > 1), equivalent & (judged["high"] < 1)]
    return np.select(sides, ["up", "down"], default="").astype(object)


def _further(row: Mapping, margin: float) -> int | None:
    if row["verdict"] != "undecided" or not math.isfinite(row["run_sd"]):
        return None
    floor = row["floor_sd"] if math.isfinite(row["floor_sd"]) else 0.0
    return further_runs(
        row["run_sd"], margin, row["n"], row["n_base"], floor_sd=floor, df=row["df"]
    )


def _notes(row: Mapping, further: int | None) -> list[str]:
    notes = [row["note"]] if row["note"] else []
    if row["verdict"] == "no interval":
        return notes
    if row["subject"] == "binary" and _BINARY not in row["note"]:
        notes.append(_BINARY)
    if row["verdict"] == "undecided" and further is None and row["floor_sd"] > 0:
        floor = f"builds or loads differ by {100 * row['floor_sd']:.2g}%"
        notes.append(f"more runs cannot decide: {floor}")
    if further == 0:
        notes.append("the interval holds the margin; more runs may not change that")
    if (row["verdict"] in CHANGES or row["arrow"]) and row["q"] > ALPHA:
        notes.append(_CHANCE)
    return notes
