"""Ratios over all values of a further dimension: of every pair of values compared.

What is compared, background jobs say, is measured at several values of something else,
numbers of clients say. The geometric mean over these is one answer for all of them; its
error is that of the trials, each of which has every value once.
"""

from collections.abc import Sequence
from typing import Annotated

import pandas as pd

from benchmath.frames import MetricFrame, dimensions_of, ordered, require, select
from benchmath.ratios.suite import SUITE_RATIOS, suite
from benchmath.ratios.verdicts import MARGIN, VERDICTS, verdicts

AVERAGED = VERDICTS.extended("averaged", "steps", "missing", "group", "over", "n_over")
AveragedFrame = Annotated[pd.DataFrame, AVERAGED]
ENOUGH, NEEDED, MORE, OPEN = "enough", "needed", "more", "open"
_FASTER = "improved"


def averaged_pairs(
    frame: MetricFrame,
    compared: str,
    over: str,
    metric: str = "throughput",
    margin: float = MARGIN,
) -> AveragedFrame:
    """Every greater value of ``compared`` beside every smaller one, with a verdict.

    One row per step and pair: ``me`` is the greater value, ``base`` the smaller one, both
    as text, ``relative`` the ratio of geometric means over the values of ``over`` that
    every compared cell has, with its interval over the trials (``suite``). ``over`` lists
    these values, ``n_over`` counts them. q is adjusted over all rows. A noise floor is
    not asked for: the two sides are one build.
    """
    require(frame, (compared, over, "step"))
    rows = select(frame, metric)
    dims = [d for d in dimensions_of(frame) if d != over]
    tables = [
        _beside(of_step, compared, over, smaller, metric, dims)
        for _, of_step in rows.groupby("step", sort=False)
        for smaller in values_of(of_step[compared])[:-1]
    ]
    if not tables:
        keys = ["step", "op", "metric"]
        return pd.DataFrame(columns=[*keys, *AVERAGED.columns])
    return verdicts(pd.concat(tables, ignore_index=True), margin)


def fewest_enough(pairs: AveragedFrame) -> pd.DataFrame:
    """How many of what is compared each step needs: the fewest that no more surely beat.

    Takes the frame of ``averaged_pairs``, whose verdicts count. One row per step: fewest
    and most (that were measured), needed, best (of those that surely beat the fewest the
    one with the largest ratio, else the most) and answer: `enough`, the fewest are, and
    no more can be faster; `needed`, these surely beat the fewest, and no more can be
    faster than they; `more`, the fewest are surely beaten, and how many it takes is not
    decided; `open`, nothing is.
    """
    records = [
        {"step": step} | _needed(rows) for step, rows in pairs.groupby("step", sort=False)
    ]
    return pd.DataFrame(
        records, columns=["step", "fewest", "most", "needed", "best", "answer"]
    )


def _needed(rows: pd.DataFrame) -> dict[str, str]:
    fewer = list(dict.fromkeys(rows["base"]))
    fewest, most = fewer[0], str(rows["me"].iloc[-1])
    beaten = set(rows.loc[rows["verdict"] == _FASTER, "base"])
    needed = next((value for value in fewer if value not in beaten), most)
    beyond = rows[rows["base"] == needed]
    settled = bool((beyond["high"] <= 1 + beyond["margin"]).all())
    over_fewest = rows[(rows["base"] == fewest) & (rows["verdict"] == _FASTER)]
    best = most
    if len(over_fewest):
        best = str(over_fewest.loc[over_fewest["relative"].idxmax(), "me"])
    if needed == fewest:
        answer = ENOUGH if settled else OPEN
    else:
        answer = NEEDED if settled and needed in set(over_fewest["me"]) else MORE
    said = {"fewest": fewest, "most": most, "needed": needed, "best": best}
    return said | {"answer": answer}


def values_of(column: pd.Series) -> list[str]:
    """The different values as text: numbers by size, other texts as they come."""
    texts = list(dict.fromkeys(column.astype(str)))
    numbers = pd.to_numeric(pd.Series(texts), errors="coerce")
    if numbers.isna().any():
        return texts
    return [texts[i] for i in numbers.sort_values(kind="stable").index]


def _beside(
    rows: pd.DataFrame,
    compared: str,
    over: str,
    smaller: str,
    metric: str,
    dims: Sequence[str],
) -> pd.DataFrame:
    """The values of one step that are greater than ``smaller``, over it.

    The values of ``over`` stand in for the steps of a suite.
    """
    step = rows["step"].iloc[0]
    names = rows[over].astype(str)
    as_steps = rows.assign(step=names, main=True).drop(columns=over)
    table = suite(as_steps, {compared: smaller}, None, metric, dims)
    in_order = values_of(rows[compared])
    table = table.assign(
        step=step, op=rows["op"].iloc[0], metric=rows["metric"].iloc[0],
        me=table[compared].astype(str), base=smaller,
        over=[_common(values_of(names), lost) for lost in table["missing"]],
        n_over=table["steps"],
    )  # fmt: skip
    greater = in_order[in_order.index(smaller) + 1 :]
    table = ordered(table[table["me"].isin(greater)], {"me": greater})
    where = ["placement"] if "placement" in table else []
    return SUITE_RATIOS.extended("pairs", "over", "n_over").of(
        table, ["step", "op", "metric", *where]
    )


def _common(values: Sequence[str], missing: str) -> str:
    lost = missing.split(", ")
    return ", ".join(value for value in values if value not in lost)
