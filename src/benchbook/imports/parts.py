"""Files that are parts of one run: read one after the other, as one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import replace

from benchbook.imports.walk import SourceFile
from benchformats import Format
from benchformats.parsed import Block, Problem, RunName, TextFile
from benchformats.text.file import Opened, open_text

Known = Callable[[TextFile], Format | None]


def with_parts(
    files: Sequence[SourceFile], formats: Sequence[Format], known: Known
) -> list[SourceFile]:
    """The files in their order, but those of one run as its first with the others.

    Names alone do not make a run: a format must know all of its files, ``known``.
    """
    beside: dict[str, set[str]] = defaultdict(set)
    for file in files:
        beside[file.folder].add(file.base)
    joined: dict[str, SourceFile] = {}
    left = list(files)
    for run_of in dict.fromkeys(f.run_of for f in formats if f.run_of):
        runs: dict[tuple[str, str], list[SourceFile]] = defaultdict(list)
        for file in left:
            if run := run_of(file.base, beside[file.folder]):
                runs[file.folder, run.first].append(file)
        for group in runs.values():
            if len(group) > 1 and (first := _one(group, run_of, known)):
                joined[first.name] = first
        parts = {part.name for first in joined.values() for part in first.parts}
        left = [file for file in left if file.name not in parts]
    return [joined.get(file.name, file) for file in left]


def _one(
    group: Sequence[SourceFile],
    run_of: Callable[[str, Container[str]], RunName | None],
    known: Known,
) -> SourceFile | None:
    """The first of a run's files with those of its format; None where it has none."""
    first, *others = sorted(group, key=lambda file: (len(file.base), file.base))
    form = _format(first, known)
    if form is None or form.run_of is not run_of:
        return None
    return replace(first, parts=tuple(o for o in others if _format(o, known) == form))


def _format(file: SourceFile, known: Known) -> Format | None:
    try:
        opened = open_text(file.path, file.name, ("", 0))
    except OSError:
        return None
    return known(opened.file) if opened.file else None


class Parts:
    """A run's files as one text; ``name`` is the one that is being read."""

    def __init__(self, files: Sequence[tuple[str, Opened]]) -> None:
        self._files = files
        self.name = files[0][0]

    def text(self, first: TextFile) -> TextFile:
        """The first file, with the lines of all of them."""
        return replace(first, reader=self._blocks) if len(self._files) > 1 else first

    def told(self, problem: Problem, name: str = "") -> Problem:
        """The problem with the name of its file, where that is not the first."""
        name = name or self.name
        if name == self._files[0][0]:
            return problem
        return Problem(problem.line, f"{name.rpartition('/')[2]}: {problem.text}")

    def damage(self) -> list[Problem]:
        """What is wrong with the files as texts, once they are read."""
        return [
            self.told(problem, name)
            for name, opened in self._files
            for problem in opened.problems.all()
        ]

    def _blocks(self) -> Iterator[Block]:
        for name, opened in self._files:
            self.name = name
            if opened.file:
                yield from opened.file.blocks()
