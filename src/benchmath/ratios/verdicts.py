"""Verdicts: the interval of a ratio against the margin below which nobody cares.

Decided in this order: an interval within 1 +- margin is *equivalent*; one that excludes
1, with the estimate beyond the margin, is *improved* or *regressed*; all others are
*undecided*. A significant difference of half a percent is thus equivalent (with an
arrow), and a large difference that may be noise is undecided, not absent.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from benchmath.errors import UserError
from benchmath.frames import names_of_tests, require
from benchmath.ratios.differences import differences_of, limit
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
NOT_SIGNIFICANT = "not significant"
_CHANCE = f"{NOT_SIGNIFICANT} after Benjamini-Hochberg"


def verdicts(relative: RatioFrame, margin: float = MARGIN) -> VerdictFrame:
    """The frame of ``relative`` with a verdict in each row.

    ``margin`` is a share: with 0.02 ratios from 0.98 to 1.02, both included, are as
    good as 1. Added columns:

    - verdict: improved, regressed (by the metric's direction), changed (where it has
      none), equivalent, undecided, no interval.
    - arrow: up or down where an equivalent ratio surely differs from 1, also after
      Benjamini-Hochberg, else "".
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
    equivalent = (judged["verdict"] == "equivalent") & (judged["q"] <= ALPHA)
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
    if row["verdict"] in CHANGES and row["q"] > ALPHA:
        notes.append(_CHANCE)
    return notes


def tests_of(judged: pd.DataFrame, *within: str) -> pd.Series:
    """The name of each row's test, as text: its step, where that tells the rows apart.

    Else with the fewest dimensions that do, `q postgres placement=same`; of rows that
    are alike in me and in ``within``.
    """
    alike = ["me", *within]
    if not judged.duplicated([*alike, "step"]).any():
        return judged["step"].astype(str)
    return names_of_tests(judged, VERDICTS, alike)


def announced(judged: pd.DataFrame) -> pd.Series:
    """The verdicts, except of a change that Benjamini-Hochberg calls not significant.

    What sentences, colours and charts tell; a frame without ``q`` is told as it is.
    """
    if "q" not in judged.columns:
        return judged["verdict"]
    withdrawn = judged["verdict"].isin(CHANGES) & (judged["q"] > ALPHA)
    return judged["verdict"].mask(withdrawn, NOT_SIGNIFICANT)


@dataclass(frozen=True)
class Family:
    """The comparisons of one report: how many were tested, how many differ from 1.

    ``expected_false`` is the expected number of the flagged that are false, at most.
    """

    tests: int
    flagged: int
    expected_false: float
    alpha: float
    among: str = ""  # " of all versions", where a sentence about one needs it

    @property
    def text(self) -> str:
        """The numbers as a sentence."""
        if not self.tests:
            return "No comparison has an interval: nothing was tested."
        of = f"Of {self.tests} comparison{'s' * (self.tests != 1)}{self.among}"
        if not self.flagged:
            return f"{of} none differs from 1 by Benjamini-Hochberg at {self.alpha:.0%}."
        verb = "differs" if self.flagged == 1 else "differ"
        return (
            f"{of} {self.flagged} {verb} from 1 by Benjamini-Hochberg at "
            f"{self.alpha:.0%}: at most {self.expected_false:.2g} of these are expected "
            "to be false."
        )


def family(verdicts: pd.DataFrame, alpha: float = ALPHA, among: str = "") -> Family:
    """Tests made and flagged in a frame of ``verdicts``, by its column ``q``.

    Flagged are the comparisons with q <= alpha. Of these the share ``alpha`` at most
    is expected to be false, which holds for independent comparisons and for those that
    share a base (Benjamini and Yekutieli 2001: positive dependence).
    """
    require(verdicts, ("q",))
    q = verdicts["q"].to_numpy(dtype=float)
    flagged = int((q <= alpha).sum())
    return Family(int(np.isfinite(q).sum()), flagged, alpha * flagged, alpha, among)


def benjamini_hochberg(p: ArrayLike) -> np.ndarray:
    """Adjusted p-values: the smallest false discovery rate at which each is flagged.

    Y. Benjamini and Y. Hochberg, "Controlling the False Discovery Rate", JRSS B 57
    (1995): p times tests / rank, made monotonous from the largest down. NaN stays NaN
    and is no test. ValueError for what is no probability.
    """
    values = np.asarray(p, dtype=float)
    tested = np.flatnonzero(~np.isnan(values))
    if ((values[tested] < 0) | (values[tested] > 1)).any():
        raise ValueError("a p-value is not between 0 and 1")
    falling = tested[np.argsort(-values[tested], kind="stable")]
    rank = np.arange(tested.size, 0, -1)
    q = np.full(values.shape, np.nan)
    q[falling] = np.minimum.accumulate(values[falling] * tested.size / rank)
    return q
