"""A set by its name: the one place that says what `compare` and others take of it.

A name is that of a study, of an import, or of a published table. A study is its measured
runs; where its post is published, the evidence of that; with ``data:``, the imports and
tables that it names. A name that two of them have is refused, but that of an import and
a table: the import holds the files that the table was made from, and counts everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

import pandas as pd

from benchbook.project import Project
from benchbook.published.figures import published_file, published_frame
from benchbook.results import evidence
from benchbook.results.aa import aa_runs
from benchbook.results.named import is_import, named_frame
from benchbook.results.results import Results
from benchbook.store.query import query, rows_of_set
from benchbook.study.find import studies_of, study_file
from benchbook.study.study import Study, load_study
from benchmath.errors import UserError
from benchmath.prose import joined
from benchmath.ratios.floor import noise_floor
from benchmath.ratios.verdicts import MARGIN
from benchmath.turns.estimate import TurnRatioFrame
from benchmath.turns.sessions import THROUGHPUT
from benchmath.units import in_one_unit


@dataclass(frozen=True)
class MetricSet:
    """The rows of a set as a metric frame, and what belongs to them.

    left_out: rows of tests whose units do not convert, which ``metric`` lacks.
    aa: ``metric`` of its A/A runs, or of others on its machines. runs, steps and turns:
    of a study's measured runs, as ``collect`` gives them. study: where it has one.
    notes: what a reader has to know of the name. unread: sides of files of which not all
    was read; "" where the files are of all cells.
    """

    name: str
    metric: pd.DataFrame
    aa: pd.DataFrame = field(default_factory=pd.DataFrame)
    study: Study | None = None
    notes: tuple[str, ...] = ()
    runs: pd.DataFrame = field(default_factory=pd.DataFrame)
    steps: pd.DataFrame = field(default_factory=pd.DataFrame)
    turns: pd.DataFrame = field(default_factory=pd.DataFrame)
    left_out: pd.DataFrame = field(default_factory=pd.DataFrame)
    unread: frozenset[str] = frozenset()

    def listed(self, dimension: str) -> list[str]:
        """The values of a dimension as the study lists them; none without a study."""
        return self.study.listed(dimension) if self.study else []

    @property
    def margin(self) -> float:
        """The study's margin; where there is none, the usual one."""
        return self.study.margin if self.study else MARGIN

    def floor(self, metric: str) -> pd.DataFrame | None:
        """The noise floor of the machines, as a post of the study has it."""
        named = metric == "throughput" or (
            len(self.aa) and (self.aa["metric"] == metric).any()
        )
        if self.aa.empty or not named:
            return None
        results = self._results({})
        return results.floor(metric) if results else noise_floor(self.aa, metric)

    def turn_ratios(self, base: Mapping[str, str]) -> TurnRatioFrame | None:
        """Ratios of what took turns with the base; None where nothing did."""
        results = self._results(base)
        return results.turn_ratios if results else None

    def _results(self, base: Mapping[str, str]) -> Results | None:
        if self.study is None:
            return None
        study = replace(self.study, base=dict(base))
        none = pd.DataFrame()
        return Results(
            study, self.runs, self.steps, self.metric, none, none, none, none, none,
            aa=self.aa, turns=self.turns, measures=(THROUGHPUT,),
        )  # fmt: skip

    @property
    def one_by_one(self) -> str:
        """What to do where figures of several tables do not belong together."""
        tables = self.study.data if self.study else ()
        return f"; take one of its tables: --set {', '.join(tables)}" * (len(tables) > 1)

    @contextmanager
    def belonging_together(self, what: str, hint: str = "") -> Iterator[None]:
        """ValueErrors inside, of figures that do not belong together, as a UserError."""
        try:
            yield
        except ValueError as error:
            raise UserError(
                f"{self.name} cannot be {what}: {error}{self.one_by_one or hint}"
            ) from error


def metric_set(name: str, project: Project) -> MetricSet:
    """The set of that name, or of the study at that path; UserError where none is.

    Its tests have one unit each (``in_one_unit``); its notes say what was left out.
    """
    chosen = _named_set(name, project)
    metric, left_out, notes = in_one_unit(chosen.metric)
    if metric.empty and not chosen.metric.empty:
        raise UserError(f"{chosen.name}: {'; '.join(notes)}{chosen.one_by_one}")
    notes = (*chosen.notes, *notes)
    return replace(chosen, metric=metric, left_out=left_out, notes=notes)


def is_set(name: str, project: Project) -> bool:
    """Is it the name of one, and not that of files which lie elsewhere?"""
    path, file = Path(name), _study_file(name, project)
    if not file and len(path.parts) > 1 and path.exists():
        return path.resolve().parent == project.raw.resolve()
    return bool(_places(path.name, file, project))


def _named_set(name: str, project: Project) -> MetricSet:
    file = _study_file(name, project)
    slug = file.resolve().parent.name if file else Path(name).name
    places = _places(slug, file, project)
    notes = _notes(slug, places)
    if file:
        return _of_study(load_study(file), project)
    if [*places] == ["published table"]:
        return MetricSet(slug, published_frame([slug], project))
    return _stored(slug, places, project, notes=notes)


def _study_file(name: str, project: Project) -> Path | None:
    """The study.yml that is meant, if a study is: no other file of that name."""
    file = study_file(name, project)
    return file if file and file.suffix in (".yml", ".yaml") else None


def _places(slug: str, file: Path | None, project: Project) -> dict[str, str]:
    """What has the name, and where it lies below the checkout."""
    raw, table = project.raw / slug, published_file(slug, project)
    imported = project.imported / f"{slug}.parquet"
    places = {
        "study": file or (raw if raw.is_dir() else None),
        "import": imported if imported.is_file() else None,
        "published table": table if table.is_file() else None,
    }
    return {kind: _below(path, project) for kind, path in places.items() if path}


def _below(path: Path, project: Project) -> str:
    whole = path.absolute()
    return str(
        whole.relative_to(project.root) if whole.is_relative_to(project.root) else path
    )


def _notes(slug: str, places: dict[str, str]) -> tuple[str, ...]:
    """What is said of a name that an import and a table have; UserError for others."""
    if len(places) < 2:
        return ()
    if "study" not in places:
        table = places["published table"]
        return (f"{slug} is the import {places['import']}, which counts before {table}",)
    named = " and ".join(f"the {kind} {place}" for kind, place in places.items())
    raise UserError(f"{slug!r} is the name of {named}: rename one of them")


def _of_study(study: Study, project: Project) -> MetricSet:
    if study.data and not evidence.exists(study.folder / "evidence"):
        if any(is_import(name, project) for name in study.data):
            _load_files(project)
        return MetricSet(study.slug, named_frame(study.data, project), study=study)
    frozen = study.folder / "evidence"
    if not evidence.exists(frozen):
        return _that_count(_stored(study.slug, {"study": study.slug}, project), study,
                           project)  # fmt: skip
    frames = evidence.read(frozen, ("metric", "aa", "runs", "steps", "turns"))
    metric = frames["metric"]
    if not study.data:
        metric = metric[metric["set"] == study.slug].reset_index(drop=True)
    beside = {
        name: _of_runs(frames[name], metric)
        for name in ("runs", "steps", "turns")
        if name in frames
    }
    aa = frames.get("aa", pd.DataFrame())
    return MetricSet(study.slug, metric, aa, study, **beside)


def _of_runs(frame: pd.DataFrame, metric: pd.DataFrame) -> pd.DataFrame:
    if "run_id" not in frame.columns:
        return pd.DataFrame()
    return frame[frame["run_id"].isin(metric["run_id"].unique())].reset_index(drop=True)


def _that_count(stored: MetricSet, study: Study, project: Project) -> MetricSet:
    """The runs of the cells that the study has now, as its post takes them."""
    from benchbook.results.collect import frames_of_runs, runs_that_count  # as below

    stored = replace(stored, study=study)
    runs = runs_that_count(study, project)
    runs = runs[runs["study"] == study.slug].reset_index(drop=True)
    metric = _of_runs(stored.metric, runs)
    if metric.empty:
        said = f"no run is of a cell that {study.path.name} has now: all runs are taken"
        return replace(stored, notes=(*stored.notes, said))
    beside = frames_of_runs(("steps", "turns"), list(runs["run_id"]), project)
    return replace(stored, metric=metric, runs=runs, **beside)


def _stored(
    slug: str,
    places: dict[str, str],
    project: Project,
    notes: tuple[str, ...] = (),
) -> MetricSet:
    """Measured runs or an import, from the store (which may be all that is left)."""
    refused = _load_files(project)
    if not (places or project.store.exists()):
        raise UserError(_unknown(slug, project))
    metric = rows_of_set(slug, project)
    if metric.empty and not places:
        raise UserError(_unknown(slug, project))
    if metric.empty and "import" in places:
        raise UserError("; ".join(refused) or f"{places['import']} has no figure")
    if metric.empty:
        raise UserError(
            f"no runs of {slug!r} in the store: `benchbook run {slug}` measures and "
            "loads them, `benchbook load` loads those of another host"
        )
    arms = aa_runs([f"{slug}.aa"], metric["machine_id"].unique(), project)
    return MetricSet(slug, metric, arms, notes=notes)


def _unknown(slug: str, project: Project) -> str:
    stored = project.store.exists()
    names = joined(query("sets", project=project)["set"]) if stored else ""
    return (
        f"no set {slug!r}: `benchbook sets` lists {names or 'none'}; studies: "
        f"{', '.join(studies_of(project)) or 'none'}; "
        "`benchbook import PATH` brings in results of others"
    )


def _load_files(project: Project) -> list[str]:
    """Bring data/imported and data/published into the store; what was refused."""
    from benchbook.store.load import load_files  # slow; evidence needs it not

    return load_files(project).refused
