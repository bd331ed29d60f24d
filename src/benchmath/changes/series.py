"""A metric frame as ordered series: what was measured of each test over the versions.

A *test* is what one series is about: a step on a machine, told apart from others by
whatever else varies within a version.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from benchmath.changes.apart import OF_A_RUN, SETTINGS, settings_split, splits
from benchmath.frames import (
    cells_of,
    dimensions_of,
    measurement_of,
    name_of,
    places,
    require,
    select,
)
from benchmath.ratios.floor import KEYS


@dataclass(frozen=True)
class VersionSeries:
    """The runs of one test in the order of the versions.

    ``groups[i]`` is the index in ``versions`` of the version that ``values[i]`` is a run
    of, ``places`` the versions' indexes among those of the whole frame. ``labels`` are
    the columns that tell the test apart, with unit and direction. ``floor_sd`` is the
    stddev of builds and loads on record, 0 where none is.
    """

    test: str
    labels: dict[str, object]
    versions: tuple[str, ...]
    places: tuple[int, ...]
    values: np.ndarray
    groups: np.ndarray
    floor_sd: float = 0.0


def version_series(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    by: Sequence[str] | None = None,
    floor: pd.DataFrame | None = None,
) -> list[VersionSeries]:
    """Every test of a metric frame as a series over ``dimension``.

    Versions stand in the order in which the frame first names them, the runs of one in
    the order of their trials. ``by`` are the dimensions that tell tests apart besides
    step, op, clock and metric; by default the machine, all that vary within a version,
    clients and placement, and settings that versions share. ``floor`` is the frame of
    ``noise_floor``. A test with one version is left out.
    """
    require(frame, (dimension,))
    rows = select(frame, metric)
    keys = list(_keys(rows, dimension) if by is None else by)
    keys += [c for c in measurement_of(rows) if c not in keys]
    cells_of(rows, [dimension, *(k for k in keys if k in dimensions_of(rows))])
    versions = list(dict.fromkeys(rows[dimension].astype(str)))
    trial = [c for c in ("trial",) if c in rows.columns]
    rows = rows.assign(place=places(rows[dimension].astype(str), versions))
    rows = rows.sort_values(["place", *trial], kind="stable")
    varying = _telling(rows, keys)
    return [
        _series(part, dict(zip(keys, labels, strict=True)), varying, versions, floor)
        for labels, part in rows.groupby(keys, sort=False, dropna=False)
        if part["place"].nunique() > 1
    ]


def series_count(
    frame: pd.DataFrame,
    dimension: str = "version",
    metric: str = "throughput",
    by: Sequence[str] | None = None,
) -> int:
    """How many tests have a series over ``dimension``; see ``version_series``."""
    return len(version_series(frame, dimension, metric, by))


def settings_note(frame: pd.DataFrame, dimension: str, metric: str) -> str:
    """What is to be said of settings that change with the versions; may be empty."""
    rows = select(frame, metric)
    if SETTINGS not in dimensions_of(rows) or dimension == SETTINGS:
        return ""
    keys = _keys(rows, dimension)
    tests = _codes(rows, [*(k for k in keys if k != SETTINGS), *measurement_of(rows)])
    if not splits(tests, _codes(rows, [SETTINGS])):
        return ""
    if SETTINGS in keys:
        return (
            f"tests are told apart by {SETTINGS}: a {dimension} is compared only with "
            "those that have the same settings"
        )
    return (
        f"each {dimension} has a {SETTINGS} of its own: a change may be one by the "
        "settings"
    )


def _keys(rows: pd.DataFrame, dimension: str) -> list[str]:
    """Those that vary within a version, and those that no version brings along."""
    within = rows.groupby([dimension, *measurement_of(rows)], dropna=False)
    free = [d for d in dimensions_of(rows) if d != dimension]
    keys = [
        d for d in free if d == "machine" or (within[d].nunique(dropna=False) > 1).any()
    ]
    tests = _codes(rows, [*keys, *measurement_of(rows)])
    for name in {*OF_A_RUN, SETTINGS} & {*free} - {*keys}:
        own = _codes(rows, [name])
        if name == SETTINGS:
            if settings_split(tests, own, _codes(rows, [dimension])):
                keys.append(name)
        elif splits(tests, own):
            keys.append(name)
    return [d for d in free if d in keys]


def _codes(rows: pd.DataFrame, names: Sequence[str]) -> np.ndarray:
    return rows.groupby(list(names), sort=False, dropna=False).ngroup().to_numpy()


def _telling(rows: pd.DataFrame, keys: Sequence[str]) -> list[str]:
    """step, and those of the other keys that tell tests of one step apart."""
    tests = rows[list(keys)].drop_duplicates()
    steps = tests.groupby("step", dropna=False)
    others = [k for k in keys if k != "step"]
    return ["step", *(k for k in others if (steps[k].nunique(dropna=False) > 1).any())]


def _series(
    part: pd.DataFrame,
    labels: dict[str, object],
    varying: Sequence[str],
    versions: list[str],
    floor: pd.DataFrame | None,
) -> VersionSeries:
    first = part.iloc[0]
    present = part["place"].unique()
    counted = {place: i for i, place in enumerate(present)}
    further = {k: labels[k] for k in varying if k != "step" and labels[k] != ""}
    return VersionSeries(
        test=" ".join([str(labels["step"]), *([name_of(further)] if further else [])]),
        labels=labels | {"unit": first["unit"], "direction": first["direction"]},
        versions=tuple(versions[place] for place in present),
        places=tuple(int(place) for place in present),
        values=part["value"].to_numpy(dtype=float),
        groups=part["place"].map(counted).to_numpy(),
        floor_sd=0.0 if floor is None else _floor_sd(first, floor),
    )


def _floor_sd(row: Mapping[str, object], floor: pd.DataFrame) -> float:
    """What repeated runs do not average out: builds and loads of this step here."""
    keys = [k for k in KEYS if k in floor.columns and k in row]
    same = (floor[keys].astype(str) == [str(row[k]) for k in keys]).all(axis=1)
    if not same.any():
        return 0.0
    parts = floor.loc[same, ["build_sd", "load_sd"]].iloc[0].fillna(0.0)
    return float(np.sqrt((parts**2).sum()))
