"""How many changed bytes of a run folder are taken for what was written?

Small runs of each driver are measured. Then one byte of one file is changed, left out or
put in, or the file is cut: what is loaded from it must be refused, or be row for row what
was loaded before.

    python tests/benchmarks/mutations.py [HOW MANY]
"""

# ruff: noqa: E402, E501, T201
from __future__ import annotations

import hashlib
import json
import random
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import duckdb

sys.path[:0] = [str(Path(__file__).parents[1] / "helpers")]
from checkouts import checkout_below
from places import ROOT

from benchbook.runs.folder import RunFolder, find_runs
from benchbook.store.fill import check_run
from benchmath.errors import UserError

HEAD = "title: What is believed?\ntemplate: inserts\nplacement: none\ntrials: 1\n"
STUDIES = {
    "ingest": HEAD
    + "driver: ingest\nbase: {engine: sqlite}\nengines: [{engine: sqlite}]\n"
    'steps: ["l.i0:rows=500", l.x, "q100.1:queries=20"]\n',
    "turns": HEAD + "driver: ingest\nbase: {indexes: 0}\nengines: [{engine: sqlite}]\n"
    'matrix: {indexes: [0, 3]}\norder: turns\nturn_ms: 10\nsteps: ["l.i0:rows=2000"]\n',
    "command": HEAD + "driver: command\nbase: {word: a}\nmatrix: {word: [a, b]}\n"
    "seconds: 0.05\ncommands: {none: {command: 'true {word}'}}\n",
    "sql": HEAD
    + "driver: sql\nworkload: sysbench\nbase: {engine: sqlite}\nengines: [{engine: sqlite}]\n"
    "options: {table_size: 100}\nseconds: 0.05\n"
    "steps: [load, index, point-query.range100, update-index.range100]\n",
    "micro": HEAD + "driver: micro\nbase: {compiler: gcc}\nmatrix: {compiler: [gcc]}\n"
    'engines: [{engine: zstd, version: "1.5.4"}]\nsteps: ["zstd-compress:seconds=0.05"]\n',
    "sysbench": HEAD + "driver: sysbench\nbase: {engine: postgres}\n"
    'engines: [{engine: postgres, version: "18.6", source: jar, config: x10a_1g}]\n'
    'options: {table_size: 100}\nsteps: [load, "point-query.range100:seconds=1"]\n',
    "db_bench": HEAD + "driver: db_bench\nbase: {engine: rocksdb}\n"
    'engines: [{engine: rocksdb, version: "11.8.1", source: jni}]\n'
    'options: {num: 1000}\nsteps: [fillseq, "readrandom:seconds=1"]\n',
}
CLASSES = {
    "digit": b"0123456789", "letter": b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJ",
    "structure": b'{}[]:,"\\', "blank": b" \t\n\r", "other": bytes(range(128, 256)),
}  # fmt: skip
KINDS = (*CLASSES, "left out", "twice", "cut")


def measured(place: Path, slugs: Iterable[str] = STUDIES) -> Path:
    """data/raw of a laboratory of its own, with a run or two of each study."""
    lab = checkout_below(place, ROOT / "build" / "tests", "lab", "testbox")
    for slug in slugs:
        lab.study(slug, STUDIES[slug])
        done = lab.call("run", slug, BENCHBOOK_QUIET="off")
        if done.returncode:
            print(f"without {slug}: {done.stderr.strip().splitlines()[-1]}")
    shutil.rmtree(lab.root / "data" / "scratch", ignore_errors=True)
    return lab.root / "data" / "raw"


def mutated(content: bytes, kind: str, chance: random.Random) -> bytes:
    """The content with one byte of this class instead of another, or a byte less."""
    at = chance.randrange(len(content)) if content else 0
    if kind == "cut":
        return content[:at]
    if kind == "left out":
        return content[:at] + content[at + 1 :]
    if kind == "twice":
        return content[:at] + content[at : at + 1] + content[at:]
    return content[:at] + bytes([chance.choice(CLASSES[kind])]) + content[at + 1 :]


def rows_of_run(folder: Path, raw: Path, connection: duckdb.DuckDBPyConnection) -> str:
    """All that is loaded of it but its own name; UserError refuses it."""
    manifest = (folder / "manifest.json").read_bytes()
    digest = hashlib.sha256(manifest).hexdigest()
    name = folder.relative_to(raw).as_posix()
    found = check_run(RunFolder(folder, name, digest, manifest), connection)
    own = {"run_id", "manifest_sha256"}
    rows = {
        table: [{k: v for k, v in row.items() if k not in own} for row in rows]
        for table, rows in found.rows.items()
    }
    samples = [table.to_pylist() for table in found.samples or []]
    turns = found.turns.table.to_pylist() if found.turns else []
    whole = [rows, samples, turns, found.sampled and found.sampled.row()]
    return json.dumps(
        whole, default=lambda v: v.tolist() if hasattr(v, "tolist") else str(v)
    )


def tried(raw: Path, number: int, seed: int) -> Counter[tuple[str, str, str]]:
    """How often a change of (file, kind) was refused, harmless or believed."""
    chance, ends = random.Random(seed), Counter[tuple[str, str, str]]()
    with duckdb.connect() as connection:
        folders = [run.path for run in find_runs(raw)]
        whole = {folder: rows_of_run(folder, raw, connection) for folder in folders}
        while ends.total() < number:
            folder = chance.choice(folders)
            file = chance.choice(sorted(p for p in folder.iterdir() if p.is_file()))
            kind, content = chance.choice(KINDS), file.read_bytes()
            changed = mutated(content, kind, chance)
            if changed == content:
                continue
            file.write_bytes(changed)
            try:
                same = rows_of_run(folder, raw, connection) == whole[folder]
                end = "harmless" if same else "believed"
            except UserError:
                end = "refused"
            file.write_bytes(content)
            ends[file.name, kind, end] += 1
            if end == "believed":
                print(f"believed: {file.relative_to(raw)}: {kind}", flush=True)
    return ends


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    with tempfile.TemporaryDirectory() as place:
        ends = tried(measured(Path(place)), number, 1)
    print(f"{'':12} {'refused':>9} {'harmless':>9} {'believed':>9}")
    for kind in KINDS:
        counts = [
            sum(n for (_, k, e), n in ends.items() if (k, e) == (kind, end))
            for end in ("refused", "harmless", "believed")
        ]
        print(f"{kind:12} " + " ".join(f"{n:9,}" for n in counts))
    return int(any(end == "believed" for _, _, end in ends))


if __name__ == "__main__":
    sys.exit(main())
