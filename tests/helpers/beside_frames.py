"""Ratios of ours beside published ones."""

from __future__ import annotations

import numpy as np
import pandas as pd

from benchmath.ratios.beside import Compared, beside, group_medians

OURS = (0.80, 0.81, 0.82, 0.83, 0.84, 0.85, 0.86, 0.87, 0.88, 1.30, 1.40)
THEIRS = (0.79, 0.80, 0.81, 0.82, 0.85, 0.70, 1.00, 0.60, 1.20, 1.50, 0.55)


def compared(ratios=OURS, published=THEIRS, grouped=False):
    """One version in so many tests, each known to 3%."""
    names = list("abcdefghijk")[: len(ratios)]
    judged = pd.DataFrame({
        "step": names, "test": names, "me": "new", "base": "old", "relative": ratios,
        "margin": 0.02, "q": 0.001, "direction": "higher", "arrow": "",
        "group": ["x", "y", "x", "y", "x", "y", "x", "y", "x", "y", "x"][: len(names)],
    })  # fmt: skip
    judged = judged.assign(
        low=judged["relative"] - 0.03, high=judged["relative"] + 0.03, detected=True,
        verdict=np.where(judged["relative"] > 1, "improved", "regressed"),
        further_runs=pd.NA,
    )  # fmt: skip
    ours = group_medians(judged) if grouped else judged
    figures = pd.DataFrame({
        "test": list(ours["test"]), "theirs": "mysql 8.0.13",
        "theirs_base": "mysql 5.6.51", "published_on": "ser4", "published": published,
        "figure": published, "figure_base": 1.0, "source": "post",
    })  # fmt: skip
    cells = {"old": "mysql 5.6.51", "new": "mysql 8.0.13"}
    return Compared("t", judged, beside(ours, figures, cells), grouped)
