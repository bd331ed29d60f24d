"""One kind of server over another, where each size of one has its pair of the other."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from benchbook.templates.published.chart import published_dots
from benchbook.templates.published.table import published_ratio_tables
from benchmath.errors import UserError
from benchmath.published import FiguresFrame, published_ratios


def between_machines(figures: FiguresFrame, pairs: Mapping[str, str] | None) -> list[Any]:
    """To display: ratios of the machines to those that they are paired with.

    Nothing without pairs, as ``{"c7g.16xl": "c6i.16xl.ht0"}`` is one.
    """
    if not pairs:
        return []
    ratios = machine_ratios(figures, pairs)
    base = {"machine": str(ratios["base"].iloc[0])}
    return [*published_ratio_tables(ratios, base), *published_dots(ratios, base)]


def machine_ratios(figures: FiguresFrame, pairs: Mapping[str, str]) -> pd.DataFrame:
    """``published_ratios`` of kinds of servers: what stands before a machine's first dot.

    What stands behind it, in the names of ``pairs``, is its ``size``, a dimension.
    UserError where pairs are of several kinds, or no figure is of both of one.
    """
    kinds = {(_kind(me), _kind(of)) for me, of in pairs.items()}
    if len(kinds) != 1:
        raise UserError("machines: pairs are of more than two kinds of servers")
    [(_, base)] = kinds
    sizes = {name: me.partition(".")[2] for me, of in pairs.items() for name in (me, of)}
    chosen = figures[figures["machine"].isin(sizes)]
    rows = chosen.assign(
        size=chosen["machine"].map(sizes), machine=chosen["machine"].map(_kind)
    )
    if base in set(rows["machine"]):
        ratios = published_ratios(rows, {"machine": base})
        if len(ratios):
            return ratios
    raise UserError(f"machines: no figure is of both of a pair with {base}")


def _kind(machine: str) -> str:
    return machine.partition(".")[0]
