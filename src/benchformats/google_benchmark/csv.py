"""Google Benchmark's console CSV, ``--benchmark_format=csv``: a line per repetition.

::

    name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,...
    "BM_copy/64",1000,12.5,12.4,ns,5.1e+09,,,,

Columns behind error_message are the counters of the program. Lines of fits and of the
coefficient of variation, which versions print 10^9 times too large, are not read.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace

from benchformats.google_benchmark.json import FITS, FORMAT, results, split_name
from benchformats.json_file import Entry, text_of
from benchformats.parsed import Parsed, Problem, TextFile, whole_lines
from benchformats.printed import number

NAME = "google_benchmark_csv"
VERSION = 2

_HEAD = "name,iterations,real_time,cpu_time,time_unit,"
_OWN = ("name", "iterations", "real_time", "cpu_time", "time_unit", "label",
        "error_occurred", "error_message")  # fmt: skip
_FORMAT = replace(FORMAT, empty="")


def recognises(file: TextFile) -> bool:
    """Its header, which facts about the machine may precede."""
    return any(line.startswith(_HEAD) for line in file.lines[:100])


def read(file: TextFile) -> Parsed:
    """``real_time``, ``cpu_time`` and counters of each line."""
    lines, problems = whole_lines(file)
    if not any(line.startswith(_HEAD) for line in lines):
        return Parsed(problems=[*problems, Problem(0, "no header of Google Benchmark")])
    return _FORMAT.parsed([*problems, *results(_results(lines))], {})


def _results(lines: Sequence[str]) -> Iterator[Entry | Problem]:
    """Lines below a header as objects of its JSON; what another program wrote has one."""
    header: list[str] = []
    for line_no, line in enumerate(lines, 1):
        cells = _cells(line) if line.strip() and header else []
        if line.startswith(_HEAD):
            header, cells = _cells(line), []
        said = dict(zip(header, cells, strict=False))
        step, aggregate = split_name(text_of(said.get("name", "")))
        failed = said.get("error_occurred") == "true"
        if not cells or aggregate in (*FITS, "cv"):
            continue
        if len(cells) != len(header) and not failed:
            yield Problem(line_no, f"{len(cells)} columns, not {len(header)}")
            continue
        times = {name: number(said.get(name, "")) for name in ("real_time", "cpu_time")}
        counters = {k: number(cell) for k, cell in said.items() if k not in _OWN}
        own = {"name": step, "step": step, "aggregate": aggregate, "counters": counters}
        yield Entry(line_no, said | times | own | {"error_occurred": failed})


def _cells(line: str) -> list[str]:
    """None of a line that is no CSV."""
    try:
        return next(csv.reader([line]), [])
    except csv.Error:
        return []
