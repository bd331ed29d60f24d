"""CSV that a spreadsheet may open: no text of others is a formula there."""

from __future__ import annotations

import re

import pandas as pd

_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)


def inert(text: object) -> object:
    """A text that would be a formula behind an apostrophe; all else as it is.

    >>> inert("=1+1"), inert("-0.5"), inert("scan"), inert(3)
    ("'=1+1", '-0.5', 'scan', 3)
    """
    if isinstance(text, str) and _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        return f"'{text}"
    return text


def inert_frame(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with no formula in its texts, its index and the names of its columns."""
    texts = frame.select_dtypes(exclude="number").columns
    safe = frame.assign(**{name: frame[name].map(inert) for name in texts})
    safe.index = safe.index.map(inert)
    return safe.rename(columns=inert)
