"""A/A runs: those of a study or an import, else all of its machines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from benchbook.project import Project
from benchbook.store.query import expand_dims, query


def aa_runs(
    sets: Sequence[str], machine_ids: Iterable[str], project: Project
) -> pd.DataFrame:
    """A/A runs of these sets; without any, all those of these machines."""
    ids = sorted(set(machine_ids))
    arms = expand_dims(query("collect_aa", project=project, sets=sets, machine_ids=ids))
    own = arms[arms["set"].isin(sets)]
    return (own if len(own) else arms).reset_index(drop=True)
