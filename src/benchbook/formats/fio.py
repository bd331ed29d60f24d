"""fio's JSON (--output-format=json or json+), 2.x and 3.x: a job is a step.

For reads, writes and trims: ``read_iops``, ``read_bw``, ``read_lat_avg``, percentiles
of the completion latency, ``read_clat_p99``. fio 2 counts latencies in microseconds and
KB/s, fio 3 in nanoseconds and bytes/s; both stay as printed, in their units. Processes of
one job without --group_reporting are told apart by the dimension ``process``.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from benchbook.formats.json_file import (
    Entry,
    dict_of,
    figure,
    has_keys,
    read_json,
    text_of,
)
from benchbook.formats.parsed import Parsed, Problem, Row, TextFile
from benchbook.metric_names import metric_name

NAME = "fio"
ONCE = True

_DIRECTIONS = ("read", "write", "trim")
_OPTIONS = ("rw", "readwrite", "bs", "blocksize", "iodepth", "ioengine", "direct",
            "fsync", "fdatasync", "size", "rate_iops", "rwmixread")  # fmt: skip
_PERCENTILES = ("50.000000", "90.000000", "95.000000", "99.000000", "99.900000",
                "99.990000")  # fmt: skip
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)


def recognises(file: TextFile) -> bool:
    """Its version and jobs."""
    return has_keys(file, ("fio version", "jobs[].jobname"))


def read(file: TextFile) -> Parsed:
    """Rates and latencies of each job."""
    document = read_json(file, "jobs")
    if document.problem:
        return document.refused
    options = dict_of(document.frame.get("global options"))
    jobs = [dict_of(entry.value) for entry in document.entries]
    names = Counter(text_of(job.get("jobname")) for job in jobs)
    seen: Counter[str] = Counter()
    rows: list[Row] = []
    problems: list[Problem] = []
    for entry, job in zip(document.entries, jobs, strict=False):
        name = text_of(job.get("jobname"))
        seen[name] += 1
        process = str(seen[name]) if names[name] > 1 else ""
        if not name:
            problems.append(Problem(entry.line, "a job without a name"))
        elif figure(job.get("error")):
            problems.append(Problem(entry.line, f"job {name} failed: not read"))
        else:
            found = _rows(entry, job, options, process)
            rows += found
            if not found:
                problems.append(Problem(entry.line, f"job {name}: nothing was done"))
    if not rows and not problems:
        problems.append(Problem(0, "no job was run"))
    return Parsed(rows, problems=problems)


def _rows(
    entry: Entry, job: dict[str, Any], common: dict[str, Any], process: str
) -> list[Row]:
    options = {**common, **dict_of(job.get("job options"))}
    dims = {name: text_of(options[name]) for name in _OPTIONS if name in options}
    dims = {name: value for name, value in dims.items() if value}
    dims |= {"process": process} if process else {}
    jobs = _NUMBER.fullmatch(text_of(options.get("numjobs", "")))
    dop = int(jobs[0]) if jobs else 0
    done = [way for way in _DIRECTIONS if _busy(dict_of(job.get(way)))]
    rows: list[Row] = []
    for way in done:
        for metric, value, unit, direction in _figures(dict_of(job.get(way))):
            rows.append(Row(
                entry.line, text_of(job.get("jobname")), f"{way}_{metric}", value, unit,
                direction, main=metric == "iops" and way == done[0], dop=dop, dims=dims,
            ))  # fmt: skip
    return rows


def _busy(said: dict[str, Any]) -> bool:
    return bool(figure(said.get("iops"))) or bool(figure(said.get("io_bytes")))


def _figures(said: dict[str, Any]) -> list[tuple[str, float, str, str]]:
    """Metric, value, unit and direction of what was read or written."""
    rate, unit = ("bw_bytes", "bytes/s") if "bw_bytes" in said else ("bw", "KB/s")
    raw: list[tuple[str, object, str, str]] = [
        ("iops", said.get("iops"), "ops/s", "higher"),
        ("bw", said.get(rate), unit, "higher"),
        ("ios", said.get("total_ios"), "count", "none"),
    ]
    for kind in ("slat", "clat", "lat"):
        time_unit = "ns" if f"{kind}_ns" in said else "us"
        latency = dict_of(said.get(f"{kind}_ns", said.get(kind)))
        if not figure(latency.get("max")):
            continue
        raw.append((f"{kind}_avg", latency.get("mean"), time_unit, "lower"))
        raw.append((f"{kind}_max", latency.get("max"), time_unit, "lower"))
        percentiles = dict_of(latency.get("percentile"))
        for name in _PERCENTILES:
            metric = metric_name(f"{kind}_p{float(name):g}")
            raw.append((metric, percentiles.get(name), time_unit, "lower"))
    numbers = [(name, figure(value), unit, way) for name, value, unit, way in raw]
    return [(name, value, unit, way) for name, value, unit, way in numbers
            if value is not None and value >= 0]  # fmt: skip
