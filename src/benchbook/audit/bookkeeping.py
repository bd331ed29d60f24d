"""Runs against what they recorded of themselves: no run counted as what it is not."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd

from benchbook.audit.contradiction import Contradiction
from benchbook.commands.commands import DRIVER as COMMAND

Frames = Mapping[str, pd.DataFrame]
_SPEC = ("study", "machine", "machine_id", "driver", "engine", "version", "dop",
         "placement", "trial", "build_no", "load_no", "attempt", "arm",
         "tag")  # fmt: skip
_OF_RUN = ("machine", "machine_id", "engine", "version", "build", "config", "dop",
           "placement", "trial", "cell_id", "tag", "arm", "position",
           "block_size", "compiler", "flags")  # fmt: skip
_HOST = ("cpu_model", "cpus", "mem_kib")
_FRAMES = ("steps", "metric", "samples", "times", "hists", "instructions", "statements")
_RATES = {
    "qps": ("ops", 1), "tps": ("ops", 1), "ips": ("rows", 1), "dps": ("rows", 1),
    "scan_rows": ("rows", 1), "mbps": ("bytes", 1048576),
}  # fmt: skip
_CLOSE = 1e-6
_PIPE_NS = 100e6


def run_contradictions(frames: Frames) -> list[Contradiction]:
    """Runs that are not what their spec, folder, host or other frames say."""
    runs = frames.get("runs", pd.DataFrame())
    if runs.empty:
        return []
    contradictions = [c for row in runs.to_dict("records") for c in _of_run(row)]
    contradictions += _twice(runs)
    contradictions += _hosts(runs)
    contradictions += _begun(runs)
    if len(frames.get("steps", ())):
        contradictions += _made(runs, frames["steps"])
    for name in _FRAMES:
        if name in frames and len(frames[name]):
            contradictions += _other_frame(name, frames[name], runs)
    if len(frames.get("steps", ())) and len(frames.get("metric", ())):
        contradictions += _rates(frames["steps"], frames["metric"])
    if len(frames.get("times", ())) and len(frames.get("samples", ())):
        contradictions += _times(frames["times"], frames["samples"])
    return contradictions


def _of_run(run: Mapping[str, Any]) -> Iterator[Contradiction]:
    where = f"run {run['run_id']}"
    spec = _mapping(run.get("spec"))
    for key in _SPEC:
        if key in spec and key in run and not _equal(run[key], spec[key]):
            yield Contradiction(where, f"{key} {run[key]}", f"{spec[key]} in its spec")
    for key, value in _mapping(spec.get("dims")).items():
        if key in run and not _equal(run[key], value):
            yield Contradiction(where, f"{key} {run[key]}", f"{value} in its spec")
    name = str(run.get("folder", "")).rsplit("/", 1)[-1]
    begin = f"dop{run.get('dop')}.t{run.get('trial')}-"
    if name.startswith("dop") and not name.startswith(begin):
        yield Contradiction(where, f"dop and trial {begin[:-1]}", f"the folder {name}")
    parts = str(run.get("folder", "")).split("/")
    if len(parts) == 4 and parts[1] != str(run.get("machine")):
        yield Contradiction(
            where, f"machine {run['machine']}", f"the folder of {parts[1]}"
        )
    if run.get("status") != "ok" or bool(run.get("overridden")):
        state = "overridden" if run.get("status") == "ok" else str(run.get("status"))
        yield Contradiction(where, "a run that counts", f"one that is {state}")


def _twice(runs: pd.DataFrame) -> Iterator[Contradiction]:
    """One run per cell and trial; no run under two names."""
    keys = [c for c in ("study", "machine", "machine_id", "declared_id", "cell_id",
                        "trial") if c in runs]  # fmt: skip
    for names in (keys, ["run_id"], ["folder"]):
        counts = Counter(runs[names].astype(str).itertuples(index=False, name=None))
        for key, n in counts.items():
            if n > 1:
                yield Contradiction("runs", f"{' '.join(key)} {n} times", "one run")


def _hosts(runs: pd.DataFrame) -> Iterator[Contradiction]:
    """A machine has one id, one processor and one memory."""
    for machine, group in runs.groupby("machine_id", sort=False):
        for key in _HOST:
            values = Counter(str(_mapping(e).get(key, "")) for e in group["env"])
            values.pop("", None)
            if len(values) > 1:
                texts = " and ".join(f"{v} ({n} runs)" for v, n in values.most_common())
                yield Contradiction(f"machine {machine}", "one machine", f"{key} {texts}")
    for machine, group in runs.groupby("machine", sort=False):
        if len(set(group["machine_id"])) > 1:
            ids = ", ".join(sorted(set(group["machine_id"])))
            yield Contradiction(f"machine {machine}", "one machine", f"the ids {ids}")


def _other_frame(
    name: str, frame: pd.DataFrame, runs: pd.DataFrame
) -> Iterator[Contradiction]:
    strange = set(frame["run_id"]) - set(runs["run_id"])
    for run in sorted(strange):
        yield Contradiction(f"{name}", f"rows of run {run}", "no such run")
    if name in ("steps", "metric"):
        for run in sorted(set(runs["run_id"]) - set(frame["run_id"])):
            yield Contradiction(name, f"no row of run {run}", "a run that counts")
    columns = [c for c in _OF_RUN if c in frame.columns and c in runs.columns]
    own = frame[["run_id", *columns]].drop_duplicates()
    facts = runs.drop_duplicates("run_id").set_index("run_id")
    for row in own.to_dict("records"):
        if row["run_id"] not in facts.index:
            continue
        for column in columns:
            value = facts.at[row["run_id"], column]
            if column == "dop" and _has_fewer_clients(name, row, facts):
                continue
            if not _equal(row[column], value):
                where = f"{name} of run {row['run_id']}"
                yield Contradiction(where, f"{column} {row[column]}", f"{value}")


def _has_fewer_clients(name: str, row: Mapping[str, Any], facts: pd.DataFrame) -> bool:
    """Is it of a step that its driver gives fewer clients than the run has?

    db_bench gives some of its steps one, `sql` a load one for each table.
    """
    if name not in ("steps", "metric") or "driver" not in facts:
        return False
    driver, most = facts.loc[row["run_id"], ["driver", "dop"]]
    fewer = {"db_bench": [1], "sql": range(1, int(most))}
    return int(row["dop"]) in fewer.get(driver, [])


def _rates(steps: pd.DataFrame, metric: pd.DataFrame) -> Iterator[Contradiction]:
    """Each rate is its step's counter over its seconds; a command prints its own."""
    rates = metric[metric["metric"].isin(_RATES) & (metric["origin"] == "derived")]
    keys = ["run_id", "step", "seq", "op"]
    if not set(keys) <= set(steps.columns) or not set(keys) <= set(rates.columns):
        return
    counters = ["ops", "rows", "bytes", "elapsed_ns", "start_ns", "end_ns"]
    own = [*keys, *(c for c in (*counters, "driver") if c in steps.columns)]
    joined = rates[[*keys, "metric", "value"]].merge(steps[own], on=keys, how="left")
    for row in joined.to_dict("records"):
        if row.get("driver") == COMMAND:
            continue
        counter, per = _RATES[row["metric"]]
        elapsed = row["elapsed_ns"]
        where = f"{row['metric']} of {row['step']} of run {row['run_id']}"
        if pd.isna(elapsed):
            yield Contradiction(where, f"{row['value']:.6g}", "no such step")
        elif _is_off(elapsed, row):
            yield Contradiction(where, f"{elapsed:.0f} ns",
                                f"{row['end_ns'] - row['start_ns']:.0f} ns")  # fmt: skip
        else:
            rate = row[counter] / per / (elapsed / 1e9)
            if abs(rate - row["value"]) > _CLOSE * abs(rate):
                yield Contradiction(where, f"{row['value']:.6g}", f"{rate:.6g}")


def _times(times: pd.DataFrame, samples: pd.DataFrame) -> Iterator[Contradiction]:
    """The response times of a second are those of its operations."""
    keys = ["run_id", "step", "op"]
    counted = times.groupby([*keys, "second"])["count"].sum().reset_index()
    ops = samples.merge(counted[keys].drop_duplicates())[[*keys, "second", "ops"]]
    both = ops.merge(counted, on=[*keys, "second"], how="outer").fillna(0)
    for row in both[both["ops"] != both["count"]].to_dict("records"):
        where = f"times of {row['op']} of {row['step']} of run {row['run_id']}"
        second = f"at second {row['second']:.6g}"
        yield Contradiction(
            where, f"{row['count']:.0f} {second}", f"{row['ops']:.0f} operations"
        )


def _is_off(elapsed: float, row: Mapping[str, Any]) -> bool:
    """Is a step's time not that between its ends?

    db_bench tells its own, which lies inside what was timed around it, but for what the
    pipe takes to say that it begins.
    """
    span = row["end_ns"] - row["start_ns"]
    own = row.get("driver") == "db_bench"
    return bool(not 0 < elapsed <= span + _PIPE_NS if own else elapsed != span)


def _made(runs: pd.DataFrame, steps: pd.DataFrame) -> Iterator[Contradiction]:
    """A run has the steps that it declares, but for those that it says it left out."""
    there = steps.groupby("run_id")["step"].agg(set)
    for run in runs.to_dict("records"):
        spec = _mapping(run.get("spec"))
        declared = {step["step"] for step in spec.get("steps", ())}
        planned = declared - set(spec.get("left_out", ()))
        made = there.get(run["run_id"], set())
        if planned and made and made != planned:
            where = f"steps of run {run['run_id']}"
            texts = [", ".join(sorted(names)) for names in (made, planned)]
            yield Contradiction(where, texts[0], f"{texts[1]} in its spec")


def _begun(runs: pd.DataFrame) -> Iterator[Contradiction]:
    """A run begins when it says: within its folder's second."""
    for run in runs.to_dict("records"):
        stamp = str(run["folder"]).rsplit("-", 1)[-1]
        started = pd.Timestamp(run["started"])
        if len(stamp) < 15 or "T" not in stamp:
            continue
        named = pd.to_datetime(stamp.rstrip("Z"), format="%Y%m%dT%H%M%S.%f")
        if abs((started - named).total_seconds()) > 60:
            yield Contradiction(f"run {run['run_id']}", f"begun {started}", f"{named}")


def gap_contradictions(frames: Frames, planned: Mapping[str, int]) -> list[Contradiction]:
    """Planned runs that neither count nor are said to be missing.

    ``planned`` has the trials of each declared cell of the study.
    """
    runs, missing = frames.get("runs", pd.DataFrame()), frames.get("missing")
    if runs.empty or missing is None:
        return []
    contradictions = []
    for machine, group in runs.groupby("machine", sort=False):
        have = group[group["declared_id"].isin(planned)]
        expected = sum(planned.values())
        lost = int((missing["machine"] == machine).sum())
        if have.empty:
            continue
        distinct = len(have[["declared_id", "trial"]].drop_duplicates())
        if distinct + lost != expected:
            contradictions.append(Contradiction(
                f"runs of {machine}", f"{distinct} runs and {lost} missing",
                f"{expected} planned",
            ))  # fmt: skip
    return contradictions


def _mapping(value: Any) -> Mapping[str, Any]:
    if isinstance(value, str) and value.startswith("{"):
        return dict(json.loads(value))
    return value if isinstance(value, Mapping) else {}


def _equal(a: Any, b: Any) -> bool:
    texts = ["" if v is None or (np.isscalar(v) and pd.isna(v)) else str(v)
             for v in (a, b)]  # fmt: skip
    return texts[0] == texts[1] or texts[0].lower() == texts[1].lower()
