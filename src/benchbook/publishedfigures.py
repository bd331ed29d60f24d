"""The published figures of a post, with the digits they were printed with."""

from __future__ import annotations

import pandas as pd

from benchbook.project import Project
from benchbook.published import figures
from benchbook.study import Study

_OPTIONAL = {"relative_to": "", "dop": "", "build": "", "config": ""}


def published_figures(study: Study, project: Project | None = None) -> pd.DataFrame:
    """All figures of the tables under a study's ``data``, in their order.

    The columns of ``benchbook.published.figures`` and ``table`` (the file's name),
    ``printed`` and ``printed_raw`` (``value`` and ``raw`` as text, with the digits of the
    source).  A ``dop`` of 0, which nobody says, is empty.  ``relative_to`` names the base
    of a figure that was published as a ratio; it is empty for all others.
    """
    where = project or Project(study.path.parents[2])
    frames = [_table(name, where) for name in study.data]
    stacked = pd.concat(frames, ignore_index=True)
    texts = stacked.select_dtypes(exclude="number").columns
    return stacked.fillna({name: "" for name in texts})


def _table(name: str, project: Project) -> pd.DataFrame:
    found = figures(name, project)
    path = project.data / "published" / f"{name}.csv"
    texts = pd.read_csv(path, dtype=str, keep_default_na=False)
    absent = {c: text for c, text in _OPTIONAL.items() if c not in found.columns}
    raw = texts["raw"] if "raw" in texts.columns else ""
    full = found.assign(table=name, printed=texts["value"], printed_raw=raw, **absent)
    return full.assign(dop=full["dop"].replace("0", ""))
