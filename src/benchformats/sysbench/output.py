"""sysbench's own output, 0.4 to 1.1: statistics, response times, intervals, histogram.

What is read stands in blocks at the end of a run; before them EXPLAIN output of all
threads may lie, in any disorder. A file may hold several runs, each begun by the banner
``sysbench 1.1.0-9072687 (using ...)`` and perhaps a command line above it. A run with a
FATAL line gives no figures. Response times are rtmin, rtavg, rtmax and rt95 (or whatever
--percentile asked for), in ms. In a scan queries are called scans: what the archives call
its qps is in rows. The output of ``prepare`` gives the load time and its ips.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

import pyarrow as pa
import pyarrow.compute as pc

from benchformats.agreement import Contradiction, broken
from benchformats.names import Place, decode_path, is_scan
from benchformats.parsed import CUT, Parsed, Problem, Row, TextFile, merged
from benchformats.printed import number
from benchformats.sysbench.agreement import LAWS, Beside, known
from benchformats.sysbench.blocks import BLOCKS, MAIN, Figure, figures_of
from benchformats.sysbench.figures import op_of
from benchformats.sysbench.series import (
    HISTOGRAM,
    INTERVALS,
    besides,
    histogram,
    intervals,
    sorted_out,
)
from benchformats.unlike import differing, too_many_failed

_PROGRAM = re.compile(r"sysbench2?(?:\.\w+)?")
_BUILT_IN = re.compile(r"(?:oltp|bulk|select)_\w+")
LONGEST = 10_000  # characters: a longer line is no command

# option -> metric and unit of what it sets; older names of the same options
SETTINGS = {
    "table-size": ("table_size", "rows"),
    "oltp-table-size": ("table_size", "rows"),
    "tables": ("tables", "count"),
    "oltp-tables-count": ("tables", "count"),
    "time": ("time_s", "s"),
    "max-time": ("time_s", "s"),
    "warmup-time": ("warmup_s", "s"),
}
_THREAD_OPTIONS = ("threads", "num-threads")
_RANGES = ("range-size", "oltp-range-size")
_RATES = ("rate", "tx-rate")
# Options that leave the work of an event as it is, by how they begin.
_BESIDE = ("time", "max-", "events", "threads", "num-threads", "report-", "percentile",
           "histogram", "warmup-", "mysql-", "pgsql-", "rand-seed", "verbosity", "debug",
           "thread-", "forced-", "db-ps-mode", "test", *_RANGES)  # fmt: skip


@dataclass(frozen=True)
class Command:
    """One command line; what it does not say is '' or 0."""

    line: int = 0
    script: str = ""  # oltp_update_index
    options: Mapping[str, str] = field(default_factory=dict)  # without --, as written
    prepare: bool = False

    def first(self, names: tuple[str, ...]) -> str:
        """The value of the first of several options that is given."""
        return next((self.options[n] for n in names if n in self.options), "")

    @property
    def dop(self) -> int:
        """Clients; 0 = not said."""
        threads = self.first(_THREAD_OPTIONS)
        return int(threads) if re.fullmatch(r"[0-9]{1,9}", threads) else 0

    @property
    def work(self) -> dict[str, str]:
        """What the events do and how fast they begin."""
        return {name.replace("-", "_"): value for name, value in self.options.items()
                if not name.startswith(_BESIDE)}  # fmt: skip

    @property
    def range(self) -> str:
        """Size of the ranges, '' = not said."""
        return self.first(_RANGES)

    @property
    def prepared(self) -> bool:
        """Statements are prepared, sysbench's default."""
        return self.options.get("db-ps-mode") != "disable"

    @property
    def rate(self) -> str:
        """At which events start: response times count from the intended start."""
        return self.first(_RATES).removeprefix("0")


def read_command(text: str, line: int) -> Command | None:
    """A line as a command of sysbench; None where it is none."""
    if "sysbench" not in text or "--" not in text or len(text) > LONGEST:
        return None
    words = text.split()
    bases = [word.rpartition("/")[2] for word in words if "=" not in word]
    if not any(_PROGRAM.fullmatch(base) for base in bases):
        return None
    options = {}
    for word in words:
        name, equals, value = word.partition("=")
        if equals and name.startswith("--"):
            options[name[2:].replace("_", "-")] = value
    prepare = "prepare" in words and "run" not in words
    return Command(line, _script(options, bases), options, prepare)


def _script(options: Mapping[str, str], bases: list[str]) -> str:
    if test := options.get("test"):
        return test.rpartition("/")[2].removesuffix(".lua")
    scripts = [base.removesuffix(".lua") for base in bases if base.endswith(".lua")]
    scripts += [base for base in bases if _BUILT_IN.fullmatch(base)]
    return scripts[0] if scripts else ""


NAME = "sysbench_output"
VERSION = 6

_BANNER = re.compile(r"sysbench v?\d+\.\d+\S*:?(?:\s|$)", re.ASCII)
_THREADS = re.compile(r"Number of threads: (\d{1,9})", re.ASCII)
_RATE = re.compile(r"Target transaction rate: ([1-9]\d{0,9})/sec", re.ASCII)
_CSV = re.compile(r"\d{1,9},\d{1,9}(?:,\d{1,18}\.\d\d){8}", re.ASCII)
_CPUS = re.compile(r"(\d{1,5}) CPUs", re.ASCII)
_LOAD = re.compile(r"Load seconds is (\d{1,18}) for .*[ ,](\d{1,18}) ips", re.ASCII)
_LONGEST = 160  # characters of a FATAL line that are told


@dataclass
class _Run:
    """What one run has said so far."""

    line: int
    command: Command
    cpus: tuple[int, Figure] | None = None
    dop: int = 0
    rate: str = ""  # at which events start; '' as fast as they can
    csv: bool = False  # its intervals have no names
    main: str = ""  # the metric that its throughput is
    figures: list[tuple[int, Figure]] = field(default_factory=list)
    blocks: set[str] = field(default_factory=set)
    fatal: list[Problem] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    beside: Beside = field(default_factory=Beside)  # what stands above its statistics

    @property
    def contradiction(self) -> Contradiction | None:
        """Figures of its own that cannot both be right."""
        figures = {figure.metric: figure.value for _, figure in self.figures}
        return broken(LAWS, known(figures, self.dop, self.beside), self.line)

    @property
    def failure(self) -> str:
        """Why its rates are not believed: ignored errors, of events begun again."""
        count = {figure.metric: figure.value for _, figure in self.figures}
        done = count.get("transactions", count.get("events"))
        return "" if done is None else too_many_failed(count.get("errors", 0), done)


def recognises(file: TextFile) -> bool:
    """A banner, or a header of statistics where the banner is lost."""
    return any(
        _BANNER.match(line) or BLOCKS.get(line.rstrip()) == "sql"
        for start in ("sysb", "SQL ", "OLTP")  # millions of other lines are passed over
        for rest in f"\n{file.text}".split(f"\n{start}")[1:]
        for line in [start + rest.partition("\n")[0]]
    )


def read(file: TextFile) -> Parsed:
    """Figures of all runs of a file; series sysbench_interval and sysbench_histogram."""
    return merged(stream(file))


def stream(file: TextFile) -> Iterator[Parsed]:
    """The series of each block; figures and problems when all have been read."""
    reader = _Reader()
    cut: list[Problem] = []
    of_intervals: list[Problem] = []
    for block in file.blocks():
        lines = sorted_out(block)
        if block.cut:
            cut = [Problem(block.first_line + len(block.lines) - 1, CUT)]
        runs = reader.runs(besides(lines))
        starts = [run.line for run in runs]
        per_second, problems = intervals(lines, starts)
        of_intervals += problems
        series = {INTERVALS: per_second, HISTOGRAM: histogram(lines, starts)}
        for at, run in enumerate(runs, 1):
            run.beside.add(*(_of_run(t, at, run.line) for t in series.values()))
        tables = {name: table for name, table in series.items() if table is not None}
        yield Parsed(series=tables)
    place = decode_path(file.path)
    runs = reader.runs([])
    cells = [((_step(run.command), run.dop), run.command.work) for run in runs]
    rows = [row for run, dims in zip(runs, differing(cells), strict=True)
            for row in _rows(run, place, dims)]  # fmt: skip
    of_runs = [p for run in runs for p in (*run.problems, *_complaints(run, place))]
    yield Parsed(rows, problems=[*cut, *of_runs, *of_intervals])


def _of_run(table: pa.Table | None, run: int, line: int) -> pa.Table | None:
    """The lines of a run that stand behind its first: what precedes it is nobody's."""
    if table is None:
        return None
    own = pc.equal(table["run"], run)
    return table.filter(pc.and_(own, pc.greater_equal(table["line"], line)))


class _Reader:
    """Goes over the lines of a file once, block by block, and gathers its runs."""

    def __init__(self) -> None:
        self._runs: list[_Run] = []
        self._command = Command()
        self._begun = ""  # a command that goes on in the next line
        self._cpus: tuple[int, Figure] | None = None
        self._block = ""  # of the statistics: the one we are in
        self._skipped = False  # a checkpoint's statistics are coming

    def runs(self, lines: Iterable[tuple[int, str]]) -> list[_Run]:
        """The runs so far, after more numbered lines; intervals' may be left out."""
        for line_no, line in lines:
            if self._block and line.startswith((" ", "\t")):
                self._figures(line_no, line)
            elif line:
                self._block = ""
                self._line(line_no, line.rstrip())
        return self._runs

    def _line(self, line_no: int, line: str) -> None:
        if self._begun and not _BANNER.match(line):
            line = f"{self._begun} {line.removeprefix('>')}"
        self._begun = ""
        if line.endswith("\\") and "sysbench" in line and len(line) < LONGEST:
            self._begun = line[:-1]
        elif _BANNER.match(line):
            self._begin(line_no)
        elif line in BLOCKS:
            self._header(line_no, line)
        elif "FATAL: " in line:
            text = line[line.index("FATAL: ") :][:_LONGEST]
            self._run(line_no).fatal.append(Problem(line_no, text))
        elif threads := _THREADS.fullmatch(line):
            self._run(line_no).dop = int(threads[1])
        elif rate := _RATE.fullmatch(line):
            self._run(line_no).rate = rate[1]
        elif _CSV.fullmatch(line):
            run = self._run(line_no)
            if not run.csv:
                run.csv = True
                run.problems.append(Problem(line_no, "intervals as csv: not read"))
        elif cpus := _CPUS.fullmatch(line):
            self._cpus = line_no, Figure("cpus", float(cpus[1]), "count", "none")
        elif load := _LOAD.fullmatch(line):
            run = self._run(line_no)
            seconds, ips = (float(part) for part in load.groups())
            run.figures += [
                (line_no, Figure("load_s", seconds, "s", "lower")),
                (line_no, Figure("ips", ips, "rows/s", "higher")),
            ]
            run.main = "ips"
        elif line.startswith("[") and line.endswith("Checkpoint report:"):
            self._run(line_no).problems.append(
                Problem(line_no, "a checkpoint's statistics, not the run's: not read")
            )
            self._skipped = True
        elif command := read_command(line, line_no):
            self._command = command

    def _begin(self, line_no: int) -> _Run:
        run = _Run(line_no, self._command, self._cpus, self._command.dop)
        self._command, self._cpus = Command(), None
        self._skipped = False
        self._runs.append(run)
        return run

    def _run(self, line_no: int) -> _Run:
        """The run that we are in; one without banner begins here."""
        return self._runs[-1] if self._runs else self._begin(line_no)

    def _header(self, line_no: int, line: str) -> None:
        run, block = self._run(line_no), BLOCKS[line]
        if block == "sql" and block in run.blocks:
            run = self._begin(line_no)  # its banner is lost
        if block == "sql" and self._skipped:
            self._block, self._skipped = "", False
            run.blocks.add("skipped")
        elif block == "sql" or "sql" in run.blocks:
            run.blocks.discard("skipped")
            run.blocks.add(block)
            run.main = run.main or MAIN.get(line, "")
            self._block = block
        elif "skipped" not in run.blocks:
            run.problems.append(
                Problem(line_no, "statistics without those of SQL above them")
            )

    def _figures(self, line_no: int, line: str) -> None:
        run = self._runs[-1]
        figures, why = figures_of(self._block, line.rstrip())
        metrics = {figure.metric for _, figure in run.figures}
        for figure in figures:
            if figure.metric in metrics:
                why = f"{figure.metric} is said twice: the first is kept"
            else:
                run.figures.append((line_no, figure))
        if why:
            run.problems.append(Problem(line_no, why))


def _complaints(run: _Run, place: Place) -> list[Problem]:
    """What is missing from a run, or said otherwise by the file's name."""
    if run.fatal:
        first = run.fatal[0]
        more = f" (and {len(run.fatal) - 1} more)" if len(run.fatal) > 1 else ""
        return [Problem(first.line, f"a run that failed: {first.text}{more}")]
    if not run.figures:
        what = "load time" if run.command.prepare else "statistics"
        return [Problem(run.line, f"a run without {what}: it failed or was cut")]
    if run.contradiction:
        return [run.contradiction]
    problems = []
    if run.failure:
        problems.append(
            Problem(run.line, f"{run.failure}: neither rates nor times are read")
        )
    if "sql" in run.blocks and "fairness" not in run.blocks:
        problems.append(Problem(run.line, "a run whose statistics end early"))
    if run.dop and place.dop and run.dop != place.dop:
        why = f"a run of {run.dop} threads, by the file's name of {place.dop}"
        problems.append(Problem(run.line, why))
    return problems


def _rows(run: _Run, place: Place, other: Mapping[str, str]) -> Iterator[Row]:
    if run.fatal or not run.figures or run.contradiction:
        return
    step = place.step or _step(run.command)
    scan, rate = is_scan(step), run.rate or run.command.rate
    dims = {**other} if run.command.prepared else {**other, "ps_mode": "disable"}
    dims |= {"rate": rate} if rate else {}
    for line, figure in (*_settings(run), *run.figures):
        metric, unit = figure.metric, figure.unit
        if run.failure and (figure.direction == "higher" or figure.time):
            continue
        if scan and metric == "qps":
            metric, unit = "scans_s", "scans/s"
        timed = figure.time and metric != "rtsum"
        clock = ("intended" if rate else "actual") if timed else ""
        yield Row(line, step, metric, figure.value, unit, figure.direction,
                  op=op_of(step), main=figure.metric == run.main and not scan,
                  dop=run.dop, clock=clock, dims=dims)  # fmt: skip


def _step(command: Command) -> str:
    """The name of a run whose file's name does not say it."""
    if command.prepare:
        return "prepare"
    script = command.script or "sysbench"
    return f"{script}_range={command.range}" if command.range.isdecimal() else script


def _settings(run: _Run) -> list[tuple[int, Figure]]:
    settings = [run.cpus] if run.cpus else []
    for option, (metric, unit) in SETTINGS.items():
        value = number(run.command.options.get(option, ""))
        if value is not None:
            settings.append((run.command.line, Figure(metric, value, unit, "none")))
    return settings
