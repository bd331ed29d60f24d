"""Instructions per operation: a row per step, a column per cell."""

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    nothing,
    small,
    table,
)
from benchmath.prose import listed, number
from benchmath.ratios.instructions import COUNTED, CountedFrame

NONE_COUNTED = "No run of this study was made under callgrind."


def instructions_table(
    counted: CountedFrame, paths: pd.DataFrame | None = None, title: str | None = None
) -> GT:
    """Takes the frame of ``counted_instructions``; below a count its ratio.

    ``paths`` has tool and cpu_features of the runs: code that is chosen by the processor
    may be another where it is timed.
    """
    if counted.empty:
        return nothing(NONE_COUNTED, title)
    free = COUNTED.dimensions(counted)
    columns = [*map(Column, ("step", *free))]
    columns += [
        Numbers(f"me {me}", me, "per op", of=me, cell=_count_cell)
        for me in dict.fromkeys(counted["me"].astype(str))
    ]
    largest = float(counted["spread"].max())
    repeated = bool((counted["n"] > 1).any())
    notes = ["Counted by callgrind in runs of their own, which are never timed."]
    notes += ["Small: the ratio to the base."]
    notes += [f"Repeated counts differ by {largest:.2%} at most."] if repeated else []
    notes += _paths(paths)
    return table(across(counted, ["step", *free], "me"), columns, title, notes)


def _paths(paths: pd.DataFrame | None) -> list[str]:
    """Which code was counted: what the programs saw of the processor."""
    if paths is None or paths.empty:
        return []
    tools = listed(list(dict.fromkeys(paths["tool"].astype(str))))
    sets = dict.fromkeys(" ".join(features) for features in paths["cpu_features"])
    names = " or ".join(filter(None, sets)) or "none of the features that are looked for"
    return [f"Counted by {tools}, under which programs see {names}, and no AVX-512."]


def _count_cell(row: Row) -> str:
    count = number(row["instructions"])
    if not count or pd.isna(row["ratio"]):
        return count
    ratio = f"{row['ratio']:.3f}"
    return f"{count}<br>{small(ratio)}"
