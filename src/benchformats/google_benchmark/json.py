"""Google Benchmark's JSON: real and CPU time of each repetition, rates and counters.

``--benchmark_format=json`` or ``--benchmark_out``. A benchmark is a step by its whole
name, its threads are the clients. Aggregates are read where the repetitions themselves
are not there (--benchmark_report_aggregates_only); fits of complexity are no figures.
"""

from __future__ import annotations

from typing import Any

from benchformats.google_benchmark.figures import (
    UNITS,
    Run,
    rows_of,
    split_name,
    threads_of,
)
from benchformats.json_file import (
    Entry,
    clients_of,
    dict_of,
    figure,
    has_keys,
    read_json,
    text_of,
)
from benchformats.parsed import Parsed, Problem, TextFile, dated

NAME = "google_benchmark"
VERSION = 2

_OWN = frozenset(
    ("name", "family_index", "per_family_instance_index", "run_name", "run_type",
     "repetitions", "repetition_index", "threads", "iterations", "real_time", "cpu_time",
     "time_unit", "label", "aggregate_name", "aggregate_unit", "error_occurred",
     "error_message", "skipped", "skip_message", "big_o", "rms", "cpu_coefficient",
     "real_coefficient", "allocs_per_iter", "max_bytes_used", "total_allocated_bytes",
     "net_heap_growth")
)  # fmt: skip


def recognises(file: TextFile) -> bool:
    """Benchmarks with their real and CPU times and unit."""
    keys = ("benchmarks[].real_time", "benchmarks[].cpu_time", "benchmarks[].time_unit")
    return has_keys(file, keys)


def read(file: TextFile) -> Parsed:
    """``real_time``, ``cpu_time`` and counters of each repetition."""
    document = read_json(file, "benchmarks")
    if document.problem:
        return document.refused
    runs: list[Run] = []
    problems: list[Problem] = []
    for entry in document.entries:
        result = dict_of(entry.value)
        if result.get("aggregate_name") in ("BigO", "RMS") or "big_o" in result:
            continue
        if why := _failure(result):
            problems.append(Problem(entry.line, why))
        elif run := _run(entry, result, problems):
            runs.append(run)
    if not runs and not problems:
        problems.append(Problem(0, "no benchmark was run"))
    when = text_of(dict_of(document.frame.get("context")).get("date"))
    return Parsed(dated(rows_of(runs), when), problems=problems)


def _failure(result: dict[str, Any]) -> str:
    """Why a benchmark has no figures: an error, or the program skipped it."""
    name = text_of(result.get("name"))
    if result.get("error_occurred"):
        return f"{name} failed: {text_of(result.get('error_message'))}"
    if result.get("skipped"):
        return f"{name} was skipped: {text_of(result.get('skip_message'))}"
    return ""


def _trial(repetition: object) -> int | None:
    """Which trial a repetition is, where it says so: these count from 0."""
    index = figure(repetition)
    return int(index) + 1 if index is not None and index >= 0 else None


def _run(entry: Entry, result: dict[str, Any], problems: list[Problem]) -> Run | None:
    full = text_of(result.get("name"))
    name, aggregate = text_of(result.get("run_name")) or full, ""
    if result.get("run_type") == "aggregate":
        aggregate = text_of(result.get("aggregate_name"))
    elif "run_type" not in result:  # before 1.4.1
        name, aggregate = split_name(full)
    if aggregate in ("BigO", "RMS"):
        return None
    unit = text_of(result.get("time_unit"))
    real = figure(result.get("real_time"))
    cpu = figure(result.get("cpu_time"))
    cpu = cpu if cpu is not None and cpu >= 0 else None
    if not name or real is None or real < 0 or unit not in UNITS:
        problems.append(Problem(entry.line, f"{name or 'a benchmark'}: no time and unit"))
        return None
    numbers = {text_of(key): figure(value) for key, value in result.items()
               if key not in _OWN}  # fmt: skip
    label = text_of(result.get("label"))
    return Run(
        entry.line, name, unit, real, cpu, aggregate,
        result.get("aggregate_unit") == "percentage",
        {key: value for key, value in numbers.items() if key and value is not None},
        {"label": label} if label else {},
        clients_of(result.get("threads")) or threads_of(name),
        _trial(result.get("repetition_index")),
    )  # fmt: skip
