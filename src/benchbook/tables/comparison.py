"""Tables of ratios: each cell against its base, and groups of them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    figure,
    fixed,
    marked,
    note,
    note_parts,
    records_across,
    records_of,
    small_unit,
    table,
    varying,
    with_span,
)
from benchmath.frames import require
from benchmath.hazard import Hazard
from benchmath.prose import counted, ratio_format, unsure
from benchmath.ratios.groups import STATISTICS
from benchmath.ratios.power import ALPHA
from benchmath.ratios.relative import RatioFrame
from benchmath.ratios.suite import SUITE_RATIOS, SuiteFrame
from benchmath.ratios.verdicts import VERDICTS, VerdictFrame

_TAKEN = VERDICTS.extended("verdicts", *SUITE_RATIOS.columns)
_BESIDE = 3  # with more columns the interval stands under the ratio
_LEGEND = (
    "Small: 95% interval. ~ means no detectable difference: the interval includes 1."
)
_ARROWS = {"up": "↑", "down": "↓"}


def relative_table(
    relative: RatioFrame | VerdictFrame | SuiteFrame,
    title: str | None = None,
    hazards: Iterable[Hazard] = (),
    base: Mapping[str, str] | None = None,
    absolute: bool = True,
) -> GT:
    """One row per step, one column per me: the ratio with its interval beside it.

    Takes the frame of ``relative``, with or without the columns that
    ``verdicts`` adds. ``absolute`` adds the base's own value where all of a
    row are compared with one base cell. Give ``base`` to mark also what
    a hazard of the base's side makes doubtful.
    """
    require(relative, ("step", "me", "base", "relative", "low", "high", "note"))
    keys = _row_keys(relative)
    doubts = partial(_doubts, hazards=list(hazards), base=base or {})
    rows = across(relative, keys, "me")
    mes = list(dict.fromkeys(relative["me"]))
    cell = partial(ratio_cell, between="<br>" if len(mes) > _BESIDE else " ")
    columns = [
        Column(keys[0], notes=lambda row: doubts(records_across(row).values(), False)),
        *map(Column, keys[1:]),
        *(
            Numbers(f"me {me}", str(me), "ratio", of=me, cell=cell,
                    notes=lambda row: [*note_parts(row), *doubts([row], True)])
            for me in mes
        ),
    ]  # fmt: skip
    bases = relative.groupby(keys, dropna=False)["value_base"].nunique()
    if absolute and (bases <= 1).all():
        columns.append(_base_column(relative))
    notes = legend(relative) if len(relative) else ["Nothing to compare yet."]
    order = [part for row in records_of(relative) for part in note_parts(row)]
    return table(rows, columns, title, notes, order=order)


def summary_table(summary: pd.DataFrame, title: str | None = None) -> GT:
    """Statistics by group of steps; takes the frame of ``group_summary``."""
    require(summary, ("me", "base", "group", "n", *STATISTICS, "note"))
    keys = varying(summary, ("base", "me"))
    over = " / ".join(map(str, summary[["me", "base"]].iloc[0])) if len(summary) else ""
    spanner = "relative throughput" + (", to the base" if keys else f", {over}")
    columns = [
        *(Column(k, "compared" if k == "me" else k) for k in keys),
        Column("group", notes=note),
        Numbers("n", "n", "steps", show=figure),
        *(
            Numbers(name, name, "ratio", spanner=spanner, show=fixed("{:.2f}"))
            for name in STATISTICS
        ),
    ]
    return table(summary, columns, title, ["stddev divides by n-1."])


def _row_keys(relative: pd.DataFrame) -> list[str]:
    """step, and what varies within a step without being what is compared."""
    dims = _TAKEN.dimensions(relative)
    settled = relative.groupby("me", dropna=False)
    free = [d for d in dims if (settled[d].nunique(dropna=False) > 1).any()]
    others = [*free, *varying(relative, ("op", "clock", "metric"))]
    steps = relative.groupby("step", dropna=False)
    return ["step", *(k for k in others if (steps[k].nunique(dropna=False) > 1).any())]


def ratio_cell(row: Row, between: str = "<br>") -> str:
    """A ratio with its interval, as it was decided or judged."""
    if pd.isna(row["relative"]):
        return ""
    show = ratio_format(row["low"], row["high"])
    ratio = show(row["relative"])
    if pd.isna(row["detected"]):
        return ratio
    shown = marked(f"{unsure(ratio, row['detected'])}{_sign(row)}", _kind(row))
    return with_span(shown, row["low"], row["high"], show, between)


def _sign(row: Row) -> str:
    """= with an arrow for equivalent, ? for undecided."""
    verdict = row.get("verdict", "")
    if verdict == "equivalent":
        return f" ={_ARROWS.get(str(row['arrow']), '')}"
    return " ?" if verdict == "undecided" else ""


def _kind(row: Row) -> str:
    """The look of a cell: by its verdict, else by what was detected."""
    if "verdict" in row:
        if row.get("q", 0.0) > ALPHA:
            return "none"
        return {"improved": "better", "regressed": "worse"}.get(row["verdict"], "none")
    if not row["detected"]:
        return "none"
    return "" if pd.isna(row["better"]) else ("better" if row["better"] else "worse")


def _base_column(relative: pd.DataFrame) -> Column:
    """The base's own values; each with its unit where the rows differ in it."""
    units = list(dict.fromkeys(relative.dropna(subset=["value_base"])["unit"]))
    alike = len(units) == 1

    def cell(row: Row) -> str:
        known = (r for r in records_across(row).values() if pd.notna(r["value_base"]))
        if not (first := next(known, None)):
            return ""
        below = "" if alike else f"<br>{small_unit(first['unit'])}"
        return figure(first["value_base"]) + below

    title = f"base {relative['base'].iloc[0]}" if len(relative) else "base"
    return Numbers("base_value", title, str(units[0]) if alike else "", cell=cell)


def legend(rows: pd.DataFrame) -> list[str]:
    """What the signs and colours of ratios mean, as far as a table has them."""
    notes = [_direction(rows), _LEGEND]
    if "verdict" in rows.columns:
        margin = rows["margin"].iloc[0]
        notes.append(
            f"Coloured: beyond the margin of {margin:.3g}, the interval excludes 1, and "
            "it stands after Benjamini-Hochberg. "
            "= equivalent: the interval lies within the margin (arrow: it excludes 1). "
            f"? undecided{_further(rows)}."
        )
    return notes


def _further(rows: pd.DataFrame) -> str:
    """How many more runs would decide what is undecided, where these are too few."""
    if "further_runs" not in rows.columns:
        return ""
    more = rows.loc[rows["verdict"] == "undecided", "further_runs"].dropna()
    more = more[more > 0].astype(int)
    if more.empty:
        return ""
    least, most = int(more.min()), int(more.max())
    runs = counted(most, "further run")
    if least < most:
        runs = f"{least} to {runs}"
    return f": {runs} per side would decide where these are too few"


def _direction(rows: pd.DataFrame) -> str:
    directions = [d for d in dict.fromkeys(rows["direction"]) if d in ("higher", "lower")]
    over = f"Ratio to {rows['base'].iloc[0]}"
    return f"{over}; {directions[0]} is better." if len(directions) == 1 else f"{over}."


def _doubts(
    rows: Iterable[Row], of_cell: bool, hazards: Sequence[Hazard], base: Mapping[str, str]
) -> Iterator[str]:
    """A hazard of one me marks its cell, a hazard of the step the row's head."""
    for row in rows:
        for hazard in hazards:
            if bool(set(hazard.where) - {"step", "op"}) == of_cell:
                if hazard.concerns(row):
                    yield hazard.text
                elif base and hazard.concerns({**row, **base}):
                    yield f"base: {hazard.text}"
