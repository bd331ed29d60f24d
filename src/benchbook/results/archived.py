"""Studies of an archive analysed one by one: of each, only its verdicts come home.

A task brings the runs of one study into a laboratory of its own, which is deleted
afterwards, and has `collect` make of them what it makes at home. So a worker of Dask, or
this process without one, holds one study at a time, however large the archive is.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from benchbook.fleet.archive import Archive, bring, open_archive
from benchbook.fleet.cluster import packed, unpack
from benchbook.measure.spec import declared_cells
from benchbook.project import Project
from benchbook.results.collect import collect
from benchbook.secret import without_secrets
from benchbook.store.load import load
from benchbook.study.derived import SUFFIX
from benchbook.study.find import FILE, studies_of
from benchbook.study.study import Study, load_study
from benchmath.errors import UserError
from benchmath.prose import counted
from benchmath.ratios.verdicts import VerdictFrame

if TYPE_CHECKING:
    from distributed import Client

Say = Callable[[str], None]
_COMPUTING = ("benchbook", "duckdb", "numpy", "pandas", "scipy")


@dataclass(frozen=True)
class Analysis:
    """Verdicts by study; refused: why a study has none; unknown: without a study.yml."""

    archive: str
    metric: str
    verdicts: Mapping[str, VerdictFrame]
    refused: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()

    @property
    def table(self) -> pd.DataFrame:
        """All verdicts, by study."""
        return joined(self.verdicts)


@dataclass(frozen=True)
class Task:
    """What a worker has to know beside the study; its address is in no worker's log."""

    url: str = field(repr=False)
    sources: bytes = field(repr=False)
    metric: str
    versions: tuple[str, ...]


def analyse(
    url: str, project: Project, say: Say, study: str = "", metric: str = "throughput",
    client: Client | None = None,
) -> Analysis:  # fmt: skip
    """The verdicts of each study of an archive that has a study.yml here, or of one.

    A published study, too, is judged by its runs there. Errors: nothing there to analyse.
    """
    if study and study not in studies_of(project):
        raise UserError(f"no study {study!r} in {project.posts}")
    url = url if "://" in url else str(Path(url).resolve())
    archive = open_archive(url)
    there = [name for name in archive.studies() if study in ("", name)]
    here = [name for name in studies_of(project) if name in there]
    if not here:
        of = f" of {study}" if study else " that has a study.yml here"
        raise UserError(f"no run{of} in {archive.name}")
    studies, refused = _loaded(here, project)
    sources = packed(
        {"bench": project.bench}
        | {f"posts/{name}": project.posts / name for name in _with_also(studies.values())
           if (project.posts / name).is_dir()}
    )  # fmt: skip
    verdicts = {}
    task = Task(url, sources, metric, versions())
    for name, answer in _answers(studies, task, client):
        try:
            verdicts[name] = answer()
        except Exception as error:  # whatever it raises, and a worker that is killed
            refused[name] = _sentence(error, archive)
        say(f"[{len(verdicts) + len(refused)}/{len(here)}] {name}")
    sentences = tuple(f"{name}: {refused[name]}" for name in here if name in refused)
    unknown = {name.partition(".")[0] for name in there} - {*studies_of(project)}
    return Analysis(archive.name, metric, verdicts, sentences, tuple(sorted(unknown)))


def joined(verdicts: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    """The tables below one another, with their study in the first column."""
    tables = [table.assign(study=name) for name, table in verdicts.items()]
    if not tables:
        return pd.DataFrame({"study": []})
    table = pd.concat(tables, ignore_index=True)
    return table[["study", *table.columns.drop("study")]]


def verdicts_of(study: str, task: Task) -> VerdictFrame:
    """On a worker: what `collect` judges of the runs that the archive has of a study.

    UserError where one of these cannot be believed, or none is of a cell of the study.
    """
    if task.versions != versions():
        there, here = (" ".join(found) for found in (versions(), task.versions))
        raise UserError(f"a worker has {there}, and here is {here}: install the same")
    archive = open_archive(task.url)
    with tempfile.TemporaryDirectory(prefix="benchbook-") as folder:
        project = Project(Path(folder))
        unpack(task.sources, project.root)
        (project.root / "_quarto.yml").touch()
        path = project.posts / study / FILE
        names = _with_also([load_study(path)])
        own = [f"{name}{SUFFIX}" for name in names]
        runs = _manifests([*names, *own], archive)
        _load(runs | _reused(load_study(path), project, archive), archive, project)
        results = collect(path, measure=False)
        if not results.aa["set"].isin(own).any():  # then all those of its machines count
            others = [n for n in archive.studies() if n.endswith(SUFFIX)]
            machines = set(results.runs["machine_id"])
            if runs := _having("machine_id", machines, others, archive):
                _load(runs, archive, project)
                results = collect(path, measure=False)
        if results.own.empty:
            raise UserError(
                f"no run of {study} in {archive.name} is of a cell it has now"
            )
        return results.judged(task.metric)


def versions() -> tuple[str, ...]:
    """What the last digit may depend on."""
    return tuple(f"{name} {version(name)}" for name in _COMPUTING)


def _answers(
    studies: Iterable[str], task: Task, client: Client | None
) -> Iterator[tuple[str, Callable[[], VerdictFrame]]]:
    """What to call for the verdicts of each study, in their order."""
    if client is None:
        yield from ((name, partial(verdicts_of, name, task)) for name in studies)
        return
    there = client.scatter(task, broadcast=True)
    tasks = {n: client.submit(verdicts_of, n, there, pure=False) for n in studies}
    yield from ((name, future.result) for name, future in tasks.items())


def _loaded(
    names: Iterable[str], project: Project
) -> tuple[dict[str, Study], dict[str, str]]:
    """The studies, and what is wrong with the study.yml of others."""
    studies, refused = {}, {}
    for name in names:
        try:
            studies[name] = load_study(project.posts / name / FILE)
        except UserError as error:
            refused[name] = str(error)
    return studies, refused


def _with_also(studies: Iterable[Study]) -> list[str]:
    return list(dict.fromkeys(n for study in studies for n in (study.slug, *study.also)))


def _load(runs: Mapping[str, bytes], archive: Archive, project: Project) -> None:
    """Into the store of the project; UserError names a run that cannot be believed."""
    brought = bring(archive, project, runs, lambda line: None)
    refused = [*brought.refused, *load(project).refused]
    if refused:
        more = f" (and {counted(len(refused) - 1, 'other')})" if len(refused) > 1 else ""
        raise UserError(f"{refused[0]}{more}")


def _manifests(studies: Iterable[str], archive: Archive) -> dict[str, bytes]:
    found = (archive.manifests(name).items() for name in dict.fromkeys(studies))
    return dict(run for runs in found for run in runs)


def _reused(study: Study, project: Project, archive: Archive) -> dict[str, bytes]:
    """With `reuse`, the runs of its cells that other studies measured."""
    if not study.reuse:
        return {}
    also = (load_study(project.posts / name / FILE) for name in study.also)
    cells = {declared for one in (study, *also) for declared in declared_cells(one)}
    return _having("declared_id", cells, archive.studies(), archive)


def _having(
    key: str, values: set[str], studies: Iterable[str], archive: Archive
) -> dict[str, bytes]:
    """The runs of these studies whose spec.json has one of the values."""
    found: dict[str, bytes] = {}
    for study in studies:  # one at a time: all of them may be many
        runs = archive.manifests(study)
        specs = archive.specs(runs)
        found |= {run: runs[run] for run in runs if specs[run].get(key) in values}
    return found


def _sentence(error: Exception, archive: Archive) -> str:
    kind = "" if isinstance(error, UserError) else f"{type(error).__name__}: "
    said = f"{kind}{error}"
    return without_secrets(archive.without_password(said.partition("\n")[0]))
