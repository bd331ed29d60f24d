"""report.tsv, summary.tsv, sum.*.txt and .sdev of db_bench: a line per step and run.

Columns are found by their names; a sum file has a block per step (header, rows, empty
line), a report.tsv all steps in one block, after ``# name - text``::

    ops_sec  mb_sec  lsm_sz  ...  test             date  version  job_id  githash
    192443   77.1    16GB    ...  readrandom.t1    ...   7.9.1            afa92034d9
    mean=192443  stddev=0.0  sdev/mean=0.000               (.sdev: of the block's ops_sec)
    0.985                         (or: ops_sec of the block's second row over the first)

Older headers: see db_bench_header. A list of the reports that were merged may come first:
it tells builds of one version apart. The file's name may say compiler and block cache:
see db_bench_setup. Other rows of a version are trials, in the order of the file.

w_amp is as printed. Where the reporting script adds flushes to what compaction wrote,
which has them already, it is about 1 too high; without the log nothing more is known.
For what else scripts got wrong see db_bench_entries.

A row that repeats another of its block, date and all, is the same run: it is no trial.
Scripts older than the V2 line of RocksDB 7 took its seconds, which have three decimals,
for MB/s: they are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import pyarrow as pa

from benchformats.db_bench.entries import Entry, corrected, entries_by_report
from benchformats.db_bench.figures import (
    ABSENT,
    ENGINE,
    FIGURES,
    clock_of,
    dop_of,
    figure_of,
    gigabytes,
    op_of,
    seconds_of,
)
from benchformats.db_bench.sdev import is_ratio, is_sdev, ratio_problem, sdev_rows
from benchformats.db_bench.setup import BASE, BOTH, COMPILER, Setup, setup_of
from benchformats.metric_names import metric_name
from benchformats.parsed import Parsed, Problem, Row, TextFile, records_table, whole_lines
from benchformats.printed import number

_BUILD = re.compile(r"(?P<version>\d+\.\d+(?:\.\d+)?)(?:[._-](?P<build>.+))?", re.ASCII)


def builds_of(reports: Sequence[str], versions: Sequence[str]) -> list[str] | None:
    """What the name of each row's report says besides its version: ``clang.lto``.

    ``reports`` are folders as 6.29.clang.lto, ``versions`` those of the rows of a block.
    None where rows repeat a version and the list does not tell them apart.
    """
    repeats = len(set(versions)) < len(versions)
    if len(reports) != len(versions):
        return None if reports and repeats else [""] * len(versions)
    builds = []
    for folder, version in zip(reports, versions, strict=True):
        match = _BUILD.fullmatch(folder)
        if not match or not f"{version}.".startswith(f"{match['version']}."):
            return None if repeats else [""] * len(versions)
        builds.append(match["build"] or "")
    return builds


TEXTS = ("test", "date", "version", "job_id", "githash")
SIZE_WITHOUT_UNIT = "size_gb"  # as printed it may be in GB, over 1024

_HEADER = re.compile(
    r"^ops[_/]sec\t(?:[^\n]*\t)?(?:test|Test|test_name)(?:\t[^\n]*)?$", re.MULTILINE
)
_STARTS = ("ops_sec\t", "ops/sec\t")
_TODAY = {
    "total_size_gb": SIZE_WITHOUT_UNIT, "l0_gb": "l0_wgb", "l0_mb": "l0_wgb",
    "level0_size_gb": "l0_wgb", "sum_gb": "c_wgb", "write_amplification": "w_amp",
    "w_mb_s": "c_mbps", "write_mbps": "c_mbps", "stall_time": "stall_s",
    "stall_percent": "stall_pct", "test_name": "test", "test_date": "date",
    "rocksdb_version": "version",
}  # fmt: skip


def columns_of(line: str) -> tuple[list[str], str]:
    """The columns that a header names, and what is wrong with it.

    None where it cannot be believed.
    """
    printed = map(metric_name, line.rstrip("\r").split("\t"))
    names = [re.sub(r"^percentile_", "p", name) for name in printed]
    names = [_TODAY.get(name, name) for name in names]
    distinct = len(set(names)) == len(names) and "" not in names
    if not distinct or "test" not in names:
        return [], "a header with a column twice or unnamed, or without test"
    columns = {*FIGURES, *TEXTS, SIZE_WITHOUT_UNIT}
    unknown = [name for name in names if name not in columns]
    if unknown:
        return names, f"unknown column {', '.join(unknown)}: read without a unit"
    if SIZE_WITHOUT_UNIT in names:
        return names, "the size of the LSM tree is over 1024 in an unknown unit: not read"
    return names, ""


def engine_of(columns: Sequence[str]) -> str:
    """Whose report has these columns."""
    return "leveldb" if "avg" in columns else ENGINE


NAME = "db_bench_sums"
VERSION = 3

_REPORT = re.compile(r"(?:.*/)?(?P<folder>[^/\s]+)/(?:report|summary)\.tsv")
_SECONDS = re.compile(r"\d+\.\d{3}", re.ASCII)  # MB/s have one decimal
FAILED = "failed"


@dataclass
class _File:
    """What was read so far."""

    setup: Setup
    inputs: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    blocks: int = 0
    block: list[Entry] = field(default_factory=list)
    first_lines: dict[str, int] = field(default_factory=dict)  # rows of the block
    entries: list[Entry] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def tell(self, line: int, text: str) -> None:
        self.problems.append(Problem(line, text))


def recognises(file: TextFile) -> bool:
    """A header of this kind anywhere: lists and comments may precede it."""
    text = file.text
    return any(start in text for start in _STARTS) and bool(_HEADER.search(text))


def read(file: TextFile) -> Parsed:
    """All figures of all rows; what failed or does not fit its header is a problem."""
    lines, problems = whole_lines(file)
    state = _File(setup_of(file.name), problems=problems)
    for line_no, line in enumerate(lines, 1):
        _take(state, line_no, line)
    _close(state)
    if state.setup.both and state.entries:
        state.tell(0, BOTH)
    entries = [entry for entry in state.entries if not entry.failed | entry.repeats]
    if not entries and not state.problems:
        state.tell(0, "no row")
    for change in (entries_by_report, corrected):
        entries, complaints = change(entries)
        state.problems += complaints
    trials: Counter[tuple[str, ...]] = Counter()
    rows = []
    for entry in entries:
        trials[entry.cell] += 1
        rows += _rows(entry, trials[entry.cell])
    return Parsed([*rows, *state.rows], _series(entries), state.problems)


def _take(state: _File, line_no: int, line: str) -> None:
    if line.startswith(_STARTS):
        _close(state)
        state.columns, complaint = columns_of(line)
        if complaint:
            state.tell(line_no, complaint)
    elif not line.strip():
        _close(state)
    elif is_sdev(line):
        texts = [e.texts for e in state.block]
        rows, problems = sdev_rows(line_no, line, texts, _rates(state))
        state.rows += rows
        state.problems += problems
    elif is_ratio(line) and len(state.block) == 2:
        state.problems += ratio_problem(line_no, line, _rates(state))
    elif "\t" in line:
        first = state.first_lines.setdefault(line, line_no)
        if first < line_no:
            state.tell(line_no, f"repeats line {first}: read once")
        if entry := _entry(state, line_no, line):
            state.block.append(replace(entry, repeats=first < line_no))
    elif report := _REPORT.fullmatch(line.strip()):
        state.inputs.append(report["folder"])
    elif not line.startswith("#"):
        state.tell(line_no, "neither a header nor a row")


def _rates(state: _File) -> list[float]:
    return [e.figures["ops_sec"] for e in state.block if "ops_sec" in e.figures]


def _entry(state: _File, line_no: int, line: str) -> Entry | None:
    if not state.columns:
        state.tell(line_no, "no header says what the columns are")
        return None
    fields = line.split("\t")
    if len(fields) != len(state.columns):
        count, expected = len(fields), len(state.columns)
        state.tell(line_no, f"{count} columns instead of {expected}: not read")
        return None
    cells = {c: f.strip() for c, f in zip(state.columns, fields, strict=True)}
    texts = {name: cells.pop(name, "") for name in TEXTS}
    if not texts["test"]:
        state.tell(line_no, "no test is named: not read")
        return None
    failed = cells.get("ops_sec") == FAILED
    if failed:
        state.tell(line_no, f"{texts['test']} of {texts['version'] or '?'} failed")
    figures = {} if failed else _figures(state, line_no, cells)
    megabytes = "lsm_sz" in figures and cells["lsm_sz"].endswith("MB")
    engine = engine_of(state.columns)
    return Entry(line_no, texts, figures, failed, engine=engine, megabytes=megabytes)


def _figures(state: _File, line_no: int, cells: dict[str, str]) -> dict[str, float]:
    figures = {}
    for name, text in cells.items():
        if text in ABSENT or name == SIZE_WITHOUT_UNIT:
            continue
        plain = text.removesuffix(",") if name in ("lsm_sz", "blob_sz") else text
        value = _READ.get(name, number)(plain)
        if name == "mb_sec" and _SECONDS.fullmatch(text):
            state.tell(line_no, f"{name}: {text!r} are seconds: not read")
        elif value is None:
            state.tell(line_no, f"{name}: {text[:40]!r} is no number")
        else:
            figures[name] = value
    return figures


_READ = {"lsm_sz": gigabytes, "blob_sz": gigabytes, "stall_s": seconds_of}


def _close(state: _File) -> None:
    """Take the rows of a block over, with the set-ups that file and reports name."""
    builds = builds_of(state.inputs, [e.version for e in state.block])
    if builds is None:
        state.tell(
            state.block[0].line,
            "versions of this block are not those of the reports listed above: "
            "its repeats are numbered as trials",
        )
    state.blocks += bool(state.block)
    own = [entry for entry in state.block if not entry.repeats]
    cells = [(entry.step, entry.version) for entry in own]
    dims = state.setup.dims_of(cells)
    if state.blocks == 1 and state.setup.begins_with_base(cells):
        state.tell(own[0].line, f"{own[0].version}: {BASE}")
    said = {entry.line: dims for entry, dims in zip(own, dims, strict=True)}
    for entry, build in zip(state.block, builds or [""] * len(state.block), strict=True):
        named = said.get(entry.line, {}) | ({COMPILER: build} if build else {})
        state.entries.append(replace(entry, block=state.blocks, dims=named))
    state.block, state.first_lines = [], {}


def _rows(entry: Entry, trial: int) -> list[Row]:
    rows = []
    for metric, value in entry.figures.items():
        unit, direction = figure_of(metric)
        rows.append(Row(
            entry.line, entry.step, metric, value, unit, direction, op=op_of(entry.step),
            main=metric == "ops_sec", dop=dop_of(entry.step), clock=clock_of(metric),
            trial=trial, version=entry.version, engine=entry.engine,
            dims=entry.dims,
        ))  # fmt: skip
    return rows


def _series(entries: list[Entry]) -> dict[str, pa.Table]:
    """When each row was measured, of which revision: dates as printed."""
    records = [
        {"line": e.line, "step": e.step, **{name: e.texts[name] for name in TEXTS[1:]}}
        for e in entries
    ]
    table = records_table(records, {"line": pa.int64()}, pa.string())
    return {"db_bench_runs": table} if entries else {}
