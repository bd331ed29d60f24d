"""What sysbench's own output says of the steps of a run, as rows for the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from benchbook.runs.records import Record
from benchbook.store.tool_result import Output, Row, ToolResult
from benchformats.agreement import Law, broken, printed
from benchformats.sysbench.result import SysbenchResult, read_result
from benchmath.latency.buckets import bucket_of

SUB_BITS = 7
_WHOLE_INTERVAL = 0.5  # of one second: what is left of less belongs to the last line
# What the driver wrote down of a step, and what its output has of it. The driver takes a
# step's end from the printed seconds; of a scan, which is one event, from the longest.
LAWS = (
    Law("threads", "clients_of_the_step"),
    Law("total_time_s", "seconds_of_the_step"),
)
# Which script runs the steps whose names begin so, the first that fits.
SCRIPTS = (
    ("points-", "points"), ("random-points", "points"), ("hot-points", "points"),
    ("point-query", "point"), ("range-", "range"), ("read-only-count", "range"),
    ("read-only", "transaction"), ("read-write", "transaction"),
    ("write-only", "transaction"), ("update-", "update"), ("scan", "scan"),
    ("delete", "delete"), ("insert", "insert"),
)  # fmt: skip


def read_sysbench(output: Output, steps: Sequence[Record]) -> ToolResult | None:
    """Its histogram counts events: it is that of the op which does.

    ValueError says what in it contradicts itself, or is not of this step.
    """
    result = read_result(output.text)
    if result is None:
        return None
    _check(result, steps[0], output.scripted)
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


def _check(result: SysbenchResult, step: Record, scripted: bool) -> None:
    """Whether the output is of that step, by what the driver wrote down of it."""
    seconds = result.elapsed_s
    if step["op"] == "scan" and result.longest_ms is not None:
        seconds = result.longest_ms / 1000
    said = {"threads": result.dop, "total_time_s": seconds}
    known = {name: printed(n, 1e-4 * (n != result.dop)) for name, n in said.items() if n}
    known["clients_of_the_step"] = printed(step["dop"])
    known["seconds_of_the_step"] = printed((step["end_ns"] - step["start_ns"]) / 1e9)
    if contradiction := broken(LAWS, known):
        raise ValueError(contradiction.text)
    script = result.command.script
    of_step = next((s for name, s in SCRIPTS if step["step"].startswith(name)), "")
    if script and of_step and not scripted and script != of_step:
        raise ValueError(f"it is of the script {script}.lua, the step runs {of_step}.lua")
    size = result.command.options.get("range")
    if size and not scripted and not step["step"].endswith(f".range{size}"):
        raise ValueError(f"it is of a range of {size}")


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
