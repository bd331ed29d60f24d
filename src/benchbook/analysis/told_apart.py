"""What tells the tests of one step apart besides the thing that is compared."""

from collections.abc import Sequence

import pandas as pd

from benchbook.analysis.frames import LABELS, dimensions_of, name_of

# Columns of the frames of ``relative``, ``verdicts`` and ``summary``: no dimensions.
RESULTS = frozenset((
    "me", "base", "n", "n_base", "value_base", "relative", "low", "high", "min", "max",
    "detected", "better", "note", "se", "df", "p", "run_sd", "floor_sd", "noise",
    "paired", "subject", "verdict", "arrow", "further_runs", "q", "margin", "pair",
    "kind", "row", "test", "count", "p50", "p95", "p99", "p999",
))  # fmt: skip
_FIRST = tuple(reversed(LABELS))  # engine before version before its build


def further_dimensions(frame: pd.DataFrame, within: Sequence[str]) -> list[str]:
    """The fewest dimensions that tell rows apart which have the same ``within``.

    A dimension that follows from those before it (a version from its engine) is none.
    """
    dims = [d for d in dimensions_of(frame) if d not in {*RESULTS, *within}]
    ordered = [*(d for d in _FIRST if d in dims), *(d for d in dims if d not in _FIRST)]
    keys = list(within)
    for name in ordered:
        if (frame.groupby(keys, dropna=False)[name].nunique(dropna=False) > 1).any():
            keys.append(name)
    return keys[len(within) :]


def names_of_tests(frame: pd.DataFrame, within: Sequence[str] = ("me",)) -> pd.Series:
    """The step, with what else tells tests of one step and ``within`` apart."""
    further = further_dimensions(frame, [*within, "step"])
    names = [
        " ".join([str(row.pop("step")), *([name_of(row)] if further else [])])
        for row in frame[["step", *further]].to_dict("records")
    ]
    return pd.Series(names, index=frame.index, dtype=object)
