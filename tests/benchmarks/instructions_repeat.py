"""How well do counts of instructions repeat, and how slow is counting?

Steps sized by rows or queries, counted under callgrind in several turns on fresh
databases, and run once without it. Instructions per operation (a row, a query, a scan, a
repetition), the difference between the turns in percent, and how many times as much CPU
time the step took under callgrind. Goal: less than 0.1% apart. What remains: the main
thread wakes ten times a second, 450 instructions each time, so a step of less than 10
million instructions is no measure; beside another client it hangs on time who finds what
in a cache.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pandas as pd
from script import show

from benchbook.runs.sidecars import FILE, read_counts

BENCH = Path(__file__).parents[2] / "bench"
WAL = BENCH / "configs" / "sqlite" / "wal_normal_4k"
INGEST = ("l.i0:rows=20000", "l.x", "l.i1:rows=5000", "l.i2:rows=1000",
          "qr100.L1:queries=1000", "qp100.L2:queries=1000", "scan")  # fmt: skip
MICRO = ("crc32c-table:rows=2000", "crc32c-1stream:rows=20000")
RUNS = {
    "null": ("ingest", "--engine", "null", INGEST),
    "sqlite": ("ingest", "--engine", "sqlite", "--config", str(WAL), INGEST),
    "sqlite, dop 2": ("ingest", "--engine", "sqlite", "--config", str(WAL), "--dop", "2",
                      INGEST),
    "ours": ("micro", "--engine", "ours", MICRO),
}  # fmt: skip


def arguments() -> argparse.Namespace:
    """What is run how often, and with which programs."""
    about = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=about)
    parser.add_argument("--run", action="append", choices=RUNS, help="default: all")
    parser.add_argument("--turns", type=int, default=2, help="default 2")
    parser.add_argument("--bin", type=Path, help="compiled already; default: compile")
    return parser.parse_args()


def printed(*words: object) -> str:
    """The standard output of a command that has to succeed."""
    done = subprocess.run(
        [str(word) for word in words], stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"instructions_repeat: {words[0]} failed: exit code {done.returncode}")
    return done.stdout


def command(name: str, programs: Path, target: Path) -> list[object]:
    """The driver's words of one run."""
    program, *words, steps = RUNS[name]
    asked = [word for step in steps for word in ("--step", step)]
    return [programs / program, *words, "--target", target, *asked]


def main_steps(text: str) -> Iterator[dict[str, object]]:
    """Operations and CPU time of each step: rows of what inserts or indexes, else ops."""
    for line in text.splitlines():
        record = json.loads(line)
        if record["kind"] == "step" and record["main"]:
            by_row = record["op"] in ("insert", "index")
            yield {"step": record["step"],
                   "operations": record["rows" if by_row else "ops"],
                   "cpu_ns": record["cpu_ns"]}  # fmt: skip


def turn(name: str, programs: Path, number: int) -> Iterator[dict[str, object]]:
    """One run into a fresh folder; turn 0 is not counted."""
    with tempfile.TemporaryDirectory(prefix="instructions-") as folder:
        words = command(name, programs, Path(folder))
        if number:
            words = [BENCH / "profile/callgrind.sh", folder, "--", *words]
        text = printed(*words)
        counts = read_counts((Path(folder) / FILE).read_text()).steps if number else {}
    for step in main_steps(text):
        count = counts.get(str(step["step"]))
        yield {"engine": name, "turn": number, "instructions": count, **step}


def repeatability(counts: pd.DataFrame) -> pd.DataFrame:
    """How much the counts of the same step differ from run to run.

    ``counts``: engine, step, turn, instructions, operations. One row per engine and step:
    runs, operations of the first, instructions_o (instructions per operation, median) and
    differ_pct, the largest instructions_o less the least, in percent of the median.
    """
    counts = counts.assign(instructions_o=counts["instructions"] / counts["operations"])
    by = counts.groupby(["engine", "step"], sort=False)
    table = by.agg(
        runs=("turn", "size"),
        operations=("operations", "first"),
        instructions_o=("instructions_o", "median"),
    )
    spread = by["instructions_o"].max() - by["instructions_o"].min()
    return table.assign(differ_pct=100 * spread / table["instructions_o"]).reset_index()


def table(found: pd.DataFrame) -> pd.DataFrame:
    """The repeatability of each step, and how many times as slow it was."""
    by = ["engine", "step"]
    plain, counted = found[found["turn"] == 0], found[found["turn"] > 0]
    slower = counted.groupby(by)["cpu_ns"].median() / plain.set_index(by)["cpu_ns"]
    rows = repeatability(counted).join(slower.rename("times_slower"), on=by)
    per, differ = rows["instructions_o"], rows["differ_pct"]
    return rows.assign(instructions_o=per.map("{:,.1f}".format),
                       differ_pct=differ.map("{:.4f}".format))  # fmt: skip


def main() -> None:
    """Print the table."""
    asked = arguments()
    with tempfile.TemporaryDirectory(prefix="instructions-bin-") as work:
        programs = asked.bin or Path(work)
        if not asked.bin:
            printed("make", "-s", "-C", BENCH, f"OUT={work}", "ingest", "micro")
        found = [
            row
            for name in asked.run or RUNS
            for number in range(asked.turns + 1)
            for row in turn(name, programs, number)
        ]
    show(f"Instructions per operation in {asked.turns} turns", table(pd.DataFrame(found)))


if __name__ == "__main__":
    main()
