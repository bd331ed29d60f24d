"""In which order commits or versions of a metric frame stand, and how that is known."""

import re
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from benchmath.frames import places
from benchmath.prose import counted, listed
from benchmath.versions import in_version_order

LISTED, VERSION, TIME, UNKNOWN = "listed", "version", "time", "unknown"
STARTED = "started"
_HASH = re.compile(r"(?=.*[a-f])[0-9a-f]{6}|[0-9a-f]{7,64}")
_VERSION = re.compile(
    r"(?:[a-z][a-z_-]*)?v?\d{1,4}(?:[._-]\d{1,8})*(?:[-_+.~]?[a-z]{1,10}[-.]?\d{0,8})*"
)
_NAMED = 3


class Order(NamedTuple):
    """Names, first to last; when each was measured ('' where nothing tells it); how the
    order is known; names that are left out because the others alone have a time."""

    names: list[str]
    times: dict[str, str]
    how: str
    undated: list[str]

    def notes(self, dimension: str) -> tuple[str, ...]:
        """What a reader has to know of it."""
        if self.how == UNKNOWN and len(self.names) > 1:
            return (
                f"the order of {dimension} is not known: values stand as files and lines "
                "name them, and nothing tells when they were measured",
            )
        if self.undated:
            more = len(self.undated) - _NAMED
            rest = [f"{more} more"] if more > 0 else []
            names = listed([*self.undated[:_NAMED], *rest])
            what = counted(len(self.undated), dimension)
            return (f"{what} without a time, unlike the others, left out: {names}",)
        return ()


def order_of(rows: pd.DataFrame, dimension: str, said: Sequence[str] = ()) -> Order:
    """As the study lists them (``said``); by number, where all are numbered versions; by
    when they were first measured; else as the rows name them, which is no order.

    Where some tell a time and others do not, the place of the latter is not known.
    """
    values = rows[dimension].astype(str)
    names = values.unique().tolist()
    times = _times(rows, values)
    if said and set(names) <= set(said):
        ordered = [name for name in said if name in set(names)]
        return Order(ordered, times, LISTED, [])
    numbered = all(map(is_numbered, names))
    if numbered and (dimension == "version" or not times):
        return Order(in_version_order(names), times, VERSION, [])
    if times:
        dated = [name for name in names if name in times]
        dated.sort(key=times.__getitem__)
        return Order(dated, times, TIME, [name for name in names if name not in times])
    return Order(names, times, UNKNOWN, [])


def is_numbered(name: str) -> bool:
    """A version that sorts by its numbers; a hash of a commit does not.

    >>> is_numbered("18beta1"), is_numbered("v1.0.2-rc1"), is_numbered("b2c3d4")
    (True, True, False)
    """
    text = name.lower()
    return bool(_VERSION.fullmatch(text)) and not _HASH.fullmatch(text)


def in_order(rows: pd.DataFrame, dimension: str, order: Order) -> pd.DataFrame:
    """The rows in that order, without those of undated values."""
    place = places(rows[dimension].astype(str), order.names)
    kept = rows[place.notna()]
    return kept.iloc[np.argsort(place.dropna().to_numpy(), kind="stable")]


def _times(rows: pd.DataFrame, values: pd.Series) -> dict[str, str]:
    """When each was first measured."""
    if STARTED not in rows.columns:
        return {}
    told = rows[STARTED].fillna("").astype(str)
    earliest = told[told != ""].groupby(values[told != ""]).min()
    return {str(name): str(time) for name, time in earliest.items()}
