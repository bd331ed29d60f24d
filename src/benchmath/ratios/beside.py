"""Own ratios beside published ones: what agrees, what does not, what is open.

A published figure is of one run and has no interval. So it is ours that decides: where
its verdict is open, nothing is said of theirs.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmath.errors import UserError
from benchmath.frames import places, require
from benchmath.prose import joined
from benchmath.published import published_ratios
from benchmath.ratios.power import ALPHA
from benchmath.ratios.verdicts import CHANGES, VerdictFrame, decide

INSIDE, SAME, OPEN = "inside", "same side", "open"
HERE, THERE, OPPOSITE = "only here", "only there", "opposite"
SAME_WAY = (INSIDE, SAME)
_IN_ORDER = (OPPOSITE, HERE, THERE, OPEN, SAME, INSIDE)  # what disagrees comes first
FEWEST = 10  # tests that a rank correlation is computed of
STATISTIC = "median"  # of a group's tests, where only summaries were published
_THEIRS = ["test", "theirs", "theirs_base", "published_on", "published", "figure",
           "figure_base", "source"]  # fmt: skip
_TEXTS = ("engine", "version", "machine", "step", "metric", "relative_to", "source")


@dataclass(frozen=True)
class Compared:
    """One published table beside our ratios to the same base.

    judged: our ratios of all tests, ``group`` being that of the table, '' without.
    rows: the frame of ``beside``; its tests are the groups where ``grouped``. here,
    there: which of several rows of a test these are, in words, '' where there is one;
    note: what else is different there.
    """

    table: str
    judged: VerdictFrame
    rows: pd.DataFrame
    grouped: bool
    here: str = ""
    there: str = ""
    note: str = ""


def published_side(
    figures: pd.DataFrame, table: str, cells: Mapping[str, str]
) -> pd.DataFrame:
    """The ratios that a published table gives for ``cells``, ours to theirs.

    Of figures they are computed, to that of the first of ``cells``; of ratios that were
    published as such, by group of tests, the medians are taken. Columns: test, theirs,
    theirs_base, published_on (the machine), published (the ratio), figure and figure_base
    (which it is made of), source (with its date). UserError with what the table has
    instead.
    """
    require(figures, (*_TEXTS, "value", "date"))
    base, *compared = cells.values()
    names = _names(figures)
    if (figures["relative_to"] != "").any():
        ratios = figures[figures["metric"] == STATISTIC]
        _require_names(table, "ratio to", [base], ratios["relative_to"])
        ratios = ratios[ratios["relative_to"] == base].assign(value_base=1.0)
    else:
        _require_names(table, "figure of", [base], names)
        engine, _, version = base.partition(" ")
        ratios = published_ratios(figures, {"engine": engine, "version": version})
        ratios = ratios[ratios["relative"].notna()]
    ratios = ratios.assign(theirs=_names(ratios))
    _require_names(table, f"ratio to {base} of", compared, ratios["theirs"])
    rows = ratios[ratios["theirs"].isin(compared)]
    rows = rows.rename(
        columns={"step": "test", "machine": "published_on", "value": "figure",
                 "value_base": "figure_base"}
    )  # fmt: skip
    published = rows["figure"] / rows["figure_base"]
    rows = rows.assign(theirs_base=base, published=published, source=_dated(rows))
    rows = rows[_THEIRS]
    twice = rows.duplicated(["test", "theirs", "published_on"])
    if twice.any():
        first = rows[twice].iloc[0]
        raise UserError(
            f"beside: {table} has several ratios of {first['theirs']} to {base} in "
            f"{first['test']} on {first['published_on']}: it says one thing too many"
        )
    return rows.reset_index(drop=True)


def _names(figures: pd.DataFrame) -> pd.Series:
    """Engine and version; the engine alone where nobody says which version."""
    return (figures["engine"] + " " + figures["version"]).str.strip()


def _dated(rows: pd.DataFrame) -> list[str]:
    pairs = zip(rows["source"], rows["date"], strict=True)
    return [s if date in s else f"{s}, {date}" for s, date in pairs]


def _require_names(table: str, what: str, names: list[str], available: pd.Series) -> None:
    for name in names:
        if not (available == name).any():
            raise UserError(
                f"beside: {table} has no {what} {name}; available: {joined(available)}"
            )


def group_medians(judged: VerdictFrame) -> pd.DataFrame:
    """One row per me and ``group`` of tests: the median of their ratios.

    Its interval is from the median of their lower ends to that of their upper ends: a
    median moves with the figures that it is of. It covers 95% where the tests err
    together and up to 100% where they err independently (6 to 11 tests, evenly apart;
    89% where 5 of 9 are one ratio and 4 are far above). Columns as those of ``judged``
    that a table of ratios shows, step being the group, and tests (how many).
    """
    named = judged[(judged["group"] != "") & judged["relative"].notna()]
    by = named.groupby(["me", "base", "group", "margin"], sort=False)
    table = by[["relative", "low", "high"]].agg(lambda v: float(np.median(v)))
    table = table.assign(tests=by.size()).reset_index()
    table = table.rename(columns={"group": "step"}).assign(direction="higher")
    known = np.isfinite(table["low"])
    detected = ((table["low"] > 1) | (table["high"] < 1)).astype("boolean")
    margin = float(table["margin"].iloc[0]) if len(table) else 1.0
    return table.assign(
        test=table["step"], detected=detected.where(known), arrow="", q=np.nan,
        further_runs=pd.NA, verdict=decide(table, margin),
    )  # fmt: skip


def beside(
    ours: pd.DataFrame, theirs: pd.DataFrame, cells: Mapping[str, str]
) -> pd.DataFrame:
    """One row per test, compared cell and machine of theirs; what disagrees comes first.

    ``ours`` has test, by which it finds its row in the frame of ``published_side``, and
    the columns of ``verdicts`` with the base that is the first of ``cells``. Added
    columns are those of ``theirs``, agrees (``agreement``) and apart (the logarithm of
    the one ratio over the other, without its sign).
    """
    named = ours[ours["relative"].notna()]
    named = named.assign(theirs=named["me"].map(dict(cells)))
    rows = named.merge(theirs, on=["test", "theirs"])
    rows = rows.assign(
        agrees=agreement(rows), apart=np.abs(np.log(rows["relative"] / rows["published"]))
    )
    place = places(rows["agrees"], _IN_ORDER)
    rows = rows.assign(place=place.groupby(rows["step"]).transform("min"))
    return rows.sort_values("place", kind="stable", ignore_index=True).drop(
        columns="place"
    )


def agreement(rows: pd.DataFrame) -> np.ndarray:
    """What each row says of our ratio and the published one.

    - open: ours is undecided, or not significant after Benjamini-Hochberg;
    - inside: theirs lies in our interval;
    - same side: both are beyond the margin on one side of 1, or both within it;
    - only here, only there: the one is beyond the margin, the other within it;
    - opposite: beyond the margin on different sides of 1.
    """
    ratio, theirs, margin = (rows[c] for c in ("relative", "published", "margin"))
    verdict = rows["verdict"]
    undecided = ~verdict.isin([*CHANGES, "equivalent"])
    undecided |= verdict.isin(CHANGES) & (rows["q"] > ALPHA)
    within = (rows["low"] <= theirs) & (theirs <= rows["high"])
    here = np.where(verdict == "equivalent", 0, np.sign(ratio - 1))
    there = np.select([theirs > 1 + margin, theirs < 1 - margin], [1, -1], default=0)
    return np.select(
        [undecided, within, here == there, there == 0, here == 0],
        [OPEN, INSIDE, SAME, HERE, THERE],
        default=OPPOSITE,
    ).astype(object)


def rank_correlations(rows: pd.DataFrame) -> pd.DataFrame:
    """Spearman's correlation of our ratios and theirs over the tests, of 10 or more.

    ``rows`` is the frame of ``beside``. One row per me and published_on: correlation, n.
    """
    records = [
        (me, place, pair[["relative", "published"]].rank().corr().iloc[0, 1], n)
        for (me, place), pair in rows.groupby(["me", "published_on"], sort=False)
        if (n := len(pair)) >= FEWEST
    ]
    return pd.DataFrame(records, columns=["me", "published_on", "correlation", "n"])
