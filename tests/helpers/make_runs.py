"""Write valid run folders for tests: evidence as `benchbook run` files it, unmeasured.

    make_run(raw, version="2", trial=3, steps=[("l.i0", "insert", 1000, 2.0)])

A step is (step, op, amount, seconds): amount is rows for insert, delete, index and scan,
queries for query, bytes for bytes. A step named twice has two ops; its first op is main.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import zstandard

Step = tuple[str, str, int, float]
Record = dict[str, Any]

START_NS = 1_000_000_000
PID = 123
ROWS_PER_COMMIT = 100
DEFAULT_STEPS: tuple[Step, ...] = (("l.i0", "insert", 1000, 2.0),)


def make_run(
    raw: Path,
    study: str = "s",
    machine: str = "m",
    engine: str = "null",
    version: str = "1",
    build: str = "gcc -O2",
    config: str = "none",
    dop: int = 1,
    trial: int = 1,
    steps: Sequence[Step] = DEFAULT_STEPS,
    dims: Mapping[str, str] | None = None,
    status: str = "ok",
    *,
    reason: str = "",
    machine_id: str = "",
    driver: str = "ingest",
    arm: str = "main",
    placement: str = "none",
    attempt: int = 1,
    position: int = 0,
    overridden: bool = False,
    started: str = "2026-11-21T01:44:10.000Z",
    tag: str = "",
    targets: Mapping[str, int] | None = None,
    hists: Mapping[str, Sequence[Sequence[int]]] | None = None,
    records: Sequence[Record] | None = None,
    clocks: Mapping[str, int | str] | None = None,
    outputs: Mapping[str, str | bytes] | None = None,
    compress: bool = False,
    session: str = "",
) -> Path:
    """One run folder under `raw`; returns its path.

    targets: rows per second asked for, by step. hists: [[index, count], ...] by "step/op"
    (clock actual) or "step/op/intended"; they count the ops of the step. records: the
    lines of driver.jsonl instead of the made ones. outputs: other files of the folder, by
    name; make_sidecars.py writes those of sidecars.
    clocks: mono_ns, real_ns and boot_id of the run record. session: of which it was an
    arm, with turns of 100 ms; make_turns.py writes the file.
    """
    spec = _spec(study, machine, engine, version, build, config, dop, trial, dims or {})
    names = [step[0] for step in steps]
    if records is not None:
        names = [r["step"] for r in records if r["kind"] == "step"]
    spec["steps"] = [{"step": name} for name in dict.fromkeys(names)]
    spec |= {"driver": driver, "arm": arm, "placement": placement, "attempt": attempt}
    spec |= {"position": position or trial, "overridden": overridden}
    spec |= {"session": session, "turn_ms": 100} if session else {}
    spec |= {"machine_id": machine_id or _hex(machine), "tag": tag or _tag(spec)}
    spec |= {"declared_id": _cell(spec, ("build", "config")), "cell_id": _cell(spec, ())}

    seconds = sum({step[0]: step[3] for step in steps}.values())
    start = datetime.fromisoformat(started)
    folder = _free_folder(raw / study / machine / spec["tag"], dop, trial, start)
    folder.mkdir(parents=True)
    lines = records
    if lines is None:
        lines = make_records(spec, steps, targets or {}, hists or {}, status, reason)
        lines = begun_at(lines, clocks or {})
    lines, began = _dated(lines, start)
    if lines and lines[0].get("pid") == PID:  # a process makes one run
        pid = int(_hex(folder.relative_to(raw).as_posix())[:13], 16)
        lines = [lines[0] | {"pid": pid}, *lines[1:]]

    files = {"spec.json": json.dumps(spec, indent=1).encode()}
    files |= {"env.json": json.dumps(_env(began, seconds, status), indent=1).encode()}
    files |= {"stderr.log": b"", **_driver_file(lines, compress)}
    for name, content in (outputs or {}).items():
        files[name] = content.encode() if isinstance(content, str) else content
    if config != "none":
        files["config"] = _config_text(config).encode()
    for name, content in files.items():
        (folder / name).write_bytes(content)
    write_manifest(folder, status, reason)
    return folder


def _dated(lines: Sequence[Record], start: datetime) -> tuple[list[Record], datetime]:
    """Wall clocks that count from the run's begin moved to it, and when it was."""
    real_ns = lines[0].get("real_ns", 0) if lines else 0
    if real_ns > 1000 * START_NS:
        return [*lines], datetime.fromtimestamp(real_ns / 1e9, UTC)
    later = round(start.timestamp() * 1e9)
    moved = [
        line | {"real_ns": line["real_ns"] + later} if "real_ns" in line else line
        for line in lines
    ]
    return moved, start


def make_records(
    spec: Mapping[str, Any],
    steps: Sequence[Step] = DEFAULT_STEPS,
    targets: Mapping[str, int] | None = None,
    hists: Mapping[str, Sequence[Sequence[int]]] | None = None,
    status: str = "ok",
    reason: str = "",
) -> list[Record]:
    """The lines of driver.jsonl: run, steps with their samples and hists, end."""
    names = list(dict.fromkeys(step[0] for step in steps))
    lines = [_run_record(spec)]
    starts: dict[str, int] = {}
    now = START_NS
    for step, op, amount, seconds in steps:
        first = step not in starts
        start = starts.setdefault(step, now)
        end = start + round(seconds * 1e9)
        now = max(now, end)
        target = (targets or {}).get(step, 0) if op in ("insert", "delete") else 0
        record = _step_record(step, op, amount, spec["dop"], start, end)
        record |= {"seq": names.index(step) + 1, "main": first}
        record |= _counted(hists or {}, step, op)
        lines.append(record | {"target_ops_per_s": target})
        lines += _sample_records(record)
        if first:
            lines.append({"kind": "size", "step": step, "bytes": 4096})
    lines += [_hist_record(name, counts) for name, counts in (hists or {}).items()]
    end_record = {"kind": "end", "status": status, "reason": reason, "boot_id": "boot"}
    return [*lines, end_record | {"mono_ns": now, "real_ns": now + 1}]


def begun_at(lines: Sequence[Record], clocks: Mapping[str, int | str]) -> list[Record]:
    """The same records of another boot or begin: all times move with the run's."""
    run = lines[0] | clocks
    later = run["mono_ns"] - lines[0]["mono_ns"]
    moved = [
        line | {k: line[k] + later for k in ("start_ns", "end_ns", "t_ns") if k in line}
        for line in lines
    ]
    took = lines[-1]["mono_ns"] - lines[0]["mono_ns"]
    times = {"mono_ns": run["mono_ns"] + took, "real_ns": run["real_ns"] + took}
    return [run, *moved[1:-1], lines[-1] | times | {"boot_id": run["boot_id"]}]


def write_manifest(folder: Path, status: str = "ok", reason: str = "") -> None:
    """The manifest over every file of the folder; again after a test edits one."""
    names = sorted(p.name for p in folder.iterdir() if p.name != "manifest.json")
    files = {name: _entry(folder / name) for name in names}
    manifest = {"schema": 1, "status": status, "reason": reason, "files": files}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))


def _spec(
    study: str,
    machine: str,
    engine: str,
    version: str,
    build: str,
    config: str,
    dop: int,
    trial: int,
    dims: Mapping[str, str],
) -> Record:
    compiler, _, flags = build.partition(" ")
    return {
        "schema": 1,
        "study": study,
        "machine": machine,
        "engine": engine,
        "version": version,
        "build": {
            "label": build,
            "digest": _hex(build),
            "compiler": compiler,
            "flags": flags,
            "revision": "",
        },
        "config": {"name": config, "digest": _config_digest(config)},
        "dop": dop,
        "cpus": "",
        "dims": dict(dims),
        "options": {},
        "build_no": 1,
        "load_no": 1,
        "trial": trial,
        "order": "abba",
        "seed": 42,
        "command": ["ingest", "--engine", engine, "--target", "{target}"],
    }


def _config_text(config: str) -> str:
    return f"# {config}\n"


def _config_digest(config: str) -> str:
    return "" if config == "none" else _hex(_config_text(config))


def _run_record(spec: Mapping[str, Any]) -> Record:
    return {
        "kind": "run",
        "schema": 1,
        "driver": spec["driver"],
        "engine": spec["engine"],
        "version": spec["version"],
        "compiler": spec["build"]["compiler"],
        "optimized": True,
        "assertions": False,
        "dop": spec["dop"],
        "seed": spec["seed"],
        "cpus": [0, 1],
        "pid": PID,
        "mono_ns": START_NS,
        "real_ns": START_NS + 1,
        "boot_id": "boot",
        "options": {"contend": "0"},
        "settings": {"journal_mode": "wal"},
    }


def _step_record(
    step: str, op: str, amount: int, dop: int, start_ns: int, end_ns: int
) -> Record:
    return {
        "kind": "step",
        "step": step,
        "op": op,
        "dop": dop,
        "start_ns": start_ns,
        "end_ns": end_ns,
        "ops": _ops(op, amount),
        "rows": 0 if op == "bytes" else amount,
        "errors": 0,
        "retries": 0,
        "bytes": amount if op == "bytes" else 0,
        "wait_ns": 0,
        "cpu_ns": (end_ns - start_ns) // 2,
    }


def _counted(hists: Mapping[str, Sequence[Sequence[int]]], step: str, op: str) -> Record:
    """The ops of a step as its hist counts them, where it has one."""
    counts = [hist for name, hist in hists.items() if name.startswith(f"{step}/{op}")]
    return {"ops": sum(count for _, count in counts[0])} if counts else {}


def _sample_records(step: Record) -> list[Record]:
    """One sample per whole second, a rest with the last; amounts spread evenly."""
    start_ns, end_ns, dop = step["start_ns"], step["end_ns"], step["dop"]
    count = max(1, (end_ns - start_ns) // 1_000_000_000)
    samples = []
    for i in range(count):
        begin_ns = start_ns + i * 1_000_000_000
        t_ns = end_ns if i + 1 == count else begin_ns + 1_000_000_000
        done = {
            key: step[key] * (i + 1) // count - step[key] * i // count
            for key in ("ops", "rows")
        }
        share = done["rows" if step["op"] in ("insert", "delete") else "ops"]
        clients = [share * (k + 1) // dop - share * k // dop for k in range(dop)]
        sample = {"kind": "sample", "step": step["step"], "op": step["op"]}
        sample |= {"t_ns": t_ns, "interval_ns": t_ns - begin_ns, **done}
        samples.append(sample | {"max_ns": 1000, "clients": clients})
    return samples


def _hist_record(name: str, counts: Sequence[Sequence[int]]) -> Record:
    step, op, *clock = name.split("/")
    record = {"kind": "hist", "step": step, "op": op, "unit": "ns", "sub_bits": 7}
    return record | {"clock": clock[0] if clock else "actual", "counts": counts}


def _ops(op: str, amount: int) -> int:
    if op in ("insert", "delete"):
        return max(1, amount // ROWS_PER_COMMIT)
    return amount if op in ("query", "transaction") else 1


def _env(start: datetime, seconds: float, status: str) -> Record:
    return {
        "started_utc": _utc(start),
        "ended_utc": _utc(start + timedelta(seconds=seconds)),
        "kernel": "6.1.0",
        "cpu_model": "test CPU",
        "cpus": 2,
        "microcode": "0x1",
        "mitigations": "",
        "governor": "",
        "thp": "madvise",
        "mem_kib": 4_000_000,
        "swap_kib": 0,
        "clock_ticks_per_s": 100,
        "cpus_allowed": "0-1",
        "before": {"load1": 0.1, "steal_ticks": 0, "probe": None},
        "after": {"load1": 0.2, "steal_ticks": 0, "probe": None},
        "exit_code": 0 if status == "ok" else 1,
    }


def _driver_file(lines: Sequence[Record], compress: bool) -> dict[str, bytes]:
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    if compress:
        return {"driver.jsonl.zst": zstandard.compress(text.encode())}
    return {"driver.jsonl": text.encode()}


def _free_folder(parent: Path, dop: int, trial: int, start: datetime) -> Path:
    """A name not taken yet: the next free millisecond from `start` on."""
    while True:
        stamp = start.strftime("%Y%m%dT%H%M%S") + f"{start.microsecond // 1000:03}Z"
        folder = parent / f"dop{dop}.t{trial}-{stamp}"
        if not folder.exists():
            return folder
        start += timedelta(milliseconds=1)


def _tag(spec: Mapping[str, Any]) -> str:
    parts = [f"{spec['engine']}{spec['version']}_{spec['build']['label']}"]
    parts += [spec["config"]["name"], spec["arm"], *spec["dims"].values()]
    return ".".join(parts).replace(" ", "_").replace("/", "_")


def _cell(spec: Mapping[str, Any], without: Sequence[str]) -> str:
    keys = ("driver", "engine", "version", "build", "config", "dop", "placement")
    keys += ("steps", "dims", "arm", "options")
    cell = {key: spec[key] for key in keys if key not in without}
    return _hex(json.dumps(cell, sort_keys=True))


def _entry(path: Path) -> dict[str, str | int]:
    content = path.read_bytes()
    return {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}


def _utc(time: datetime) -> str:
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _hex(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
