"""The settings of a study: all that is on record, those that differ told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

import pandas as pd

from benchmath.settings import (
    Settings,
    normal,
    settings_of,
    switches,
    values_text,
)

IN_FILE, BY_VERSION = "settings file", "default"


def engine_settings(runs: pd.DataFrame) -> pd.DataFrame:
    """One row per setting, one column per engine and config, those that differ first.

    Columns: setting, `from` (`settings file` where one names it, `default` where a value
    differs that no file names, nothing for a default that all have), the configs, and
    `differs`: the settings that versions or configs have not alike. Values of several
    versions stand in their order, with an arrow between.
    """
    names = (runs["engine"].astype(str) + " " + runs["config"].fillna("")).str.strip()
    sides = {
        str(name): settings_of(part) for name, part in runs.groupby(names, sort=False)
    }
    settings = dict.fromkeys(
        name
        for side in sides.values()
        for name in (*side.in_effect, *(side.written or ()))
    )
    rows = [_row(name, sides) for name in settings]
    columns = ["setting", "from", *sides, "differs"]
    table = pd.DataFrame(rows, columns=columns)
    return table.sort_values(
        ["differs", "from"], key=_places, kind="stable", ignore_index=True
    )


def _places(column: pd.Series) -> pd.Series:
    """Differing ones first; then what a file says, defaults that moved, the rest."""
    if column.name == "differs":
        return ~column.astype(bool)
    return column.map({IN_FILE: 0, BY_VERSION: 1, "": 2})


def _row(name: str, sides: Mapping[str, Settings]) -> tuple[object, ...]:
    values = {key: _values(name, side) for key, side in sides.items()}
    spellings = [{normal(v) for v in texts} for texts in values.values() if texts]
    differs = len(set().union(*spellings)) > 1
    in_file = any(name in (side.written or {}) for side in sides.values())
    source = IN_FILE if in_file else BY_VERSION if differs else ""
    return (name, source, *(_steps(texts) for texts in values.values()), differs)


def _values(name: str, side: Settings) -> tuple[str, ...]:
    """What is in effect, else what the file says."""
    return side.in_effect.get(name) or (side.written or {}).get(name, ())


def _steps(values: Sequence[str]) -> str:
    """The values in order; of long lists of switches what each step changes."""
    steps = [values_text([value]) for value in values[:1]]
    for before, after in pairwise(values):
        steps.append(values_text([switches(before, after)[1]]))
    return " → ".join(steps)
