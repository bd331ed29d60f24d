"""How do load, status, plan and compare grow with the runs of a laboratory?

Each size is a laboratory of its own: run folders as a team files them over months, 100
to a study, of two versions, with a sample for each second of the run. Every line is a
process of its own with its time, the CPU's and the most memory it had: the first load,
one with nothing new, one with one run more, then what people call every day. The query of
one study stands beside the same sum over all samples, and DuckDB's over the same rows
as a bare Parquet file. `x` columns are ratios to the smallest size: 1 is flat, for a load
of everything the ratio of the sizes is linear.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
from script import show

sys.path.append(str(Path(__file__).parents[1] / "helpers"))

from make_runs import make_run

OF_STUDY = 100  # runs
CALL = "from benchbook.cli.main import main; main()"
STUDY = """\
title: Which version is faster?
template: engine-versions
driver: ingest
base: {version: "1"}
engines:
  - {engine: "null"}
steps: ["l.i0:rows=1000"]
trials: 2
placement: none
"""
ONE = "SELECT sum(ops) FROM samples JOIN runs USING (run_id) WHERE study = 's0'"
ROWS = "SELECT sum(ops) FROM sample JOIN run USING (run_no) WHERE study = 's0'"
ALL = "SELECT sum(ops) FROM sample"
BARE = "SELECT sum(ops) FROM '{}'"


def file_runs(raw: Path, first: int, end: int, samples: int, seed: int) -> None:
    """So many run folders, each of so many seconds."""
    random = np.random.default_rng([seed, first])
    for n in range(first, end):
        rows = int(1000 * samples * random.lognormal(0, 0.02))
        make_run(
            raw, study=f"s{n // OF_STUDY}", version=str(1 + n % 2),
            trial=1 + n % OF_STUDY // 2, steps=[("l.i0", "insert", rows, float(samples))],
        )  # fmt: skip


def called(root: Path, *words: str) -> dict[str, float]:
    """Time by the clock and of the CPU, and MiB, of one call of the command line."""
    env = os.environ | {"BENCHBOOK_ROOT": str(root)}
    start = time.perf_counter()
    call = [sys.executable, "-c", CALL, *words]
    with subprocess.Popen(call, env=env, stdout=subprocess.DEVNULL) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(words)}: exit code {process.returncode}")
    return {
        "ms": 1000 * (time.perf_counter() - start),
        "CPU ms": 1000 * (usage.ru_utime + usage.ru_stime),
        "MiB": usage.ru_maxrss / 1024,
    }


def summed(connection: duckdb.DuckDBPyConnection, text: str) -> dict[str, float]:
    """The best of five."""
    taken = []
    for _ in range(5):
        start, used = time.perf_counter(), time.process_time()
        connection.execute(text).fetchall()
        taken.append((time.perf_counter() - start, time.process_time() - used))
    best = (1000 * min(times) for times in zip(*taken, strict=True))
    return dict(zip(("ms", "CPU ms"), best, strict=True))


def measured(root: Path, runs: int, samples: int, seed: int) -> pd.DataFrame:
    """A row for each thing that is done at this size."""
    study = root / "posts" / "s0" / "study.yml"
    study.parent.mkdir(parents=True)
    study.write_text(STUDY)
    raw = root / "data" / "raw"
    file_runs(raw, 0, runs, samples, seed)
    done: dict[str, Callable[[], dict[str, float]]] = {
        "load all": lambda: called(root, "load"),
        "load nothing new": lambda: called(root, "load"),
        "load one more": lambda: called(root, "load"),
        "status": lambda: called(root, "status"),
        "plan": lambda: called(root, "plan", "s0"),
        "compare": lambda: called(root, "compare", "--study", "s0", "1", "2"),
    }
    table = []
    for what, call in done.items():
        if what == "load one more":
            file_runs(raw, runs, runs + 1, samples, seed)
        table.append({"runs": runs, "what": what} | call())
    bare = root / "bare.parquet"
    with duckdb.connect(root / "data" / "benchbook.duckdb", read_only=True) as store:
        store.execute(f"COPY (SELECT * FROM sample) TO '{bare}'")
        [[held]] = store.execute("SELECT count(*) FROM sample").fetchall()
        queries = {
            "sum of a study": ONE,
            "by number of run": ROWS,
            "sum of all": ALL,
            "bare": BARE.format(bare),
        }
        for what, text in queries.items():
            table.append({"runs": runs, "what": what} | summed(store, text))
    return pd.DataFrame(table).assign(samples=held)


def main() -> None:
    """One table for all sizes."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, nargs="+", default=[100, 1000])
    parser.add_argument(
        "--samples", type=int, default=1000, help="of a run, default 1000"
    )
    asked = parser.parse_args()
    parts = []
    for runs in sorted(asked.runs):
        with tempfile.TemporaryDirectory() as name:
            parts.append(measured(Path(name), runs, asked.samples, asked.seed))
    table = pd.concat(parts)
    first = table[table["runs"] == min(asked.runs)].set_index("what")["ms"]
    table["x"] = table["ms"] / table["what"].map(first)
    show(
        "Runs of a laboratory; goal: 2 GiB, x of status, plan and compare at most 2",
        table,
    )


if __name__ == "__main__":
    main()
