"""How long does `benchbook history` take for a set of so many tests and commits?

A set is imported as a Parquet file of long rows, as `benchbook import` writes them: a
fifth of the tests changes by 5% once, in noise of 2% with heavy tails (Student's t, 3
degrees of freedom). Each line is a process of its own, with its seconds and the most
memory it had: the first search, the same again, one more commit, and without a change
of the set but with the store loaded anew. Loading is in it, compiling is not: the
detector's compiled code is cached on disk by the first process of all.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from script import show

from benchbook.sql.columns import METRIC

CALL = "from benchbook.cli.main import main; main()"


def rows(tests: int, commits: int, seed: int) -> pa.Table:
    """Long rows in the columns of the view `metric`."""
    random = np.random.default_rng(seed)
    values = 1 + 0.02 * random.standard_t(3, (tests, commits)).clip(-20, 20) / 3**0.5
    for test in range(0, tests, 5):
        values[test, random.integers(commits // 10, commits - commits // 10) :] *= 0.95
    n = tests * commits
    commit = np.tile([f"c{i:07x}" for i in range(commits)], tests)
    day = pd.Timestamp("2020-01-01") + pd.to_timedelta(np.arange(commits), "h")
    started = np.tile(day.strftime("%Y-%m-%d %H:%M:%S").to_numpy(), tests)
    texts = {
        "set": "big", "machine": "m", "machine_id": "m", "engine": "e", "build": "",
        "config": "", "arm": "", "tag": "", "placement": "", "cell_id": "", "op": "",
        "metric": "qps", "clock": "", "unit": "queries/s", "direction": "higher",
        "source": "history.csv",
    }  # fmt: skip
    columns = {k: pa.array(np.full(n, v)) for k, v in texts.items()}
    numbers = {k: pa.array(np.ones(n, int)) for k in ("trial", "seq", "dop", "position")}
    offsets = pa.array(np.arange(n + 1, dtype=np.int32))
    keys = pa.array(np.full(n, "started"))
    columns |= numbers | {
        "version": pa.array(commit), "main": pa.array(np.ones(n, bool)),
        "run_id": pa.array(np.char.add("r", np.arange(n).astype(str))),
        "step": pa.array(np.repeat([f"test{i:04}" for i in range(tests)], commits)),
        "value": pa.array(1000 * values.ravel()),
        "dims": pa.MapArray.from_arrays(offsets, keys, pa.array(started)),
    }  # fmt: skip
    return pa.table({name: columns[name] for name in METRIC.names}).cast(METRIC)


def timed(root: Path, title: str, *arguments: str) -> tuple[str, str, str, str]:
    """Seconds and MiB of one call, and the first line of what it printed."""
    env = os.environ | {"BENCHBOOK_ROOT": str(root)}
    start = time.perf_counter()
    call = [sys.executable, "-c", CALL, *arguments]
    with subprocess.Popen(call, env=env, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        text = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    took = time.perf_counter() - start
    if process.returncode:
        raise SystemExit(f"{title}: exit code {process.returncode}")
    said = (text.splitlines() or [""])[0]
    return title, f"{took:.1f}", f"{usage.ru_maxrss / 1024:.0f}", said


def main() -> None:
    """One table, a row per call."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tests", type=int, default=1000)
    parser.add_argument("--commits", type=int, default=1000)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "bench").mkdir()
        (root / "data/imported").mkdir(parents=True)
        (root / "_quarto.yml").touch()
        file = root / "data/imported/big.parquet"
        whole = rows(asked.tests, asked.commits, asked.seed)
        newest = f"c{asked.commits - 1:07x}"
        old = whole.filter(pa.compute.not_equal(whole["version"], newest))
        pq.write_table(old, file)
        calls = [
            timed(root, "load", "load"),
            timed(root, "first search", "history", "big"),
            timed(root, "the same again", "history", "big"),
        ]
        pq.write_table(whole, file)
        calls.append(timed(root, "load one more commit", "load"))
        calls.append(timed(root, "one more commit", "history", "big"))
    columns = ["call", "seconds", "MiB", "first line"]
    title = f"{asked.tests} tests x {asked.commits} commits"
    show(title, pd.DataFrame(calls, columns=columns))


if __name__ == "__main__":
    main()
