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
    own = _runs_of(sorted(sets), project)
    there = query("aa_sets", project=project)
    there = there[there["machine_id"].isin(set(machine_ids))]
    if len(own) or there.empty:
        return own
    arms = _runs_of(list(there["study"].unique()), project)
    of_machines = arms["machine_id"].isin(there["machine_id"])
    return arms[of_machines].reset_index(drop=True)


def _runs_of(sets: Sequence[str], project: Project) -> pd.DataFrame:
    """Each asked for by itself: so DuckDB reads no run of another."""
    named = sets or [""]  # of which there is none: the columns alone
    found = [query("collect_aa", project=project, set=name) for name in named]
    return expand_dims(pd.concat(found, ignore_index=True))
