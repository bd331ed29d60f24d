"""Tables of published figures as metric frames: data/published/<name>.csv.

Each file is tidy: one row per figure, with the dimensions it belongs to, its unit, and
where and when it was published. Rows stand in the order of the original table. A figure
that does not follow from the source's own raw data has what does in ``raw``, and why in
``remark``.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from benchbook.project import Project
from benchbook.study.study import Study
from benchmath.errors import UserError
from benchmath.frames import places

REQUIRED = ("machine", "engine", "version", "step", "metric", "value", "unit",
            "direction", "source", "date")  # fmt: skip
RATES = ("qps", "ips", "dps", "mbps", "scan_rows", "ops_sec")
_OPS = {"ips": "insert", "dps": "delete", "mbps": "bytes", "scan_rows": "scan"}
_RUN = ("set", "machine", "engine", "version", "build", "config", "dop", "trial")
_OPTIONAL = ("relative_to", "dop", "build", "config")
DIGITS = ("printed", "printed_raw")
_DOUBT = {"raw": "", "remark": ""}
_CONSTANT = {"build": "", "config": "", "clock": "", "dop": "1", "trial": "1"}


def published_names(project: Project) -> list[str]:
    """The tables there are, by name."""
    return sorted(p.stem for p in (project.data / "published").glob("*.csv"))


def published_file(name: str, project: Project) -> Path:
    """Where the table of that name lies, if there is one."""
    return project.data / "published" / f"{name}.csv"


def published_frame(names: Iterable[str], project: Project) -> pd.DataFrame:
    """Some published tables as one metric frame, ``set`` being the table's name.

    Rows keep their order. Columns beyond those of the view ``metric`` are dimensions.
    What a table does not say is taken as one client, one trial, no build and no config;
    the main metric of a step is its rate.
    """
    frames = [_read(name, project) for name in names]
    return pd.concat(frames, ignore_index=True)


def figures(name: str, project: Project) -> pd.DataFrame:
    """One published table as it stands in its file: texts, but ``value`` and ``raw``.

    ``printed`` and ``printed_raw`` are these two with the digits of the source. ``raw``
    is what the source's own raw data give where the published figure does not follow
    from them, NaN elsewhere; ``remark`` says what is known of it.
    """
    path = published_file(name, project)
    if not path.is_file():
        names = ", ".join(published_names(project))
        raise UserError(
            f"no published table {name!r} in {path.parent}; available: {names}"
        )
    table = pd.read_csv(path, dtype=str, keep_default_na=False)
    missing = [c for c in REQUIRED if c not in table.columns]
    if missing:
        raise UserError(f"{path}: no column {', '.join(missing)}: not a table of figures")
    for column, constant in _DOUBT.items():
        if column not in table.columns:
            table[column] = constant
    return table.assign(
        printed=table["value"],
        printed_raw=table["raw"],
        value=_numbers(table["value"], path),
        raw=_numbers(table["raw"], path, ""),
    )


def published_figures(study: Study, project: Project | None = None) -> pd.DataFrame:
    """All figures of the tables under a study's ``data``, in their order.

    The columns of ``figures`` and ``table`` (the file's name).  A ``dop`` of 0, which
    nobody says, is empty.  ``relative_to`` names the base of a figure that was published
    as a ratio; it is empty for all others.
    """
    where = project or Project(study.path.parents[2])
    frames = [figures(name, where).assign(table=name) for name in study.data]
    stacked = pd.concat(frames, ignore_index=True)
    absent = {c: "" for c in _OPTIONAL if c not in stacked.columns}
    full = stacked.assign(**absent)
    texts = full.select_dtypes(exclude="number").columns
    full = full.fillna({name: "" for name in texts})
    return full.assign(dop=full["dop"].replace("0", ""))


def _numbers(texts: pd.Series, path: Path, absent: str | None = None) -> pd.Series:
    values = pd.to_numeric(texts, errors="coerce")
    wrong = values.isna() & (texts != absent)
    if wrong.any():
        line = int(wrong.to_numpy().argmax()) + 2
        raise UserError(f"{path}:{line}: {texts[line - 2]!r} is not a number")
    return values


def _read(name: str, project: Project) -> pd.DataFrame:
    table = figures(name, project)
    for column, constant in _CONSTANT.items():
        if column not in table.columns:
            table[column] = constant
    frame = table.drop(columns=["date", *_DOUBT, *DIGITS]).assign(
        trial=table["trial"].astype(int),
        set=name,
        origin="published",
        op=table["metric"].map(_OPS).fillna("query"),
    )
    frame["run_id"] = frame[list(_RUN)].astype(str).agg("|".join, axis=1)
    return frame.assign(main=_is_main(frame))


def _is_main(frame: pd.DataFrame) -> pd.Series:
    """The rate of each step; of several the first of RATES: queries before inserts."""
    rank = places(frame["metric"], RATES)
    return rank.notna() & (
        rank == rank.groupby([frame["run_id"], frame["step"]]).transform("min")
    )
