"""Tables of published figures: as printed, with what is doubtful, and their ratios."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    marked,
    shown_unit,
    table,
    text,
    turned,
    varying,
)
from benchmath.frames import ordered, require
from benchmath.published import better, named, row_keys

_MACHINES = 2  # more of them are rows of one table


def published_tables(figures: pd.DataFrame, base: Mapping[str, str]) -> list[GT]:
    """Each published table: a row per step and metric, a column per compared value.

    Takes ``benchbook.published_figures``. Each machine has a table of its own; more than
    two, or those of a table with one column, are rows. Rows of one unit stand together
    under it; ratios to different bases are different columns. Figures print with their
    published digits; one that differs from the source's raw data has a footnote with the
    raw figure.
    """
    rows = named(figures, base)
    to = rows["relative_to"].map(lambda name: f" to {name}" if name else "")
    bases = rows.groupby("table")["relative_to"]
    beside = (bases.transform("nunique") > 1) & (bases.transform("min") != "")
    unnamed = (rows[list(base)] == "").all(axis=1)
    mes = rows["me"].mask(unnamed, "figure") + to.where(beside, "")
    heads = rows["unit"].map(shown_unit) + to.mask(beside, "") + _direction(rows)
    rows = rows.assign(me=mes, head=heads)
    return _tables(rows, base, "printed", _remark, "as published")


def published_ratio_tables(ratios: pd.DataFrame, base: Mapping[str, str]) -> list[GT]:
    """The frame of ``published_ratios``, laid out as ``published_tables``.

    Nothing is coloured: a ratio of single figures has no interval to judge it by. Rows
    without any ratio are left out.
    """
    require(ratios, ("me", "base", "relative_text", "note"))
    over = f"ratio to {ratios['base'].iloc[0]}" if len(ratios) else "ratio"
    keys = ["table", *row_keys(ratios, list(base))]
    has_ratio = ratios.groupby(keys, dropna=False)["relative"].transform("count") > 0
    rows = ratios[has_ratio]
    heads = rows["unit"].map(shown_unit) + _direction(rows)
    return _tables(rows.assign(head=heads), base, "relative_text", _note, over)


def _tables(
    rows: pd.DataFrame,
    base: Mapping[str, str],
    column: str,
    remark: Callable[[Mapping[str, str]], str],
    over: str,
) -> list[GT]:
    keys = row_keys(rows, list(base))
    several = rows["table"].nunique() > 1
    return [
        _grid(block, keys, column, remark, over, _title(block, several))
        for _, published in rows.groupby("table", sort=False)
        for block in _blocks(published, base)
    ]


def _blocks(table: pd.DataFrame, base: Mapping[str, str]) -> list[pd.DataFrame]:
    """A published table as one of ours, or as one for each machine."""
    many = table["machine"].nunique() > _MACHINES or table["me"].nunique() == 1
    if many or "machine" in base:
        return [table]
    return [block for _, block in table.groupby("machine", sort=False)]


def _title(block: pd.DataFrame, several: bool) -> str:
    """The machine, and the table's name where the study has others."""
    machines = list(dict.fromkeys(block["machine"]))
    name = str(block["table"].iloc[0])
    if len(machines) > 1:
        return name.replace("_", " ")
    return f"{name.replace('_', ' ')} on {machines[0]}" if several else str(machines[0])


def _grid(
    block: pd.DataFrame,
    keys: Sequence[str],
    column: str,
    remark: Callable[[Mapping[str, str]], str],
    over: str,
    title: str,
) -> GT:
    """Rows by the keys that vary, in groups by their unit; a column per me.

    More of these than the page has room for are rows themselves.
    """
    free = varying(block, keys)
    first = [k for k in ("machine",) if k in free]
    by = [*first, "step", *(k for k in free if k not in ("machine", "step"))]
    heads = list(dict.fromkeys(block["head"]))
    rows = across(ordered(block, {"head": heads}), ["head", *by], "me")
    over = _over(block, over)

    figures = partial(Numbers, spanner=over)
    columns = [Column(k, show=_wrapping if k == "step" else None) for k in by]
    columns += [
        figures(
            f"me {me}", _breakable(me), of=me, cell=lambda row: text(row[column]),
            notes=lambda row: [*filter(None, [remark(row)])],
        )
        for me in dict.fromkeys(block["me"])
    ]  # fmt: skip

    def head(index: int, row: Row) -> Column:
        name = _breakable(" ".join(str(row[key]) for key in by))
        spanner = f"{over}: {row['head']}" if len(heads) > 1 else over
        return Column(f"row {index}", name, spanner=spanner)

    named = Column("me", "compared", cell=lambda new: text(new["column"].name[3:]))
    if other := turned((rows, columns), named, head):
        return table(*other, title)
    if len(heads) == 1:
        return table(rows, columns, title)
    grouped = table(rows, [*columns, Column("head", "")], title)
    return grouped.tab_stub(groupname_col="head").tab_options(
        row_group_font_size="0.85em", row_group_padding="3px 9px"
    )


def _over(block: pd.DataFrame, over: str) -> str:
    """What the columns show: metric and unit, as far as no row has to say them."""
    words = [
        str(block[name].iloc[0])
        for name in ("metric", "head")
        if block[name].nunique() == 1
    ]
    return f"{over}: {', '.join(words)}" if words else over


def _wrapping(step: str) -> str:
    """A step of several words may break, so that figures stay in sight on a phone."""
    return marked(text(step), "wrap") if " " in step else text(step)


def _direction(rows: pd.DataFrame) -> pd.Series:
    words = rows["direction"].map(better)
    return words.where(words == "", ", " + words)


def _breakable(name: str) -> str:
    """A header may break in ``MyRocks.none`` and ``max_jobs=8``, not within a version."""
    return re.sub(r"(\.(?=[A-Za-z])|=|_)", "\\1\u200b", name)


def _remark(row: Mapping[str, str]) -> str:
    """The raw figure and why the published one differs from it."""
    raw = row["printed_raw"]
    raw_figure = f"the raw data give {raw}" if raw else ""
    return ": ".join(p for p in (raw_figure, row["remark"]) if p)


def _note(row: Mapping[str, str]) -> str:
    return row["note"]
