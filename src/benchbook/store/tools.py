"""What a tool's own output says of the steps of a run, as rows for the store.

A driver that runs a tool of the system leaves null what the tool counts, and names in an
`output` record the file of the folder that says it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import pyarrow as pa

from benchbook.analysis.latency.histogram import bucket_of
from benchbook.formats.sysbench.result import SysbenchResult, read_result
from benchbook.runs.driver_file import Records
from benchbook.runs.folder import Evidence, RunError
from benchbook.runs.records import Record
from benchbook.runs.samples import SAMPLES
from benchbook.store.db_bench import read_db_bench
from benchbook.store.tool_result import Output, Row, ToolResult

SUB_BITS = 7
_WHOLE_INTERVAL = 0.5  # of one second: what is left of less belongs to the last line


Steps = Sequence[Record]  # the records of a step, one for each op
Reader = Callable[[Output, Steps], ToolResult | None]  # None: nothing of it is there


def tool_results(evidence: Evidence, records: Records) -> dict[str, ToolResult]:
    """What the tool's own output says of each step that names one."""
    texts: dict[str, str] = {}
    results = {}
    for output in records.outputs:
        name, step, form = output["file"], output["step"], output["format"]
        if form not in TOOLS:
            raise RunError(f"{name} has the unknown format {form!r}")
        if name not in texts:
            texts[name] = _text(evidence, name)
        steps = [record for record in records.steps if record["step"] == step]
        said = Output(texts[name], name, evidence.run.path, records.run)
        result = TOOLS[form](said, steps)
        if result is None:
            raise RunError(f"{name} has no result of step {step}")
        if any(row["ops"] is None for row in result.counted.values()):
            raise RunError(f"{name} has rates but no counters for step {step}")
        results[step] = result
    for record in records.steps:
        result = results.get(record["step"])
        if record["ops"] is None and not (result and record["op"] in result.counted):
            raise RunError(f"step {record['step']} has neither counters nor an output")
    return results


def sampled_by_tools(results: Mapping[str, ToolResult]) -> list[pa.Table]:
    """The samples that tools printed: a table, or none where there are none."""
    rows = [row for result in results.values() for row in result.samples]
    return [pa.Table.from_pylist(rows, SAMPLES)] if rows else []


def _text(evidence: Evidence, name: str) -> str:
    if "/" in name or not (evidence.run.path / name).is_file():
        raise RunError(f"{name} is not a file of the folder")
    return (evidence.run.path / name).read_text(encoding="utf-8", errors="replace")


def _of_sysbench(output: Output, steps: Steps) -> ToolResult | None:
    """Its histogram counts events: it is that of the op which does."""
    result = read_result(output.text)
    if result is None:
        return None
    amounts = {"query": result.queries, "scan": result.queries}
    amounts["transaction"] = result.events
    counted = {
        step["op"]: {"ops": amounts[step["op"]], "retries": result.retries}
        for step in steps
        if step["op"] in amounts
    }
    by_op = {step["op"]: step for step in steps}
    events = by_op.get("transaction") or steps[0]
    hists = [_hist(events, result)] if result.histogram else []
    samples = [row for step in steps for row in _samples(step, result)]
    return ToolResult(counted, hists, samples)


TOOLS: dict[str, Reader] = {"db_bench": read_db_bench, "sysbench": _of_sysbench}


def _hist(step: Record, result: SysbenchResult) -> Row:
    counts: Counter[int] = Counter()
    for milliseconds, count in result.histogram:
        counts[bucket_of(round(milliseconds * 1e6), SUB_BITS)] += count
    limited = step["target_ops_per_s"] > 0
    return {
        "step": step["step"], "op": step["op"], "unit": "ns", "sub_bits": SUB_BITS,
        "clock": "intended" if limited else "actual",
        "counts": [list(pair) for pair in sorted(counts.items())],
    }  # fmt: skip


def _samples(step: Record, result: SysbenchResult) -> Iterator[Row]:
    """A sample for each interval line; what they leave of the step is its last one.

    sysbench 1.0 loses the line of the last second in some runs, and prints none of the
    moment after it. Rates are of seconds that are a little longer than one.
    """
    is_event = step["op"] == "transaction"
    ops = result.events if is_event else result.queries
    elapsed_ns = step["end_ns"] - step["start_ns"]
    counted = [
        (line.second * 10**9, round(line.tps if is_event else line.qps))
        for line in result.intervals
        if line.second * 10**9 < elapsed_ns
    ]
    if counted and elapsed_ns - counted[-1][0] < _WHOLE_INTERVAL * 10**9:
        counted.pop()
    left = max(0, ops - sum(amount for _, amount in counted))
    before = 0
    for end, amount in (*counted, (elapsed_ns, left)):
        yield {
            "step": step["step"], "op": step["op"], "t_ns": step["start_ns"] + end,
            "interval_ns": end - before, "ops": amount, "rows": 0, "max_ns": 0,
            "clients": [amount] if step["dop"] == 1 else [],
        }  # fmt: skip
        before = end
