"""The numbers that a user's command prints: how to find them, and what they are.

A rule of study.yml is `lines`, or one of `json`, `regex` and `format`; a command that
does not print a number which its rule names has failed.
"""

from __future__ import annotations

import json
import math
import re
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmath.errors import UserError

LINES, JSON, REGEX = "lines", "json", "regex"
DIRECTIONS = ("higher", "lower")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_.-]*")
# What belongs to a number before and behind the part of it that a pattern fits.
_HEAD = re.compile(r"[0-9][.,']?\Z")
_TAIL = re.compile(r"[.,']?[0-9]+|[eE][+-]?[0-9]+")
# What the results of a command have without being told.
TAKEN = frozenset(("throughput", "rps", "p50", "p95", "p99", "p999", "max", "cpu_o"))


@dataclass(frozen=True)
class Number:
    """One figure as printed; ``direction`` is higher, lower or none."""

    name: str
    value: float
    unit: str
    direction: str


def check_rule(rule: Any, where: str) -> None:
    """Refuse a rule that can find nothing; UserError with ``where``."""
    if not isinstance(rule, Mapping):
        return
    for kind in (JSON, REGEX):
        for said, place in rule.get(kind, {}).items():
            try:
                _named(said)
                if kind == REGEX and re.compile(place).groups != 1:
                    raise ValueError("needs one group in parentheses: the number")
            except (ValueError, re.error) as error:
                raise UserError(f"{where}: {said}: {error}") from None


def numbers_of(rule: Any, text: str) -> list[Number]:
    """The numbers that one run of a command printed; ValueError where one is missing."""
    if rule == LINES:
        found = list(_of_lines(text))
    elif JSON in rule:
        found = list(_of_json(rule[JSON], text))
    elif REGEX in rule:
        found = list(_of_patterns(rule[REGEX], text))
    else:
        found = list(_of_format(text))
    if not found:
        raise ValueError("it printed no number")
    once: dict[str, Number] = {}
    for number in found:
        if not math.isfinite(number.value):
            raise ValueError(f"{number.name} is {number.value}, which is no figure")
        if number != once.setdefault(number.name, number):
            both = f"{_told(once[number.name])} and as {_told(number)}"
            raise ValueError(f"it printed {number.name} as {both}: which is meant?")
    return list(once.values())


def _told(number: Number) -> str:
    return f"{number.value:g} {number.unit}".rstrip()


def _named(said: str) -> tuple[str, str, str]:
    """Name, unit and direction of `name`, `name unit` or `name unit lower`."""
    from benchformats.units import direction_of  # slow: every study's drivers are read

    name, *rest = said.split()
    if not _NAME.fullmatch(name):
        raise ValueError("write a name in letters, then a unit, then higher or lower")
    if name in TAKEN:
        raise ValueError(f"{name} is measured already: choose another name")
    unit = rest[0] if rest else ""
    direction = rest[1] if len(rest) > 1 else direction_of(unit)
    if len(rest) > 2 or direction not in (*DIRECTIONS, "none"):
        raise ValueError("write a name, a unit, and higher or lower")
    return name, unit, direction


def _of_lines(text: str) -> Iterator[Number]:
    """Lines of name, value and unit; all others are passed over."""
    for line in text.splitlines():
        name, *rest = line.split() or [""]
        value = _value(rest[0]) if rest else None
        if value is None or not _NAME.fullmatch(name) or name in TAKEN or len(rest) > 3:
            continue
        name, unit, direction = _named(" ".join([name, *rest[1:]]))
        yield Number(name, value, unit, direction)


def _of_json(places: Mapping[str, str], text: str) -> Iterator[Number]:
    """Each at its path: keys and positions from 0, with dots between."""
    try:
        document = json.loads(text)
    except ValueError:
        raise ValueError("it printed no JSON") from None
    for said, path in places.items():
        name, unit, direction = _named(said)
        node = document
        for part in path.split("."):
            try:
                node = node[int(part)] if isinstance(node, list) else node[part]
            except (KeyError, IndexError, ValueError, TypeError):
                raise ValueError(f"it printed no {path}") from None
        value = None if isinstance(node, bool) else _value(str(node))
        if value is None:
            raise ValueError(f"{path} is {str(node)[:40]!r}, which is no number")
        yield Number(name, value, unit, direction)


def _of_patterns(patterns: Mapping[str, str], text: str) -> Iterator[Number]:
    """The first place where each fits."""
    for said, pattern in patterns.items():
        name, unit, direction = _named(said)
        match = re.search(pattern, text, re.MULTILINE)
        if match is None:
            raise ValueError(f"nothing it printed fits {pattern}")
        value = _value(match[1])
        start, end = match.span(1)
        before, after = text[max(0, start - 2) : start], text[end : end + 40]
        if match.start() == start and _HEAD.search(before):
            raise ValueError(f"{pattern} fits the end of a longer number: {match[1]}")
        if match.end() == end and (tail := _TAIL.match(after)):
            longer = f"{match[1]}{tail[0]}"
            raise ValueError(f"{pattern} fits the beginning of a longer number: {longer}")
        if value is None:
            raise ValueError(f"{match[1][:40]!r} of {pattern} is no number")
        yield Number(name, value, unit, direction)


def _of_format(text: str) -> Iterator[Number]:
    """Whatever `benchbook import` knows; the name is that of the step and the metric."""
    from benchformats import formats
    from benchformats.text.file import open_text  # brings pyarrow

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "said"
        path.write_text(text)
        file = open_text(path, path.name).file
        reader = next((one for one in formats() if file and one.recognises(file)), None)
        if file is None or reader is None:
            raise ValueError("what it printed is of no format that `import` knows")
        for row in reader.read(file).rows:
            step = re.sub(r"[^A-Za-z0-9_.-]+", "-", row.step).strip("-")
            name = f"{step}.{row.metric}" if step else row.metric
            yield Number(name, row.value, row.unit, row.direction)


def _value(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None
