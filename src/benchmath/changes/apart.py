"""What no version brings along: clients, placement and settings, which tell tests apart.

Where each version has settings of its own they are a part of it, as nothing else could be
compared. Where several share them, another change of them is none by a version.
"""

import numpy as np
import pandas as pd

OF_A_RUN = ("dop", "placement")
SETTINGS = "config"


def splits(tests: np.ndarray, values: np.ndarray) -> bool:
    """Has any test several values? Both as codes from 0, none left out."""
    pairs = tests.astype(np.int64) * (int(values.max(initial=0)) + 1) + values
    return len(pd.unique(pairs)) > int(tests.max(initial=-1)) + 1


def settings_split(tests: np.ndarray, settings: np.ndarray, versions: np.ndarray) -> bool:
    """Has a test several settings, some of which more than one version has?"""
    rows = pd.DataFrame({"test": tests, "settings": settings, "version": versions})
    rows = rows.drop_duplicates()
    several = rows.groupby("test")["settings"].transform("nunique") > 1
    return bool(rows[several].duplicated(["test", "settings"]).any())
