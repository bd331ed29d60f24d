"""Which result of a db_bench log each histogram, interval and dump belongs to.

Results follow one another in one process, whose statistics count from the opening of the
database. What is printed every few seconds belongs to the benchmark that is running,
whose result comes later; everything else belongs to the result above it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from benchformats.agreement import Contradiction, broken
from benchformats.db_bench import dumps
from benchformats.db_bench.agreement import LAWS, known
from benchformats.db_bench.dumps import Facts, Table
from benchformats.db_bench.results import (
    Histogram,
    NoResult,
    Result,
    histogram,
    histogram_kind,
    result_of,
)
from benchformats.parsed import Problem

_VERSION_LINE = re.compile(r"(?P<engine>RocksDB|LevelDB):\s+version (?P<version>\S+)")
_OPTION = re.compile(
    r"--(threads|block_size|key_size|value_size)=(\d{1,12})(?!\d)", re.ASCII
)
_INTERVAL = re.compile(
    r"(?:(?P<time>\d{4}/\d\d/\d\d-\d\d:\d\d:\d\d)\s+)?\.\.\. thread (\d{1,9}): "
    r"\((\d{1,18}),(\d{1,18})\) ops and \(([\d.]{1,20}),([\d.]{1,20})\) ops/second "
    r"in \(([\d.]{1,20}),([\d.]{1,20})\) seconds",
    re.ASCII,
)
_ACTION = re.compile(
    r"(?P<what>flush)(?: memtable)|(?P<level>compact[01]) found |(?P<all>compactall)"
)
_AVERAGE = re.compile(r"\S+ \[(?:AVG|MEDIAN|CI95)\s")
_WARMUP, _COUNTED = "Warming up benchmark", "Running benchmark for"
_SIZE = re.compile(
    r"(Keys|Values|Entries|Write rate|Read rate):\s+(\d{1,18})(?=\s|$)", re.ASCII
)


@dataclass(frozen=True)
class Interval:
    """What one thread says every few seconds: of this interval, of all of its time."""

    line: int
    time: str
    thread: int
    figures: tuple[float, ...]


@dataclass(frozen=True)
class Banner:
    """A process starts."""

    engine: str
    version: str


@dataclass(frozen=True)
class Said:
    """A word of the log that says how later results are to be read."""

    what: str  # command, after, warm-up, size
    values: dict[str, str]


Event = (
    Result | NoResult | Histogram | Interval | Banner | Said
    | dumps.Table | dumps.Facts | Problem
)  # fmt: skip


def events(lines: Sequence[str]) -> Iterator[Event]:
    """All that is understood, in order; other lines are passed over."""
    index = 0
    while index < len(lines):
        line = lines[index].rpartition("\r")[2]  # progress is overwritten on terminals
        kind, family = histogram_kind(line), dumps.family_of(line)
        if kind:
            distribution, index, problems = histogram(lines, index, kind)
            yield distribution
            yield from problems
        elif family is not None:
            table, index, problems = dumps.table(lines, index, family)
            if table:
                yield table
            yield from problems
        else:
            index += 1
            event = _event(index, line)
            if event:
                yield event


def _event(line_no: int, line: str) -> Event | None:
    if not line.strip() or _AVERAGE.match(line):
        return None
    if banner := _VERSION_LINE.match(line):
        # RocksDB called itself LevelDB until 2015; LevelDB's own versions are 1.x.
        own = banner["engine"] == "LevelDB" and banner["version"].startswith("1.")
        return Banner("leveldb" if own else "rocksdb", banner["version"])
    if "... thread " in line:
        return _interval(line_no, line)
    if action := _ACTION.match(line):
        what = action["what"] or action["level"] or action["all"]
        return Said("after", {"after": what})
    if size := _SIZE.match(line):
        return Said("size", {size[1].lower().replace(" ", "_"): size[2]})
    if line.startswith((_WARMUP, _COUNTED)):
        return Said("warm-up", {"on": "1"} if line.startswith(_WARMUP) else {})
    if line.startswith("WARNING: "):
        return Problem(line_no, f"db_bench warns: {line.removeprefix('WARNING: ')[:80]}")
    if "db_bench" in line and "--" in line:
        return Said("command", dict(_OPTION.findall(line)))
    return result_of(line_no, line) or dumps.facts(line_no, line)


def _interval(line_no: int, line: str) -> Interval | Problem:
    match = _INTERVAL.fullmatch(line.rstrip())
    try:
        figures = tuple(float(text) for text in match.groups()[2:]) if match else ()
    except ValueError:
        figures = ()
    if not match or not figures:
        return Problem(line_no, "an interval that cannot be read")
    return Interval(line_no, match["time"] or "", int(match[2]), figures)


_BANNER = re.compile(r"(?:RocksDB|LevelDB): |DB path: ")
_TITLE = re.compile(r"[A-Za-z][\w .,=/-]{0,60}", re.ASCII)
DEFAULT = "default"
COMPACT = "compact"  # the benchmark that compacts all of the database by hand


@dataclass
class Dump:
    """One dump of statistics: its tables, and by metric the line and the value."""

    line: int
    family: str
    by_hand: bool = False  # a flush or compaction by hand is in it
    tables: list[Table] = field(default_factory=list)
    facts: dict[str, tuple[int, float]] = field(default_factory=dict)


@dataclass
class Run:
    """One result and what belongs to it; without a result what no benchmark claims."""

    result: Result | None = None
    engine: str = ""
    version: str = ""
    first: bool = False  # of its process: nothing was counted before
    threads: int = 0
    block_size: str = ""
    after: str = ""  # what was done to the database before: flush, compact0, ...
    title: str = ""
    histograms: list[Histogram] = field(default_factory=list)
    dumps: list[Dump] = field(default_factory=list)
    intervals: list[Interval] = field(default_factory=list)
    row_bytes: int = 0  # of a key and its value, where the command says both
    sizes: dict[str, str] = field(default_factory=dict)  # of the banner, and its rates

    @property
    def contradiction(self) -> Contradiction | None:
        """Figures of its own that cannot both be right."""
        if self.result is None:
            return None
        facts = known(self.result, self.threads, self.row_bytes, self.histograms)
        return broken(LAWS, facts, self.result.line)


@dataclass
class _Walk:
    """Where in the log the reader is."""

    runs: list[Run] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    result_lines: dict[str, int] = field(default_factory=dict)
    banner: Banner = field(default_factory=lambda: Banner("", ""))
    command: dict[str, str] = field(default_factory=dict)
    sizes: dict[str, str] = field(default_factory=dict)
    commanded: bool = False  # the command stands above the banner that comes
    after: str = ""
    by_hand: bool = False  # since the result above
    first: bool = True
    warm_up: bool = False
    done: Run = field(default_factory=Run)  # the result above
    coming: Run = field(default_factory=Run)  # of a benchmark that is running
    target: Run | None = None  # whose the latest dump is
    dump: Dump | None = None
    running: bool = False  # the latest event is an interval

    def take(self, event: Event) -> None:
        """One event after the other."""
        match event:
            case Problem():
                self.problems.append(event)
            case Banner():
                self._close()
                self.banner, self.after, self.first = event, "", True
                self.command = self.command if self.commanded else {}
                self.commanded = False
            case Said():
                self._said(event)
            case Interval():
                self.coming.intervals.append(event)
            case Table():
                self._table(event)
            case Facts():
                self._facts(event)
            case Histogram():
                of_level = event.kind.startswith("level ")
                run = self.target if of_level and self.target else self.done
                run.histograms.append(event)
            case NoResult():
                self.problems.append(Problem(event.line, event.text))
                self._next(None)
            case Result():
                self._result(event)
        self.running = isinstance(event, Interval)

    def end(self) -> None:
        """Nothing follows: what waits for a result has none."""
        self._close()
        if not any(run.result for run in self.runs):
            self.problems.append(Problem(0, "no result: no benchmark is finished"))

    def _close(self) -> None:
        """A process ends: what waits for a result, and what follows, has none."""
        self._next(None)
        self.done = Run()
        self.runs.append(self.done)
        self.warm_up = False

    def _next(self, result: Result | None) -> None:
        """The benchmark that was running is done, with a result that counts or none."""
        run = self.coming
        run.result, run.first = result, self.first
        run.engine, run.version = self.banner.engine, self.banner.version
        run.threads = int(self.command.get("threads", 0))
        run.block_size = self.command.get("block_size", "")
        row = [int(self.command.get(f"{part}_size", 0)) for part in ("key", "value")]
        run.row_bytes = sum(row) if all(row) else 0
        if result and result.block_size:
            run.block_size = result.block_size
        run.after, run.sizes = self.after, self.sizes
        self.runs.append(run)
        self.done, self.coming, self.first = run, Run(), False
        self.target, self.dump, self.by_hand = run, None, False

    def _result(self, result: Result) -> None:
        if result.text in self.result_lines:
            why = f"repeats line {self.result_lines[result.text]}: read once"
            self.problems.append(Problem(result.line, why))
        self._next(None if self.warm_up or result.text in self.result_lines else result)
        self.result_lines.setdefault(result.text, result.line)
        if result.name == COMPACT:
            self.after = COMPACT

    def _said(self, said: Said) -> None:
        if said.what == "command":
            self.command, self.commanded = said.values, True
        elif said.what == "size":
            self.sizes = self.sizes | said.values
        elif said.what == "after":
            self.after, self.by_hand = said.values["after"], True
        else:
            self.warm_up = bool(said.values)

    def _table(self, table: Table) -> None:
        if table.kind == "level" or self.dump is None:
            if self.running:
                self.target = self.coming
            elif table.family == DEFAULT or self.target is None:
                self.target = self.done
            self.dump = Dump(table.line, table.family, self.by_hand)
            self.target.dumps.append(self.dump)  # type: ignore[union-attr]
        self.dump.tables.append(table)

    def _facts(self, facts: Facts) -> None:
        if self.dump is None:
            self.target = self.done
            self.dump = Dump(facts.line, DEFAULT, self.by_hand)
            self.target.dumps.append(self.dump)
        self.dump.facts |= {name: (facts.line, v) for name, v in facts.values.items()}


def runs_of(lines: Sequence[str]) -> tuple[list[Run], list[Problem]]:
    """All runs of a log, in order of their results, and what cannot be read."""
    walk = _Walk()
    walk.runs.append(walk.done)
    for event in events(lines):
        walk.take(event)
    walk.end()
    runs = [r for r in walk.runs if r.result or r.histograms or r.dumps or r.intervals]
    _name(runs, lines)
    return runs, walk.problems + [r.contradiction for r in runs if r.contradiction]


def _name(runs: Sequence[Run], lines: Sequence[str]) -> None:
    """Titles of results that were put together from logs: the line above the first."""
    if any(_BANNER.match(line) for line in lines):
        return
    title, last = "", 0
    for run in runs:
        if run.result is None:
            continue
        above = lines[run.result.line - 2].strip() if run.result.line > 1 else ""
        if run.result.line - 1 != last:
            title = above if _TITLE.fullmatch(above) else ""
        run.title, last = title, run.result.line
