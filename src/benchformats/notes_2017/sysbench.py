"""Sysbench in the notes of 2017: what all tables are of, and the table of scans.

::

    8t.100m, 48-core, new sysbench          tables, rows of each, machine; or:
    * HW is NUC5i3ryh - 2 cores, 8G RAM
    * test is run for 2 tables, 80M rows/table, 1 and then 2 concurrent clients

    scan                                    before and after the tests that write
    pre     post    pre     post    pre     post    pre     post
    secs    secs    Mrps    Mrps    rMB/s   rMB/s   Mcpu/o  Mcpu/o  engine
    592     1000    1.351   0.800   250.6   162.6   2.603   3.473   myrocks.feb10.none

Steps of scans are scan.pre and scan. Where there are only seconds, the second line of
the header lacks the word engine, or is missing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchformats.notes_2017.engines import engine_of
from benchformats.parsed import Row
from benchformats.printed import number

_STEPS = {"pre": "scan.pre", "post": "scan"}
# column -> metric, unit, which is better
_COLUMNS = {
    "secs": ("elapsed_s", "s", "lower"),
    "Mrps": ("qps", "Mrows/s", "higher"),
    "rMB/s": ("rmb_s", "MB/s", "none"),
    "Mcpu/o": ("mcpu_o", "% us", "lower"),
}
_SECONDS = ["secs", "secs"]
_TEST = re.compile(
    r"(?P<test>[a-z][\w.-]*?[a-z\d])(?:(?:\.range| --range-size=)(?P<range>\d{1,9}))?",
    re.ASCII,
)
_ENGINE = re.compile(r"[a-z][\w.]*", re.ASCII)
_SETUPS = [
    re.compile(pattern, re.ASCII)
    for pattern in (
        r"(?P<tables>\d{1,5})t\.(?P<size>\d{1,6}[kmgb]), (?P<machine>\d{1,5}-core),.*",
        r"\* HW is (?P<machine>\w+) - .*",
        r"\* test is run for (?P<tables>\d{1,5}) tables?, (?P<size>\d{1,6}[KMGB])"
        r" rows/table,.*",
    )
]


def step_of(title: str) -> str:
    """The step that the title of a table names; '' of a title of another kind."""
    match = _TEST.fullmatch(title)
    if not match:
        return ""
    return f"{match['test']}_range={match['range']}" if match["range"] else title


@dataclass
class Setup:
    """What all tables of sysbench in a file are of; '' and no dimension where unknown."""

    machine: str = ""
    dims: dict[str, str] = field(default_factory=dict)  # tables, size: rows of each

    def hear(self, line: str) -> None:
        """Take in a line of prose."""
        for pattern in _SETUPS:
            if match := pattern.fullmatch(line):
                said = match.groupdict()
                self.machine = said.pop("machine", self.machine)
                self.dims |= {name: text.lower() for name, text in said.items()}


@dataclass
class Scans:
    """A table at hand; takes in its lines in order, from the first of its header."""

    setup: Setup
    when: list[str] = field(default_factory=list)  # pre or post, of each column
    units: list[str] = field(default_factory=list)  # of each column
    lost: bool = False  # the header says not what the columns are

    def take(self, line_no: int, line: str) -> tuple[list[Row], list[str]]:
        """Figures of a line, or why it has none."""
        *cells, tag = line.split()
        if self.lost:
            return [], []
        if not self.when:
            self.when = [*cells, tag]
            return [], []
        if self.units:
            return self._rows(line_no, cells, tag)
        named = cells if tag == "engine" else [*cells, tag]
        if self._fit(named):
            self.units = named
            return [], []
        if sorted(self.when) == ["post", "pre"] and number(line.split()[0]) is not None:
            self.units = _SECONDS
            return self._rows(line_no, cells, tag)
        self.lost = True
        return [], ["no header says what the scans' columns are: not read"]

    def _fit(self, named: list[str]) -> bool:
        """A metric for each column, none twice."""
        if len(named) != len(self.when) or not set(named) <= _COLUMNS.keys():
            return False
        return len({*zip(self.when, named, strict=True)}) == len(named)

    def _rows(
        self, line_no: int, cells: list[str], tag: str
    ) -> tuple[list[Row], list[str]]:
        values = [number(cell) for cell in cells]
        if len(values) != len(self.when) or None in values or not _ENGINE.fullmatch(tag):
            return [], [f"not {len(self.when)} figures and an engine: not read"]
        engine, version, dims = engine_of(tag)
        rows = []
        for when, column, cell in zip(self.when, self.units, cells, strict=True):
            metric, unit, direction = _COLUMNS[column]
            rows.append(Row(line_no, _STEPS[when], metric, float(cell), unit, direction,
                            tag, "scan", metric == "qps", version=version, engine=engine,
                            machine=self.setup.machine,
                            dims=self.setup.dims | dims))  # fmt: skip
        return rows, []


def begun(title: str, line: str, setup: Setup) -> Scans | None:
    """The scans that a title and the line below it begin; None of any other table."""
    begins = title == "scan" and bool(line) and _STEPS.keys() >= set(line.split())
    return Scans(setup) if begins else None
