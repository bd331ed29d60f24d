"""Rows for the tables of the store, from one verified run folder and its records."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa

from benchbook.runs.driver_file import Records
from benchbook.runs.folder import Evidence, RunError
from benchbook.runs.records import Record
from benchbook.runs.samples import samples_of
from benchbook.runs.turns import Turns
from benchbook.store.database import insert
from benchbook.store.tool_result import ToolResult
from benchbook.study.compilers import compiler_name
from benchmath.latency.buckets import percentile

_COMPILER = re.compile(r"\b(g?cc|clang)\b")
Row = dict[str, Any]
Rows = dict[str, list[Row]]  # table -> rows


COPIED = (
    "study", "machine", "machine_id", "driver", "engine", "version", "tag", "arm",
    "cell_id", "declared_id", "dop", "placement", "trial", "build_no", "load_no",
    "attempt", "overridden", "dims",
)  # fmt: skip


CLOCKS = ("pid", "mono_ns", "real_ns", "boot_id")  # of the run record: which run it is


def rows_of(
    evidence: Evidence,
    records: Records | None,
    results: Mapping[str, ToolResult] | None = None,
) -> Rows:
    """Rows by table, samples apart; a failed run has no records and one row in `run`.

    ``results`` is what a tool's own output says, by step.
    """
    run_id = {"run_id": evidence.run.run_id}
    run = run_id | _run_row(evidence)
    if records is None:
        return {"run": [run]}
    run |= {key: records.run[key] for key in CLOCKS}
    run["settings"] = json.dumps(records.run["settings"])
    run["is_server"] = records.run["options"].get("server") == "1"
    said = results or {}
    hists = [*records.hists, *(hist for one in said.values() for hist in one.hists)]
    tables: Rows = {}
    for one in said.values():
        for table, rows in one.tables.items():
            tables.setdefault(table, []).extend(run_id | row for row in rows)
    for row in _recall_rows(records.recalls):
        tables.setdefault("tool_figure", []).append(run_id | row)
    return tables | {
        "run": [run],
        "step": [run_id | _step_row(s, said) for s in records.steps],
        "hist": [run_id | _hist_row(h) for h in hists],
        "statement": [run_id | _statement_row(s) for s in records.statements],
        "size": [run_id | size for size in records.sizes],
        "step_use": [run_id | use for use in records.uses],
        "wait_state": [run_id | row for wait in records.waits for row in _states(wait)],
        "note": [run_id | note for note in records.notes],
        "instruction": [run_id | row for row in _instructions(evidence)],
    }


def check_compiler(spec: Mapping[str, Any], run: Record) -> None:
    """Refuse a run whose driver says that another compiler made it than spec.json does.

    An engine that is not built with the driver has a compiler of its own.
    """
    build, theirs = spec["build"], run["compiler"]
    is_ours = not build.get("source") and run["options"].get("server") != "1"
    if not is_ours or theirs == "unknown" or not _COMPILER.search(build["compiler"]):
        return
    if compiler_name(build["compiler"]) != theirs:
        raise RunError(
            f"spec.json says compiler {build['compiler']!r}, but the driver was made by "
            f"{theirs!r}: it was built elsewhere; measure it again"
        )


def _run_row(evidence: Evidence) -> Row:
    spec, env = evidence.spec, evidence.env
    started, ended = (utc.replace(tzinfo=None) for utc in times_of(env))
    return {key: spec[key] for key in COPIED} | {
        "planned": spec["position"],
        "session": spec.get("session", ""),
        "turn_ms": spec.get("turn_ms"),
        "build": spec["build"]["label"],
        "compiler": spec["build"]["compiler"],
        "flags": spec["build"]["flags"],
        "build_source": spec["build"].get("source", ""),
        "build_series": spec["build"].get("series", ""),
        "is_server": False,
        "config": spec["config"]["name"],
        "config_text": _config_text(evidence),
        "status": evidence.status,
        "reason": evidence.reason,
        "started": started,
        "elapsed_s": (ended - started).total_seconds(),
        "folder": evidence.run.folder,
        "env": json.dumps(env),
        "spec": json.dumps(spec),
        "manifest_sha256": evidence.run.sha256,
    }


def _config_text(evidence: Evidence) -> str:
    """The settings file as it was saved with the run; nothing where it had none."""
    file = evidence.run.path / "config"
    return file.read_text(encoding="utf-8", errors="replace") if file.is_file() else ""


def times_of(env: Mapping[str, Any]) -> tuple[datetime, datetime]:
    """When the run started and ended, in UTC."""
    return _utc(env["started_utc"], "started_utc"), _utc(env["ended_utc"], "ended_utc")


def _utc(text: str, key: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise RunError(f"env.json has {key} {text!r}, which is no time") from None
    return time.astimezone(UTC)


def _step_row(step: Record, results: Mapping[str, ToolResult]) -> Row:
    row = step | {"elapsed_ns": step["end_ns"] - step["start_ns"]}
    result = results.get(step["step"])
    return row | dict(result.counted.get(step["op"], {})) if result else row


def _states(wait: Record) -> list[Row]:
    """One row per state in which sessions were."""
    moment = {"step": wait["step"], "t_ns": wait["t_ns"]}
    return [moment | {"state": s, "sessions": n} for s, n in wait["sessions"].items()]


def _instructions(evidence: Evidence) -> list[Row]:
    """instructions.tsv, which the build of a program under test leaves beside it."""
    file = evidence.run.path / "instructions.tsv"
    if not file.is_file():
        return []
    lines = file.read_text(encoding="utf-8").splitlines()
    rows = []
    for number, line in enumerate(lines[1:], 2):
        try:
            function, kind, count = line.split("\t")
            row = {"function": function, "mnemonic_class": kind, "count": int(count)}
            rows.append(row)
        except ValueError:
            raise RunError(f"instructions.tsv:{number} is not three columns") from None
    return rows


def _hist_row(hist: Record) -> Row:
    pairs = np.array(hist["counts"], dtype=np.int64).reshape(-1, 2)
    return hist | {"buckets": pairs[:, 0], "counts": pairs[:, 1]}


def _statement_row(statement: Record) -> Row:
    """Its times as they are shown; the record keeps the counts."""
    counts = [(index, count) for index, count in statement["counts"]]
    bits, sent = statement["sub_bits"], statement["sent"]
    times = {
        name: percentile(counts, permille, bits) if sent else None
        for name, permille in (("p50_ns", 500), ("p95_ns", 950), ("p99_ns", 990))
    }
    return statement | times


def _recall_rows(recalls: Sequence[Record]) -> list[Row]:
    """Of each step that asked for the nearest, the share of them that it brought."""
    rows = []
    for step in dict.fromkeys(recall["step"] for recall in recalls):
        of_step = [recall for recall in recalls if recall["step"] == step]
        asked = sum(recall["asked"] for recall in of_step)
        if asked:
            found = sum(recall["found"] for recall in of_step)
            rows.append(
                {"step": step, "op": "query", "metric": "recall", "clock": "",
                 "value": found / asked, "unit": "ratio", "direction": "higher",
                 "file": "driver.jsonl", "line": 0}
            )  # fmt: skip
    return rows


ROWS = 2**19  # that are inserted at a time: of fewer, more is written twice
Driver = tuple[int, Path, list[pa.Table] | None]  # run_no, its file, its samples if kept


def insert_turns(
    connection: duckdb.DuckDBPyConnection, turns: Mapping[str, Turns]
) -> None:
    """Append the turns of runs, by run_id."""
    tables = []
    for run_id, one in turns.items():
        table = one.table
        for name, value in (
            ("run_id", run_id), ("arm", one.session["arm"]),
            ("frozen", one.session["frozen"]), ("quiet", one.session.get("quiet")),
        ):  # fmt: skip
            typed = pa.scalar(value, pa.int64()) if value is None else pa.scalar(value)
            column = pa.repeat(typed, table.num_rows)
            table = table.append_column(name, column)
        tables.append(table)
    if tables:
        insert(connection, "turn", pa.concat_tables(tables))


def insert_samples(
    connection: duckdb.DuckDBPyConnection, drivers: Sequence[Driver]
) -> None:
    """Append the samples of files that have been checked, in their order.

    Those that were not kept never lie all in memory.
    """
    held: list[pa.Table] = []
    for run_no, file, tables in drivers:
        for table in samples_of(file) if tables is None else tables:
            runs = pa.repeat(pa.scalar(run_no, pa.int32()), table.num_rows)
            held.append(table.append_column("run_no", runs))
            if sum(table.num_rows for table in held) >= ROWS:
                insert(connection, "sample", pa.concat_tables(held))
                held = []
    if held:
        insert(connection, "sample", pa.concat_tables(held))
