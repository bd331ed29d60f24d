"""CoVs of cloud servers: the published matrix, server by clients, and the averages."""

import pandas as pd
from great_tables import GT

from benchbook.tables.look import (
    Column,
    Numbers,
    Row,
    across,
    marked,
    note,
    small,
    table,
)
from benchmath.frames import require

BOTH = (
    "Large figures are compatible: the stddev divides by n, as in the published table. "
    "Small figures are corrected: n - 1 and c4."
)
_CELL = ["workload", "machine", "dop"]
UNPUBLISHED = "The published table has no such cell; its runs are in the archive."


def cov_matrix(
    setups: pd.DataFrame,
    workload: str,
    limit: float,
    published: pd.DataFrame | None = None,
    title: str | None = None,
) -> GT:
    """Rows servers, columns numbers of clients: the largest CoV in both forms.

    Takes the frame of ``setup_cov``. Compatible figures above ``limit``
    are bold, for no interval decides; cells without a row ``max_cov`` in ``published``
    get a footnote.
    """
    require(setups, ("workload", "machine", "dop", "largest", "largest_corrected"))
    rows = setups[setups["workload"] == workload]
    if published is not None:
        of_cell = published.loc[published["metric"] == "max_cov", _CELL]
        there = rows[_CELL].apply(tuple, axis=1).isin([*map(tuple, of_cell.to_numpy())])
        rows = rows.assign(note=there.map({True: "", False: UNPUBLISHED}))
    return _matrix(rows, Column("machine", "server"), limit, title)


def workload_matrix(setups: pd.DataFrame, limit: float, title: str | None = None) -> GT:
    """Rows workloads of one machine, columns numbers of clients: as ``cov_matrix``."""
    require(setups, ("workload", "machine", "dop", "largest", "largest_corrected"))
    if setups["machine"].nunique() > 1:
        raise ValueError("a matrix of workloads is of one machine")
    return _matrix(setups, Column("workload"), limit, title)


def _matrix(rows: pd.DataFrame, by: Column, limit: float, title: str | None) -> GT:
    """A row for each value of ``by``, a column for each dop."""

    def cell(row: Row) -> str:
        figure = f"{row['largest']:.3f}"
        shown = marked(figure, "strong") if row["largest"] > limit else figure
        return f"{shown}<br>{small(format(row['largest_corrected'], '.3f'))}"

    columns = [
        Numbers(dop, f"dop\N{NO-BREAK SPACE}{dop}", of=dop, cell=cell, notes=note)
        for dop in sorted(set(rows["dop"]), key=int)
    ]
    notes = [BOTH, f"Bold: a large figure above {limit:g}."]
    return table(across(rows, [by.name], "dop"), [by, *columns], title, notes)


def average_table(setups: pd.DataFrame, title: str | None = None) -> GT:
    """Every setup: the mean CoV over its steps, and which step varies most.

    Takes the frame of ``setup_cov``; one pair of columns a workload.
    """
    averages = ("average", "average_corrected", "worst_step")
    require(setups, ("workload", "machine", "dop", *averages))
    columns = [Column("machine", "server"), Numbers("dop")]
    for name in dict.fromkeys(map(str, setups["workload"])):
        columns += [
            Numbers(f"{name} average", "average", spanner=name, of=name, cell=_average),
            Column(
                f"{name} worst step", "worst step", spanner=name, of=name, cell=_worst
            ),
        ]
    rows = across(setups, ["machine", "dop"], "workload")
    return table(rows, columns, title, [BOTH])


def _average(row: Row) -> str:
    return f"{row['average']:.3f} {small(format(row['average_corrected'], '.3f'))}"


def _worst(row: Row) -> str:
    return small(row["worst_step"])
