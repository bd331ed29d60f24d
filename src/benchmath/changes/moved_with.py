"""What else moved where throughput changed its level: the other metrics of the test."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from benchmath.frames import dimensions_of, places, require

_DIRECTED = ("higher", "lower")
_CLOCKS = ("", "actual")  # response times as a client sees them


def moved_with(
    frame: pd.DataFrame,
    changes: pd.DataFrame,
    dimension: str = "version",
    most: int = 12,
) -> pd.DataFrame:
    """The largest detected changes, each with the other metrics of its test.

    ``changes`` is the frame of ``version_changes`` over ``frame``. One row per change,
    largest first, at most ``most``. Columns: test, boundary, throughput (new level over
    old one), then one column per metric with a direction that any of these tests has:
    the median over the versions of the new level over that of the old one. 1 where both
    are 0, infinite where only the old one is; NaN where the test lacks the metric.
    """
    require(frame, ("step", "metric", "value", "direction", dimension))
    require(changes, ("test", "step", "place", "boundary", "ratio", "detected"))
    changes = changes[changes["detected"]]
    size = np.log(changes["ratio"]).abs().sort_values(ascending=False, kind="stable")
    chosen = changes.loc[size.index[:most]]
    others = _others(frame, dimension)
    keys = ["step", *(d for d in dimensions_of(frame) if d in changes.columns)]
    records = []
    for change in chosen.to_dict("records"):
        mine = others[(others[keys] == [change[k] for k in keys]).all(axis="columns")]
        same_op = mine["op"] == change["op"] if "op" in change else pd.Series(dtype=bool)
        mine = mine[same_op] if same_op.any() else mine
        places = changes.loc[changes["test"] == change["test"], "place"]
        spans = _spans(places, change["place"])
        records.append(
            {name: change[name] for name in ("test", "boundary")}
            | {"throughput": change["ratio"]}
            | _ratios(mine, *spans)
        )
    names = list(dict.fromkeys(others["metric"]))
    metrics = [n for n in names if any(n in record for record in records)]
    columns = ["test", "boundary", "throughput", *metrics]
    return pd.DataFrame.from_records(records, columns=columns)


def _others(frame: pd.DataFrame, dimension: str) -> pd.DataFrame:
    """The rows that are no throughput but have a direction, with their version's place.

    Versions count as in ``version_series``: as the rows of throughput first name them.
    """
    main = frame["main"].fillna(False).astype(bool)
    versions = frame.loc[main, dimension].astype(str)
    usable = ~main & frame["direction"].isin(_DIRECTED)
    if "clock" in frame.columns:
        usable &= frame["clock"].isin(_CLOCKS)
    rows = frame[usable]
    return rows.assign(place=places(rows[dimension].astype(str), versions))


def _spans(places: pd.Series, at: int) -> tuple[range, range]:
    """The places of the level before the change at ``at``, and of the one after it."""
    before = max([0, *(p for p in places if p < at)])
    after = [p for p in places if p > at]
    return range(before, at), range(at, min(after, default=1 << 30))


def _ratios(rows: pd.DataFrame, old: Sequence[int], new: Sequence[int]) -> dict:
    """By metric the median of one span of versions over that of another."""
    by_metric = [
        rows[(rows["place"] >= span[0]) & (rows["place"] <= span[-1])]
        .groupby("metric")["value"]
        .median()
        for span in (old, new)
    ]
    both = pd.concat(by_metric, axis="columns", keys=["old", "new"]).dropna()
    with np.errstate(divide="ignore"):
        ratio = both["new"].to_numpy() / both["old"].where(both["old"] != 0, np.nan)
    never = both["old"] == 0
    grown = np.where(both["new"] == 0, 1.0, np.inf)
    return ratio.where(~never, grown).to_dict()
