"""What the steps of a workload file send: which only read, and which tables they need.

The kind of a step decides how its events queue; that of one without a line is `read`. So
what a step leaves behind is told from the statements that it may send.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

Line = tuple[int, bool, str, str]  # number, indented or not, first word, the rest
READING_KINDS = ("read", "scan")
TABLE, STEP = "table", "step"
_DONE = ("statement", "transaction")  # what a step or a transaction may do
_READS = re.compile(r"(SELECT|GET|MULTIGET|SCAN)\b", re.IGNORECASE)
_LOCKS = re.compile(r"\bFOR\s+(UPDATE|SHARE|NO\s+KEY|KEY)\b|\bINTO\b", re.IGNORECASE)
_MAKES = re.compile(r"\bcreate\b|^select\b.*\binto\s+\{", re.IGNORECASE)
_TABLES = re.compile(r"\{([A-Za-z][A-Za-z0-9._-]*)\}")
_DRAWS_NEXT = re.compile(r"\S+\s+\S+\s+next\b")


@dataclass
class Part:
    """A table, statement, transaction or step: its texts, what it does, may it write?"""

    sql: list[str] = field(default_factory=list)
    does: list[str] = field(default_factory=list)
    writes: bool = False


Parts = Mapping[str, Mapping[str, Part]]  # by word, then by name


def parts_of(lines: Iterable[Line]) -> Parts:
    """The parts of a workload file, as far as they send anything."""
    parts: dict[str, dict[str, Part]] = {word: {} for word in (TABLE, *_DONE, STEP)}
    inside = Part()
    for _, indented, word, rest in lines:
        name = rest.split(maxsplit=1)[0] if rest else ""
        if not indented:
            inside = Part()
            if word in parts:
                inside = parts[word].setdefault(name, inside)
        elif word == "do":
            inside.does.append(name)
        elif word == "affected" or (word == "kind" and rest not in READING_KINDS):
            inside.writes = True
        elif word == "bind":
            inside.writes |= bool(_DRAWS_NEXT.match(rest))
        elif word.partition("@")[0] in ("sql", "index"):
            inside.sql.append(rest)
            inside.writes |= not _READS.match(rest) or bool(_LOCKS.search(rest))
    return parts


def reading_steps(parts: Parts) -> frozenset[str]:
    """Names of the steps of kind read or scan whose statements all only read.

    A statement reads if its texts for all engines begin with SELECT, GET, MULTIGET or
    SCAN, lock no rows, and take no number of a counter, which later steps share.
    """
    return frozenset(
        name
        for name, step in parts[STEP].items()
        if not any(part.writes for part in _all(step, parts, set()))
    )


def tables_of(step: str, parts: Parts) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Tables that a step names and does not make, and those that it makes."""
    texts = [text for part in _all(parts[STEP][step], parts, set()) for text in part.sql]
    makes = _named(filter(_MAKES.search, texts), parts[TABLE])
    named = _named(texts, parts[TABLE])
    return tuple(table for table in named if table not in makes), makes


def indexed_tables(parts: Parts) -> tuple[str, ...]:
    """Tables that the step index does something to."""
    return tuple(name for name, table in parts[TABLE].items() if table.sql)


def _all(part: Part, parts: Parts, seen: set[str]) -> Iterator[Part]:
    """The part and all that it does; a name that no line has may do anything."""
    yield part
    for name in part.does:
        if name in seen:
            continue
        seen.add(name)
        known = [parts[word][name] for word in _DONE if name in parts[word]]
        for one in known or [Part(writes=True)]:
            yield from _all(one, parts, seen)


def _named(texts: Iterable[str], tables: Iterable[str]) -> tuple[str, ...]:
    """The tables that stand in braces in one of the texts."""
    names = {name for text in texts for name in _TABLES.findall(text)}
    return tuple(table for table in tables if table in names)
