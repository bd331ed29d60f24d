"""What tests of comparisons look at: their text."""

from typing import Any

import pandas as pd

from benchbook.cli.comparison import CSV, TEXT, Comparison, compare
from benchbook.results.sets import MetricSet


def compared(frame: pd.DataFrame, *given: Any, csv: bool = False, **named: Any) -> str:
    """The text of ``benchbook.cli.comparison.compare``."""
    form = CSV if csv else TEXT
    return comparison(frame, *given, form=form, **named).text


def comparison(frame: pd.DataFrame, *given: Any, **named: Any) -> Comparison:
    """What ``compare`` makes of a metric frame that belongs to nothing."""
    return compare(MetricSet("t", frame), *given, **named)
