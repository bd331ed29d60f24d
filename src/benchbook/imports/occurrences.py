"""Names that stand in one file twice: two results of one name, not two of its trials.

A format whose tools write each name once says so (``ONCE``); of any other a figure that
says its trial is written once. What comes again gets the dimension ``occurrence``, "2"
for the second, and is told.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from benchformats.parsed import Problem, Row

DIMENSION = "occurrence"

_Key = tuple[object, ...]


@dataclass
class _Name:
    """How often each figure of a test stood there, and where its last entry stands."""

    seen: dict[_Key, int] = field(default_factory=dict)
    line: int = 0
    occurrence: int = 1


class Occurrences:
    """The figures of one file as they come, from its first to its last."""

    def __init__(self, once: bool) -> None:
        self._once = once
        self._names: dict[_Key, _Name] = {}
        self._again: dict[str, int] = {}  # steps that came again, with their first line

    def apart(self, rows: Sequence[Row]) -> Iterator[Row]:
        """The same rows; those of a name that was there before say which they are."""
        for row in rows:
            if not self._once and row.trial is None:
                yield row
                continue
            number = self._number(row)
            if number > 1:
                self._again.setdefault(row.step, row.line)
                row = replace(row, dims={**row.dims, DIMENSION: str(number)})
            yield row

    def told(self) -> list[Problem]:
        """One problem for all of a file's names that came again."""
        if not self._again:
            return []
        (step, line), *more = self._again.items()
        others = f", as do {len(more)} other names" if more else ""
        text = f"{step or 'a name'} stands there twice{others}: "
        return [Problem(line, f"{text}the second is {DIMENSION}=2")]

    def _number(self, row: Row) -> int:
        """Which entry of its name the row is of: figures of one line are of one entry.

        Without that a second result of ten runs would give its last five to a first of
        five.
        """
        key = (row.step, row.tag, row.dop, row.version, row.engine, row.machine,
               row.build, row.config, tuple(sorted(row.dims.items())))  # fmt: skip
        name = self._names.setdefault(key, _Name())
        figure = (row.op, row.metric, row.clock, row.trial)
        number = name.seen.get(figure, 0) + 1
        if row.line == name.line:
            number = max(number, name.occurrence)
        name.seen[figure], name.line, name.occurrence = number, row.line, number
        return number
