"""profile.jsonl: the captures of perf, and the samples and reports that they name.

Stacks are added up here: what is kept of a sample is its command, its frames and its
weight. Samples outside the slice of the step that was recorded are left out. Of a capture
of off-CPU time a sample weighs the nanoseconds until its thread came back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import duckdb
import numpy as np
import pyarrow as pa

from benchbook.runs.records import Record, parse
from benchbook.runs.samples import TOO_MUCH, most_bytes, open_lines
from benchbook.runs.sidecar_records import PROFILE, SidecarError, check_line
from benchbook.sql import first_line, statement
from benchformats.parsed import Parsed, Problem, TextFile
from benchformats.profilers import perf_report, perf_script

if TYPE_CHECKING:
    import pandas as pd

EVENT = "off-cpu"
BLOCKED, PREEMPTED, UNKNOWN = "blocked", "preempted", "unknown"
_NS = 1e9


def off_cpu(stacks: pd.DataFrame, switches: pd.DataFrame, end_ns: int) -> pd.DataFrame:
    """One row per time that a thread left the CPU, as ``benchmath.profiles`` takes them.

    ``stacks``: columns time_s [s, CLOCK_MONOTONIC], tid, frames, and what else is to be
    kept (comm, pid, kinds). ``switches``: time_s, tid, way ("in", "out", or "preempted":
    out, but able to run). ``end_ns``: the end of the slice on the same clock.

    Gives the rows of ``stacks`` with event "off-cpu", weight [ns off the CPU] and state:
    "blocked" (it waits for something), "preempted" (it could run, another one did), or
    "unknown" where the record was lost. Left out are those of which it is not known when
    the thread came back: it left once more before that, so a record was lost.
    """
    stacks = stacks.astype({"time_s": "float64", "tid": "int64"})
    switches = switches.astype({"time_s": "float64", "tid": "int64"})
    left = stacks.sort_values("time_s", kind="stable").reset_index(drop=True)
    left = left.assign(again_s=left.groupby("tid")["time_s"].shift(-1))
    back = _next(left, switches, ["in"], "back_s")
    out = _next(left, switches, ["out", "preempted"], "out_s", same_time=True)
    end_s = end_ns / _NS
    until = left["again_s"].fillna(np.inf)
    lost = (back["back_s"].fillna(np.inf) > until) & left["again_s"].notna()
    ends = back["back_s"].fillna(end_s).clip(upper=end_s)
    weight = ((ends - left["time_s"]) * _NS).round().clip(lower=0)
    recorded = out["out_s"] <= np.minimum(until, back["back_s"].fillna(np.inf))
    state = out["way"].map({"out": BLOCKED, "preempted": PREEMPTED}).where(recorded)
    blocked = left.drop(columns="again_s").assign(
        event=EVENT, weight=weight.astype("int64"), state=state.fillna(UNKNOWN)
    )
    return blocked[~lost].reset_index(drop=True)


def _next(
    left: pd.DataFrame, switches: pd.DataFrame, ways: list[str], name: str,
    same_time: bool = False,
) -> pd.DataFrame:  # fmt: skip
    """For each row of ``left`` the next switch of its thread: its time and its way."""
    chosen = switches[switches["way"].astype(str).isin(ways)]
    chosen = chosen[["time_s", "tid", "way"]].sort_values("time_s", kind="stable")
    chosen = chosen.assign(way=chosen["way"].astype(str), **{name: chosen["time_s"]})
    import pandas as pd  # slow to import: only where time off the CPU was recorded

    return pd.merge_asof(
        left[["time_s", "tid"]], chosen, on="time_s", by="tid", direction="forward",
        allow_exact_matches=same_time,
    )  # fmt: skip


FILE = "profile.jsonl"
KEPT = ("step", "tree", "event", "hz", "call_graph", "start_ns", "end_ns", "samples",
        "lost", "status", "reason")  # fmt: skip
Rows = dict[str, list[Record]]


def read_profiles(
    folder: Path, names: Collection[str], connection: duckdb.DuckDBPyConnection
) -> tuple[Rows, list[str]]:
    """Rows of profile, stack and leaf_report, and a sentence for each thing left out.

    ``names`` are the files of the folder. SidecarError names a line at fault of the list
    of captures; a damaged capture costs only itself.
    """
    rows: Rows = {"profile": [], "stack": [], "leaf_report": []}
    problems: list[str] = []
    for number, capture in _captures(read_text(folder / FILE)):
        rows["profile"].append({key: capture[key] for key in KEPT})
        of = {key: capture[key] for key in ("step", "tree", "event")}
        for key, table, read in (
            ("script", "stack", _stacks),
            ("report", "leaf_report", _leaves),
        ):
            name = capture.get(key, "")
            if not name or capture["status"] != "ok":
                continue
            try:
                if name not in names:
                    raise SidecarError(f"{FILE} line {number}: no file {name} here")
                of_capture, losses = read(folder / name, capture, connection)
            except SidecarError as error:
                problems.append(str(error))
                continue
            rows[table] += [of | row for row in of_capture]
            problems += sentences(name, losses)
    return rows, problems


def read_text(path: Path) -> TextFile:
    """A text file of a run folder, zstd taken off; SidecarError where it is damaged."""
    if path.suffix != ".zst":
        content = path.read_bytes()
    else:
        most = most_bytes(path)
        try:
            with open_lines(path) as file:
                content = file.read(most + 1)
        except OSError as error:
            raise SidecarError(f"{path.name} is damaged: {error}") from None
        if len(content) > most:
            raise SidecarError(f"{path.name}: {TOO_MUCH}")
    return TextFile(path.name.removesuffix(".zst"), content.decode(errors="replace"))


def _captures(file: TextFile) -> Iterator[tuple[int, Record]]:
    """The lines of the list; a last one that is cut is left out."""
    for number, line in enumerate(file.lines, 1):
        try:
            record = parse(line)
            check_line(record, PROFILE)
        except ValueError as error:
            if file.cut and number == len(file.lines):
                return
            raise SidecarError(f"{file.name} line {number}: {error}") from None
        yield number, record


def _stacks(
    path: Path, capture: Record, connection: duckdb.DuckDBPyConnection
) -> tuple[list[Record], list[Problem]]:
    """Stacks of a capture; of a script with several events each under its own name."""
    parsed = perf_script.read(read_text(path))
    samples = parsed.series.get(perf_script.SERIES)
    if samples is None:
        return [], parsed.problems
    if capture["event"] == EVENT:
        samples = _waits(path, parsed, capture["end_ns"])
    else:
        samples = samples.append_column("state", pa.array([""] * len(samples)))
    window = {key: capture[key] for key in ("start_ns", "end_ns")}
    rows = _added_up(path, samples, "sum_stacks", connection, window)
    if len({row["event"] for row in rows}) < 2:
        rows = [row | {"event": capture["event"]} for row in rows]
    return rows, parsed.problems


def _waits(path: Path, parsed: Parsed, end_ns: int) -> pa.Table:
    """Samples of threads that left the CPU, weighted by how long they were off it."""
    if perf_script.SWITCHES not in parsed.series:
        raise SidecarError(f"{path.name} has no switches: how long it was is not known")
    left, switches = (
        parsed.series[name].to_pandas()
        for name in (perf_script.SERIES, perf_script.SWITCHES)
    )
    return pa.Table.from_pandas(off_cpu(left, switches, end_ns), preserve_index=False)


def _leaves(
    path: Path, _: Record, connection: duckdb.DuckDBPyConnection
) -> tuple[list[Record], list[Problem]]:
    parsed = perf_report.read(read_text(path))
    table = parsed.series.get(perf_report.SERIES)
    if table is None:
        return [], parsed.problems
    return _added_up(path, table, "sum_leaves", connection, {}), parsed.problems


def _added_up(
    path: Path,
    table: pa.Table,
    how: str,
    connection: duckdb.DuckDBPyConnection,
    params: Record,
) -> list[Record]:
    connection.register("perf", table)
    try:
        sums = connection.execute(statement(how), params)
        names = [column[0] for column in sums.description]
        return [dict(zip(names, row, strict=True)) for row in sums.fetchall()]
    except duckdb.Error as error:
        raise SidecarError(f"{path.name} cannot be read: {first_line(error)}") from None
    finally:
        connection.unregister("perf")


def sentences(name: str, problems: list[Problem]) -> list[str]:
    """One sentence for all that is wrong with a file."""
    if not problems:
        return []
    first, more = problems[0], len(problems) - 1
    others = f" (and {more} more like it)" if more else ""
    return [f"{name} line {first.line}: {first.text}{others}"]
