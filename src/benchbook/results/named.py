"""Imports and published tables under the names that `data:` of a study has."""

from __future__ import annotations

from collections.abc import Iterable

import pandas as pd

from benchbook.project import Project
from benchbook.published.figures import (
    published_file,
    published_frame,
    published_names,
)
from benchbook.store.query import rows_of_set
from benchmath.errors import UserError


def is_import(name: str, project: Project) -> bool:
    """Is there an import of that name? It counts before a published table."""
    return (project.imported / f"{name}.parquet").is_file()


def named_frame(names: Iterable[str], project: Project) -> pd.DataFrame:
    """Imports and published tables as one metric frame, in the order of their names.

    Imports are those of the store, which must be up to date.
    """
    return pd.concat([_frame(name, project) for name in names], ignore_index=True)


def _frame(name: str, project: Project) -> pd.DataFrame:
    if is_import(name, project):
        frame = rows_of_set(name, project)
        if frame.empty:
            raise UserError(f"the import {name!r} has no figure")
        return frame
    if published_file(name, project).is_file():
        return published_frame([name], project)
    imports = sorted(path.stem for path in project.imported.glob("*.parquet"))
    raise UserError(
        f"data: no import and no published table {name!r}; imports: "
        f"{', '.join(imports) or 'none'}; tables: "
        f"{', '.join(published_names(project)) or 'none'}"
    )
