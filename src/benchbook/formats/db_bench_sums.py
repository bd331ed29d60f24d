"""report.tsv, summary.tsv, sum.*.txt and .sdev of db_bench: a line per step and run.

Columns are found by their names; a sum file has a block per step (header, rows, empty
line), a report.tsv all steps in one block, after ``# name - text``::

    ops_sec  mb_sec  lsm_sz  ...  test             date  version  job_id  githash
    192443   77.1    16GB    ...  readrandom.t1    ...   7.9.1            afa92034d9
    mean=192443  stddev=0.0  sdev/mean=0.000               (.sdev: of the block's ops_sec)

A list of the reports that were merged may come first: it tells builds of one version
apart. Several rows of a version and build are trials, in the order of the file.

w_amp is as printed. Where the reporting script adds flushes to what compaction wrote,
which has them already, it is about 1 too high; without the log nothing more is known.
Since RocksDB 10.3 the compaction table has a column more, and a script that counts them
prints MB/s as c_wsecs, Comp(sec) as c_csecs, KeyDrop as b_rgb, Rblob(GB) as b_wgb. Rows
that say GB of blobs were read where there are none give it away: of their versions
``c_wsecs_correct`` and ``b_rgb_correct`` are added. These seconds are Comp(sec).

A row that repeats another of its block, date and all, is the same run: it is no trial.
Scripts older than the V2 line of RocksDB 7 took its seconds, which have three decimals,
for MB/s: they are not read.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace

import pyarrow as pa

from benchbook.formats.db_bench_builds import builds_of
from benchbook.formats.db_bench_sdev import is_sdev, sdev_rows
from benchbook.formats.db_bench_words import (
    ABSENT,
    ENGINE,
    FIGURES,
    clock_of,
    dop_of,
    figure_of,
    gigabytes,
    number,
    op_of,
)
from benchbook.formats.parsed import (
    Parsed,
    Problem,
    Row,
    TextFile,
    metric_name,
    whole_lines,
)

NAME = "db_bench_sums"
VERSION = 2

_HEADER = re.compile(r"^ops_sec\t(?:[^\n]*\t)?test\t[^\n]*", re.MULTILINE)
_REPORT = re.compile(r"(?:.*/)?(?P<folder>[^/\s]+)/(?:report|summary)\.tsv")
_SECONDS = re.compile(r"\d+\.\d{3}", re.ASCII)  # MB/s have one decimal
_TEXTS = ("test", "date", "version", "job_id", "githash")
_SIZES = ("lsm_sz", "blob_sz")
_SHIFTED = {"c_wsecs": "c_csecs", "b_rgb": "b_wgb"}  # printed under the name beside it
FAILED = "failed"


@dataclass(frozen=True)
class Entry:
    """One row of a file: texts and figures by column."""

    line: int
    texts: dict[str, str]
    figures: dict[str, float]
    failed: bool
    build: str = ""
    repeats: bool = False  # the run of an earlier row, copied


@dataclass
class _File:
    """What was read so far."""

    inputs: list[str] = field(default_factory=list)
    columns: list[str] = field(default_factory=list)
    block: list[Entry] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)  # rows of the block
    entries: list[Entry] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def tell(self, line: int, text: str) -> None:
        self.problems.append(Problem(line, text))


def recognises(file: TextFile) -> bool:
    """A header of this kind anywhere: lists and comments may precede it."""
    return "ops_sec\t" in file.text and bool(_HEADER.search(file.text))


def read(file: TextFile) -> Parsed:
    """All figures of all rows; what failed or does not fit its header is a problem."""
    lines, problems = whole_lines(file)
    state = _File(problems=problems)
    for line_no, line in enumerate(lines, 1):
        _take(state, line_no, line)
    _close(state)
    entries = [entry for entry in state.entries if not entry.failed | entry.repeats]
    if not entries and not state.problems:
        state.tell(0, "no row")
    shifted = _shifted(entries, state)
    trials: Counter[tuple[str, ...]] = Counter()
    rows = []
    for entry in entries:
        cell = (entry.texts["test"], entry.texts["version"], entry.build)
        trials[cell] += 1
        rows += _rows(entry, trials[cell], entry.texts["version"] in shifted)
    return Parsed([*rows, *state.rows], _series(entries), state.problems)


def _take(state: _File, line_no: int, line: str) -> None:
    if line.startswith("ops_sec\t"):
        _close(state)
        state.columns = _columns(state, line_no, line)
    elif not line.strip():
        _close(state)
    elif is_sdev(line):
        results = [e.figures["ops_sec"] for e in state.block if "ops_sec" in e.figures]
        texts = [e.texts for e in state.block]
        rows, problems = sdev_rows(line_no, line, texts, results)
        state.rows += rows
        state.problems += problems
    elif "\t" in line:
        first = state.seen.setdefault(line, line_no)
        if first < line_no:
            state.tell(line_no, f"repeats line {first}: read once")
        if entry := _entry(state, line_no, line):
            state.block.append(replace(entry, repeats=first < line_no))
    elif report := _REPORT.fullmatch(line.strip()):
        state.inputs.append(report["folder"])
    elif not line.startswith("#"):
        state.tell(line_no, "neither a header nor a row")


def _columns(state: _File, line_no: int, line: str) -> list[str]:
    """The columns that a header names; none where it cannot be believed."""
    columns = line.rstrip("\r").split("\t")
    names = [c if c in _TEXTS else metric_name(c) for c in columns]
    distinct = len(set(names)) == len(names) and "" not in names
    if not distinct or not {"test", "version"} <= set(names):
        state.tell(line_no, "a header with a column twice or unnamed, no test or version")
        return []
    unknown = [n for n in names if n not in FIGURES and n not in _TEXTS]
    if unknown:
        state.tell(line_no, f"unknown column {', '.join(unknown)}: read without a unit")
    return names


def _entry(state: _File, line_no: int, line: str) -> Entry | None:
    if not state.columns:
        state.tell(line_no, "no header says what the columns are")
        return None
    fields = line.split("\t")
    if len(fields) != len(state.columns):
        found, wanted = len(fields), len(state.columns)
        state.tell(line_no, f"{found} columns instead of {wanted}: not read")
        return None
    cells = {c: f.strip() for c, f in zip(state.columns, fields, strict=True)}
    texts = {name: cells.pop(name, "") for name in _TEXTS}
    if not texts["test"]:
        state.tell(line_no, "no test is named: not read")
        return None
    failed = cells.get("ops_sec") == FAILED
    if failed:
        state.tell(line_no, f"{texts['test']} of {texts['version'] or '?'} failed")
    figures = {} if failed else _figures(state, line_no, cells)
    return Entry(line_no, texts, figures, failed)


def _figures(state: _File, line_no: int, cells: dict[str, str]) -> dict[str, float]:
    figures = {}
    for name, text in cells.items():
        if text in ABSENT:
            continue
        value = gigabytes(text.removesuffix(",")) if name in _SIZES else number(text)
        if name == "mb_sec" and _SECONDS.fullmatch(text):
            state.tell(line_no, f"{name}: {text!r} are seconds: not read")
        elif value is None:
            state.tell(line_no, f"{name}: {text[:40]!r} is no number")
        else:
            figures[name] = value
    return figures


def _close(state: _File) -> None:
    """Take the rows of a block over, with the builds that the list of reports names."""
    builds = builds_of(state.inputs, [e.texts["version"] for e in state.block])
    if builds is None:
        state.tell(
            state.block[0].line,
            "versions of this block are not those of the reports listed above: "
            "its repeats are numbered as trials",
        )
    for entry, build in zip(state.block, builds or [""] * len(state.block), strict=True):
        state.entries.append(replace(entry, build=build))
    state.block, state.seen = [], {}


def _shifted(entries: list[Entry], state: _File) -> set[str]:
    """Versions whose compaction columns are those beside them: see the module."""
    found: dict[str, int] = {}
    for entry in entries:
        figures = entry.figures
        if figures.get("blob_sz") == 0 and figures.get("b_rgb", 0) > 0:
            found.setdefault(entry.texts["version"], entry.line)
    for version, line in found.items():
        state.tell(
            line,
            f"{version}: GB of blobs were read where there are none, so c_wsecs, "
            "c_csecs, b_rgb and b_wgb are of the columns beside them",
        )
    return set(found)


def _rows(entry: Entry, trial: int, shifted: bool) -> list[Row]:
    step = entry.texts["test"]
    figures = dict(entry.figures)
    for name, printed in _SHIFTED.items() if shifted else ():
        if printed in figures:
            figures[f"{name}_correct"] = figures[printed]
    rows = []
    for metric, value in figures.items():
        unit, direction = figure_of(metric)
        rows.append(Row(
            entry.line, step, metric, value, unit, direction, op=op_of(step),
            main=metric == "ops_sec", dop=dop_of(step), clock=clock_of(metric),
            trial=trial, version=entry.texts["version"], engine=ENGINE,
            dims={"compiler": entry.build} if entry.build else {},
        ))  # fmt: skip
    return rows


def _series(entries: list[Entry]) -> dict[str, pa.Table]:
    """When each row was measured, of which revision: dates as printed."""
    if not entries:
        return {}
    columns: dict[str, pa.Array] = {"line": pa.array([e.line for e in entries])}
    columns["step"] = pa.array([e.texts["test"] for e in entries])
    for name in _TEXTS[1:]:
        columns[name] = pa.array([e.texts[name] for e in entries])
    return {"db_bench_runs": pa.table(columns)}
