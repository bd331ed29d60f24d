"""Each version against the one before it: with which did a change come in?"""

from collections.abc import Sequence

import pandas as pd

from benchmath.errors import UserError
from benchmath.frames import dimensions_of, measurement_of, require, select
from benchmath.intervals import LEVEL
from benchmath.ratios.relative import relative


def neighbours(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    order: Sequence[str] | None = None,
    dimensions: Sequence[str] | None = None,
    level: float = LEVEL,
    floor: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Each value of a dimension over its predecessor: the columns of ``relative``.

    The order is that in which the values come in the frame, or ``order``. Where the
    predecessor of a cell has no runs (a step that a version lacks), the nearest earlier
    value that has some is compared with; ``base`` names it in each row. The first value
    of a cell has no row. Noise is estimated from the runs of all values, as in
    ``relative``, and not from the two compared alone.

    UserError for a frame without runs, and if ``order`` does not name exactly the
    values that the frame has.
    """
    rows = select(frame, metric)
    values = _ordered(rows, dimension, order)
    dims = list(dimensions_of(rows) if dimensions is None else dimensions)
    tables = [
        relative(rows, {dimension: value}, metric, dims, level, floor)
        for value in values[:-1] or values
    ]
    keys = [*dims, *measurement_of(rows)]
    nearest = [tables[0].iloc[:0]]
    for i, value in enumerate(values[1:], start=1):
        earlier = [_of(table, dimension, value) for table in reversed(tables[:i])]
        nearest.append(pd.concat(earlier).drop_duplicates(keys))
    return pd.concat(nearest, ignore_index=True)


def _ordered(
    rows: pd.DataFrame, dimension: str, order: Sequence[str] | None
) -> list[str]:
    require(rows, (dimension,))
    values = list(dict.fromkeys(rows[dimension].astype(str)))
    if not values:
        raise UserError(f"no run, so no {dimension} has a neighbour")
    if order is None:
        return values
    names = [str(value) for value in order]
    if sorted(names) != sorted(values):
        raise UserError(
            f"order: names {', '.join(names)}, but the runs have {dimension} "
            f"{', '.join(values)}"
        )
    return names


def _of(table: pd.DataFrame, dimension: str, value: str) -> pd.DataFrame:
    """The rows of one value that have a base."""
    return table[(table[dimension].astype(str) == value) & (table["n_base"] > 0)]
