"""One ratio in a sentence: as it is shown, and as it is claimed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from benchbook.finding import Claim
from benchmath.prose import interval, ratio_format

Row = Mapping[str, Any]


def ratio_text(row: Row, words: str = "") -> str:
    """`0.90 [0.83, 0.97]`, with ``words`` between the two; one run has no interval."""
    show = ratio_format(row["low"], row["high"])
    parts = (show(row["relative"]), words, interval(row["low"], row["high"], show))
    return " ".join(part for part in parts if part)


def ratio_claim(row: Row, frame: str, names: Sequence[str]) -> Claim:
    """What ``ratio_text`` says, of the one row of ``frame`` that has these names."""
    low, high = (None if pd.isna(row[end]) else row[end] for end in ("low", "high"))
    return Claim(
        " ".join(str(row[name]) for name in names), "is", row["relative"], low, high,
        unit="ratio", frame=frame, column="relative",
        rows={name: str(row[name]) for name in names},
    )  # fmt: skip


def given(row: Row, *names: str) -> list[Claim]:
    """Whole numbers that name a row: so many jobs, clients, runs."""
    return [Claim(name, "given", int(row[name])) for name in names]
