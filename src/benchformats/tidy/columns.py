"""Which column of a table is what: said by the user, else told by the columns' names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from benchformats.clean import one_line
from benchformats.text.cells import DECIMALS, is_gap, number_or_why
from benchformats.text.table import Table
from benchformats.times import is_time

# Roles that a column can have once; any other key is a dimension of one's own.
ROLES = ("step", "engine", "version", "build", "config", "machine", "dop", "trial",
         "commit", "time", "metric", "value", "unit", "direction")  # fmt: skip
SETTINGS = {"decimal": DECIMALS, "better": ("higher", "lower", "none")}
VALUES = "values"  # columns of figures, each a metric of its own, joined by +

_ALIASES = {
    "test": "step", "benchmark": "step", "revision": "commit", "sha": "commit",
    "git_commit": "commit", "timestamp": "time", "date": "time", "datetime": "time",
    "clients": "dop", "threads": "dop", "concurrency": "dop", "repeat": "trial",
    "rep": "trial", "repetition": "trial", "measurement": "metric", "units": "unit",
    "better": "direction",
}  # fmt: skip
_KEY = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_FIRST = 20  # rows by which the kind of a column is told


@dataclass(frozen=True)
class Columns:
    """``of``: role or dimension to the column's name. ``values``: columns of figures."""

    of: Mapping[str, str] = field(default_factory=dict)
    values: tuple[str, ...] = ()
    decimal: str = ""
    better: str = ""
    unread: tuple[str, ...] = ()  # columns that nobody has named


def columns_said(pairs: Iterable[tuple[str, str]]) -> Columns:
    """What the user says of columns; ValueError in one sentence where that cannot be."""
    of: dict[str, str] = {}
    values: tuple[str, ...] = ()
    settings: dict[str, str] = {}
    for key, value in pairs:
        if not value:
            raise ValueError(f"{key!r} has no column: write {key}=COLUMN")
        if key in of or key in settings or (key == VALUES and values):
            raise ValueError(f"{key!r} is said twice: say it once")
        if key in SETTINGS:
            if value not in SETTINGS[key]:
                raise ValueError(f"{key}={value}: available: {', '.join(SETTINGS[key])}")
            settings[key] = value
        elif key == VALUES:
            values = tuple(part.strip() for part in value.split("+"))
        elif not _KEY.fullmatch(key):
            raise ValueError(f"{key!r}: use lower-case letters, digits and underscores")
        else:
            of[key] = value
    if values and "value" in of:
        raise ValueError("value and values are two kinds of table: say one of them")
    return Columns(of, values, settings.get("decimal", ""), settings.get("better", ""))


def absent(said: Columns, table: Table) -> str:
    """What the user names and the table does not have, in one sentence; else ''."""
    missing = [c for c in (*said.of.values(), *said.values) if c not in table.header]
    if not missing:
        return ""
    return f"no column {', '.join(missing)}; available: {', '.join(table.header)}"


def columns_of(table: Table, said: Columns | None = None) -> Columns | None:
    """Which column is what; None where no column holds figures."""
    said = said or Columns()
    of = dict(said.of)
    taken = {*of.values(), *said.values}
    for name in table.header:
        role = role_of(name)
        if name not in taken and role and role not in of and _fits(role, name, table):
            of[role] = name
            taken.add(name)
    left = [name for name in table.header if name not in taken]
    explicit = bool(said.of or said.values)
    figures = said.values
    if "value" not in of and not figures:
        figures = tuple(n for n in left if _numeric(n, table, said.decimal))
        left = [name for name in left if name not in figures]
    if "value" not in of and not figures:
        return None
    if "metric" in of and "value" not in of:
        return None
    if not explicit:
        of |= _dims(left, of)
        left = [name for name in left if name not in of.values()]
    return Columns(of, figures, said.decimal, said.better, tuple(left))


def is_clear(found: Columns, table: Table) -> bool:
    """A table that names its columns well enough to be read without being told."""
    of = found.of
    if any(re.fullmatch(r"v?\d[\w.]*", name) for name in found.values):
        return False  # versions side by side: what the figures are is not said
    if {"ops_sec", "mb_sec"} <= {name.replace("/", "_") for name in table.header}:
        return False  # db_bench's reports, which its own formats read or refuse
    if {"Benchmark", "Mode", "Samples", "Score"} <= {*table.header}:
        return False  # JMH's
    left = [name for key, name in of.items() if key not in ROLES]
    if any(_numeric(n, table, "comma") and not _numeric(n, table, "") for n in left):
        return False  # figures with decimal commas are no dimension
    places = {"step", "commit", "time"} & of.keys() or {"engine", "version"} <= of.keys()
    if "value" in of:
        return bool(places or "metric" in of) and _numeric(of["value"], table, "")
    return bool(places)


def role_of(name: str) -> str:
    """The role that a column's name has in the vocabulary; '' where it has none."""
    word = re.sub(r"[\s-]+", "_", name.strip().lower())
    return word if word in ROLES else _ALIASES.get(word, "")


def _dims(names: Iterable[str], of: Mapping[str, str]) -> dict[str, str]:
    """Dimensions called as their columns are, in the letters of the vocabulary."""
    dims: dict[str, str] = {}
    for name in names:
        key = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")
        if _KEY.fullmatch(key) and key not in of and key not in dims:
            dims[key] = name
    return dims


def _fits(role: str, name: str, table: Table) -> bool:
    """Is what the name promises in the cells?  A column `time` may be seconds."""
    if role == "time":
        return all(map(is_time, _cells(name, table)))
    if role in ("dop", "trial"):
        return all(cell.isdecimal() and len(cell) <= 6 for cell in _cells(name, table))
    return True


def _numeric(name: str, table: Table, decimal: str) -> bool:
    """Has the column numbers in its first rows, and nothing else but gaps?"""
    cells = [cell for cell in _cells(name, table) if not is_gap(cell)]
    answers = [number_or_why(cell, decimal) for cell in cells]
    numbers = sum(isinstance(answer, float) for answer in answers)
    return 2 * numbers >= len(cells) > 0


def _cells(name: str, table: Table) -> list[str]:
    at = table.header.index(name)
    cells = (one_line(cells[at]) for _, cells in table.rows[:_FIRST])
    return [cell for cell in cells if cell]
