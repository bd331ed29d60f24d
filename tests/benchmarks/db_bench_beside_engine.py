"""Does our engine rocksdb do as much a second as db_bench with the same library?

One release, built here: db_bench and the C API of the library that lies beside it. Each
round loads a database by either, then reads keys, reads ranges of ten, and overwrites;
rounds go there and back (ABBA), on one CPU, with one client. A table of ratios, ours over
db_bench's, geometric means with 95% intervals over rounds:

* throughput: operations a second, as each client says;
* CPU: time of client and library for an operation. That of db_bench holds what it takes
  to open the database, a second in all at most.

Equal are keys and values in bytes (a key is 12 bytes, as in the workload kv, and a value
405), the number of keys, the block cache, blocks, filters, buffers, levels and the log.
Not equal: db_bench draws keys that are digits and values half of which repeat, checks no
answer, and fills by a vector without a log. Ours checks every key that it reads.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from script import show

from benchbook.measure.lock import measuring

ROOT = Path(__file__).resolve().parents[2]
BENCH = ROOT / "bench"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "benchbook"
STEPS = ("readrandom", "fwdrange", "overwrite")
SIZES = {"block_size": 8192, "cache_size": 1 << 30, "write_buffer_size": 16 << 20}
CONFIG = f"""\
write_buffer_size = {SIZES["write_buffer_size"]}
target_file_size_base = {SIZES["write_buffer_size"]}
max_bytes_for_level_base = {4 * SIZES["write_buffer_size"]}
max_bytes_for_level_multiplier = 8
max_write_buffer_number = 8
level0_file_num_compaction_trigger = 4
level0_slowdown_writes_trigger = 20
level0_stop_writes_trigger = 30
num_levels = 8
max_background_jobs = 2
level_compaction_dynamic_level_bytes = true
bytes_per_sync = 1048576
compression = kNoCompression
table.block_size = {SIZES["block_size"]}
table.block_cache = {SIZES["cache_size"]}
table.filter_policy = bloomfilter:10:false
table.cache_index_and_filter_blocks = true
table.pin_l0_filter_and_index_blocks_in_cache = true
"""
_RESULT = re.compile(r"^\w+ *: +[\d.]+ micros/op +(\d+) ops/sec", re.MULTILINE)


def records(words: Sequence[object], library: Path) -> list[dict[str, object]]:
    """What a driver on one CPU prints, with the library in that folder."""
    env = os.environ | {"LD_LIBRARY_PATH": str(library)}
    cpu = str(max(os.sched_getaffinity(0)))
    done = subprocess.run(
        ["taskset", "-c", cpu, *map(str, words)], env=env, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]


def ours(place: Path, library: Path, keys: int, seconds: int) -> Mapping[str, dict]:
    """Rate and CPU time per operation of each step, in 1/s and ns."""
    (place / "settings").write_text(CONFIG)
    steps = [
        "load",
        "waitforcompaction",
        *(f"{step}:seconds={seconds}" for step in STEPS),
    ]
    words = [word for step in steps for word in ("--step", step)]
    said = records(
        [BENCH / "bin" / "sql", "--engine", "rocksdb", "--target", place, "--workload",
         BENCH / "workloads" / "kv" / "workload", "--set", f"keys={keys}", "--config",
         place / "settings", *words],
        library,
    )  # fmt: skip
    cpu = {r["step"]: r["client_cpu_ns"] for r in said if r["kind"] == "use"}
    return {
        r["step"]: {"rate": r["ops"] / (r["end_ns"] - r["start_ns"]) * 1e9,
                    "cpu": cpu[r["step"]] / r["ops"]}
        for r in said
        if r["kind"] == "step" and r["step"] in STEPS and r["main"]
    }  # fmt: skip


def db_bench(place: Path, library: Path, keys: int, seconds: int) -> Mapping[str, dict]:
    """The same as db_bench says it."""
    steps = ["fillseq", "flush_mt_l0", *(f"{step}:seconds={seconds}" for step in STEPS)]
    words = [word for step in steps for word in ("--step", step)]
    sizes = [w for name, size in SIZES.items()
             for w in (f"--{name.replace('_', '-')}", size)]  # fmt: skip
    said = records(
        [BENCH / "db_bench.sh", "--engine", "rocksdb", "--target", place, "--out", place,
         "--num", keys, "--key-size", 12, "--value-size", 405, *sizes, *words],
        library,
    )  # fmt: skip
    cpu = {r["step"]: r["client_cpu_ns"] for r in said if r["kind"] == "use"}
    rates = {}
    for step in STEPS:
        [rate] = _RESULT.findall((place / f"benchmark_{step}.t1.log").read_text())
        rates[step] = {"rate": float(rate), "cpu": cpu[step] / (float(rate) * seconds)}
    return rates


def rounds(library: Path, count: int, keys: int, seconds: int) -> Iterator[dict]:
    """A row per round and step: the logarithm of ours over theirs."""
    for number in range(count):
        sides = (ours, db_bench) if number % 2 == 0 else (db_bench, ours)
        found = {}
        for side in sides:
            with tempfile.TemporaryDirectory(prefix="beside-") as folder:
                found[side] = side(Path(folder), library, keys, seconds)
        for step in STEPS:
            yield {"step": step} | {
                f"log_{what}": float(np.log(found[ours][step][what]
                                            / found[db_bench][step][what]))
                for what in ("rate", "cpu")
            }  # fmt: skip


def ratios(table: pd.DataFrame) -> pd.DataFrame:
    """One row per step and measure: ratio, low and high, from the rounds' logarithms."""
    rows = []
    for step, of in table.groupby("step", sort=False):
        for what in ("rate", "cpu"):
            logs = of[f"log_{what}"].to_numpy(dtype=float)
            half = stats.t.ppf(0.975, len(logs) - 1) * logs.std(ddof=1) / len(logs) ** 0.5
            low, middle, high = np.exp(
                [logs.mean() - half, logs.mean(), logs.mean() + half]
            )
            rows.append({"step": step, "ours over db_bench's": what,
                         "ratio": f"{middle:.3f}", "low": f"{low:.3f}",
                         "high": f"{high:.3f}"})  # fmt: skip
    return pd.DataFrame(rows)


def main() -> None:
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--version", default="11.8.1", help="a release built here")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seconds", type=int, default=3, help="of each step")
    parser.add_argument("--keys", type=int, default=500_000)
    asked = parser.parse_args()
    if asked.rounds < 2:
        parser.error("--rounds is 2 or more: an interval needs two")
    trees = sorted(CACHE.glob(f"engines/rocksdb-{asked.version}-gcc-*/lib"))
    if not trees:
        parser.error(f"no build: benchbook engines build rocksdb {asked.version}")
    if not shutil.which("taskset"):
        parser.error("no taskset: install util-linux")
    subprocess.run(["make", "-s", "-C", BENCH, "sql", "now"], check=True)
    with measuring("db_bench beside our engine", False, print):
        table = pd.DataFrame(rounds(trees[-1], asked.rounds, asked.keys, asked.seconds))
    show(f"RocksDB {asked.version}, {asked.keys} keys, {asked.rounds} rounds",
         ratios(table))  # fmt: skip


if __name__ == "__main__":
    main()
