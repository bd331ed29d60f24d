"""What the insert benchmark's client prints after its last second.

::

    Insert rt:     256us       1ms       4ms ...        gt         max
    Insert rt:         0         0   1277818 ...         0    0.023005
    Query thread: 812345 queries, fetched/query(expected, actual) = ( 10 , 10.000 )
    Created secondary indexes in 61.2 seconds
    Totals: 100.3 secs, 99702.1 rows/sec, 10000000 rows, 0 insert retry, 0 query retry
    Totals: 100.3 secs, ..., 10000000 rows, 0 0 0 insert-delete-query retry
    Done

Only one query thread's response times are printed, once per thread: the first is read.
What the script that created indexes afterwards adds is read too, as steps of these
names: elapsed_s as the shell's time says, wall_s in whole seconds::

    create 1
    0.00user 0.00system 5:05.95elapsed 0%CPU (0avgtext+0avgdata 10772maxresident)k
    561 seconds : create all with explicit inplace

Where it says that a command failed, neither its time nor the script's around it is read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from benchformats.iibench.figures import (
    BUCKETS,
    METRICS,
    OPS,
    bucket_metric,
    contradiction,
)
from benchformats.parsed import Problem, Row
from benchformats.printed import NO_NUMBER, number

_N = r"(\d{1,15})"
_X = r"(\d{1,15}\.\d{1,6})"
RT = re.compile(r" ?(Insert|Delete|Query) rt:(( +\S+)+) *")
_THREAD = re.compile(
    rf"Query thread: {_N} queries, fetched/query\(expected, actual\) = "
    rf"\( {_N} , {_X} \)"
)
_CREATED = re.compile(rf"Created secondary indexes in {_X} seconds")
_TOTALS = re.compile(
    rf"Totals: {_X} secs, {_X} rows/sec, {_N} rows, (?:{_N} insert retry, {_N} query"
    rf" retry|{_N} {_N} {_N} insert-delete-query retry)"
)
_SCRIPT = re.compile(rf"{_N} seconds : ([a-z][\w ]*)")
_FAILED = re.compile(
    r"Command (?:exited with non-zero status|terminated by signal) \d{1,3}", re.ASCII
)
_CREATE = re.compile(r"create [a-z0-9][\w ]*", re.ASCII)
_TIME = re.compile(
    r"\d+\.\d\duser \d+\.\d\dsystem (?:(\d{1,4}):)?(\d{1,5}):(\d\d(?:\.\d\d)?)elapsed"
    r" \d+%CPU \(.*\)k",
    re.ASCII,
)
_SILENT = re.compile(
    r"Done|\d+inputs\+\d+outputs \(.*\)pagefaults \d+swaps|get_?min.*"
    r"|Inserting initial tuples\.\.\.|Bulk with mcrsmb = \d+|No bulk",
    re.ASCII,
)


@dataclass
class Endings:
    """Takes in lines that are no second's, in order; a title waits for its figures."""

    step: str  # as the names say; '' where they do not
    main: bool  # whether the rate of inserts is the step's
    dims: dict[str, str]
    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    labels: dict[str, list[str]] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)
    title: str = ""
    failed: bool = False  # a command since the script last said a time

    def take(self, line_no: int, line: str) -> None:
        """One line; what is not known is told."""
        rows: Iterable[Row] = ()
        if match := RT.fullmatch(line):
            rows = self._response_times(line_no, match[1].lower(), match[2].split())
        elif match := _TOTALS.fullmatch(line):
            seconds, ips, count = (float(match[n]) for n in (1, 2, 3))
            figures = {"clients": 1.0, "rows": count, "elapsed_s": seconds, "ips": ips}
            if problem := contradiction(line_no, figures, 0.1):
                self.problems.append(problem)
                return
            rows = self._once("totals", self._totals(line_no, match))
        elif match := _THREAD.fullmatch(line):
            rows = self._once("thread", [
                self._row(line_no, "queries", match[1], "query", "count", "none"),
                self._row(line_no, "fetched", match[3], "query", "rows", "none"),
            ])  # fmt: skip
        elif match := _CREATED.fullmatch(line):
            rows = self._once("created", [
                self._row(line_no, "create_index_s", match[1], "index", "s", "lower")
            ])  # fmt: skip
        elif match := _SCRIPT.fullmatch(line):
            rows = self._wall(line_no, match)
        elif _FAILED.fullmatch(line):
            self.title, self.failed = "", True
            self._tell(line_no, "the command failed: its time is not read")
        elif match := _TIME.fullmatch(line):
            rows = self._elapsed(line_no, match)
        elif _CREATE.fullmatch(line):
            self.title = line
        elif line and not _SILENT.fullmatch(line):
            self._tell(line_no, "not a line of this format")
        self.rows += rows

    def _tell(self, line_no: int, text: str) -> None:
        self.problems.append(Problem(line_no, text))

    def _once(self, what: str, rows: list[Row]) -> list[Row]:
        """What a client says once; a second run's in the same file is not read."""
        if what in self.read:
            self._tell(rows[0].line, f"a second time in this file: {what}: not read")
            return []
        self.read.add(what)
        return rows

    def _response_times(self, line_no: int, op: str, cells: list[str]) -> list[Row]:
        if "max" in cells:
            self.labels[op] = cells
            return []
        labels = self.labels.pop(op, [])
        if f"rt {op}" in self.read:
            return []
        rows, complaints = bucket_rows(
            line_no, op, labels, cells, {**self.dims}, self.step
        )
        self.problems += [Problem(line_no, text) for text in complaints]
        if rows:
            self.read.add(f"rt {op}")
        return rows

    def _totals(self, line_no: int, match: re.Match[str]) -> list[Row]:
        rate = Row(line_no, self.step, "ips", float(match[2]), *METRICS["ips"],
                   op="insert", main=self.main, dims=self.dims)  # fmt: skip
        rows = [
            self._row(line_no, "elapsed_s", match[1], "insert", "s", "none"),
            rate,
            self._row(line_no, "rows", match[3], "insert", "count", "none"),
        ]
        ops = ("insert", "query", *OPS)
        for op, count in zip(ops, match.groups()[3:], strict=True):
            if count is not None:
                rows.append(self._row(line_no, "retries", count, op, "count", "lower"))
        return rows

    def _wall(self, line_no: int, match: re.Match[str]) -> list[Row]:
        if self.failed:
            self.failed = False
            self._tell(line_no, "of a command that failed: not read")
            return []
        return [self._time(line_no, match[2], "wall_s", float(match[1]))]

    def _elapsed(self, line_no: int, match: re.Match[str]) -> list[Row]:
        hours, minutes, seconds = match.groups()
        elapsed = int(hours or 0) * 3600 + int(minutes) * 60 + float(seconds)
        title, self.title = self.title, ""
        figures = [self._time(line_no, title, "elapsed_s", round(elapsed, 2))]
        return figures if title else []

    def _time(self, line_no: int, step: str, metric: str, seconds: float) -> Row:
        return Row(line_no, step, metric, seconds, "s", "lower", op="index",
                   dims=self.dims)  # fmt: skip

    def _row(
        self, line_no: int, metric: str, text: str, op: str, unit: str, direction: str
    ) -> Row:
        return Row(line_no, self.step, metric, float(text), unit, direction, op=op,
                   dims=self.dims)  # fmt: skip


def bucket_rows(
    line_no: int,
    op: str,
    labels: list[str],
    cells: list[str],
    dims: dict[str, str],
    step: str = "",
) -> tuple[list[Row], list[str]]:
    """Counts per bucket of response times and the longest one, or why there are none."""
    if tuple(labels) != (*BUCKETS, "max"):
        return [], [f"{op}: response times without their header: not read"]
    values = [number(cell) for cell in cells]
    whole = all(cell.isdigit() for cell in cells[:-1])
    if len(cells) != len(labels) or None in values or not whole:
        return [], [f"{op}: {len(labels)} figures expected, {NO_NUMBER} or not as many"]
    rows = [
        Row(line_no, step, bucket_metric(label, False), float(cell), "count", "none",
            op=op, dims=dims)
        for label, cell in zip(BUCKETS, cells, strict=False)
    ]  # fmt: skip
    longest = Row(line_no, step, "rt_max", float(cells[-1]), "s", "lower", op=op,
                  clock="actual", dims=dims)  # fmt: skip
    return [*rows, longest], []
