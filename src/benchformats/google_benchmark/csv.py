"""Google Benchmark's console CSV, ``--benchmark_format=csv``: a line per repetition.

::

    name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,...
    "BM_copy/64",1000,12.5,12.4,ns,5.1e+09,,,,

Columns behind error_message are the counters of the program. Lines of fits and of the
coefficient of variation, which versions print 10^9 times too large, are not read.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence

from benchformats.google_benchmark.figures import (
    UNITS,
    Run,
    rows_of,
    split_name,
    threads_of,
)
from benchformats.json_file import text_of
from benchformats.parsed import Parsed, Problem, TextFile, whole_lines
from benchformats.printed import number

NAME = "google_benchmark_csv"

_HEAD = "name,iterations,real_time,cpu_time,time_unit,"
_OWN = ("name", "iterations", "real_time", "cpu_time", "time_unit", "label",
        "error_occurred", "error_message")  # fmt: skip


def recognises(file: TextFile) -> bool:
    """Its header, which facts about the machine may precede."""
    return any(line.startswith(_HEAD) for line in file.lines[:100])


def read(file: TextFile) -> Parsed:
    """``real_time``, ``cpu_time`` and counters of each line."""
    lines, problems = whole_lines(file)
    heads = [no for no, line in enumerate(lines, 1) if line.startswith(_HEAD)]
    if not heads:
        return Parsed(problems=[*problems, Problem(0, "no header of Google Benchmark")])
    header = _cells(lines[heads[0] - 1]) or []
    runs: list[Run] = []
    for line_no, line in enumerate(lines[heads[0] :], heads[0] + 1):
        if not line.strip():
            continue
        cells = _cells(line)
        run = _run(line_no, header, cells, problems) if cells else None
        runs += [run] if run else []
    return Parsed(rows_of(runs), problems=problems)


def _cells(line: str) -> list[str] | None:
    try:
        return next(csv.reader([line]), None)
    except csv.Error:
        return None


def _run(
    line: int, header: Sequence[str], cells: Sequence[str], problems: list[Problem]
) -> Run | None:
    said = dict(zip(header, cells, strict=False))
    name, aggregate = split_name(text_of(said.get("name", "")))
    if aggregate in ("BigO", "RMS", "cv"):
        return None
    if said.get("error_occurred") == "true":
        why = f"{name} failed: {text_of(said.get('error_message', ''))}"
        problems.append(Problem(line, why))
        return None
    if len(cells) != len(header):
        problems.append(Problem(line, f"{len(cells)} columns, not {len(header)}"))
        return None
    real, cpu = number(said["real_time"]), number(said["cpu_time"])
    unit = said["time_unit"]
    if not name or real is None or real < 0 or unit not in UNITS:
        problems.append(Problem(line, f"{name or 'a benchmark'}: no time and unit"))
        return None
    counters = {text_of(key): number(value) for key, value in said.items()
                if key not in _OWN}  # fmt: skip
    label = text_of(said.get("label", ""))
    return Run(
        line, name, unit, real, cpu if cpu is not None and cpu >= 0 else None, aggregate,
        counters={key: value for key, value in counters.items()
                  if key and value is not None},
        dims={"label": label} if label else {}, threads=threads_of(name),
    )  # fmt: skip
