"""What db_bench's own output says of the steps of a run, as rows for the store.

They are files as RocksDB's benchmark scripts leave them, and what reads the archives
reads them: the output with results, histograms and compaction tables, the report of
operations per second, and the database's own LOG with its flushes and compactions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from benchbook.runs.records import Record
from benchbook.store.tool_result import Output, Row, ToolResult
from benchformats.agreement import Law, Span, broken, of_intervals, printed, spans
from benchformats.db_bench import rates
from benchformats.db_bench.agreement import UNITS
from benchformats.db_bench.dumps import Line
from benchformats.db_bench.jobs import Job, read_jobs
from benchformats.db_bench.log import TESTS, MicroResult, read_micro
from benchformats.db_bench.results import Histogram
from benchformats.db_bench.rows import places, rows
from benchformats.db_bench.runs import Dump, Run, runs_of
from benchformats.parsed import TextFile
from benchformats.unlike import SETTINGS
from benchmath.latency.buckets import bucket_lower, bucket_of, bucket_width

SUB_BITS = 7
WRITER = 0  # the thread that writes beside the others
# What the driver wrote down of a step, and what its output and report have of it.
LAWS = (
    Law("threads", "clients_of_the_step"),
    Law("elapsed_s", "seconds_of_the_step"),
    Law("ops + ops_of_writer", "operations_of_report"),
)
_LATER_S = 0.5  # by which the driver may see the beginning of a step too late
_REPORT = re.compile(r"--report_file=\S*?([^/\s]+)\.r\.csv(?:\s|$)")
_BATCH = re.compile(r"--batch_size=(\d+)")
# Figures that the store has of its own counters, under its own names; and what the
# study says.
_OURS = SETTINGS | {
    "ops_sec", "mb_sec", "usec_op", "elapsed_s", "ops", "p50", "p99", "p99_9", "pmax",
}  # fmt: skip
# Columns of the table lsm_level, by those of the compaction table.
LEVEL_COLUMNS = (
    "score", "read_gb", "rn_gb", "rnp1_gb", "write_gb", "wnew_gb", "moved_gb", "w_amp",
    "comp_sec", "compmergecpu_sec", "comp_cnt", "keyin", "keydrop",
)  # fmt: skip


def read_db_bench(output: Output, steps: Sequence[Record]) -> ToolResult | None:
    """Counters, samples, response times and the tree of one step.

    ValueError says what in them contradicts itself, or is not of this step.
    """
    [step] = steps
    if step["step"] in TESTS:
        return _calculation(output, step)
    lines = output.text.split("\n")
    runs, _ = runs_of(lines)
    run = next((run for run in runs if run.result), None)
    if run is None and step["op"] != "index":
        return None
    tree = {
        "lsm_level": [row for one in runs for row in _levels(output, step, one)],
        "lsm_job": _jobs(output, step),
    }
    report = _REPORT.search(lines[0])
    if report and report[1] != output.name:
        raise ValueError(f"it is the output that was to be in {report[1]}")
    if run is None:
        return ToolResult({}, tables=tree)
    counted = _counted(run, step, output.text)
    hists = [_hist(step, h) for h in run.histograms if not h.kind.startswith("level ")]
    pairs = _pairs(output)
    _check(step, run, counted, pairs)
    samples = list(_samples(step, run, counted, pairs))
    tree["tool_figure"] = list(_figures(output, step, run))
    return ToolResult({step["op"]: counted}, hists[:1], samples, tree)


def _calculation(output: Output, step: Record) -> ToolResult | None:
    found: dict[str, MicroResult] = {r.test: r for r in read_micro(output.text)}
    result = found.get(step["step"])
    if result is None:
        return None
    ops = result.ops if result.elapsed_ns is not None else None
    row = {"ops": ops, "bytes": result.bytes, "elapsed_ns": result.elapsed_ns}
    runs, _ = runs_of(output.text.split("\n"))
    of_test = (r for r in runs if r.result and r.result.name == step["step"])
    _check(step, next(of_test), row, [])
    return ToolResult({step["op"]: row})


def _counted(run: Run, step: Record, text: str) -> Row:
    """Releases before 7 print rates alone: their histogram has counted.

    Of a batch of keys it counts one, and their rate is of keys.
    """
    assert run.result
    figures = run.result.figures
    ops = figures.get("ops")
    if ops is None:
        values = sum(bucket[3] for h in run.histograms[:1] for bucket in h.buckets)
        batch = _BATCH.search(text) if run.result.name.startswith("multiread") else None
        ops = values * (int(batch[1]) if batch else 1) or None
    rate = figures.get("ops_sec")
    return {
        "ops": None if ops is None else int(ops),
        "rows": int(ops) if ops and step["op"] == "insert" else None,
        "elapsed_ns": round(ops / rate * 1e9) if ops and rate else None,
    }


def _pairs(output: Output) -> list[tuple[int, int]]:
    """Seconds since the beginning and operations since the last, of the report."""
    text = output.beside(".r.csv")
    series = rates.read(TextFile(f"{output.name}.r.csv", text)).series if text else {}
    rows = series[rates.NAME].to_pylist() if series else []
    return [(row["secs_elapsed"], row["interval_qps"]) for row in rows]


def _check(
    step: Record, run: Run, counted: Row, pairs: Sequence[tuple[int, int]]
) -> None:
    """Whether the output agrees with itself, the driver's record and the report."""
    assert run.result
    known = spans(run.result.figures, UNITS)
    elapsed = (counted["elapsed_ns"] or 0) / 1e9
    seconds = (step["end_ns"] - step["start_ns"]) / 1e9
    known["clients_of_the_step"] = printed(step["dop"])
    known["seconds_of_the_step"] = Span(0.0, seconds * 1.1 + _LATER_S)
    if run.threads:
        known["threads"] = printed(run.threads)
    if counted["ops"]:
        known["ops"] = printed(counted["ops"])
    within = [(end, ops) for end, ops in pairs if end <= elapsed]
    if within and elapsed:
        ends = [float(end) for end, _ in within]
        lengths = [end - begin for begin, end in pairwise((0.0, *ends))]
        means = [ops / s for (_, ops), s in zip(within, lengths, strict=True)]
        known["operations_of_report"] = of_intervals(ends, means, elapsed)
        is_beside = step["step"].endswith("whilewriting")
        known["ops_of_writer"] = Span(0.0, 2 * _writer_rate(run) * elapsed * is_beside)
    if contradiction := run.contradiction or broken(LAWS, known):
        raise ValueError(contradiction.text)


def _samples(
    step: Record, run: Run, counted: Row, pairs: Sequence[tuple[int, int]]
) -> Iterator[Row]:
    """A sample for each reported second; the last one is what they leave.

    The report counts every thread. A writer beside the clients keeps a rate, and what it
    did in a second is taken off: its mean over the step.
    """
    if not pairs or not counted["ops"] or not counted["elapsed_ns"]:
        return
    written = _writer_rate(run) if step["step"].endswith("whilewriting") else 0.0
    before, left = 0, counted["ops"]
    for seconds, reported in pairs:
        end = seconds * 10**9
        if not before < end < counted["elapsed_ns"]:
            break
        off = round(written * (end - before) / 1e9)
        ops = min(left, max(0, reported - off))
        yield _sample(step, before, end, ops)
        before, left = end, left - ops
    yield _sample(step, before, counted["elapsed_ns"], left)


def _writer_rate(run: Run) -> float:
    """Operations a second of the thread that writes; 0 before it has said any."""
    said = [one.figures for one in run.intervals if one.thread == WRITER]
    return said[-1][3] if said else 0.0


def _sample(step: Record, begin: int, end: int, ops: int) -> Row:
    return {
        "step": step["step"], "op": step["op"], "t_ns": step["start_ns"] + end,
        "interval_ns": end - begin, "ops": ops, "max_ns": 0,
        "rows": ops if step["op"] == "insert" else 0,
        "clients": [ops] if step["dop"] == 1 else [],
    }  # fmt: skip


def _hist(step: Record, histogram: Histogram) -> Row:
    """Its buckets cut into ours: values are taken to be spread evenly over each of its.

    RocksDB's own percentiles presume the same, between the least and the greatest value.
    """
    counts: Counter[int] = Counter()
    least, most = (histogram.figures[m][1] * 1e3 for m in ("pmin", "pmax"))
    for _, low, high, count, *_ in histogram.buckets:
        first, last = max(low * 1e3, least), min(high * 1e3, most)
        for bucket, part in _spread(round(first), round(max(last, first)), count):
            counts[bucket] += part
    return {
        "step": step["step"], "op": step["op"], "clock": "actual", "unit": "ns",
        "sub_bits": SUB_BITS, "counts": [list(pair) for pair in sorted(counts.items())],
    }  # fmt: skip


def _spread(first: int, last: int, count: int) -> Iterator[tuple[int, int]]:
    """``count`` values spread over first..last by buckets; no one is lost."""
    width, given = last - first, 0
    for bucket in range(bucket_of(first, SUB_BITS), bucket_of(last, SUB_BITS) + 1):
        end = bucket_lower(bucket, SUB_BITS) + bucket_width(bucket, SUB_BITS)
        upto = count if end > last or not width else count * (end - first) // width
        if upto > given:
            yield bucket, upto - given
        given = max(given, upto)


def _figures(output: Output, step: Record, run: Run) -> Iterator[Row]:
    """What the archives have of such a file, but for what is counted above."""
    [place] = places([run], step["step"])
    for row in rows(run, place):
        if row.metric in _OURS or "histogram" in row.dims:
            continue
        yield {
            "step": step["step"], "op": step["op"], "metric": row.metric,
            "clock": row.clock, "value": row.value, "unit": row.unit,
            "direction": row.direction, "file": output.name, "line": row.line,
        }  # fmt: skip


def _levels(output: Output, step: Record, run: Run) -> Iterator[Row]:
    """The compaction table of each dump of statistics, by level."""
    for number, dump in enumerate(run.dumps, 1):
        last = dump is run.dumps[-1]
        for table in dump.tables:
            if table.kind == "level" and table.family == "default":
                for line in table.lines:
                    if line.label != "Int":
                        said = {"dump": number, "final": last, "file": output.name}
                        yield {"step": step["step"], **said, **_level(dump, line)}


def _level(dump: Dump, line: Line) -> Row:
    columns = {name: line.values.get(name) for name in LEVEL_COLUMNS}
    return {
        "uptime_s": dump.facts.get("uptime", (0, None))[1],
        "level": line.label, "files": line.files, "compacting": line.compacting,
        "size_mb": line.size_mb, "line": line.line, **columns,
    }  # fmt: skip


def _jobs(output: Output, step: Record) -> list[Row]:
    text = output.beside(".LOG")
    if text is None:
        return []
    file = f"{output.name}.LOG"
    return [
        {"step": step["step"], "file": file} | _job(job, output)
        for job in read_jobs(text)
    ]


def _job(job: Job, output: Output) -> Row:
    def at(microseconds: int | None) -> int | None:
        return None if microseconds is None else output.mono_ns(microseconds * 1000)

    return {
        "job": job.number, "kind": job.kind, "start_ns": at(job.start_us),
        "end_ns": at(job.end_us), "level": job.level,
        "input_levels": list(job.input_levels), "files_in": job.files_in,
        "bytes_in": job.bytes_in, "files_out": job.files_out, "bytes_out": job.bytes_out,
        "records_in": job.records_in, "records_out": job.records_out,
        "cpu_ns": None if job.cpu_us is None else job.cpu_us * 1000,
        "reason": job.reason, "compression": job.compression,
        "lsm_state": list(job.lsm_state), "line": job.line,
    }  # fmt: skip
