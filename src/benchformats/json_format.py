"""A format of JSON as a declaration, and the one reader of all of them.

A declaration says where the entries of a document are, what of an entry names its test
and tells it from others, which figures it has and where the time stands. The reader knows
on which line an entry begins: rows and messages are of that line.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from benchformats.json_file import (
    Document,
    Entry,
    clients_of,
    dict_of,
    figure,
    has_keys,
    read_json,
    text_of,
)
from benchformats.parsed import Parsed, Problem, Row, TextFile, dated

Said = Mapping[str, Any]  # an object of JSON


@dataclass(frozen=True)
class Figure:
    """A number of an entry; what is no number, or below 0, is passed over."""

    metric: str
    value: object
    unit: str = ""
    direction: str = "none"
    main: bool = False
    each: bool = False  # it is a list, each number a trial
    trial: int | None = None
    step: str = ""  # where it is not the entry's
    signed: bool = False  # what is below 0 too
    told: bool = False  # instead of passed over


@dataclass(frozen=True)
class Test:
    """What an entry is about."""

    step: str
    said: Said  # the entry; of a member of an object its ``name`` and ``value``
    frame: Said = field(default_factory=dict)  # what the document says around the entries

    @property
    def name(self) -> str:
        """For messages."""
        return self.step or "a benchmark"


@dataclass(frozen=True)
class JsonFormat:
    """A format; paths are keys with dots between them."""

    keys: tuple[str, ...]  # of the beginning, by which a file is recognised: see has_keys
    figures: Callable[[Test], Iterable[Figure | str]]  # a text is a problem of the entry
    entries: str = ""  # key of their list or object; '' is the document itself
    step: tuple[str, ...] = ("name",)  # paths in the entry: the first that says anything
    check: Callable[[Test], str] = lambda test: ""  # why an entry is not read; '' is fine
    nothing: str = ""  # told of a test without its main figure, of which nothing is read
    empty: str = "no benchmark was run"  # told of a file without rows and problems
    dims: Callable[[Said], Mapping[str, str]] = lambda said: {}  # of an entry
    dop: str = ""  # path of the clients in the entry
    version: str = ""  # path in the entry
    common: Callable[[Said], Mapping[str, Any]] = lambda frame: {}  # fields of all rows
    when: tuple[str, ...] = ()  # paths of the time in the frame: the first that says any
    prepared: Callable[[TextFile, Document], Iterable[Entry | Problem]] = (
        lambda file, document: document.entries
    )
    json: Callable[[TextFile], TextFile] = lambda file: file  # what of the file is JSON

    def recognises(self, file: TextFile) -> bool:
        """The beginning of the file has the keys."""
        return has_keys(file, self.keys)

    def read(self, file: TextFile) -> Parsed:
        """The figures of all entries; of a file that is not whole only why not."""
        file = self.json(file)
        document = read_json(file, self.entries)
        if document.problem:
            return Parsed(problems=[document.problem])
        return self.parsed(self.prepared(file, document), document.frame)

    def parsed(self, entries: Iterable[Entry | Problem], frame: Said) -> Parsed:
        """The figures of entries from wherever they come, and problems in their order."""
        common = self.common(frame)
        rows: list[Row] = []
        problems: list[Problem] = []
        for entry in entries:
            for one in self._of_entry(entry, frame, common):
                if isinstance(one, Row):
                    rows.append(one)
                else:
                    problems.append(one)
        if self.empty and not rows and not problems:
            problems.append(Problem(0, self.empty))
        return Parsed(dated(rows, first_text(frame, self.when)), problems=problems)

    def _of_entry(
        self, entry: Entry | Problem, frame: Said, common: Mapping[str, Any]
    ) -> Iterable[Row | Problem]:
        if isinstance(entry, Problem):
            return [entry]
        pair = isinstance(entry.value, tuple)
        said = dict(zip(("name", "value"), entry.value, strict=True)) if pair else (
            dict_of(entry.value))  # fmt: skip
        test = Test(first_text(said, self.step), said, frame)
        if why := self.check(test):
            return [Problem(entry.line, why)]
        own = {"dims": self.dims(said), "version": first_text(said, (self.version,)),
               "dop": clients_of(at(said, self.dop)), **common}  # fmt: skip
        read = [one for told in self.figures(test)
                for one in _read(entry.line, test.step, told, own)]  # fmt: skip
        if not self.nothing or any(isinstance(one, Row) and one.main for one in read):
            return read
        problems = [one for one in read if isinstance(one, Problem)]
        return [*problems, Problem(entry.line, f"{test.step}: {self.nothing}")]


def _read(
    line: int, step: str, told: Figure | str, own: Mapping[str, Any]
) -> Iterator[Row | Problem]:
    if isinstance(told, str):
        yield Problem(line, told)
        return
    values = told.value if isinstance(told.value, list) and told.each else [told.value]
    for trial, value in enumerate(values, 1):
        number = figure(value)
        if number is not None and (number >= 0 or told.signed):
            yield Row(line, told.step or step, told.metric, number, told.unit,
                      told.direction, main=told.main,
                      trial=trial if told.each else told.trial, **own)  # fmt: skip
        elif told.told:
            what = "time" if told.unit == "s" else "figure"
            yield Problem(line, f"{told.metric} is no {what}: {text_of(value)}")


def at(said: object, path: str) -> Any:
    """What stands at a path of an object; None where nothing does, and of no path."""
    for key in path.split("."):
        said = dict_of(said).get(key)
    return said if path else None


def first_text(said: Said, paths: Iterable[str]) -> str:
    """The first text that is not '' at one of the paths."""
    return next(filter(None, (text_of(at(said, path)) for path in paths)), "")


def texts_of(said: object) -> dict[str, str]:
    """The members of an object as texts, those without a name left out."""
    members = {text_of(name): text_of(value) for name, value in dict_of(said).items()}
    return {name: value for name, value in members.items() if name}


def whole_texts(**said: str) -> dict[str, str]:
    """Dimensions, of which those that nothing is said of are left out."""
    return {name: value for name, value in said.items() if value}


def list_of(value: object) -> list[Any]:
    """The value where it is a list; [] otherwise."""
    return value if isinstance(value, list) else []
