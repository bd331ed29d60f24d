"""What a tool's own output says of the steps of a run, as rows for the store.

A driver that runs a tool of the system leaves null what the tool counts, and names in an
`output` record the file of the folder that says it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pyarrow as pa

from benchbook.runs.driver_file import Records
from benchbook.runs.folder import Evidence, RunError
from benchbook.runs.records import Record
from benchbook.runs.samples import SAMPLES
from benchbook.store.db_bench import read_db_bench
from benchbook.store.said import read_said
from benchbook.store.sysbench import read_sysbench
from benchbook.store.tool_result import Output, ToolResult

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
        scripted = "script" in evidence.spec["dims"]
        said = Output(texts[name], name, evidence.run.path, records.run, scripted)
        try:
            result = TOOLS[form](said, steps)
        except ValueError as error:
            raise RunError(f"{name}, the output of step {step}: {error}") from None
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


TOOLS: dict[str, Reader] = {
    "db_bench": read_db_bench, "sysbench": read_sysbench, "said": read_said,
}  # fmt: skip
