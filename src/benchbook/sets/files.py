"""Files of results as a set: read where they lie, kept nowhere, in no need of a checkout.

A path is a set. Several paths are sides of one set, told apart by its dimension
``files``: a folder is a side; files are one side for each folder that they lie in, or
where they all lie in one, each a side of its own.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pandas as pd

from benchbook.project import Project, here
from benchbook.sets.pairs import Choice
from benchbook.sets.sets import MetricSet, is_set, metric_set
from benchmath.errors import UserError
from benchmath.frames import dimensions_of
from benchmath.prose import counted, joined
from benchmath.units import in_one_unit

SIDE = "files"  # the dimension that tells the sides apart
_NUMBER = re.compile(r"([^\d{}*]*)\d+([^\d{}*]*)")


def chosen_set(
    name: str | pd.DataFrame, project: Project | None = None, pattern: str | None = None
) -> MetricSet:
    """The set of that name; else the files at that path. UserError for neither.

    ``pattern`` is what names of files say, as ``--name`` of `benchbook import` has it. A
    frame is a metric frame, or read as a table of its columns would be.
    """
    if isinstance(name, pd.DataFrame):
        return _of_frame(name)
    project, path = project or here(), Path(name)
    if path.exists() and not (project and is_set(name, project)):
        return _read({"": [path]}, pattern)
    if pattern is not None:
        raise UserError(f"--name says what names of files say, and {name} is a set")
    return metric_set(name, project or Project.find())


def _of_frame(frame: pd.DataFrame) -> MetricSet:
    if {"metric", "value", "run_id", "direction"} <= set(frame.columns):
        return MetricSet("frame", frame)
    with tempfile.TemporaryDirectory(prefix="benchbook-") as folder:
        file = Path(folder) / "frame.csv"
        frame.to_csv(file, index=False)
        return _read({"": [file]}, None)


def set_and_cells(
    names: Sequence[str], pattern: str | None = None
) -> tuple[MetricSet, Sequence[Choice]]:
    """Files and folders as a set and its sides; else a set by its name, and its cells."""
    paths = [Path(name) for name in dict.fromkeys(names)]
    lost = [str(path) for path in paths if not path.exists()]
    if not lost:
        sides = _grouped(paths)
        return _of_sides(sides, pattern), [{SIDE: side} for side in sides]
    if len(names) < 3:
        raise UserError(
            f"{lost[0]}: no such file or folder; of a set write its name, BASE and OTHER"
        )
    return chosen_set(names[0], pattern=pattern), names[1:]


def _of_sides(sides: dict[str, list[Path]], pattern: str | None) -> MetricSet:
    """What lies at the paths of each side, as one set."""
    if len(sides) < 2:
        raise UserError(f"{joined(sides)}: one side; name what it is compared with")
    chosen = _read(sides, pattern)
    metric, notes = _alike(chosen.metric, list(sides))
    return replace(chosen, metric=metric, notes=(*chosen.notes, *notes))


def _grouped(paths: Sequence[Path]) -> dict[str, list[Path]]:
    """The paths of each side, by a name that tells it from the others."""
    parents = {path.resolve().parent for path in paths if not path.is_dir()}
    alone = len(parents) == 1
    sides: dict[Path, list[Path]] = {}
    for path in paths:
        whole = path.resolve()
        side = whole if alone or path.is_dir() else whole.parent
        sides.setdefault(side, []).append(whole)
    return dict(zip(_short(list(sides)), sides.values(), strict=True))


def _short(places: Sequence[Path]) -> list[str]:
    """As much of the end of each path as tells it from the others."""
    for parts in range(1, max(len(place.parts) for place in places)):
        names = ["/".join(place.parts[-parts:]) for place in places]
        if len(set(names)) == len(names):
            return names
    return [str(place) for place in places]


def _read(sides: dict[str, list[Path]], pattern: str | None) -> MetricSet:
    """What is measured at the paths of each side; UserError where that is nothing."""
    name = ", ".join(sides) or next(iter(sides.values()))[0].name
    with tempfile.TemporaryDirectory(prefix="benchbook-") as folder:
        found = [
            _of_side(Project(Path(folder) / str(number)), side, paths, pattern)
            for number, (side, paths) in enumerate(sides.items())
        ]
    rows = _with_files(pd.concat([one.metric for one in found], ignore_index=True))
    notes = [note for one in found for note in one.notes]
    metric, left, units = in_one_unit(rows)
    left = pd.concat([*(one.left_out for one in found), left], ignore_index=True)
    if metric.empty:
        raise UserError(f"{name}: {'; '.join(units)}")
    notes += [*units, *([] if pattern else _numbered(rows))]
    unread = frozenset(side for one in found for side in one.unread)
    notes = list(dict.fromkeys(notes))
    return MetricSet(name, metric, notes=tuple(notes), left_out=left, unread=unread)


def _with_files(rows: pd.DataFrame) -> pd.DataFrame:
    """The rows of all sides with the same dimensions: also those of a lone file."""
    rows = rows.fillna(dict.fromkeys(dimensions_of(rows), ""))
    if "file" in rows.columns and (rows["file"] != "").any():
        names = rows["source"].astype(str).str.rpartition(":")[0]
        return rows.assign(file=rows["file"].mask(rows["file"] == "", names))
    return rows


def _numbered(metric: pd.DataFrame) -> Iterator[str]:
    """How to say that files whose names differ by a number are runs of one thing."""
    names = {str(name).rpartition("/")[2] for name in metric.get("file", ())} - {""}
    split = [_NUMBER.fullmatch(name) for name in names]
    around = {match.groups() for match in split if match}
    if len(names) > 1 and all(split) and len(around) == 1:
        before, after = around.pop()
        yield (
            "files that differ by a number are tests of their own; with "
            f"--name '{before}{{trial}}{after}' they are runs of one"
        )


def _of_side(
    project: Project, side: str, paths: list[Path], pattern: str | None
) -> MetricSet:
    # All readers of files: a set that is called by its name does not wait for them.
    from benchbook.imports.importer import import_dir
    from benchbook.imports.naming import naming_of
    from benchbook.imports.parquet import is_of_import

    if len(paths) == 1 and is_of_import(paths[0]):
        return _of_import(project, side, paths[0], pattern)
    place = next(filter(Path.is_dir, paths), paths[0])
    if place.is_file() and len(paths) > 1:  # of all in their folder those that are named
        place = project.root / "named"
        place.mkdir(parents=True)
        for path in paths:
            shutil.copyfile(path, place / path.name)
    naming = naming_of(pattern, [(SIDE, side)] if side else [])
    report = import_dir(place, project, "files", naming=naming)
    skipped = report.manifest.skipped
    why = "; ".join(dict.fromkeys(f"{one.path}: {one.reason}" for one in skipped[:3]))
    problems = [
        f"{one.path}:{problem.line}: {problem.text}"
        for one in report.manifest.sources
        for problem in one.problems
    ]
    if report.empty:
        said = why or "; ".join(problems[:3]) or "no file"
        raise UserError(
            f"{side or paths[0]}: no result that can be read ({said}); "
            "`benchbook import` takes --columns, --name and --format"
        )
    chosen = metric_set("files", project)
    notes = list(chosen.notes)
    if skipped:
        notes.append(
            f"{side or paths[0].name}: not read {counted(len(skipped), 'file')} ({why})"
        )
    notes += [*problems[:3], *report.manifest.conflicts[:3]]
    unread = frozenset({side} if skipped or problems else ())
    return replace(chosen, notes=tuple(notes), unread=unread)


def _of_import(project: Project, side: str, path: Path, pattern: str | None) -> MetricSet:
    """The rows that `benchbook import` wrote, as a store would give them."""
    from benchbook.imports.parquet import set_of_import

    if pattern is not None:
        raise UserError(f"--name says what names of files say, and {path} is an import")
    name = set_of_import(path)
    project.imported.mkdir(parents=True)
    shutil.copyfile(path, project.imported / f"{name}.parquet")
    chosen = metric_set(name, project)
    metric = chosen.metric.assign(**{SIDE: side} if side else {})
    return replace(chosen, metric=metric)


def _alike(metric: pd.DataFrame, sides: list[str]) -> tuple[pd.DataFrame, list[str]]:
    """The rows, with what each side has one value of made the same, and said.

    Whoever compares the files of two versions knows that the versions differ.
    """
    notes = []
    for column in ("step", *dimensions_of(metric)):
        of = [
            sorted(set(metric.loc[metric[SIDE] == s, column].astype(str))) for s in sides
        ]
        if column == SIDE or any(len(values) != 1 for values in of):
            continue
        if len({values[0] for values in of}) > 1:
            metric = metric.assign(**{column: " or ".join(v[0] for v in of)})
            said = [
                f"{v[0] or 'not said'} in {s}" for v, s in zip(of, sides, strict=True)
            ]
            notes.append(f"{column} is {joined(said)}")
    return metric, notes
