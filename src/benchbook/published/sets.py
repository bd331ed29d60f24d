"""Published tables as sets of the store: rows of the view metric, like an import's."""

from __future__ import annotations

import hashlib

import pandas as pd
import pyarrow as pa

from benchbook.project import Project
from benchbook.published.figures import published_frame
from benchbook.sql.columns import METRIC
from benchmath.frames import dimensions_of

_CELL = ("engine", "version", "build", "config", "dims", "dop")


def metric_table(name: str, project: Project) -> pa.Table:
    """A published table as rows of METRIC; UserError where a figure is no number."""
    frame = published_frame([name], project)
    beyond = [d for d in dimensions_of(frame) if d not in METRIC.names]
    dims = [
        sorted((key, str(value)) for key, value in row.items() if value != "")
        for row in frame[beyond].to_dict("records")
    ]
    frame = frame.assign(dims=dims)
    constants = {"machine_id": "", "arm": "main", "tag": "", "placement": ""}
    for column, constant in constants.items():
        if column not in frame:
            frame[column] = constant
    frame = frame.assign(
        dop=frame["dop"].astype(int),
        seq=pd.factorize(frame["step"])[0] + 1,
        position=pd.factorize(frame["run_id"])[0] + 1,
        cell_id=[_cell_id(row) for row in frame[list(_CELL)].itertuples(index=False)],
    )
    return pa.Table.from_pandas(frame[METRIC.names], METRIC, preserve_index=False)


def _cell_id(values: object) -> str:
    return hashlib.sha256(repr(tuple(values)).encode()).hexdigest()[:16]  # type: ignore[arg-type]
