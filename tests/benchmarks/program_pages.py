"""Does it matter which pages of memory a library lies in?

The library where it is installed, in the pages that it happens to have (copy 0), and
the same bytes in files of their own, so in other pages, run the same queries on SQLite in
several rounds. CPU time per query: the mean of each copy, and by analysis of variance
what copies differ by and what runs of one copy do. A copy that is slow stays slow until
its pages are dropped: no number of trials shows that.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pandas as pd
from scipy import stats
from script import show

BENCH = Path(__file__).parents[2] / "bench"
STEP = "read-only-count.range1000"


def arguments() -> argparse.Namespace:
    """How many copies of which library, and how often each runs."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--copies", type=int, default=12, help="default 12")
    parser.add_argument("--rounds", type=int, default=3, help="default 3")
    parser.add_argument("--events", type=int, default=5000, help="default 5000")
    parser.add_argument(
        "--library", type=Path, help="libsqlite3.so.0; default: that of the system"
    )
    parser.add_argument("--bin", type=Path, help="compiled already; default: compile")
    return parser.parse_args()


def system_library(driver: Path) -> Path:
    """The library that the driver is linked with."""
    said = subprocess.run(["ldd", driver], capture_output=True, text=True, check=True)
    words = [line.split() for line in said.stdout.splitlines() if "libsqlite3" in line]
    return Path(words[0][2])


def cpu_us(driver: Path, folder: Path, target: Path, events: int) -> float:
    """CPU time per query, with the library in ``folder``."""
    words = [
        driver, "--engine", "sqlite", "--target", target,
        "--workload", BENCH / "workloads/sysbench/workload", "--set", "table_size=50000",
        "--step", "load", "--step", f"{STEP}:events={events}",
    ]  # fmt: skip
    done = subprocess.run(
        words, stdout=subprocess.PIPE, text=True, check=False,
        env=os.environ | {"LD_LIBRARY_PATH": str(folder)},
    )  # fmt: skip
    if done.returncode:
        sys.exit(f"program_pages: {driver} failed: exit code {done.returncode}")
    records = map(json.loads, done.stdout.splitlines())
    [step] = [r for r in records if r["kind"] == "step" and r["step"] == STEP]
    return float(step["cpu_ns"] / step["ops"] / 1000)


def measured(args: argparse.Namespace, driver: Path, scratch: Path) -> pd.DataFrame:
    """round, copy and us of every run, in rounds of all copies."""
    library = args.library or system_library(driver)
    copies = [scratch / f"copy{i}" for i in range(args.copies)]
    for folder in copies:
        folder.mkdir()
        shutil.copyfile(library, folder / "libsqlite3.so.0")
    folders = [library.parent, *copies]
    target = scratch / "database"
    rows = []
    for number in range(1, args.rounds + 1):
        for copy, folder in enumerate(folders):
            shutil.rmtree(target, ignore_errors=True)
            target.mkdir()
            rows.append((number, copy, cpu_us(driver, folder, target, args.events)))
    return pd.DataFrame(rows, columns=["round", "copy", "us"])


def spread(runs: pd.DataFrame) -> pd.DataFrame:
    """One row: what copies and runs of a copy differ by, in percent of the mean.

    Columns: copies, between and within (standard deviations of a one-way analysis of
    variance, 0 where the copies explain nothing), slowest (over the fastest, of the
    copies' means) and p of the F test that all copies are alike.
    """
    groups = [part.to_numpy() for _, part in runs.groupby("copy")["us"]]
    n, mean = len(groups[0]), runs["us"].mean()
    within = sum(group.var(ddof=1) for group in groups) / len(groups)
    means = pd.Series([group.mean() for group in groups])
    between = max(means.var(ddof=1) - within / n, 0.0)
    row = {
        "copies": len(groups), "between": 100 * between**0.5 / mean,
        "within": 100 * within**0.5 / mean, "slowest": means.max() / means.min(),
        "p": stats.f_oneway(*groups).pvalue,
    }  # fmt: skip
    return pd.DataFrame([row])


def main() -> None:
    """Compile, run and print."""
    args = arguments()
    with tempfile.TemporaryDirectory(dir=BENCH) as name:
        scratch = Path(name)
        programs = args.bin or scratch / "bin"
        if not args.bin:
            words = ["make", "-s", "-C", BENCH, f"OUT={programs}", "sql"]
            subprocess.run(words, check=True)
        runs = measured(args, programs / "sql", scratch)
    means = runs.groupby("copy", as_index=False)["us"].mean()
    show("CPU time per query by copy of the library, us", means)
    show("What copies and what runs of one copy differ by, %", spread(runs))


if __name__ == "__main__":
    main()
