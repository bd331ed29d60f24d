"""Which builds may be compared: those of one series, or of a calibrated pair.

A series is a set of builds by one compiler with one set of flags: the jars of one
publisher, the packages of one distribution. Where version and series change together,
a ratio is of both; the same version in two series, a calibration pair, says how much of
it the build alone makes.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import MetricFrame, check_base, label, require
from benchmath.hazard import Hazard
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import VERDICTS, verdicts
from benchmath.versions import branch

BUILT = "built"  # the series of what we build: its compiler and flags tell builds apart
SAME, NEAR = "same version", "neighbouring versions"
CALIBRATION = VERDICTS.extended("calibration", "pair", "kind")
CalibrationFrame = Annotated[pd.DataFrame, CALIBRATION]
_DECIDES_BUILD = ("build", "compiler", "flags", "tag")
_KEYS = ("engine", "version", "build")


def series_of(runs: pd.DataFrame) -> pd.Series:
    """The series of each run; for our own builds, and where none is named, its build."""
    require(runs, ("build",))
    build = runs["build"].fillna("").astype(str)
    if "build_series" not in runs.columns:
        return build
    named = runs["build_series"].fillna("").astype(str)
    return named.where(~named.isin(["", BUILT]), build)


def without_twins(
    frame: pd.DataFrame, runs: pd.DataFrame, base: Mapping[str, str]
) -> pd.DataFrame:
    """``frame`` with one series of each version: the base's, else the one listed first.

    A version that is there in two series is one side of a calibration pair; compared
    with the base is the side that was built as the base was. A study whose base names
    a build compares builds, and keeps all.
    """
    if set(base) & set(_DECIDES_BUILD) or runs.empty:
        return frame
    builds = runs[["run_id", *_KEYS]].assign(series=series_of(runs))
    home = builds.loc[check_base(runs, base), "series"].iloc[0]
    ranked = builds.assign(
        rank=np.where(builds["series"] == home, -1, np.arange(len(builds)))
    )
    ranked["least"] = ranked.groupby(["engine", "version", "series"])["rank"].transform(
        "min"
    )
    best = ranked.groupby(["engine", "version"])["least"].transform("min")
    return frame[frame["run_id"].isin(ranked.loc[ranked["least"] == best, "run_id"])]


def changed_series(runs: pd.DataFrame, base: Mapping[str, str]) -> list[Hazard]:
    """Comparisons in which the series of the builds changes together with the version.

    ``runs`` needs the base's dimensions and build; build_series where it is known. One
    hazard for each me whose builds are none of the base's series.
    """
    if set(base) & set(_DECIDES_BUILD) or runs.empty:
        return []
    require(runs, (*base, "build"))
    builds = runs.assign(series=series_of(runs))
    is_base = check_base(builds, base)
    theirs = list(dict.fromkeys(builds.loc[is_base, "series"]))
    home = " or ".join(_builds(builds[is_base]))
    others = builds[~is_base]
    hazards = []
    for me, part in others.groupby(label(others, list(base)), sort=False):
        if not set(part["series"]) & set(theirs):
            text = f"built otherwise than the base: {_builds(part)[0]}, not {home}"
            hazards.append(Hazard("build changed", text, {"me": str(me)}))
    return hazards


def calibration(
    frame: MetricFrame,
    runs: pd.DataFrame,
    metric: str = "throughput",
    margin: float = 0.02,
    floor: pd.DataFrame | None = None,
) -> CalibrationFrame:
    """What the build alone makes: each version that is there in two series.

    The frame of ``verdicts``, one row per pair and step, with two columns before it:
    pair (``17.11: gcc 12 -O2 / gcc 7.5 -Os``, me over base) and kind. Where a branch
    has no version in two series, its nearest versions of two series stand in, of the
    kind `neighbouring versions`: their ratio holds the minor versions between them too.
    Without either the frame is empty.
    """
    require(frame, ("run_id", "step", "metric", "value"))
    built = runs[["run_id", *_KEYS]].assign(series=series_of(runs))
    built["name"] = build_names(runs)
    built["branch"] = [
        branch(str(e), str(v))
        for e, v in zip(built["engine"], built["version"], strict=True)
    ]
    tables = []
    for _, part in built.groupby(["engine", "branch"], sort=False):
        for one, other in _pairs(part):
            judged = _judged(frame, part, (one, other), metric, margin, floor)
            if len(judged):
                tables.append(judged)
    if not tables:
        return pd.DataFrame(columns=["pair", "kind", "step", "me", "base", "relative"])
    return pd.concat(tables, ignore_index=True)


def _pairs(part: pd.DataFrame) -> list[tuple[tuple[str, str], tuple[str, str]]]:
    """(version, series) of base and me: the same version, else neighbours in the list."""
    cells = list(
        part[["version", "series"]].drop_duplicates().itertuples(index=False, name=None)
    )
    same = [
        (one, other)
        for i, one in enumerate(cells)
        for other in cells[i + 1 :]
        if one[0] == other[0]
    ]
    near = [(one, other) for one, other in pairwise(cells) if one[1] != other[1]]
    return same or near[:1]


def _judged(
    frame: pd.DataFrame,
    part: pd.DataFrame,
    pair: tuple[tuple[str, str], tuple[str, str]],
    metric: str,
    margin: float,
    floor: pd.DataFrame | None,
) -> pd.DataFrame:
    """One pair, compared as two builds; the version is part of the build's name."""
    sides = [part[(part["version"] == v) & (part["series"] == s)] for v, s in pair]
    same = pair[0][0] == pair[1][0]
    names = [
        str(side["name"].iloc[0]) if same else f"{v} {side['name'].iloc[0]}"
        for side, (v, _) in zip(sides, pair, strict=True)
    ]
    run_name = {
        run: name
        for side, name in zip(sides, names, strict=True)
        for run in side["run_id"]
    }
    rows = frame[frame["run_id"].isin(list(run_name))]
    rows = rows.assign(build=rows["run_id"].map(run_name), version=pair[1][0])
    dropped = [c for c in ("compiler", "flags", "config") if c in rows.columns]
    rows = rows.drop(columns=dropped)  # they follow from the build
    judged = verdicts(relative(rows, {"build": names[0]}, metric, floor=floor), margin)
    judged = judged[judged["relative"].notna()]
    what = f"{pair[0][0]}: " if same else ""
    judged.insert(0, "kind", SAME if same else NEAR)
    judged.insert(0, "pair", f"{what}{names[1]} / {names[0]}")
    return judged


def build_names(runs: pd.DataFrame) -> list[str]:
    """What a pair calls its builds: compiler and flags, and the source where known."""
    builds = runs["build"].fillna("").astype(str)
    if "build_source" not in runs.columns:
        return list(builds)
    sources = runs["build_source"].fillna("").astype(str)
    return [f"{b} ({s})" if s else b for b, s in zip(builds, sources, strict=True)]


def _builds(runs: pd.DataFrame) -> Sequence[str]:
    return list(dict.fromkeys(build_names(runs)))
