"""One file of an import: recognised by its content, read, its figures handed on."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import pyarrow as pa

from benchbook.imports.manifest import Part, Skipped, Source
from benchbook.imports.naming import Naming, Unnamed, contradiction
from benchbook.imports.occurrences import Occurrences
from benchbook.imports.parquet import PARQUET, opened_parquet
from benchbook.imports.parts import Parts
from benchbook.imports.rows import RENAMED_DIMS, dims_of, identity, table_of
from benchbook.imports.series import with_names
from benchbook.imports.walk import UNKNOWN, SourceFile, unreadable
from benchformats import Format
from benchformats.clean import one_line
from benchformats.names import Place, decode_path, decode_tag
from benchformats.parsed import Parsed, Problem, Row, TextFile, undirected
from benchformats.text.file import HEAD, open_text, read_whole, with_more
from benchformats.tidy.hint import hint_of

IMPORTER = 5  # raise it when the same file gives other rows whatever its format
MOST_PROBLEMS = 200  # of one file that are kept
_MARKUP = (("<svg", "SVG picture"), ("<!doctype html", "HTML page"),
           ("<html", "HTML page"))  # fmt: skip
_FENCE = re.compile(r"^[ \t]*```", re.MULTILINE)
_SUFFIXES = {".md": "Markdown page", ".py": "program", ".sh": "program"}


@dataclass(frozen=True)
class Job:
    """What is the same for all files of an import."""

    set: str
    root: str  # name of the imported folder
    machine: str  # as the user says, or ''
    formats: Sequence[Format]  # most specific first
    forced: bool  # the user says which format it is
    naming: Naming = field(default_factory=Naming)  # what the user says of names
    columns: str = ""  # what the user says of a table's columns
    better: Mapping[str, str] = field(default_factory=dict)  # of a metric, or of "": any

    def importer_of(self, name: str) -> str:
        """Version of the importer and of a format's parser; '' where it is gone."""
        versions = [f"{IMPORTER}.{f.version}" for f in self.formats if f.name == name]
        return versions[0] if versions else ""

    def would_read_as(self, source: Source) -> bool:
        """Reading the same bytes again would give what an earlier import read."""
        try:
            said = self.said(self.naming.said_of(_without_gz(source.path)))
        except Unnamed:
            return False
        return (source.importer, source.machine, source.forced, source.said) == (
            self.importer_of(source.format), self.machine, self.forced, said,
        )  # fmt: skip

    def said(self, of_file: Mapping[str, str]) -> str:
        """What the user says of a file, as a line of the manifest; '' where nothing."""
        words = [f"{name}={value}" for name, value in sorted(of_file.items())]
        words += ["by name"] if self.naming.pattern else []
        words += [f"better {metric}={way}" for metric, way in self.better.items()]
        return "; ".join([*words, *filter(None, [self.columns])])


class Target(Protocol):
    """Where figures and series of a file go: a set's files, or a preview."""

    def add_rows(self, table: pa.Table) -> None: ...

    def add_series(self, name: str, table: pa.Table) -> None: ...


def read_source(
    file: SourceFile, earlier: Mapping[str, tuple[str, int]], job: Job, output: Target
) -> Source | Skipped:
    """Read a file, or the files of one run, into ``output``.

    ``earlier``: fingerprints that are known already, by name.

    Skipped where no format knows it, or where its format says why there is nothing.
    """
    try:
        every = [(one.name, open_text(one.path, one.name, earlier.get(one.name)))
                 for one in (file, *file.parts)]  # fmt: skip
    except OSError as error:
        return Skipped(file.name, unreadable(error))
    opened = every[0][1]
    if opened.file is None and opened.reason == PARQUET:
        opened = opened_parquet(file.path, file.name)
    if opened.file is None:
        return Skipped(file.name, opened.reason)
    chosen = known_by(job)(opened.file)
    if chosen is None:
        reasons = [_foreign(opened.file) or hint_of(opened.file) or UNKNOWN]
        reasons += [problem.text for problem in opened.problems.all()[:1]]
        return Skipped(file.name, "; ".join(reasons))
    place = decode_path(opened.file.path, job.root)
    said: Mapping[str, str] = {}
    parts = Parts([(file.name, opened), *every[1:]])
    text = parts.text(opened.file)
    pieces: Iterable[Parsed] = _pieces(chosen, text)
    if job.naming:
        try:
            said = job.naming.said_of(opened.file.path)
            if not text.reader:
                pieces = list(pieces)
            of_names = Place() if job.naming.pattern else place
            _check(pieces, said, of_names)
        except Unnamed as why:
            return Skipped(file.name, str(why))
        place = job.naming.place(said, opened.file.path, place)
        if text.reader:  # of a large file no piece is kept: it is read again
            pieces = _pieces(chosen, text)
    if chosen.step_is_name and not place.step:
        place = replace(place, step=one_line(_stem(opened.file.name)))
    problems: list[Problem] = []
    rows = samples = 0
    occurrences = Occurrences(chosen.once)
    for piece in pieces:
        figures = [directed(row, job.better) for row in piece.rows]
        open_ = [row for row in figures if not {"", row.metric} & job.better.keys()]
        # In a table of one's own every figure may be compared.
        problems += undirected(r for r in open_ if r.main or chosen.step_is_name)
        table, complaints = table_of(
            occurrences.apart(figures), file.name, chosen.name, place, job.machine, rows
        )
        output.add_rows(table)
        rows += table.num_rows
        samples += _add_series(piece, place, parts.name, job, output)
        problems += [*map(parts.told, piece.problems), *complaints]
    problems += occurrences.told()
    run = chosen.run_of(file.base, ()) if chosen.run_of else None
    if run and run.first != file.base:
        problems.append(Problem(0, f"{run.first}, the first file of the run, is missing"))
    told = dict.fromkeys([*parts.damage(), *problems])
    problems = sorted(told, key=lambda p: p.line)
    if not rows and not samples and [p.line for p in problems] == [0]:
        return Skipped(file.name, problems[0].text)
    try:
        sha256, size = opened.fingerprint
        further = [Part(name, *one.fingerprint) for name, one in every[1:]]
    except OSError as error:  # it is gone: what was read of it stays
        sha256, size, further = "", 0, []
        problems.insert(0, Problem(0, unreadable(error)))
    return Source(
        path=file.name, sha256=sha256, bytes=size, format=chosen.name,
        importer=job.importer_of(chosen.name), rows=rows, samples=samples,
        machine=job.machine, forced=job.forced, said=job.said(said),
        problems=_most(problems), parts=further,
        run="/".join(filter(None, (file.folder, run.what))) if run else "",
    )  # fmt: skip


def directed(row: Row, better: Mapping[str, str]) -> Row:
    """The row with the direction that the user says, where the file tells none."""
    said = better.get(row.metric, better.get("", "none"))
    return replace(row, direction=said) if row.direction == "none" != said else row


def _check(pieces: Iterable[Parsed], said: Mapping[str, str], decoded: Place) -> None:
    """Unnamed where a figure, or the archives' names, contradict what was said."""
    for piece in pieces:
        for row in piece.rows:
            if complaint := contradiction(row, said, decoded, RENAMED_DIMS):
                raise Unnamed(complaint)


def _stem(name: str) -> str:
    """A file's name without the end that says its format."""
    return re.sub(r"\.(?:csv|tsv|txt|jsonl|ndjson|json|parquet)$", "", name) or name


def _without_gz(name: str) -> str:
    return name.removesuffix(".gz")


def known_by(job: Job) -> Callable[[TextFile], Format | None]:
    """What says which format of a job reads a file; None where none knows it."""
    if job.forced:
        return lambda file: job.formats[0]
    return lambda file: recognised(file, job.formats)


def recognised(file: TextFile, formats: Sequence[Format]) -> Format | None:
    """The first format that knows a file by its beginning, else by more of it."""
    if _foreign(file):
        return None
    if by_beginning := next((f for f in formats if _recognises(f, file)), None):
        return by_beginning
    if file.reader is None:
        return None
    longer = with_more(file)
    return next((f for f in formats if _recognises(f, longer)), None)


def _recognises(format_: Format, file: TextFile) -> bool:
    try:
        return format_.recognises(file)
    except Exception:  # a parser's mistake must not stop the files of all others
        return False


def _pieces(format_: Format, file: TextFile) -> Iterator[Parsed]:
    try:
        if format_.stream:
            yield from format_.stream(file)
        else:
            yield format_.read(read_whole(file))
    except OSError as error:
        yield Parsed(problems=[Problem(0, unreadable(error))])
    except Exception as error:  # as above: told, and the rest goes on
        what = f"the parser of {format_.name} failed ({type(error).__name__}: {error})"
        yield Parsed(problems=[Problem(0, f"{what}: not read from there on")])


def _add_series(piece: Parsed, place: Place, path: str, job: Job, output: Target) -> int:
    tag = decode_tag(place.tag)
    named = {"set": job.set, **identity(place, tag, job.machine)}
    samples = 0
    for name, table in piece.series.items():
        output.add_series(name, with_names(table, named, dims_of(place, tag), path))
        samples += table.num_rows
    return samples


def _foreign(file: TextFile) -> str:
    """What a file is that may quote results and is none of them; '' of any other."""
    head = file.text[:HEAD].lstrip().lower()
    for start, kind in _MARKUP:
        if head.startswith(start) or (head.startswith("<?xml") and start in head):
            return kind
    if "```" in head and _FENCE.search(head):
        return "Markdown page"
    return next((kind for end, kind in _SUFFIXES.items() if file.name.endswith(end)), "")


def _most(problems: list[Problem]) -> list[Problem]:
    left = len(problems) - MOST_PROBLEMS
    more = [Problem(0, f"and {left} more problems")] if left > 0 else []
    return problems[:MOST_PROBLEMS] + more
