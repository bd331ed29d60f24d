"""Google Benchmark's JSON: real and CPU time of each repetition, rates and counters.

``--benchmark_format=json`` or ``--benchmark_out``. A benchmark is a step by its whole
name, its threads are the clients. Aggregates are read where the repetitions themselves
are not there (--benchmark_report_aggregates_only); fits of complexity are no figures.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from benchformats.json_file import Entry, clients_of, dict_of, figure, text_of
from benchformats.json_format import Figure, JsonFormat, Said, Test, whole_texts
from benchformats.metric_names import metric_name
from benchformats.parsed import Problem
from benchformats.units import direction_of

NAME = "google_benchmark"
VERSION = 2

FITS = ("BigO", "RMS")
_UNITS = ("ns", "us", "ms", "s")
_RATES = {"bytes_per_second": "bytes/s", "items_per_second": "items/s"}
_AGGREGATE = re.compile(r"(.+)_(mean|median|stddev|cv|BigO|RMS)$")
_THREADS = re.compile(r"/threads:(\d{1,6})(?=/|_|$)", re.ASCII)
_SPREADS = ("stddev", "cv")
_OWN = frozenset(
    ("name", "family_index", "per_family_instance_index", "run_name", "run_type",
     "repetitions", "repetition_index", "threads", "iterations", "real_time", "cpu_time",
     "time_unit", "label", "aggregate_name", "aggregate_unit", "error_occurred",
     "error_message", "skipped", "skip_message", "big_o", "rms", "cpu_coefficient",
     "real_coefficient", "allocs_per_iter", "max_bytes_used", "total_allocated_bytes",
     "net_heap_growth")
)  # fmt: skip


def split_name(name: str) -> tuple[str, str]:
    """A name and the aggregate that its end says; '' where it says none."""
    match = _AGGREGATE.fullmatch(name)
    return (match[1], match[2]) if match else (name, "")


def results(entries: Iterable[Entry | Problem]) -> Iterator[Entry | Problem]:
    """With ``main`` and ``threads``; where runs are there without their aggregates."""
    entries = list(entries)
    told = [one.value for one in entries if isinstance(one, Entry)]
    read = [run for run in told if not _check(Test(run["step"], run))]
    measured = {run["step"] for run in read if not run["aggregate"]}
    medians = {run["step"] for run in read if run["aggregate"] == "median"}
    for entry in entries:
        if isinstance(entry, Problem):
            yield entry
            continue
        run = entry.value
        best = "median" if run["step"] in medians else "mean"
        superfluous = run["aggregate"] and run["step"] in measured
        if not superfluous or _check(Test(run["step"], run)):
            own = {"main": run["aggregate"] in ("", best), "threads": _threads(run)}
            yield Entry(entry.line, run | own)


def _runs(entries: Iterable[Entry]) -> Iterator[Entry]:
    """Results with ``step``, ``aggregate``, which of them, and ``counters``."""
    for entry in entries:
        said = dict_of(entry.value)
        full = text_of(said.get("name"))
        step, aggregate = text_of(said.get("run_name")) or full, ""
        if said.get("run_type") == "aggregate":
            aggregate = text_of(said.get("aggregate_name"))
        elif "run_type" not in said:  # before 1.4.1
            step, aggregate = split_name(full)
        fit = said.get("aggregate_name") in FITS or "big_o" in said
        if not fit and (aggregate not in FITS or _failure(said)):
            counters = {key: said[key] for key in said if key not in _OWN}
            own = {"step": step, "aggregate": aggregate, "counters": counters}
            yield Entry(entry.line, said | own)


def _failure(said: Said) -> str:
    """Why a benchmark has no figures: an error, or the program skipped it."""
    name = text_of(said.get("name"))
    if said.get("error_occurred"):
        return f"{name} failed: {text_of(said.get('error_message'))}"
    if said.get("skipped"):
        return f"{name} was skipped: {text_of(said.get('skip_message'))}"
    return ""


def _check(test: Test) -> str:
    real, unit = figure(test.said.get("real_time")), text_of(test.said.get("time_unit"))
    timed = real is not None and real >= 0 and unit in _UNITS
    whole = test.step and timed
    return _failure(test.said) or ("" if whole else f"{test.name}: no time and unit")


def _figures(test: Test) -> Iterator[Figure]:
    """``real_time``, ``cpu_time`` and counters of each repetition."""
    run = test.said
    aggregate, percentage = run["aggregate"], run.get("aggregate_unit") == "percentage"
    suffix = f"_{aggregate.lower()}" if aggregate else ""
    spread = aggregate in _SPREADS or percentage
    repetition = figure(run.get("repetition_index"))  # these count from 0
    trial = int(repetition) + 1 if repetition is not None and repetition >= 0 else None
    figures: dict[str, Any] = {name: run.get(name) for name in ("real_time", "cpu_time")}
    for name, value in {**figures, **run["counters"]}.items():
        counter, metric = name not in figures, text_of(name)
        unit = _RATES.get(metric, "") if counter else text_of(run["time_unit"])
        if metric and figure(value) is not None:
            yield Figure(metric_name(metric) + suffix, value,
                         "ratio" if percentage else unit,
                         "none" if spread else direction_of(unit),
                         main=run["main"] and name == "real_time", trial=trial,
                         signed=counter)  # fmt: skip


def _threads(run: Said) -> int:
    """Which old versions say in the name alone; 1 where nobody does."""
    named = _THREADS.search(run["step"])
    return clients_of(run.get("threads")) or (int(named[1]) if named else 1)


FORMAT = JsonFormat(
    keys=("benchmarks[].real_time", "benchmarks[].cpu_time", "benchmarks[].time_unit"),
    entries="benchmarks",
    prepared=lambda file, document: results(_runs(document.entries)),
    step=("step",),
    dims=lambda said: whole_texts(label=text_of(said.get("label"))),
    dop="threads",
    check=_check,
    figures=_figures,
    when=("context.date",),
)
recognises, read = FORMAT.recognises, FORMAT.read
