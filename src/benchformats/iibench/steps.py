"""o.res.*: what one step of the insert benchmark did, over all clients.

::

    22 processes, 360000 rows-per-process, 3626 seconds, 2184.2 rows-per-second, ...
    iostat, vmstat normalized by insert rate
    nsamp  r/s  rMB/s  w/s  wMB/s  r/i  rKB/i  w/i  wKB/i  ips
    nsamp  cs/s  cpu/s  cs/q  cpu/q
    (the same by query rate)
    dbGB  11.533
    (the DBMS as ps lists it; some files have a shell there, which is told)
    Max insert / Max delete / Max query: three longest response times, seconds
    Insert rt: / Delete rt: / Query rt: buckets of each client
    99th, 3566 / 3602 = 100 insert, 5355 query      (five such lines per client)
    CPU seconds
    client: 11.20 user, 3.10 system, 14.3 total     (of the first client only)

Metrics are named as in the tables made of it (iibench_tables). rate_p99 is the rate that
99% of a client's seconds reach: the low tail. cpu_o is us + sy in percent / rate, as in
sb.met. iostat's and vmstat's count of samples are samp_io and samp_vm.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from benchformats.iibench.endings import RT, bucket_rows
from benchformats.iibench.figures import METRICS, contradiction, op_of
from benchformats.metric_names import metric_name
from benchformats.names import decode_path
from benchformats.parsed import Parsed, Problem, Row, TextFile, whole_lines
from benchformats.printed import NO_NUMBER, number

SHARES = (50, 75, 90, 95, 99)
_RATES = "rates"
_SHARE = re.compile(
    r"(50|75|90|95|99)th, \d{1,9} / \d{1,9} = (\d{1,15}|NA) insert, "
    r"(?:(\d{1,15}|NA) delete, )?(\d{1,15}|NA) query",
    re.ASCII,
)


@dataclass
class Clients:
    """Takes in the lines of all clients; rows() says what there is to believe."""

    problems: list[Problem] = field(default_factory=list)
    _rows_of: dict[str, list[Row]] = field(default_factory=dict)  # an op, or rates
    _counts: dict[str, int] = field(default_factory=dict)
    _labels: dict[str, list[str]] = field(default_factory=dict)
    _expected: int = 0  # place in SHARES of the next line of rates

    def take(self, line_no: int, line: str) -> bool:
        """One line; False where it is none of a client."""
        if times := RT.fullmatch(line):
            self._times(line_no, times[1].lower(), times[2].split())
        elif share := _SHARE.fullmatch(line):
            self._rates(line_no, int(share[1]), share.groups()[1:])
        return bool(times or share)

    def rows(self, dop: int) -> list[Row]:
        """The figures of all ``dop`` clients; those of one kind only if all are there."""
        rows = []
        for kind, of_kind in self._rows_of.items():
            count = self._counts[kind]
            if kind == _RATES and self._expected:
                count = -1
            if count == dop:
                rows += [replace(row, dop=dop) for row in of_kind]
            else:
                why = f"{kind}: not of all {dop} clients, so not known of which: not read"
                self.problems.append(Problem(of_kind[0].line if of_kind else 0, why))
        return sorted(rows, key=lambda row: row.line)

    def _times(self, line_no: int, op: str, cells: list[str]) -> None:
        if "max" in cells:
            self._labels[op] = cells
            return
        dims = {"client": str(self._next(op))}
        labels = self._labels.pop(op, [])
        rows, complaints = bucket_rows(line_no, op, labels, cells, dims)
        self.problems += [Problem(line_no, text) for text in complaints]
        self._rows_of.setdefault(op, []).extend(rows)

    def _rates(self, line_no: int, share: int, cells: tuple[str | None, ...]) -> None:
        if share != SHARES[self._expected]:
            self.problems.append(
                Problem(line_no, "not the next of a client's five lines")
            )
            self._counts[_RATES] = -1
        client = str(self._next(_RATES) if share == SHARES[0] else self._counts[_RATES])
        self._expected = (SHARES.index(share) + 1) % len(SHARES)
        rows = self._rows_of.setdefault(_RATES, [])
        for op, text in zip(("insert", "delete", "query"), cells, strict=True):
            if text not in (None, "NA"):
                unit, direction = METRICS["qps" if op == "query" else "ips"]
                rows.append(Row(line_no, "", f"rate_p{share}", float(text), unit,
                                direction, op=op, dims={"client": client}))  # fmt: skip

    def _next(self, kind: str) -> int:
        """The number of the next client; stays below 0 once one is missing."""
        count = self._counts.get(kind, 0)
        self._counts[kind] = count + 1 if count >= 0 else count
        return self._counts[kind]


NAME = "iibench_steps"
VERSION = 4

_N = r"(\d{1,15})"
_X = r"(\d{1,15}(?:\.\d{1,6})?|\.\d{1,6})"  # bc has no 0 before the point
_TITLE = re.compile(
    rf"{_N} processes, {_N} rows-per-process, {_N} seconds, {_X} rows-per-second,"
    rf" {_X} rows-per-second-per-user, {_N} queries, {_X} queries-per-second"
    r"(?:,? (?:0|1|yes|no) deletes)?,? *"
)
_BY = re.compile(r"iostat, vmstat normalized by (insert|query) rate")
_PER_SECOND = {
    "r/s": "rps", "rkB/s": "rkbps", "rMB/s": "rmbps", "w/s": "wps", "wkB/s": "wkbps",
    "wMB/s": "wmbps", "cs/s": "csps", "cpu/s": "cpups",
}  # fmt: skip
_PER_OP = {
    "insert": {"r/i": "rpq", "rKB/i": "rkbpq", "w/i": "wpi", "wKB/i": "wkbpi",
               "cs/q": "cspq", "cs/i": "cspq", "cpu/q": "cpu_o", "cpu/i": "cpu_o"},
    "query": {"r/q": "rpq", "rKB/q": "rkbpq", "w/q": "wpq", "wKB/q": "wkbpq",
              "cs/q": "cspq", "cpu/q": "cpu_o"},
}  # fmt: skip
_AVERAGES = re.compile(r"average values from iostat for \S+")
_SIZE = re.compile(r"(dbGB|dbdirGB)\t(\d{1,9}\.\d{3})(?:\t\S+)?")
_MAX = re.compile(r"Max (insert|delete|query)")
_CLIENT = re.compile(rf"client: {_X} user, {_X} system, {_X} total")
_DBMS = re.compile(rf"dbms: {_X}")
_PROCESS = re.compile(
    r"\S+ +\d+ +[\d.]+ +[\d.]+ +(\d{1,15}) +(\d{1,15}) +\S+ +\S+ +\S+ +[\d:]+ +(\S.*)",
    re.ASCII,
)
_SHELL = re.compile(r"(?:\S*/)?(?:ba|da)?sh ")  # the benchmark's own, not a DBMS
_SILENT = re.compile(
    r"CPU seconds|insert(?:, delete)? and query rate at nth percentile|0inputs.*"
)
_UNITS = {
    "vsz_kb": "KB", "rss_kb": "KB", "client_cpu_user_s": "s", "client_cpu_system_s": "s",
    "client_cpu_total_s": "s", "dbms_cpu_s": "s", "samp_io": "count", "samp_vm": "count",
}  # fmt: skip


@dataclass
class _Summary:
    """What the file has said so far."""

    step: str
    op: str = ""  # of the step's rate; '' until the title was read
    dop: int = 0
    by: str = ""  # the rate that the tables are divided by
    header: list[str] = field(default_factory=list)
    longest: str = ""  # "Max insert": its first figure comes next
    clients: Clients = field(default_factory=Clients)
    figures: set[tuple[str, str]] = field(default_factory=set)
    problems: list[Problem] = field(default_factory=list)


def recognises(file: TextFile) -> bool:
    """The title of a step among the first lines."""
    return any(_TITLE.fullmatch(line) for line in file.text[:4096].split("\n")[:5])


def read(file: TextFile) -> Parsed:
    """The figures of a step; nothing without its title, which says what the rates are."""
    lines, problems = whole_lines(file)
    state = _Summary(decode_path(file.path).step)
    rows: list[Row] = []
    for line_no, line in enumerate(lines, 1):
        if not line.strip():
            state.header = []
        elif title := _TITLE.fullmatch(line):
            rows += _title(state, line_no, title)
        elif not state.op:
            state.problems.append(Problem(line_no, "no title of a step before it"))
        else:
            rows += _once(state, _line(state, line_no, line.rstrip(" ")))
    rows += state.clients.rows(state.dop)
    problems += state.problems + state.clients.problems
    return Parsed(rows, problems=sorted(problems, key=lambda problem: problem.line))


def _once(state: _Summary, rows: Iterator[Row]) -> Iterator[Row]:
    """Rows that no earlier line of the file gave: rates stand in two tables."""
    for row in rows:
        key = (row.metric, f"{row.op} {row.dims.get('client', '')}")
        if key not in state.figures:
            state.figures.add(key)
            yield row


def _title(state: _Summary, line_no: int, match: re.Match[str]) -> list[Row]:
    if state.op:
        state.problems.append(Problem(line_no, "a second title: not read"))
        return []
    clients, rows, seconds, ips, _, queries, qps = match.groups()
    state.dop, state.op = int(clients), op_of(state.step, float(queries) > 0)
    texts = {"clients": clients, "rows": rows, "elapsed_s": seconds, "ips": ips,
             "queries": queries, "qps": qps}  # fmt: skip
    figures = {name: float(text) for name, text in texts.items()}
    if problem := contradiction(line_no, figures, 1.0):
        state.problems.append(problem)
        return []
    first = state.op if state.op != "query" else "insert"
    said = [
        ("elapsed_s", seconds, state.op, "s", "none"),
        ("rows_per_client", rows, first, "count", "none"),
        ("ips", ips, first, *METRICS["ips"]),
        ("queries", queries, "query", "count", "none"),
        ("qps", qps, "query", *METRICS["qps"]),
    ]
    return [
        Row(line_no, "", metric, float(text), unit, direction, op=op, dop=state.dop,
            main=op == state.op and metric in ("ips", "qps"))
        for metric, text, op, unit, direction in said
    ]  # fmt: skip


def _line(state: _Summary, line_no: int, line: str) -> Iterator[Row]:
    if by := _BY.fullmatch(line):
        state.by, state.header = by[1], []
    elif line.startswith("nsamp\t"):
        state.header = line.split("\t")
        if "r/s" in state.header:
            # What iostat's table, and vmstat's that follows, are divided by.
            ops = [op for op, unit in (("insert", "/i"), ("query", "/q"))
                   if any(column.endswith(unit) for column in state.header)]  # fmt: skip
            state.by = ops[0] if len(ops) == 1 else ""
    elif _AVERAGES.fullmatch(line):
        state.by, state.header = "average", []
    elif state.by == "average" and not state.header and "\t" in line:
        state.header = line.rstrip("\t").split("\t")
    elif state.header:
        yield from _table(state, line_no, line.rstrip("\t"))
        state.by = state.by if "r/s" in state.header and "nsamp" in state.header else ""
        state.header = []
    elif longest := _MAX.fullmatch(line):
        state.longest = longest[1]
    elif not state.clients.take(line_no, line):
        yield from _rest(state, line_no, line)


def _table(state: _Summary, line_no: int, line: str) -> Iterator[Row]:
    cells = line.split("\t")
    if len(cells) != len(state.header):
        why = f"{len(cells)} figures for {len(state.header)} columns"
        state.problems.append(Problem(line_no, why))
        return
    load = state.op if state.op != "query" else "insert"
    for column, cell in zip(state.header, cells, strict=True):
        value = number(cell)
        metric, op = _PER_SECOND.get(column, ""), state.op
        if column == "nsamp":
            metric = "samp_io" if "r/s" in state.header else "samp_vm"
        elif state.by == "average":
            metric = f"iostat_{metric_name(column)}"
        elif not metric:
            metric = _PER_OP.get(state.by, {}).get(column, "")
            op = "query" if state.by == "query" else load
        if column in ("ips", "qps"):
            continue  # as in the title
        if value is None or not metric:
            why = NO_NUMBER if metric else "not a column of this format"
            state.problems.append(Problem(line_no, f"{column}: {why}"))
        else:
            op = "insert" if metric in ("wpi", "wkbpi") and op == "query" else op
            yield _row(state, line_no, metric, value, op)


def _rest(state: _Summary, line_no: int, line: str) -> Iterator[Row]:
    longest, state.longest = state.longest, ""
    if number(line) is not None:
        if longest:
            yield _row(state, line_no, "rt_max", float(line), longest)
    elif size := _SIZE.fullmatch(line):
        metric = "dbgb1" if size[1] == "dbGB" else "dbgb2"
        yield _row(state, line_no, metric, float(size[2]), state.op)
    elif client := _CLIENT.fullmatch(line):
        for name, text in zip(("user", "system", "total"), client.groups(), strict=True):
            yield _row(state, line_no, f"client_cpu_{name}_s", float(text), state.op, "1")
    elif dbms := _DBMS.fullmatch(line):
        yield _row(state, line_no, "dbms_cpu_s", float(dbms[1]), state.op)
    elif (process := _PROCESS.fullmatch(line)) and _SHELL.match(process[3]):
        why = "the process is a shell, not the DBMS: its memory is not read"
        state.problems.append(Problem(line_no, why))
    elif process:
        yield _row(state, line_no, "vsz_kb", float(process[1]), state.op)
        yield _row(state, line_no, "rss_kb", float(process[2]), state.op)
    elif not _SILENT.fullmatch(line):
        state.problems.append(Problem(line_no, "not a line of this format"))


def _row(
    state: _Summary, line_no: int, metric: str, value: float, op: str, client: str = ""
) -> Row:
    unit, direction = METRICS.get(metric, (_UNITS.get(metric, ""), "none"))
    clock = "actual" if metric == "rt_max" else ""
    dims = {"client": client} if client else {}
    return Row(line_no, "", metric, value, unit, direction, op=op, dop=state.dop,
               clock=clock, dims=dims)  # fmt: skip
