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
from collections.abc import Iterator, Mapping, Sequence

from benchformats.json_file import Document, Entry, dict_of, figure, figures, text_of
from benchformats.json_format import Figure, JsonFormat, Said, Test, whole_texts
from benchformats.metric_names import metric_name
from benchformats.parsed import Parsed, TextFile
from benchformats.unlike import too_many_failed

NAME = "fio"
VERSION = 3
ONCE = True

_DIRECTIONS = ("read", "write", "trim")
_OPTIONS = ("rw", "readwrite", "bs", "blocksize", "iodepth", "ioengine", "direct",
            "fsync", "fdatasync", "size", "rate_iops", "rwmixread")  # fmt: skip
_PERCENTILES = ("50.000000", "90.000000", "95.000000", "99.000000", "99.900000",
                "99.990000")  # fmt: skip
_ALONE = (
    "percentiles of a job's processes cannot be added: not read; fio has them with "
    "group_reporting or --output-format=json+"
)


def read(file: TextFile) -> Parsed:
    """Rates and latencies of each job; what can be told of all of them is told once."""
    parsed = FORMAT.read(file)
    told = sorted(parsed.problems, key=lambda one: (one.line, one.text == _ALONE))
    first = next((one for one in told if one.text == _ALONE), None)
    problems = [one for one in told if one.text != _ALONE or one is first]
    return Parsed(parsed.rows, problems=problems)


def _jobs(file: TextFile, document: Document) -> Iterator[Entry]:
    """Jobs in the order of the file, each with its processes.

    Processes of one have its name, its options and its group: what fio ran at one time.
    """
    common = dict_of(document.frame.get("global options"))
    jobs: dict[tuple[str, ...], Entry] = {}
    for entry in document.entries:
        said = dict_of(entry.value)
        own = dict_of(said.get("job options"))
        name = text_of(said.get("jobname"))
        key = (name, json.dumps(own, sort_keys=True), text_of(said.get("groupid")))
        job = {"name": name, "options": {**common, **own}, "processes": []}
        jobs.setdefault(key, Entry(entry.line, job)).value["processes"].append(said)
    first: dict[str, Mapping[str, str]] = {}
    for entry in jobs.values():
        dims = _dims(entry.value)
        before = first.setdefault(entry.value["name"], dims)
        entry.value["other"] = sorted(dict(dims.items() ^ before.items()))
        entry.value["dop"] = _dop(entry.value)
        yield entry


def _dims(job: Said) -> dict[str, str]:
    """Options that tell one workload from another."""
    options = job["options"]
    return whole_texts(**{n: text_of(options[n]) for n in _OPTIONS if n in options})


def _dop(job: Said) -> int:
    if len(job["processes"]) > 1:
        return len(job["processes"])
    jobs = text_of(job["options"].get("numjobs", ""))
    return int(jobs) if jobs.isdecimal() and jobs.isascii() and len(jobs) < 10 else 0


def _check(test: Test) -> str:
    if not test.step:
        return "a job without a name"
    if any(figure(process.get("error")) for process in test.said["processes"]):
        return f"job {test.step} failed: not read"
    processes = test.said["processes"]
    ways = [dict_of(one.get(way)) for one in processes for way in _DIRECTIONS]
    if failure := too_many_failed(_total(processes, "total_err"),  # continue_on_error
                                  _total(ways, "total_ios")):  # fmt: skip
        return f"job {test.step}: {failure}: not read"
    return "" if _done(test.said) else f"job {test.step}: nothing was done"


def _total(said: Sequence[Said], key: str) -> float:
    return sum(figure(one.get(key)) or 0.0 for one in said)


def _figures(test: Test) -> Iterator[Figure | str]:
    done = _done(test.said)
    yield from done
    if len(test.said["processes"]) > 1 and not any("_p" in one.metric for one in done):
        yield _ALONE
    if other := ", ".join(test.said["other"]):
        yield f"job {test.step} stands there with other {other}: another test"


def _done(job: Said) -> list[Figure]:
    """What was read, written or trimmed, by one process or several together."""
    said = {way: [dict_of(one.get(way)) for one in job["processes"]]
            for way in _DIRECTIONS}  # fmt: skip
    busy = {
        way: [one for one in of_way if figure(one.get("iops")) or figure(
            one.get("io_bytes"))]
        for way, of_way in said.items()
    }  # fmt: skip
    done = [way for way in _DIRECTIONS if busy[way]]
    return [
        Figure(f"{way}_{metric}", value, unit, direction,
               main=metric == "iops" and way == done[0])
        for way in done
        for metric, value, unit, direction in _of_way(busy[way])
        if value is not None and value >= 0
    ]  # fmt: skip


def _of_way(said: Sequence[Said]) -> Iterator[tuple[str, float | None, str, str]]:
    rate, unit = ("bw_bytes", "bytes/s") if "bw_bytes" in said[0] else ("bw", "KiB/s")
    ios = _numbers(said, "total_ios")
    yield "iops", _sum(_numbers(said, "iops")), "ops/s", "higher"
    yield "bw", _sum(_numbers(said, rate)), unit, "higher"
    yield "ios", _sum(ios), "count", "none"
    for kind in ("slat", "clat", "lat"):
        time_unit = "ns" if f"{kind}_ns" in said[0] else "us"
        latencies = [dict_of(one.get(f"{kind}_ns", one.get(kind))) for one in said]
        longest = max(_numbers(latencies, "max"), default=0.0)
        if not longest:
            continue
        yield f"{kind}_avg", _mean(_numbers(latencies, "mean"), ios), time_unit, "lower"
        yield f"{kind}_max", longest, time_unit, "lower"
        percentiles = _percentiles(latencies)
        for name in _PERCENTILES:
            metric = metric_name(f"{kind}_p{float(name):g}")
            yield metric, percentiles.get(name), time_unit, "lower"


def _numbers(said: Sequence[Said], key: str) -> list[float]:
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


def _percentiles(latencies: Sequence[Said]) -> dict[str, float | None]:
    """Of one process as printed; of several from their histograms, as fio finds them."""
    if len(latencies) == 1:
        said = dict_of(latencies[0].get("percentile"))
        return {name: figure(said.get(name)) for name in _PERCENTILES}
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


def _merged(latencies: Sequence[Said]) -> dict[int, float]:
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


FORMAT = JsonFormat(
    keys=("fio version", "jobs[].jobname"),
    entries="jobs",
    prepared=_jobs,
    dims=_dims,
    dop="dop",
    check=_check,
    figures=_figures,
    empty="no job was run",
    when=("timestamp",),
)
recognises = FORMAT.recognises
