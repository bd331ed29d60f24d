"""One file of an import: recognised by its content, read, its figures handed on."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchbook.formats import Format
from benchbook.formats.names import Place, decode_path, decode_tag
from benchbook.formats.parsed import Parsed, Problem, TextFile
from benchbook.formats.text.file import HEAD, open_text, read_whole, with_more
from benchbook.imports.manifest import Skipped, Source
from benchbook.imports.output import Output
from benchbook.imports.rows import dims_of, identity, table_of
from benchbook.imports.series import with_names
from benchbook.imports.walk import UNKNOWN, SourceFile, unreadable

IMPORTER = 2  # raise it when the same file gives other rows whatever its format
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

    def importer_of(self, name: str) -> str:
        """Version of the importer and of a format's parser; '' where it is gone."""
        versions = [f"{IMPORTER}.{f.version}" for f in self.formats if f.name == name]
        return versions[0] if versions else ""

    def would_read_as(self, source: Source) -> bool:
        """Reading the same bytes again would give what an earlier import read."""
        return (source.importer, source.machine, source.forced) == (
            self.importer_of(source.format), self.machine, self.forced,
        )  # fmt: skip


def read_source(
    file: SourceFile, earlier: tuple[str, int] | None, job: Job, output: Output
) -> Source | Skipped:
    """Read a file, whose fingerprint may be known already, into ``output``.

    Skipped where no format knows it, or where its format says why there is nothing.
    """
    try:
        opened = open_text(file.path, file.name, earlier)
    except OSError as error:
        return Skipped(file.name, unreadable(error))
    if opened.file is None:
        return Skipped(file.name, opened.reason)
    chosen = job.formats[0] if job.forced else recognised(opened.file, job.formats)
    if chosen is None:
        reasons = [_foreign(opened.file) or UNKNOWN]
        reasons += [problem.text for problem in opened.problems.all()[:1]]
        return Skipped(file.name, "; ".join(reasons))
    place = decode_path(opened.file.path, job.root)
    problems: list[Problem] = []
    rows = samples = 0
    for piece in _pieces(chosen, opened.file):
        table, complaints = table_of(
            piece.rows, file.name, chosen.name, place, job.machine, rows
        )
        output.add_rows(table)
        rows += table.num_rows
        samples += _add_series(piece, place, file.name, job, output)
        problems += [*piece.problems, *complaints]
    problems = sorted([*opened.problems.all(), *problems], key=lambda p: p.line)
    if not rows and not samples and [p.line for p in problems] == [0]:
        return Skipped(file.name, problems[0].text)
    try:
        sha256, size = opened.fingerprint
    except OSError as error:  # it is gone: what was read of it stays
        sha256, size = "", 0
        problems.insert(0, Problem(0, unreadable(error)))
    return Source(
        path=file.name, sha256=sha256, bytes=size, format=chosen.name,
        importer=job.importer_of(chosen.name), rows=rows, samples=samples,
        machine=job.machine, forced=job.forced, problems=_most(problems),
    )  # fmt: skip


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


def _add_series(piece: Parsed, place: Place, path: str, job: Job, output: Output) -> int:
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
