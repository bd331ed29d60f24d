"""Many comparisons at once: adjusted p-values and how many of the finds may be false."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from benchmath.frames import require
from benchmath.ratios.power import ALPHA


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
            return "No comparison has an interval, so none was tested."
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
