"""A text as a table: a header and rows of cells, of CSV, TSV or JSON lines."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice

from benchformats.clean import one_line
from benchformats.parsed import Problem
from benchformats.text.cells import number_or_why

_DELIMITERS = "\t;,|"
# A first line, as Excel reads it too.
_SAID = re.compile(r'"?sep=([^\w\s"]|\t)"?', re.IGNORECASE)
_MOST_COLUMNS = 1000
_HEAD = 2**16  # characters in which the header stands


@dataclass(frozen=True)
class Table:
    """``rows`` are (line, cells), as many cells as the header has; the rest are told."""

    header: list[str]
    header_line: int
    rows: list[tuple[int, list[str]]]
    problems: list[Problem] = field(default_factory=list)


def table_of(text: str, most: int | None = None) -> Table | None:
    """The table that the text is, or its first ``most`` rows; None where it is none."""
    begin = text.lstrip("\ufeff \n\t")[:1]
    return _of_json(text, most) if begin == "{" else _of_csv(text, most)


def header_of(text: str) -> list[str]:
    """The names of the columns; [] of what is no table."""
    table = table_of(text[:_HEAD], 0)
    return table.header if table else []


def _of_csv(text: str, most: int | None) -> Table | None:
    lines = text.lstrip("\ufeff").split("\n")
    first = next((n for n, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return None
    if said := _SAID.fullmatch(lines[first].strip(" ")):
        first += 1
    delimiter = said[1] if said else max(_DELIMITERS, key=lines[first].count)
    reader = csv.reader((f"{line}\n" for line in lines[first:]), delimiter=delimiter)
    records = _records(reader, first)
    start, names, why = next(records, (0, [], ""))
    header = [one_line(name) for name in names]
    if why or not 2 <= len(header) <= _MOST_COLUMNS or not all(header):
        return None
    if len(set(header)) < len(header):
        return None
    table = Table(header, start, [])
    for line, cells, why in islice(records, most):
        if not why and _heads_again(cells, header):
            if [*map(one_line, cells)] == header:
                continue
            told = "another header: not read from here on"
            table.problems.append(Problem(line, told))
            break
        if why:
            table.problems.append(Problem(line, why))
        elif len(cells) != len(header):
            told = f"{len(cells)} cells, but the header has {len(header)}: row not read"
            table.problems.append(Problem(line, told))
        else:
            table.rows.append((line, cells))
    return table


def _heads_again(cells: list[str], header: list[str]) -> bool:
    """Words that are for the most part the header's: files were put together."""
    alike = sum(map(str.__eq__, map(one_line, cells), header))
    words = not any(isinstance(number_or_why(cell), float) for cell in cells)
    return words and 2 * alike >= max(len(cells), len(header))


def _records(
    reader: Iterator[list[str]], before: int
) -> Iterator[tuple[int, list[str], str]]:
    """Line, cells, and why these cannot be read; blank lines are none."""
    line = before + 1
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield line, [], f"not read from here on ({error})"
            return
        if any("\n" in cell for cell in cells):
            yield line, [], "a quoted cell goes on over the end of the line: row not read"
        elif any(cell.strip() for cell in cells):
            yield line, cells, ""
        line = before + reader.line_num + 1  # type: ignore[attr-defined]


def _of_json(text: str, most: int | None) -> Table | None:
    objects: list[tuple[int, dict[str, str]]] = []
    problems: list[Problem] = []
    names: dict[str, None] = {}
    lines = text.lstrip("\ufeff").split("\n")
    numbered = ((n, line) for n, line in enumerate(lines, 1) if line.strip())
    for number, line in islice(numbered, most):
        found = _object(line)
        if isinstance(found, str):
            if not objects:
                return None
            problems.append(Problem(number, found))
            continue
        objects.append((number, found))
        names.update(dict.fromkeys(found))
    if not 2 <= len(names) <= _MOST_COLUMNS or not all(names):
        return None
    rows = [(number, [one.get(name, "") for name in names]) for number, one in objects]
    return Table(list(names), objects[0][0], rows, problems)


def _object(line: str) -> dict[str, str] | str:
    """A flat object's members as text, or what the line is instead."""
    try:
        found = json.loads(line, parse_float=str, parse_int=str, parse_constant=str)
    except (ValueError, RecursionError):
        return "not JSON: row not read"
    if not isinstance(found, dict):
        return "not an object: row not read"
    if any(isinstance(value, (dict, list)) for value in found.values()):
        return "a member is a list or an object: row not read"
    return {one_line(name): _text(value) for name, value in found.items()}


def _text(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
