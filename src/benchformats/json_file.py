"""JSON files of tools: parsed as a whole or not at all, their entries with their lines.

Tools write a list of results in a frame of facts about the run. ``read_json`` gives the
frame and each entry of the list with the line on which it begins. NaN and Infinity, which
JSON does not have but Python's and Java's writers do, come as None; a number that no
double holds is infinite, and ``figure`` takes neither.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from benchformats.parsed import Problem, TextFile
from benchformats.text.file import HEAD

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{}:,]')
_START = re.compile(r"^[ \t]*[\[{]", re.MULTILINE)
_SPACE = re.compile(r"[ \t\n\r]*")
_DEEPEST = 20  # levels of an outline
_LONGEST_INT = 18  # digits that certainly fit into 64 bits
_MOST_CLIENTS = 10**9


@dataclass(frozen=True, slots=True)
class Entry:
    """One element of the list, with the line of the file on which it begins."""

    line: int
    value: Any
    at: int = 0  # offset in the text: of a member, that of its name


@dataclass(frozen=True)
class Document:
    """A parsed file; ``problem`` instead where it could not be parsed to its end."""

    frame: dict[str, Any] = field(default_factory=dict)  # of the outermost object
    line: int = 1  # on which the outermost object or list begins
    entries: list[Entry] = field(default_factory=list)
    problem: Problem | None = None


def read_json(file: TextFile, key: str = "") -> Document:
    """The file with the list or object of its outermost ``key``; '' is the file itself.

    Members of an object are entries too, as pairs of key and value. Lines above the first
    line that begins with a bracket are passed over: some tools warn there.
    """
    text = file.text
    start = _START.search(text)
    if not start:
        return Document(problem=Problem(0, "no JSON"))
    at = start.end() - 1
    frame: dict[str, Any] = {}
    try:
        places, end = _outermost(text, at, key, frame)
    except json.JSONDecodeError as error:
        where = "it ends early" if error.pos >= len(text.rstrip()) - 1 else error.msg
        line = min(error.lineno, len(file.lines))
        return Document(problem=Problem(line, f"broken JSON ({where}): not read"))
    except RecursionError:
        why = "JSON nested too deeply: not read"
        return Document(problem=Problem(line_at(text, at), why))
    if text[end:].strip():
        line = line_at(text, _space(text, end))
        return Document(problem=Problem(line, "more text behind the JSON: not read"))
    lines = _Lines(text)
    entries = [Entry(lines.of(offset), value, offset) for offset, value in places]
    return Document(frame, lines.of(at), entries)


def entries_of(file: TextFile, entry: Entry, key: str = "") -> list[Entry]:
    """The elements of the list that an entry of the file is, or its member ``key``."""
    lines = _Lines(file.text, entry.at, entry.line)
    at = _name(file.text, entry.at)[1] if isinstance(entry.value, tuple) else entry.at
    places = _outermost(file.text, at, key, {})[0] if file.text[at] in "[{" else []
    return [Entry(lines.of(offset), value, offset) for offset, value in places]


def json_lines(file: TextFile) -> Iterator[Entry | Problem]:
    """Each line that holds a JSON object; a Problem for one that is broken."""
    for line_no, line in enumerate(file.lines, 1):
        if line.lstrip().startswith("{"):
            try:
                yield Entry(line_no, _DECODER.decode(line))
            except (ValueError, RecursionError):
                yield Problem(line_no, "broken JSON: not read")


def line_at(text: str, offset: int) -> int:
    """Number of the line that a character stands on."""
    return text.count("\n", 0, offset) + 1


def figure(value: object) -> float | None:
    """A number of JSON as a finite float; None for anything else, booleans included."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value) if math.isfinite(value) else None


def figures(value: object) -> list[float | None]:
    """The numbers of a list; [] for anything else."""
    return [figure(one) for one in value] if isinstance(value, list) else []


def clients_of(value: object) -> int:
    """A number of clients or threads; 0 where it is none."""
    number = figure(value)
    return int(number) if number is not None and 0 <= number <= _MOST_CLIENTS else 0


def text_of(value: object) -> str:
    """A name on one line: spaces are one each, what cannot be shown is U+FFFD."""
    if isinstance(value, bool) or value is None:
        return "" if value is None else str(value).lower()
    if isinstance(value, dict | list):
        value = json.dumps(value, sort_keys=True, default=str)
    words = str(value).split()
    shown = "".join(c if c.isprintable() else "\ufffd" for c in " ".join(words))
    return shown.encode("utf-8", "replace").decode()


def dict_of(value: object) -> dict[str, Any]:
    """The value where it is an object; {} otherwise."""
    return value if isinstance(value, dict) else {}


def has_keys(file: TextFile, paths: Sequence[str]) -> bool:
    """The beginning of the file is JSON with all of these keys: ``results[].command``.

    The beginning is enough, so that a file cut short is still known for what it is.
    """
    head = file.text[:HEAD]
    start = _START.search(head)
    if not start:
        return False
    keys = _outline(head[start.end() - 1 :])
    return all(path in keys for path in paths)


@lru_cache(maxsize=4)
def _outline(text: str) -> frozenset[str]:
    """The paths of all keys of a text, elements of lists as ``[]``."""
    keys: set[str] = set()
    within: list[str] = []  # the paths of the objects and lists that are open
    path = last = ""  # of the value that comes next; the text that was read last
    for token in _TOKEN.finditer(text):
        word = token[0]
        if word in ("{", "["):
            path += "[]" if word == "[" else ""
            within.append(path)
        elif word in ("}", "]"):
            within = within[:-1]
        elif word == ":" and within:
            path = f"{within[-1]}.{last[1:-1]}".removeprefix(".")
            keys.add(path)
        elif word == "," and within:
            path = within[-1]
        else:
            last = word
        if not within or len(within) > _DEEPEST:
            break
    return frozenset(keys)


_DECODER = json.JSONDecoder(
    parse_int=lambda text: int(text) if len(text) <= _LONGEST_INT else float(text),
    parse_constant=lambda text: None,
)


def _outermost(
    text: str, at: int, key: str, frame: dict[str, Any]
) -> tuple[list[tuple[int, Any]], int]:
    """Offset and value of each entry, and where the JSON ends; facts go to ``frame``."""
    places: list[tuple[int, Any]] = []
    if text[at] == "[":
        end = _DECODER.raw_decode(text, at)[1] if key else _entries(text, at, places)
        return places, end

    def take(_: int, name: str, value_at: int) -> int:
        if name == key and text[value_at] in "[{":
            return _entries(text, value_at, places)
        frame[name], end = _DECODER.raw_decode(text, value_at)
        return end

    return places, _each(text, at, take)


def _entries(text: str, at: int, places: list[tuple[int, Any]]) -> int:
    """Elements of a list, or members of an object as pairs, go to ``places``; its end."""
    named = text[at] == "{"

    def take(begin: int, name: str, value_at: int) -> int:
        value, end = _DECODER.raw_decode(text, value_at)
        places.append((begin, (name, value) if named else value))
        return end

    return _each(text, at, take)


def _each(text: str, at: int, take: Callable[[int, str, int], int]) -> int:
    """The end of an object or list, each member of which was taken.

    ``take`` gets where it begins, its name and where its value begins: it tells the end.
    """
    closing = "}" if text[at] == "{" else "]"
    at = _space(text, at + 1)
    more = text[at : at + 1] != closing
    if not more:
        return at + 1
    while more:
        name, value_at = _name(text, at) if closing == "}" else ("", at)
        at, more = _next(text, take(at, name, value_at), closing)
    return at


def _name(text: str, at: int) -> tuple[str, int]:
    """The key at an offset, and where its value begins."""
    if text[at : at + 1] != '"':
        raise json.JSONDecodeError("a name is missing", text, at)
    name, at = _DECODER.raw_decode(text, at)
    at = _space(text, at)
    if text[at : at + 1] != ":":
        raise json.JSONDecodeError("a colon is missing", text, at)
    at = _space(text, at + 1)
    if at >= len(text):
        raise json.JSONDecodeError("a value is missing", text, at)
    return name, at


def _next(text: str, at: int, closing: str) -> tuple[int, bool]:
    """Where the next member begins, or where the object or list ended."""
    at = _space(text, at)
    char = text[at : at + 1]
    if char == closing:
        return at + 1, False
    if char != ",":
        raise json.JSONDecodeError("a comma or bracket is missing", text, at)
    return _space(text, at + 1), True


def _space(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match else at


class _Lines:
    """Line numbers of ascending offsets, each part of the text counted once."""

    def __init__(self, text: str, at: int = 0, line: int = 1) -> None:
        self._text, self._at, self._line = text, at, line

    def of(self, offset: int) -> int:
        if offset < self._at:
            self._at, self._line = 0, 1
        self._line += self._text.count("\n", self._at, offset)
        self._at = offset
        return self._line
