"""The notes of 2017: tables of the insert benchmark, and of sysbench, in free text.

::

    -- 250m, 1c, 1t, core-i3, mysql        rows, clients, tables, machine
    - load mysql
    ips.av  ips.75  ips.95  ips.99  r/i     rkb/i   wkb/i   Mcpu/i  size    ...  engine
    22122   21252   18314   13995   0       0.25      3.58   2699   28      ...  myrocks.aug15.none
    scan                                   seconds per index scan, then q1, q5, q4 of it
    - wps=1000 mysql                       reads, and inserts at 1000 per second

Steps are l (the load), scan.q1 to scan.q5, scan.q2-4 (the sum of three), q1000 and q100.
Cells are separated by tabs and blanks and padded with blanks. Metrics are the columns'
names; ips.av and qps.av are ``ips`` and ``qps``, ips.99 is the rate that 99% of the
10-second samples reach. Mcpu/i is us + sy in percent / rate times a million. Bytes
written by MyRocks are as iostat counts them, trimmed bytes included: twice too many.

sysbench has tables of queries per second by number of clients, under the test's name,
which may end in .range100 or --range-size=100, and of scans (see sysbench_2017); steps are
named as elsewhere, ``read-only.pre_range=100``::

    update-inlist
    1       2       concurrency/engine
"""  # noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass, field

from benchformats.metric_names import metric_name
from benchformats.names import is_scan
from benchformats.notes_2017.engines import engine_of
from benchformats.notes_2017.sysbench import Scans, Setup, begun, step_of
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import number

NAME = "text_2017"
VERSION = 3

_SECTION = re.compile(
    r"-- (?P<size>\d{1,6}[kmgb]), (?P<clients>\d{1,5})c, (?P<tables>\d{1,5})t,"
    r" (?P<machine>[a-z][\w-]*), [a-z]+",
    re.ASCII,
)
_PART = re.compile(r"- (?:(?P<load>load)|wps=(?P<rate>\d{1,6})) [a-z]+", re.ASCII)
_SCAN = re.compile(r"scan|q[1-5]", re.ASCII)
_BY_CLIENTS = "concurrency/engine"
_SCANS = ("1", "2", "3", "4", "5", "2-4", "2+3+4")

# column -> unit and which is better
_COLUMNS = {
    "ips.av": ("rows/s", "higher"), "ips.75": ("rows/s", "higher"),
    "ips.95": ("rows/s", "higher"), "ips.99": ("rows/s", "higher"),
    "qps.av": ("queries/s", "higher"), "qps.99": ("queries/s", "higher"),
    "r/i": ("reads", "lower"), "rkb/i": ("KB", "lower"), "wkb/i": ("KB", "lower"),
    "Mcpu/i": ("% us", "lower"), "r/q": ("reads", "lower"), "rkb/q": ("KB", "lower"),
    "Mcpu/q": ("% us", "lower"), "size": ("GB", "lower"), "rss": ("GB", "lower"),
    "r/s": ("reads/s", "none"), "rmb/s": ("MB/s", "none"), "wmb/s": ("MB/s", "none"),
    "cpu": ("%", "none"), "secs": ("s", "lower"), "rMB/s": ("MB/s", "none"),
    "wMB/s": ("MB/s", "none"), "r/o": ("reads", "lower"), "rKB/o": ("KB", "lower"),
    "wKB/o": ("KB", "lower"), "rGB": ("GB", "none"), "cs/o": ("switches", "lower"),
    "Mcpu/o": ("% us", "lower"), "wa.sec": ("s", "lower"),
}  # fmt: skip
_NAMES = {"ips.av": "ips", "qps.av": "qps", "secs": "elapsed_s"}


@dataclass
class _Notes:
    """What the lines before have said."""

    section: re.Match[str] | None = None
    damaged: bool = False  # the section's title, or a table is there twice
    title: str = ""  # of the table that the next line may begin
    table: str = ""  # title of the table that the lines are of
    header: list[str] = field(default_factory=list)
    titles: set[str] = field(default_factory=set)  # of this section
    scans: dict[tuple[str, str], float] = field(default_factory=dict)  # step, engine: s
    setup: Setup = field(default_factory=Setup)  # of sysbench
    sysbench: Scans | None = None  # the table at hand


def recognises(file: TextFile) -> bool:
    """A section's title and a header of it, or a header of clients by engine."""
    lines = [line.rstrip() for line in file.text[:65536].split("\n")]
    if any(_SECTION.fullmatch(line) for line in lines):
        return any(_is_header(line) for line in lines)
    return any(line.endswith(_BY_CLIENTS) and _is_header(line) for line in lines)


def read(file: TextFile) -> Parsed:
    """All figures of all tables whose titles are known; prose is passed over."""
    lines, problems = whole_lines(file)
    notes, rows = _Notes(), []
    for line_no, line in enumerate(lines, 1):
        figures, complaints = _line(notes, line_no, line.rstrip())
        rows += figures
        problems += [Problem(line_no, text) for text in complaints]
    return Parsed(rows, problems=problems)


def _is_header(line: str) -> bool:
    cells = line.split()
    return len(cells) > 1 and cells[-1] in ("engine", _BY_CLIENTS)


def _line(notes: _Notes, line_no: int, line: str) -> tuple[list[Row], list[str]]:
    title, notes.title = notes.title, ""
    if not notes.sysbench:
        notes.sysbench = begun(title, line, notes.setup)
    elif not line or (notes.sysbench.units and _is_header(line)):
        notes.sysbench = None
    if notes.sysbench:
        return notes.sysbench.take(line_no, line)
    if line.startswith("-- "):
        return [], _begin(notes, line)
    if _is_header(line):
        return [], _header(notes, title, line)
    if notes.header and line:
        return _row(notes, line_no, line.split())
    if notes.header or not line:
        notes.header = []
        return [], []
    notes.title = line
    notes.setup.hear(line)
    cells = line.split()
    figures = [cell for cell in cells if number(cell) is not None]
    if len(cells) > 2 and len(figures) >= len(cells) / 2:
        return [], ["figures without a header: not read"]
    return [], []


def _begin(notes: _Notes, line: str) -> list[str]:
    notes.section = _SECTION.fullmatch(line)
    notes.header, notes.titles, notes.scans = [], set(), {}
    notes.damaged = notes.section is None
    return ["not a section's title: its tables are not read"] if notes.damaged else []


def _header(notes: _Notes, title: str, line: str) -> list[str]:
    notes.header, notes.table = line.split(), title
    why = ""
    if not _fits(title, notes.header):
        why = "no title that is known says of what this table is"
    elif len(set(notes.header)) < len(notes.header):
        why = "two columns of one name"
    elif notes.header[-1] == _BY_CLIENTS:
        why = ""
    elif notes.section is None:
        why = "no section says of which machine this table is"
    elif title in notes.titles:
        notes.damaged = True
        why = "a second table of this title: the title of a section is missing"
    notes.titles.add(title)
    if why or notes.damaged:
        notes.table = ""
    return [f"{why}: not read"] if why else []


def _fits(title: str, header: list[str]) -> bool:
    """A title fits the columns under it."""
    columns = header[:-1]
    if header[-1] == _BY_CLIENTS:
        return bool(step_of(title)) and all(c.isdigit() for c in columns)
    if title == "scan":
        return set(columns) <= set(_SCANS)
    if part := _PART.fullmatch(title):
        return ("qps.av" in columns) == bool(part["rate"]) and "ips.av" in columns
    return bool(_SCAN.fullmatch(title)) and "secs" in columns


def _row(notes: _Notes, line_no: int, cells: list[str]) -> tuple[list[Row], list[str]]:
    if not notes.table:
        return [], []  # its header has been told
    header = notes.header
    if len(cells) != len(header):
        return [], [f"{len(cells)} cells where the header has {len(header)}: not read"]
    if not re.fullmatch(r"[a-z][\w.]*", cells[-1], re.ASCII):
        return [], ["the last cell is no engine: not read"]
    rows, problems = [], []
    for column, cell in zip(header[:-1], cells[:-1], strict=True):
        value = number(cell)
        if value is None:
            problems.append(f"{column}: not a number")
        elif header[-1] != _BY_CLIENTS and column not in (*_COLUMNS, *_SCANS):
            problems.append(f"{column}: not a column of this format")
        else:
            row = _figure(notes, line_no, column, value, cells[-1])
            seconds = _seconds_in_all_scans(notes, row)
            rows += [] if seconds else [row]
            if seconds and seconds != value:
                problems.append(
                    f"{column}: {seconds:g} in the table of all scans: not read"
                )
    return rows, problems


def _seconds_in_all_scans(notes: _Notes, row: Row) -> float | None:
    """The seconds of a scan that the table of all scans of this section has."""
    if row.op != "scan" or row.metric != "elapsed_s":
        return None
    if notes.table == "scan":
        notes.scans[row.step, row.tag] = row.value
        return None
    return notes.scans.get((row.step, row.tag))


def _figure(notes: _Notes, line_no: int, column: str, value: float, tag: str) -> Row:
    step, metric, op, main, dop = _place(notes, column)
    unit, direction = _COLUMNS.get(column, ("s", "lower"))
    engine, version, dims = engine_of(tag)
    section, machine = notes.section, ""
    if notes.header[-1] == _BY_CLIENTS:
        unit, direction = ("" if is_scan(step) else "queries/s", "higher")
        machine, dims = notes.setup.machine, notes.setup.dims | dims
    elif section:
        machine, dop = section["machine"], int(section["clients"])
        dims = {"size": section["size"], "tables": section["tables"], **dims}
    return Row(line_no, step, metric, value, unit, direction, tag, op, main, dop,
               version=version, engine=engine, machine=machine, dims=dims)  # fmt: skip


def _place(notes: _Notes, column: str) -> tuple[str, str, str, bool, int]:
    """Step, metric, op, main and clients of a column of the table at hand."""
    if notes.header[-1] == _BY_CLIENTS:
        op = "scan" if is_scan(notes.table) else "query"
        return step_of(notes.table), "qps", op, True, int(column)
    metric = _NAMES.get(column, metric_name(column))
    if notes.table == "scan":
        step = "2-4" if column == "2+3+4" else column
        return f"scan.q{step}", "elapsed_s", "scan", False, 0
    if _SCAN.fullmatch(notes.table):
        return f"scan.{notes.table}", metric, "scan", False, 0
    part = _PART.fullmatch(notes.table)
    rate = part["rate"] if part else None
    inserts = column.startswith("ips.") or column.endswith("/i") or not rate
    main = metric == ("qps" if rate else "ips")
    return f"q{rate}" if rate else "l", metric, "insert" if inserts else "query", main, 0
