"""How many records that cannot have been are believed, when the manifest is made anew?

Small runs of each driver are measured. Then a record is changed so that it contradicts
others of its run, what was asked for, or its machine, and the manifest is written again,
as by somebody who wants it believed: `load` has only the records to tell by.

    python tests/benchmarks/impossible_records.py
"""

# ruff: noqa: E402, T201
from __future__ import annotations

import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

sys.path[:0] = [
    str(Path(__file__).parents[1]),
    str(Path(__file__).parents[1] / "helpers"),
]
from make_runs import write_manifest

from benchbook.runs.folder import find_runs
from benchmarks.mutations import measured, rows_of_run
from benchmath.errors import UserError

Record = dict[str, Any]
Lines = list[Record]
FAR = 10**15  # ns: 11 days
MOST = 2**63 - 1
ABSENT = "nowhere"
NEEDED = (
    "driver.jsonl.zst", "turns.jsonl.zst", "spec.json", "env.json", "config", "workload",
    "benchmark_fillseq.t1.log", "benchmark_readrandom.t1.log",
)  # fmt: skip


def times(key: str, by: int) -> Callable[[Record], object]:
    return lambda record: record.update({key: record[key] * by})


def more(key: str, by: int = 1) -> Callable[[Record], object]:
    return lambda record: record.update({key: record[key] + by})


def becomes(**values: Any) -> Callable[[Record], object]:
    return lambda record: record.update(values)


def counted(record: Record) -> None:
    """The first bucket of a histogram counts one more."""
    key = "times" if "times" in record else "counts"
    first, *others = record[key]
    record[key] = [[first[0], first[1] + 1], *others]


# of the first record of a kind that has the key: what it is changed to
DRIVER: dict[str, dict[str, tuple[str, Callable[[Record], object]]]] = {
    "step": {
        "ten times the ops": ("ops", times("ops", 10)),
        "one op more": ("ops", more("ops")),
        "a thousand times the rows": ("rows", times("rows", 1000)),
        "more bytes than there is time for": ("bytes", becomes(bytes=MOST)),
        "all in errors": ("ops", lambda r: r.update(errors=(r["ops"] or 0) + 1)),
        "in no time": ("end_ns", lambda r: r.update(end_ns=r["start_ns"])),
        "ended before it began": ("end_ns", lambda r: r.update(end_ns=r["start_ns"] - 1)),
        "ended long after the run": ("end_ns", more("end_ns", FAR)),
        "began before the run": ("start_ns", more("start_ns", -FAR)),
        "of seven clients": ("dop", becomes(dop=7)),
        "of more CPU than there is": ("cpu_ns", becomes(cpu_ns=FAR)),
        "waited longer than it took": ("wait_ns", becomes(wait_ns=FAR)),
        "with another number": ("seq", more("seq", 7)),
        "of another name": ("step", becomes(step=ABSENT)),
        "of another op": ("op", becomes(op="scan")),
        "not the main one": ("main", becomes(main=False)),
    },
    "sample": {
        "of more ops": ("ops", more("ops")),
        "of more rows": ("rows", more("rows")),
        "of no length": ("interval_ns", becomes(interval_ns=0)),
        "of twice its length": ("interval_ns", times("interval_ns", 2)),
        "later": ("t_ns", more("t_ns", FAR)),
        "with a response of eleven days": ("max_ns", becomes(max_ns=FAR)),
        "of more clients": ("clients", lambda r: r["clients"].append(5)),
        "of clients that did nothing": ("clients", becomes(clients=[0])),
        "of more response times": ("times", counted),
        "of another step": ("step", becomes(step=ABSENT)),
        "of another op": ("op", becomes(op="scan")),
    },
    "hist": {
        "of one more": ("counts", counted),
        "of times that nobody had": ("counts", becomes(counts=[[5000, 1]])),
        "of another step": ("step", becomes(step=ABSENT)),
        "of another op": ("op", becomes(op="scan")),
    },
    "size": {
        "of an exabyte": ("bytes", becomes(bytes=MOST)),
        "of another step": ("step", becomes(step=ABSENT)),
    },
    "use": {
        "of more of the client's CPU": ("client_cpu_ns", becomes(client_cpu_ns=FAR)),
        "of more of the server's CPU": ("server_cpu_ns", becomes(server_cpu_ns=FAR)),
        "of more of the machine's CPU": (
            "machine_busy_ns", becomes(machine_busy_ns=FAR),
        ),
        "of more written than there is time for": (
            "written_bytes", becomes(written_bytes=MOST),
        ),
        "of another step": ("step", becomes(step=ABSENT)),
    },
    "statement": {
        "sent once more": ("sent", more("sent")),
        "of longer times": ("total_ns", becomes(total_ns=FAR)),
        "of a slower one": ("max_ns", becomes(max_ns=FAR)),
        "of one more time": ("counts", counted),
        "of another step": ("step", becomes(step=ABSENT)),
    },
    "note": {"of another step": ("step", becomes(step=ABSENT))},
    "output": {
        "of another file": ("file", becomes(file=ABSENT)),
        "of another step": ("step", becomes(step=ABSENT)),
    },
    "run": {
        "of seven clients": ("dop", becomes(dop=7)),
        "of another seed": ("seed", more("seed")),
        "of another engine": ("engine", becomes(engine="null")),
        "of another driver": ("driver", becomes(driver="redis")),
        "of another version": ("version", becomes(version="99.9")),
        "of another boot": ("boot_id", becomes(boot_id="another")),
        "of no boot": ("boot_id", becomes(boot_id="")),
        "of CPUs that are not there": ("cpus", becomes(cpus=[512])),
        "of 1970": ("real_ns", becomes(real_ns=FAR)),
        "with assertions": ("assertions", becomes(assertions=True)),
        "not optimized": ("optimized", becomes(optimized=False)),
        "with another option": (
            "options",
            lambda r: r["options"].update({k: "9" for k in list(r["options"])[-1:]}),
        ),
    },
    "end": {
        "of more lines": ("lines", more("lines")),
        "that failed": ("status", becomes(status="failed", reason="it did")),
        "of another boot": ("boot_id", becomes(boot_id="another")),
        "before the run": ("mono_ns", more("mono_ns", -FAR)),
        "with the wall clock set back": ("real_ns", more("real_ns", -FAR)),
    },
}  # fmt: skip
TURNS: dict[str, dict[str, tuple[str, Callable[[Record], object]]]] = {
    "turn": {
        "of more ops": ("ops", more("ops")),
        "of more rows": ("rows", more("rows")),
        "longer than there was": ("active_ns", becomes(active_ns=FAR)),
        "of more of the client's CPU": ("client_cpu_ns", becomes(client_cpu_ns=FAR)),
        "of more of the server's CPU": ("server_cpu_ns", becomes(server_cpu_ns=FAR)),
        "of more of the machine's CPU": ("machine_cpu_ns", becomes(machine_cpu_ns=FAR)),
        "of more stolen": ("steal_ns", becomes(steal_ns=FAR)),
        "of more of others": ("others_ns", becomes(others_ns=FAR)),
        "begun long before": ("begin_ns", more("begin_ns", -FAR)),
        "of another step": ("step", becomes(step=ABSENT)),
        "of another round": ("round", more("round", 900)),
        "in a place that is not there": ("place", becomes(place=9)),
    },
    "session": {
        "of an arm that is not there": ("arm", becomes(arm=9)),
        "of seven arms": ("arms", becomes(arms=7)),
        "of turns of an hour": ("turn_ms", becomes(turn_ms=3_600_000)),
    },
}
SAMPLER: dict[str, dict[str, tuple[str, Callable[[Record], object]]]] = {
    "sampler": {
        "of another boot": ("boot_id", becomes(boot_id="another")),
        "of more CPUs": ("cpus", becomes(cpus=512)),
        "of 1970": ("real_ns", becomes(real_ns=FAR)),
        "begun long after": ("mono_ns", more("mono_ns", FAR)),
    },
    "os": {
        "long before": ("t_ns", more("t_ns", -FAR)),
        "of more CPU than there is": (
            "cpu_ns", lambda r: r.update(cpu_ns=[FAR * 9] * len(r["cpu_ns"])),
        ),
    },
    "end": {
        "of more samples": ("samples", more("samples", 9)),
        "of another boot": ("boot_id", becomes(boot_id="another")),
        "before it began": ("mono_ns", more("mono_ns", -FAR)),
    },
}  # fmt: skip
SPEC: dict[str, Callable[[Record], object]] = {
    "of another study": becomes(study="another"),
    "of another machine": becomes(machine="another"),
    "of another machine id": becomes(machine_id="0123456789abcdef"),
    "of another driver": becomes(driver="null"),
    "of another engine": becomes(engine="null"),
    "of another version": becomes(version="99.9"),
    "of another build": lambda r: r["build"].update(digest="0123456789abcdef"),
    "of another compiler": lambda r: r["build"].update(compiler="clang 99"),
    "of other settings": lambda r: r["config"].update(digest="0123456789abcdef"),
    "of another dop": becomes(dop=7),
    "of another placement": becomes(placement="split"),
    "of another trial": more("trial", 7),
    "of another seed": more("seed", 7),
    "of another arm": becomes(arm="another"),
    "of another dimension": lambda r: r["dims"].update(indexes="7"),
    "of another option": lambda r: r["options"].update(table_size="77"),
    "of one more step": lambda r: r["steps"].append({"step": ABSENT}),
    "of no steps": becomes(steps=[]),
    "of another cell": becomes(cell_id="0123456789abcdef"),
    "declared otherwise": lambda r: r["declared"].update(dop=7),
}
ENV: dict[str, Callable[[Record], object]] = {
    "killed": becomes(exit_code=139),
    "of another machine id": becomes(machine_id="0123456789abcdef"),
    "of no CPU": becomes(cpus=0),
    "of 1970": becomes(started_utc="1970-01-01T00:00:00.000Z"),
    "ended before it began": becomes(ended_utc="2001-01-01T00:00:00.000Z"),
}


def lines_of(path: Path) -> Lines:
    unpacked = pa.input_stream(str(path), compression="zstd").read()
    return [json.loads(line) for line in unpacked.splitlines()]


def write_lines(path: Path, lines: Lines) -> None:
    text = "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)
    with pa.output_stream(str(path), compression="zstd") as out:
        out.write(text.encode())


def record_changes(
    path: Path, table: dict[str, dict[str, tuple[str, Callable[[Record], object]]]]
) -> Iterator[str]:
    """Each change of each kind's records: of the first that has it, then of the last."""
    lines = lines_of(path)
    for kind, changes in table.items():
        for name, (key, change) in changes.items():
            at = [i for i, r in enumerate(lines) if r["kind"] == kind and r.get(key)
                  not in (None, [])]  # fmt: skip
            for place in sorted({*at[:1], *at[-1:]}):
                changed = json.loads(json.dumps(lines))
                change(changed[place])
                if changed != lines:
                    write_lines(path, changed)
                    yield f"{kind} {name}"
    for kind in sorted({r["kind"] for r in lines}):
        first = next(i for i, r in enumerate(lines) if r["kind"] == kind)
        write_lines(path, [*lines[: first + 1], lines[first], *lines[first + 1 :]])
        yield f"{kind} twice"
        if table is SAMPLER and kind in ("os", "end"):
            continue  # one that was killed lacks them
        write_lines(path, lines[:first] + lines[first + 1 :])
        yield f"{kind} left out"
        if kind != "machine":  # of which older turns tell nothing
            write_lines(path, [r for r in lines if r["kind"] != kind])
            yield f"every {kind} left out"


def json_changes(
    path: Path, changes: dict[str, Callable[[Record], object]]
) -> Iterator[str]:
    whole = json.loads(path.read_text())
    for name, change in changes.items():
        changed = json.loads(json.dumps(whole))
        change(changed)
        if changed != whole:
            path.write_text(json.dumps(changed))
            yield f"{path.stem} {name}"


def sysbench_changes(path: Path) -> Iterator[str]:
    text = path.read_text()
    lines = text.splitlines(keepends=True)
    for at, line in enumerate(lines):
        name, colon, rest = line.partition(":")
        number = rest.split("(")[0].strip()
        if colon and number.replace(".", "").isdigit() and float(number):
            lines_now = [*lines]
            lines_now[at] = line.replace(number, number + "0" if "." not in number
                                         else str(float(number) * 10), 1)  # fmt: skip
            path.write_text("".join(lines_now))
            yield f"sysbench ten times {name.strip()}"
    path.write_text(text.replace("point.lua", "other.lua"))
    yield "sysbench of another script"
    path.write_text(text.replace("--threads=1", "--threads=7"))
    yield "sysbench of another command"
    path.write_text(text[: len(text) // 2])
    yield "sysbench cut"


def db_bench_changes(path: Path) -> Iterator[str]:
    text = path.read_text()
    result = next(x for x in text.splitlines() if " micros/op " in x)
    for number, name in zip(
        result.split(":", 1)[1].split()[::2], ("micros/op", "ops/sec", "seconds", "ops"),
        strict=False,
    ):  # fmt: skip
        path.write_text(text.replace(result, result.replace(number, f"1{number}", 1)))
        yield f"db_bench other {name}"
    count = next((x for x in text.splitlines() if x.startswith("Count: ")), "")
    if count:
        path.write_text(text.replace(count, count.replace("Count: ", "Count: 7")))
        yield "db_bench other count"
    path.write_text(text.replace(result.split()[0], "otherstep", 1))
    yield "db_bench of another benchmark"
    path.write_text(text.replace(result + "\n", ""))
    yield "db_bench without its result"


def changes_of(folder: Path) -> Iterator[tuple[Path, str]]:
    """Each contradiction of a run folder in turn, made when it is asked for."""
    for path in sorted(folder.iterdir()):
        name, content = path.name, path.read_bytes()
        found: Iterator[str] = iter(())
        if name == "driver.jsonl.zst":
            found = record_changes(path, DRIVER)
        elif name == "turns.jsonl.zst":
            found = record_changes(path, TURNS)
        elif name == "sampler.jsonl.zst":
            found = record_changes(path, SAMPLER)
        elif name == "spec.json":
            found = json_changes(path, SPEC)
        elif name == "env.json":
            found = json_changes(path, ENV)
        elif name.startswith("sb.o."):
            found = sysbench_changes(path)
        elif name.startswith("benchmark_") and name.endswith(".log"):
            found = db_bench_changes(path)
        elif name in ("config", "workload"):
            path.write_bytes(content + b"\n# another line\n")
            yield path, f"{name} of another text"
        for what in found:
            yield path, what
        path.write_bytes(content)
        if name in NEEDED or name.startswith("sb.o."):
            path.unlink()
            yield path, f"{name} left out"
            path.write_bytes(content)
    extra = folder / "extra.log"
    extra.write_text("from elsewhere\n")
    yield extra, "a file more"
    extra.unlink()


def tried(raw: Path) -> Counter[tuple[str, str]]:
    """How many contradictions of each driver were refused, harmless or believed."""
    ends = Counter[tuple[str, str]]()
    with duckdb.connect() as connection:
        for run in find_runs(raw):
            folder, study = run.path, run.path.relative_to(raw).parts[0]
            whole = rows_of_run(folder, raw, connection)
            manifest = (folder / "manifest.json").read_bytes()
            for path, what in changes_of(folder):
                write_manifest(folder)
                try:
                    end = _end(rows_of_run(folder, raw, connection), whole)
                except UserError:
                    end = "refused"
                (folder / "manifest.json").write_bytes(manifest)
                ends[study, end] += 1
                if end != "refused":
                    print(f"{end}: {study}: {path.name}: {what}", flush=True)
    return ends


def _end(rows: str, whole: str) -> str:
    """A file beside the records that cannot be believed is left out, and that is told."""
    if rows == whole:
        return "harmless"
    told = [json.loads(one)[0].get("sidecar_problem") for one in (rows, whole)]
    return "refused" if told[0] != told[1] else "believed"


def main() -> int:
    with tempfile.TemporaryDirectory() as place:
        raw = measured(Path(place))
        ends = tried(raw)
        shutil.rmtree(raw, ignore_errors=True)
    kinds = ("refused", "harmless", "believed")
    print(f"{'':12}" + "".join(f"{kind:>10}" for kind in kinds))
    for study in [*dict.fromkeys(study for study, _ in ends), "all"]:
        counts = [
            sum(n for (s, e), n in ends.items() if e == kind and study in (s, "all"))
            for kind in kinds
        ]
        print(f"{study:12}" + "".join(f"{n:10,}" for n in counts))
    return int(any(end == "believed" for _, end in ends))


if __name__ == "__main__":
    sys.exit(main())
