"""`benchbook import`: text files of other people's runs into data/imported.

Where there is no laboratory they go into a folder of the same layout, imported/ here,
whose Parquet file `compare` and the others take by its path.

A file is read again only if its bytes or its parser's version changed. What is written
replaces what was there at once, the manifest last: an import that was killed changes
nothing, or is done again by the next one. A file that has vanished keeps its rows, since
a folder may be imported piece by piece; ``prune`` drops them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from benchbook.files import locked, replace_text
from benchbook.imports.manifest import Manifest, Part, Skipped, Source, manifest_text
from benchbook.imports.naming import Naming
from benchbook.imports.output import Output, Places, clear_partial, usable_manifest
from benchbook.imports.parquet import SET
from benchbook.imports.parts import with_parts
from benchbook.imports.read import Job, known_by, read_source
from benchbook.imports.seen import Seen
from benchbook.imports.tables import table_format
from benchbook.imports.walk import LOCK, SourceFile, unreadable, walk
from benchbook.project import Project
from benchbook.store.load import LoadReport, load
from benchformats import Format, formats
from benchformats.text.file import fingerprint
from benchmath.errors import UserError

OUTSIDE = Path("imported")  # of this folder, where no laboratory is around it


@dataclass(frozen=True)
class ImportReport:
    """What an import found; ``manifest`` is the set as it is now."""

    manifest: Manifest
    path: Path  # of the manifest
    rows: Path  # of the figures
    new: int = 0  # files read for the first time
    changed: int = 0  # files read again: other bytes, or another version of their parser
    gone: tuple[str, ...] = ()  # sources that are not in the folder any more
    pruned: bool = False  # the rows of those are gone too
    loaded: LoadReport = field(default_factory=LoadReport)

    @property
    def empty(self) -> bool:
        """There is not one figure and not one sample."""
        return not any(s.rows or s.samples for s in self.manifest.sources)


def import_dir(
    directory: Path,
    project: Project | None,
    set_name: str | None = None,
    machine: str | None = None,
    format: str | None = None,
    prune: bool = False,
    naming: Naming | None = None,
    columns: str | None = None,
    better: Mapping[str, str] | None = None,
) -> ImportReport:
    """Import a folder, or one file, as a set, load it, and say what was found.

    Without a project the set is a file below ``OUTSIDE``, which nothing loads.

    The set is called like the folder, or the file without its ending, unless
    ``set_name`` says otherwise. ``machine`` is
    the machine of all of its rows, ``format`` the one format that reads all files,
    ``naming`` what the user says of files' names and of what they do not tell,
    ``columns`` which columns of tables hold what: every file is then read as a table.
    ``better`` is the direction of metrics by name, of "" that of all, where files do not
    tell it. Raises UserError for a missing path, a name that cannot be a set's, an
    unknown format. A folder without anything to import leaves no set.
    """
    directory = _there(directory)
    name = _checked_name(set_name or _set_of(directory), project, bool(set_name))
    job = _job(name, directory, machine, format, naming, columns, better)
    places = Places(project.imported if project else OUTSIDE, name)
    with locked(places.folder / LOCK):
        clear_partial(places)
        try:
            report = _import(directory, places, job, prune)
        finally:
            clear_partial(places)
    if report.empty or not project:
        return report
    return replace(report, loaded=load(project))


@dataclass(frozen=True)
class Preview:
    """What a file would become: its figures by column, or why there are none."""

    path: str
    result: Source | Skipped
    values: Mapping[str, tuple[str, ...]]  # of each column what its figures have
    mains: Mapping[str, str] = field(default_factory=dict)  # metric to its direction


def preview_dir(
    directory: Path,
    machine: str | None = None,
    format: str | None = None,
    naming: Naming | None = None,
    columns: str | None = None,
    better: Mapping[str, str] | None = None,
) -> list[Preview]:
    """What each file of a path would become, in order of name; nothing is written."""
    directory = _there(directory)
    job = _job(_set_of(directory), directory, machine, format, naming, columns, better)
    files, skipped = walk(directory)
    previews = [Preview(one.path, one, {}) for one in skipped]
    for file in with_parts(files, job.formats, known_by(job)):
        seen = Seen()
        result = read_source(file, {}, job, seen)
        previews.append(Preview(file.name, result, seen.values(), seen.mains))
    return sorted(previews, key=lambda preview: preview.path)


def _there(path: Path) -> Path:
    if not path.exists():
        raise UserError(f"{path}: no such file or folder to import")
    if not path.is_dir() and not path.is_file():
        raise UserError(f"{path}: neither a file nor a folder")
    return path.resolve()


def _set_of(path: Path) -> str:
    """The name of the set that a folder or a file becomes."""
    return path.name if path.is_dir() else Path(path.name.removesuffix(".gz")).stem


def _job(
    name: str,
    directory: Path,
    machine: str | None,
    format: str | None,
    naming: Naming | None,
    columns: str | None,
    better: Mapping[str, str] | None,
) -> Job:
    if columns is not None and format not in (None, "tidy"):
        raise UserError(f"--columns says columns of a table, not of {format}: leave one")
    chosen = _chosen(format)
    if columns is not None:
        chosen = [table_format(columns)]
    root = directory if directory.is_dir() else directory.parent
    return Job(
        name, root.name, machine or "", chosen, (format or columns) is not None,
        naming or Naming(), columns or "", better or {},
    )  # fmt: skip


def _chosen(name: str | None) -> Sequence[Format]:
    every = formats()
    if name is None:
        return every
    if of_name := [f for f in every if f.name == name]:
        return of_name
    names = ", ".join(sorted(f.name for f in every))
    raise UserError(f"no format {name!r}; available: {names}")


def _checked_name(name: str, project: Project | None, said: bool) -> str:
    if not SET.fullmatch(name):
        advice = "use letters, digits, dots, dashes and underscores"
        advice += "" if said else ", with --as"
        raise UserError(f"{name!r} cannot be the name of a set: {advice}")
    own = project and (project.raw / name, project.posts / name / "study.yml")
    if own and (own[0].is_dir() or own[1].is_file()):
        raise UserError(f"{name!r} is a study of this checkout: choose a name with --as")
    return name


def _import(directory: Path, places: Places, job: Job, prune: bool) -> ImportReport:
    before = usable_manifest(places) or Manifest(job.set)
    old = {source.path: source for source in before.sources}
    found, skipped = walk(directory)
    files = with_parts(found, job.formats, known_by(job))
    output = Output(places)
    sources, refused = _read(files, old, job, output)
    names = {file.name for file in files}
    there = {file.name for file in found}
    absent = [source for source in old.values() if source.path not in names]
    # Of a run of which some files are there, its source has the others.
    gone = tuple(sorted(s.path for s in absent if there.isdisjoint(s.paths)))
    if not prune:
        sources += [old[path] for path in gone]
    sources.sort(key=lambda source: source.path)
    read = [source for source in sources if source is not old.get(source.path)]
    manifest = replace(
        before,
        sources=sources,
        skipped=sorted([*skipped, *refused], key=lambda one: one.path),
    )
    report = ImportReport(
        manifest,
        places.manifest,
        places.metric,
        new=sum(source.path not in old for source in read),
        changed=sum(source.path in old for source in read),
        gone=gone,
        pruned=prune and bool(gone),
    )
    if report.empty:
        return report
    same = [source for source in sources if source is old.get(source.path)]
    if read or len(same) < len(old):
        ranks = {f.name: rank for rank, f in enumerate(formats())}
        same_paths = [path for source in same for path in source.paths]
        manifest = output.commit(manifest, same_paths, ranks)
    elif manifest != before:
        replace_text(places.manifest, manifest_text(manifest))
    return replace(report, manifest=manifest)


def _read(
    files: Sequence[SourceFile], old: dict[str, Source], job: Job, output: Output
) -> tuple[list[Source], list[Skipped]]:
    """Every file as a source or as skipped; a source that is as it was is not read."""
    sources: list[Source] = []
    skipped: list[Skipped] = []
    for file in files:
        before = old.get(file.name)
        facts: dict[str, tuple[str, int]] = {}
        try:
            for one in (file, *file.parts) if before else ():
                facts[one.name] = fingerprint(one.path)
        except OSError as error:
            skipped.append(Skipped(file.name, unreadable(error)))
            sources += [before] if before else []
            continue
        if before and _same(before, facts) and job.would_read_as(before):
            sources.append(before)
            continue
        result = read_source(file, facts, job, output)
        if isinstance(result, Source):
            sources.append(result)
        else:
            skipped.append(result)
    return sources, skipped


def _same(source: Source, facts: Mapping[str, tuple[str, int]]) -> bool:
    """Are a source's files those that were read, all of them and no other?"""
    parts = [Part(source.path, source.sha256, source.bytes), *source.parts]
    return parts == [Part(name, *fact) for name, fact in facts.items()]
