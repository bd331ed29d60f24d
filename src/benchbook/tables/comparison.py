"""Tables of ratios: each cell against its base, and groups of them."""

from collections.abc import Iterable, Mapping
from typing import Any

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Footnote,
    figure,
    marked,
    shown_unit,
    small,
    styled,
    text,
    varying,
)
from benchmath.frames import require
from benchmath.hazard import Hazard
from benchmath.prose import counted, ratio_format, span, unsure
from benchmath.ratios.groups import STATISTICS
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
    order = relative[keys].drop_duplicates().reset_index(drop=True)
    rows = relative.merge(order.reset_index(names="row"), on=keys)
    cells = order.map(text)
    cells = cells.set_axis([str(c) for c in keys], axis="columns")
    columns = [Column(k, k) for k in keys]
    mes = list(dict.fromkeys(rows["me"]))
    between = "<br>" if len(mes) > _BESIDE else " "
    for me in mes:
        mine = rows[rows["me"] == me].set_index("row")
        ratios = {i: ratio_cell(row, between) for i, row in mine.to_dict("index").items()}
        cells[f"me {me}"] = [ratios.get(i, "") for i in cells.index]
        columns.append(Column(f"me {me}", str(me), "ratio", True))
    one_base = (rows.groupby("row")["value_base"].nunique() <= 1).all()
    if absolute and one_base:
        cells, base_column = _base_column(cells, rows)
        columns.append(base_column)
    notes = legend(rows) if len(rows) else ["Nothing to compare yet."]
    footnotes = [*_notes(rows), *_marks(rows, hazards, base or {}, keys[0])]
    return styled(cells, columns, title, footnotes, notes)


def summary_table(summary: pd.DataFrame, title: str | None = None) -> GT:
    """Statistics by group of steps; takes the frame of ``group_summary``."""
    require(summary, ("me", "base", "group", "n", *STATISTICS, "note"))
    keys = [*varying(summary, ("base", "me")), "group"]
    cells = summary[keys].map(text)
    cells["n"] = summary["n"].map(figure)
    columns = [Column(k, "compared" if k == "me" else k) for k in keys]
    columns.append(Column("n", "n", "steps", True))
    over = " / ".join(map(str, summary[["me", "base"]].iloc[0])) if len(summary) else ""
    spanner = "relative throughput" + (f", {over}" if len(keys) == 1 else ", to the base")
    for name in STATISTICS:
        cells[name] = ["" if pd.isna(v) else f"{v:.2f}" for v in summary[name]]
        columns.append(Column(name, name, "ratio", True, spanner))
    footnotes = [Footnote(n, i, "group") for i, n in enumerate(summary["note"]) if n]
    return styled(cells, columns, title, footnotes, ["stddev divides by n-1."])


def _row_keys(relative: pd.DataFrame) -> list[str]:
    """step, and what varies within a step without being what is compared."""
    dims = _TAKEN.dimensions(relative)
    settled = relative.groupby("me", dropna=False)
    free = [d for d in dims if (settled[d].nunique(dropna=False) > 1).any()]
    others = [*free, *varying(relative, ("op", "clock", "metric"))]
    steps = relative.groupby("step", dropna=False)
    return ["step", *(k for k in others if (steps[k].nunique(dropna=False) > 1).any())]


def ratio_cell(row: Mapping[str, Any], between: str) -> str:
    if pd.isna(row["relative"]):
        return ""
    show = ratio_format(row["low"], row["high"])
    ratio = show(row["relative"])
    if pd.isna(row["detected"]):
        return ratio
    beside = f"{between}{small(span(row['low'], row['high'], show))}"
    shown = f"{unsure(ratio, row['detected'])}{_sign(row)}"
    kind = _kind(row)
    return f"{marked(shown, kind) if kind else shown}{beside}"


def _sign(row: Mapping[str, Any]) -> str:
    """= with an arrow for equivalent, ? for undecided."""
    verdict = row.get("verdict", "")
    if verdict == "equivalent":
        return f" ={_ARROWS.get(str(row['arrow']), '')}"
    return " ?" if verdict == "undecided" else ""


def _kind(row: Mapping[str, Any]) -> str:
    """The look of a cell: by its verdict, else by what was detected."""
    if "verdict" in row:
        return {"improved": "better", "regressed": "worse"}.get(row["verdict"], "none")
    if not row["detected"]:
        return "none"
    return "" if pd.isna(row["better"]) else ("better" if row["better"] else "worse")


def _base_column(cells: pd.DataFrame, rows: pd.DataFrame) -> tuple[pd.DataFrame, Column]:
    """The base's own values; each with its unit where the rows differ in it."""
    first = rows.dropna(subset=["value_base"]).drop_duplicates("row").set_index("row")
    names = list(dict.fromkeys(first["unit"]))
    alike = len(names) == 1
    values = {i: figure(v) for i, v in first["value_base"].items()}
    if not alike:
        units = {i: small(shown_unit(str(u))) for i, u in first["unit"].items()}
        values = {i: f"{value}<br>{units[i]}" for i, value in values.items()}
    with_base = cells.assign(base_value=[values.get(i, "") for i in cells.index])
    title = f"base {rows['base'].iloc[0]}" if len(rows) else "base"
    return with_base, Column("base_value", title, str(names[0]) if alike else "", True)


def legend(rows: pd.DataFrame) -> list[str]:
    """What the signs and colours of ratios mean, as far as a table has them."""
    notes = [_direction(rows), _LEGEND]
    if "verdict" in rows.columns:
        margin = rows["margin"].iloc[0]
        notes.append(
            f"Coloured: beyond the margin of {margin:.3g}, and the interval excludes 1. "
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


def _notes(rows: pd.DataFrame) -> list[Footnote]:
    noted = rows[rows["note"] != ""]
    return [
        Footnote(part, row.row, f"me {row.me}")
        for row in noted[["row", "me", "note"]].itertuples(index=False)
        for part in row.note.split("; ")
    ]


def _marks(
    rows: pd.DataFrame, hazards: Iterable[Hazard], base: Mapping[str, str], key: str
) -> list[Footnote]:
    """A hazard of one me marks its cell, a hazard of the step the row's head."""
    footnotes = []
    for row in rows.to_dict("records"):
        for hazard in hazards:
            at = f"me {row['me']}" if set(hazard.where) - {"step", "op"} else key
            if hazard.concerns(row):
                footnotes.append(Footnote(hazard.text, row["row"], at))
            elif base and hazard.concerns(row | dict(base)):
                footnotes.append(Footnote(f"base: {hazard.text}", row["row"], at))
    return footnotes
