"""fio's JSON (--output-format=json or json+), 2.x and 3.x: a job is a step.

For reads, writes and trims: ``read_iops``, ``read_bw``, ``read_lat_avg``, percentiles
of the completion latency, ``read_clat_p99``. fio 2 counts latencies in microseconds and
KiB/s (which it calls KB/s), fio 3 in nanoseconds and bytes/s; both stay as printed.

Without group_reporting the file has the processes of one job (numjobs) one by one. They
are one test: rates are added, mean latencies weighted by operations. Percentiles can be
merged only where json+ has the histograms.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchformats.json_file import (
    Entry,
    dict_of,
    figure,
    figures,
    has_keys,
    read_json,
    text_of,
)
from benchformats.metric_names import metric_name
from benchformats.parsed import Parsed, Problem, Row, TextFile, dated

NAME = "fio"
VERSION = 2
ONCE = True

_DIRECTIONS = ("read", "write", "trim")
_OPTIONS = ("rw", "readwrite", "bs", "blocksize", "iodepth", "ioengine", "direct",
            "fsync", "fdatasync", "size", "rate_iops", "rwmixread")  # fmt: skip
_PERCENTILES = ("50.000000", "90.000000", "95.000000", "99.000000", "99.900000",
                "99.990000")  # fmt: skip
_NUMBER = re.compile(r"\d{1,9}", re.ASCII)
_ALONE = (
    "percentiles of a job's processes cannot be added: not read; fio has them with "
    "group_reporting or --output-format=json+"
)

_Object = Mapping[str, Any]
_Figure = tuple[str, float, str, str]  # metric, value, unit, direction


@dataclass
class _Job:
    """A job with its processes, as the file has them: one where fio has added them."""

    line: int
    name: str
    options: dict[str, Any]
    processes: list[_Object] = field(default_factory=list)

    @property
    def dims(self) -> dict[str, str]:
        """Options that tell one workload from another."""
        dims = {n: text_of(self.options[n]) for n in _OPTIONS if n in self.options}
        return {name: value for name, value in dims.items() if value}

    @property
    def dop(self) -> int:
        if len(self.processes) > 1:
            return len(self.processes)
        number = _NUMBER.fullmatch(text_of(self.options.get("numjobs", "")))
        return int(number[0]) if number else 0


def recognises(file: TextFile) -> bool:
    """Its version and jobs."""
    return has_keys(file, ("fio version", "jobs[].jobname"))


def read(file: TextFile) -> Parsed:
    """Rates and latencies of each job."""
    document = read_json(file, "jobs")
    if document.problem:
        return document.refused
    rows: list[Row] = []
    problems: list[Problem] = []
    first: dict[str, _Job] = {}
    alone = 0  # line of a job whose percentiles cannot be told
    for job in _jobs(document.entries, dict_of(document.frame.get("global options"))):
        before = first.setdefault(job.name, job)
        if not job.name:
            problems.append(Problem(job.line, "a job without a name"))
        elif any(figure(process.get("error")) for process in job.processes):
            problems.append(Problem(job.line, f"job {job.name} failed: not read"))
        elif not (found := _rows(job)):
            problems.append(Problem(job.line, f"job {job.name}: nothing was done"))
        else:
            rows += found
            if len(job.processes) > 1 and not any("_p" in row.metric for row in found):
                alone = alone or job.line
            if other := sorted(dict(job.dims.items() ^ before.dims.items())):
                what = f"job {job.name} stands there with other {', '.join(other)}"
                problems.append(Problem(job.line, f"{what}: another test"))
    if alone:
        problems.append(Problem(alone, _ALONE))
    if not rows and not problems:
        problems.append(Problem(0, "no job was run"))
    when = text_of(document.frame.get("timestamp"))
    told = sorted(problems, key=lambda problem: problem.line)
    return Parsed(dated(rows, when), problems=told)


def _jobs(entries: Iterable[Entry], common: _Object) -> Iterable[_Job]:
    """Jobs in the order of the file.

    Processes of one have its name, its options and its group: what fio ran at one time.
    """
    jobs: dict[tuple[str, ...], _Job] = {}
    for entry in entries:
        said = dict_of(entry.value)
        own = dict_of(said.get("job options"))
        name = text_of(said.get("jobname"))
        key = (name, json.dumps(own, sort_keys=True), text_of(said.get("groupid")))
        job = jobs.setdefault(key, _Job(entry.line, name, {**common, **own}))
        job.processes.append(said)
    return jobs.values()


def _rows(job: _Job) -> list[Row]:
    busy = {way: _busy(job, way) for way in _DIRECTIONS}
    done = [way for way in _DIRECTIONS if busy[way]]
    return [
        Row(job.line, job.name, f"{way}_{metric}", value, unit, direction,
            main=metric == "iops" and way == done[0], dop=job.dop, dims=job.dims)
        for way in done
        for metric, value, unit, direction in _figures(busy[way])
    ]  # fmt: skip


def _busy(job: _Job, way: str) -> list[_Object]:
    """What its processes say of one direction, of those that did anything."""
    said = [dict_of(process.get(way)) for process in job.processes]
    return [one for one in said if figure(one.get("iops")) or figure(one.get("io_bytes"))]


def _figures(said: Sequence[_Object]) -> list[_Figure]:
    """What was read or written, by one process or several together."""
    rate, unit = ("bw_bytes", "bytes/s") if "bw_bytes" in said[0] else ("bw", "KiB/s")
    ios = _numbers(said, "total_ios")
    raw: list[tuple[str, float | None, str, str]] = [
        ("iops", _sum(_numbers(said, "iops")), "ops/s", "higher"),
        ("bw", _sum(_numbers(said, rate)), unit, "higher"),
        ("ios", _sum(ios), "count", "none"),
    ]
    for kind in ("slat", "clat", "lat"):
        time_unit = "ns" if f"{kind}_ns" in said[0] else "us"
        latencies = _latencies(said, kind)
        longest = max(_numbers(latencies, "max"), default=0.0)
        if not longest:
            continue
        means = _numbers(latencies, "mean")
        raw.append((f"{kind}_avg", _mean(means, ios), time_unit, "lower"))
        raw.append((f"{kind}_max", longest, time_unit, "lower"))
        percentiles = _percentiles(latencies)
        for name in _PERCENTILES:
            metric = metric_name(f"{kind}_p{float(name):g}")
            raw.append((metric, percentiles.get(name), time_unit, "lower"))
    return [(name, value, unit, way) for name, value, unit, way in raw
            if value is not None and value >= 0]  # fmt: skip


def _latencies(said: Iterable[_Object], kind: str) -> list[_Object]:
    return [dict_of(one.get(f"{kind}_ns", one.get(kind))) for one in said]


def _numbers(said: Sequence[_Object], key: str) -> list[float]:
    """The number that each of them has; none where one of them has none."""
    numbers = figures([one.get(key) for one in said])
    known = [number for number in numbers if number is not None]
    return known if len(known) == len(said) else []


def _sum(numbers: Sequence[float]) -> float | None:
    return sum(numbers) if numbers else None


def _mean(means: Sequence[float], ios: Sequence[float]) -> float | None:
    if len(means) < 2:
        return means[0] if means else None
    if not ios or not sum(ios):
        return None
    return sum(m * n for m, n in zip(means, ios, strict=True)) / sum(ios)


def _percentiles(latencies: Sequence[_Object]) -> dict[str, float | None]:
    """Of one process as printed; of several from their histograms, as fio finds them."""
    said = [dict_of(one.get("percentile")) for one in latencies]
    if len(latencies) == 1:
        return {name: figure(said[0].get(name)) for name in _PERCENTILES}
    counts = _merged(latencies)
    found: dict[str, float | None] = {}
    for name in _PERCENTILES if counts else ():
        wanted, seen = float(name) / 100 * sum(counts.values()), 0.0
        for value in sorted(counts):
            seen += counts[value]
            if seen >= wanted:
                found[name] = float(value)
                break
    return found


def _merged(latencies: Sequence[_Object]) -> dict[int, float]:
    """How often each value was seen by all of them; none where one of them has no bins.

    fio 2 numbers its bins: what does not name values is left out.
    """
    counts: dict[int, float] = {}
    for one in latencies:
        bins = dict_of(one.get("bins"))
        if not bins or not all(key.isdecimal() for key in bins):
            return {}
        for key, count in bins.items():
            counts[int(key)] = counts.get(int(key), 0.0) + (figure(count) or 0.0)
    return counts
