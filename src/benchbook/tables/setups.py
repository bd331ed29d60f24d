"""CoVs of cloud servers: the published matrix, server by clients, and the averages."""

import pandas as pd
from great_tables import GT

from benchbook.tables.look import Column, Footnote, marked, small, styled, text
from benchmath.frames import require

BOTH = (
    "Large figures are compatible: the stddev divides by n, as in the published table. "
    "Small figures are corrected: n - 1 and c4."
)
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
    machines = list(dict.fromkeys(rows["machine"]))
    cells, heads = _matrix(rows, "machine", limit)
    footnotes = [] if published is None else _unpublished(rows, machines, published)
    columns = [Column("machine", "server"), *heads]
    return styled(cells, columns, title, footnotes, [BOTH, _bold(limit)])


def workload_matrix(setups: pd.DataFrame, limit: float, title: str | None = None) -> GT:
    """Rows workloads of one machine, columns numbers of clients: as ``cov_matrix``."""
    require(setups, ("workload", "machine", "dop", "largest", "largest_corrected"))
    if setups["machine"].nunique() > 1:
        raise ValueError("a matrix of workloads is of one machine")
    cells, heads = _matrix(setups, "workload", limit)
    columns = [Column("workload", "workload"), *heads]
    return styled(cells, columns, title, notes=[BOTH, _bold(limit)])


def _bold(limit: float) -> str:
    return f"Bold: a large figure above {limit:g}."


def _matrix(
    rows: pd.DataFrame, by: str, limit: float
) -> tuple[pd.DataFrame, list[Column]]:
    """A row for each value of ``by``, a column for each dop, with their heads."""
    names = list(dict.fromkeys(rows[by]))
    dops = sorted(set(rows["dop"]), key=int)
    cells = pd.DataFrame("", index=names, columns=[by, *dops], dtype=object)
    cells[by] = [text(name) for name in names]
    for row in rows.to_dict("records"):
        figure = f"{row['largest']:.3f}"
        cell = marked(figure, "strong") if row["largest"] > limit else figure
        beside = small(f"{row['largest_corrected']:.3f}")
        cells.loc[row[by], row["dop"]] = f"{cell}<br>{beside}"
    return cells, [Column(d, f"dop\N{NO-BREAK SPACE}{d}", "", True) for d in dops]


def average_table(setups: pd.DataFrame, title: str | None = None) -> GT:
    """Every setup: the mean CoV over its steps, and which step varies most.

    Takes the frame of ``setup_cov``; one pair of columns a workload.
    """
    averages = ("average", "average_corrected", "worst_step")
    require(setups, ("workload", "machine", "dop", *averages))
    keys = ["machine", "dop"]
    cells = setups[keys].drop_duplicates().set_index(keys, drop=False).map(text)
    columns = [Column("machine", "server"), Column("dop", "dop", "", True)]
    for workload, rows in setups.groupby("workload", sort=False):
        own = rows.set_index(keys)
        pairs = zip(own["average"], own["average_corrected"], strict=True)
        figures = [f"{a:.3f} {small(f'{b:.3f}')}" for a, b in pairs]
        average, step = f"{workload} average", f"{workload} worst step"
        cells[average] = pd.Series(figures, index=own.index)
        cells[step] = own["worst_step"].map(small)
        columns += [
            Column(average, "average", "", True, str(workload)),
            Column(step, "worst step", "", False, str(workload)),
        ]
    return styled(cells.fillna(""), columns, title, notes=[BOTH])


def _unpublished(
    rows: pd.DataFrame, machines: list[str], published: pd.DataFrame
) -> list[Footnote]:
    keys = ["workload", "machine", "dop"]
    published_cells = published.loc[published["metric"] == "max_cov", keys]
    published_keys = set(map(tuple, published_cells.to_numpy()))
    new = [row for row in rows[keys].to_numpy() if tuple(row) not in published_keys]
    return [Footnote(UNPUBLISHED, machines.index(m), d) for _, m, d in new]
