"""Published figures against each other: ratios to a base, and which follow from what.

A figure is known to the digits it was printed with.  Ratios are those of the printed
figures, rounded half up as by hand: C's printf rounds 1.345 to 1.34 or 1.35 by its
binary neighbour.
"""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.compatible import half_up
from benchmath.errors import UserError
from benchmath.frames import LABELS, Kind, check_base, require

FACTS = ("date", "raw", "remark", "table", "printed", "printed_raw", "relative_to")
_NEEDED = ("step", "metric", "value", "unit", "direction", *FACTS)
FIGURES = Kind("published_figures", (
    *FACTS,
    "me", "panel", "row", "head",  # what tables and charts add
    "base", "printed_base", "raw_base", "value_base", "relative", "relative_text",
    "lowest", "highest", "low", "high", "n", "n_base", "note",  # of published_ratios
))  # fmt: skip
FiguresFrame = Annotated[pd.DataFrame, FIGURES]
_SOURCES = Kind("published_sources", {"figures": "count"})
_VAGUE = 0.1  # a ratio of rounded figures that may be off by more gets a note


def compared_name(values: Mapping[str, object]) -> str:
    """What is compared as a name; a bare number needs its dimension: ``jobs=8``."""
    words = [
        f"{name}={value}" if _is_number(value) and name not in LABELS else str(value)
        for name, value in values.items()
    ]
    return " ".join(word for word in words if word) or f"no {' '.join(values)} given"


def row_keys(figures: FiguresFrame, base: Sequence[str]) -> list[str]:
    """step, metric and the dimensions that a figure and its base have in common.

    Labels that follow from the other dimensions within a step (the build of an engine)
    are facts about a figure and take no part.
    """
    require(figures, _NEEDED)
    free = [d for d in FIGURES.dimensions(figures) if d not in base]
    keys = ["step", "metric", *(d for d in free if d not in LABELS)]
    for name in (d for d in free if d in LABELS):
        groups = figures.groupby([*keys, *base, "relative_to"], dropna=False)
        if (groups[name].nunique(dropna=False) > 1).any():
            keys.append(name)
    return keys


def named(figures: pd.DataFrame, base: Mapping[str, str]) -> pd.DataFrame:
    """The figures with ``me``: what is compared, as a name.

    Errors: a dimension or a value of the base that no figure has; two figures in one
    cell.
    """
    check_base(figures, base, FIGURES)
    dims = list(base)
    twice = figures.duplicated([*row_keys(figures, dims), *dims, "relative_to"])
    if twice.any():
        first = figures[twice].iloc[0]
        raise UserError(
            f"published table {first['table']}: two figures of {first['metric']} in step "
            f"{first['step']} for {compared_name(first[dims].to_dict())}; add the column "
            "in which they differ"
        )
    me = [compared_name(row) for row in figures[dims].to_dict("records")]
    return figures.assign(me=me)


def published_ratios(figures: pd.DataFrame, base: Mapping[str, str]) -> pd.DataFrame:
    """Each published figure over that of the base, from the printed digits.

    Figures that were published as ratios, and those without a figure of the base to
    compare with, are left out.  Columns: those of the figures, me, base, value_base,
    relative (NaN where the base is 0), relative_text (2 decimals, half up), lowest and
    highest (the ratio that the unrounded figures may have), note; and low, high (NaN:
    one figure has no interval), n, n_base, as the frame of ``relative``.
    """
    rows = named(figures, base)
    rows = rows[rows["relative_to"] == ""].reset_index(drop=True)
    keys = row_keys(rows, list(base))
    is_base = pd.Series(True, index=rows.index)
    for name, value in base.items():
        is_base &= rows[name] == str(value)
    of_base = rows.loc[is_base, [*keys, "printed", "printed_raw", "value"]].rename(
        columns={"printed": "printed_base", "printed_raw": "raw_base",
                 "value": "value_base"}
    )  # fmt: skip
    pairs = rows[~is_base].merge(of_base, on=keys, validate="m:1")
    return _judged(pairs, base)


def in_panels(ratios: pd.DataFrame, base: Mapping[str, str]) -> pd.DataFrame:
    """Ratios with ``panel`` (machine, unit, a metric that does not vary) and ``row``.

    A row is a step and what tells it apart from the others of its panel: "q1, dop 22".
    """
    machines = ratios["machine"] if "machine" not in base else ""
    units = ratios["unit"] + ratios["direction"].map(lambda d: f", {better(d)}")
    places = ratios.assign(where=machines, what=units.str.removesuffix(", "))
    metrics = places.groupby(["where", "what"])["metric"].transform("nunique")
    single = places["metric"].where(metrics == 1, "")
    parts = zip(places["where"], single, places["what"], strict=True)
    panels = [", ".join(p for p in part if p) for part in parts]
    named_so = ratios.assign(panel=panels)
    keys = row_keys(ratios, list(base))
    return named_so.assign(row=_row_names(named_so, keys))


def without_ratio(
    figures: pd.DataFrame, ratios: pd.DataFrame, base: Mapping[str, str]
) -> tuple[int, int]:
    """Figures that have no ratio: those beside no figure of the base, and beside a 0."""
    is_base = pd.Series(True, index=figures.index)
    for name, value in base.items():
        is_base &= figures[name] == str(value)
    others = int((~is_base & (figures["relative_to"] == "")).sum())
    return others - len(ratios), int(ratios["relative"].isna().sum())


def ratio_checks(figures: pd.DataFrame, base: Mapping[str, str]) -> pd.DataFrame:
    """Figures that were published as ratios, beside the ratio of the published figures.

    One row per published ratio to the base whose two figures were published too; columns
    as in ``published_ratios`` and published (as printed), recomputed (half up, as many
    decimals), follows.
    """
    pairs = published_ratios(figures, base)
    printed = named(figures, base)
    printed = printed[printed["relative_to"] != ""]
    keys = [*row_keys(printed, list(base)), *base]
    keys = [k for k in keys if k in pairs.columns]
    claimed = printed[[*keys, "printed", "relative_to"]].rename(
        columns={"printed": "published", "relative_to": "claimed_base"}
    )
    both = pairs[pairs["relative"].notna()].merge(claimed, on=keys)
    both = both[both["claimed_base"] == both["base"]].reset_index(drop=True)
    again = [
        half_up(Decimal(me) / Decimal(of), _decimals(text))
        for me, of, text in both[["printed", "printed_base", "published"]].itertuples(
            index=False
        )
    ]
    follows = [Decimal(a) == Decimal(p) for a, p in zip(again, both["published"],
                                                        strict=True)]  # fmt: skip
    return both.assign(recomputed=again, follows=np.array(follows, dtype=bool))


def doubtful(figures: pd.DataFrame) -> pd.DataFrame:
    """The figures that do not follow from the source's own raw data."""
    return figures[figures["raw"].notna() & (figures["raw"] != figures["value"])]


def published_sources(figures: pd.DataFrame) -> pd.DataFrame:
    """Where the figures come from: table, source, date, figures."""
    keys = ["table", "source", "date"]
    counts = figures.groupby(keys, sort=False).size().rename("figures")
    return _SOURCES.of(counts.reset_index(), keys)


def better(direction: str) -> str:
    """``higher is better``, ``lower is better``, or nothing."""
    return f"{direction} is better" if direction in ("higher", "lower") else ""


def _row_names(pairs: pd.DataFrame, keys: Sequence[str]) -> pd.Series:
    """step, and the keys in which the rows of a step differ within a panel."""
    names = pairs["step"]
    groups = pairs.groupby(["panel", "step"])
    for key in (k for k in keys if k not in ("step", "machine")):
        several = groups[key].transform("nunique") > 1
        values = [_suffix(key, str(v)) for v in pairs[key]]
        longer = [name + value for name, value in zip(names, values, strict=True)]
        names = names.where(~several, pd.Series(longer, pairs.index, dtype=str))
    return names


def _suffix(key: str, value: str) -> str:
    """What follows a row's step: ``, dop 22`` or, of a name, itself."""
    if not value:
        return ""
    return f", {key} {value}" if _is_number(value) and key not in LABELS else f", {value}"


def _judged(pairs: pd.DataFrame, base: Mapping[str, str]) -> pd.DataFrame:
    """The ratio of each pair with what its digits allow."""
    columns = ["printed", "printed_raw", "printed_base", "raw_base"]
    rows = [_ratio(*texts) for texts in pairs[columns].itertuples(index=False)]
    names = ["relative", "relative_text", "lowest", "highest", "note"]
    ratios = pd.DataFrame(rows, columns=names, index=pairs.index)
    return pairs.assign(
        base=compared_name(base), n=1, n_base=1, low=np.nan, high=np.nan,
        **{name: ratios[name] for name in names},
    )  # fmt: skip


def _ratio(
    me: str, me_raw: str, of: str, of_raw: str
) -> tuple[float, str, float, float, str]:
    mine, theirs = Decimal(me), Decimal(of)
    if theirs == 0:
        return (np.nan, "", np.nan, np.nan, "the base is 0: no ratio")
    low, high = _span(me, of)
    ratio, text = float(mine / theirs), half_up(mine / theirs, 2)
    notes = []
    if me_raw or of_raw:
        true = Decimal(me_raw or me) / Decimal(of_raw or of)
        notes.append(f"{half_up(true, 2)} by the raw data")
    if mine and (low < ratio * (1 - _VAGUE) or high > ratio * (1 + _VAGUE)):
        notes.append(f"few digits: between {_short(low)} and {_short(high)}")
    return (ratio, text, low, high, "; ".join(notes))


def _span(me: str, of: str) -> tuple[float, float]:
    """The ratios that figures may have which round to these."""
    mine, theirs = _unrounded(me), _unrounded(of)
    highest = mine[1] / theirs[0] if theirs[0] > 0 else float("inf")
    return max(mine[0], 0.0) / theirs[1], highest


def _unrounded(printed: str) -> tuple[float, float]:
    """Lowest and highest number that prints so."""
    half = 0.5 * 10.0 ** -_decimals(printed)
    return float(printed) - half, float(printed) + half


def _short(value: float) -> str:
    if value == float("inf"):
        return "no bound"
    return f"{value:,.0f}" if value >= 100 else f"{value:#.2g}".rstrip(".")


def _decimals(printed: str) -> int:
    return max(0, -int(Decimal(printed).as_tuple().exponent))


def _is_number(value: object) -> bool:
    try:
        float(str(value))
    except ValueError:
        return False
    return True
