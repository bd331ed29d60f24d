"""What tests of comparisons look at: their text."""

from typing import Any

import pandas as pd

from benchbook.cli.compare import Comparison, Compatible
from benchbook.cli.compare import comparison as comparison_of
from benchbook.cli.report import WRITERS
from benchbook.sets.sets import MetricSet


def compared(
    frame: pd.DataFrame, *given: Any, csv: bool = False, form: str = "text", **named: Any
) -> str:
    """The text of ``benchbook compare``."""
    return WRITERS["csv" if csv else form](comparison(frame, *given, **named))


def comparison(frame: pd.DataFrame, *given: Any, **named: Any) -> Comparison | Compatible:
    """What is found in a metric frame that belongs to nothing."""
    return comparison_of(MetricSet("t", frame), *given, **named)
