"""Who says of two revisions that one is slower, how often wrongly, and in what time?

Two files in Go's benchmark format, old and new: a line per run, nanoseconds with the
digits that `go test` prints, a benchmark per simulated comparison. Every tool gets the
numbers of these files. What counts as a call:

- Benchbook's verdict: improved or regressed, and apart from it an interval without 1
- benchstat: a change and no `~`, its defaults (Mann-Whitney U at .05). The program itself
  where $BENCHSTAT names it or PATH has it, else its test by SciPy, labelled so
- hyperfine: it prints a ratio with its stddev and decides nothing. Two ways to read it: 1
  is further than one stddev off; and Welch's t-test at .05, which its own repository has
  as scripts/welch_ttest.py. Both by their formulas
- Otava: any changepoint in the old runs with the new ones behind them, its defaults

Noise is one stddev of 1% a run, normal or heavy-tailed (Student's t, 3 degrees of
freedom). Seconds are of the whole call for all benchmarks, reading included, and of Otava
without its start.
"""

import csv
import os
import re
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import numpy as np
import pandas as pd
import peers
from reports import metric_frame
from scipy import stats
from script import arguments, show

from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import CHANGES, verdicts

COV = 0.01
RUNS = (3, 5, 10, 20)
SLOWER = (0.0, 0.01, 0.02, 0.03, 0.05)
NOISE: dict[str, Callable[[np.random.Generator, tuple[int, ...]], np.ndarray]] = {
    "normal": lambda random, shape: random.standard_normal(shape),
    "t3": lambda random, shape: random.standard_t(3, shape) / 3**0.5,
}
_LINE = re.compile(r"BenchmarkCase(\d+)\s+1\s+([0-9.]+) ns/op")
Answer = TypeVar("Answer")
Called = np.ndarray | None  # of each benchmark whether it is called; None: not installed


def write(file: Path, values: np.ndarray) -> None:
    """Benchmarks x runs as `go test -bench -count` prints them."""
    lines = [
        f"BenchmarkCase{number} 1 {value:.1f} ns/op"
        for number, runs in enumerate(values)
        for value in runs
    ]
    file.write_text("\n".join(["pkg: same", *lines]) + "\n")


def read(file: Path) -> np.ndarray:
    """Benchmarks x runs."""
    found = _LINE.findall(file.read_text())
    count = 1 + int(found[-1][0])
    return np.array([float(value) for _, value in found]).reshape(count, -1)


def benchbook(old: Path, new: Path) -> tuple[np.ndarray, np.ndarray]:
    """Verdicts that are changes, and intervals that leave out 1."""
    values = 1e9 / np.stack([read(old), read(new)], axis=1)[:, None]
    table = verdicts(relative(metric_frame(values), {"version": "v0"}))
    table = table[table["version"] == "v1"]
    order = table["machine"].str[1:].astype(int).to_numpy()
    verdict, apart = np.zeros((2, len(order)), bool)
    verdict[order] = table["verdict"].isin(CHANGES)
    apart[order] = (table["low"] > 1) | (table["high"] < 1)
    return verdict, apart


def benchstat(old: Path, new: Path) -> np.ndarray:
    """Which benchmarks have a change; by SciPy where the program is not installed."""
    program = benchstat_program()
    if program is None:
        test = stats.mannwhitneyu(read(old), read(new), axis=1, method="auto")
        return np.asarray(test.pvalue < 0.05)
    command = [program, "-format", "csv", str(old), str(new)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    rows = [
        r for r in csv.reader(run.stdout.splitlines()) if r[:1] and r[0][:4] == "Case"
    ]
    called = np.zeros(len(rows), bool)
    for row in rows:
        called[int(row[0].removeprefix("Case").split("-")[0])] = "%" in row[5]
    return called


def benchstat_program() -> str | None:
    """$BENCHSTAT, or that of PATH."""
    return os.environ.get("BENCHSTAT") or shutil.which("benchstat")


def hyperfine(old: Path, new: Path) -> np.ndarray:
    """The ratio it prints is further from 1 than its stddev."""
    a, b = read(old), read(new)
    ratio = b.mean(axis=1) / a.mean(axis=1)
    parts = [(x.std(axis=1, ddof=1) / x.mean(axis=1)) ** 2 for x in (a, b)]
    return np.abs(ratio - 1) > ratio * np.sqrt(sum(parts))


def hyperfine_welch(old: Path, new: Path) -> np.ndarray:
    """Its script: Welch's t-test on the times at .05."""
    return np.asarray(
        stats.ttest_ind(read(old), read(new), axis=1, equal_var=False).pvalue < 0.05
    )


def otava(old: Path, new: Path) -> Called:
    """Any changepoint in the runs one after the other."""
    found = peers.otava(np.hstack([read(old), read(new)]))
    return None if found is None else np.array([len(one) > 0 for one in found])


def judged(old: Path, new: Path) -> dict[str, tuple[Called, float]]:
    """Of each way to judge the files its calls and its seconds."""
    name = "benchstat" if benchstat_program() else "benchstat's test, by SciPy"
    (both, took) = _timed(lambda: benchbook(old, new))
    answers: dict[str, tuple[Called, float]] = {
        "benchbook verdict": (both[0], took),
        "benchbook interval without 1": (both[1], took),
        name: _timed(lambda: benchstat(old, new)),
        "hyperfine, 1 beyond one stddev": _timed(lambda: hyperfine(old, new)),
        "hyperfine's script, Welch": _timed(lambda: hyperfine_welch(old, new)),
    }
    start = _timed(lambda: peers.otava([]))[1]
    calls, seconds = _timed(lambda: otava(old, new))
    return answers | {"Otava": (calls, max(seconds - start, 0.0))}


def table_of(seed: int, count: int, runs: int, kind: str) -> pd.DataFrame:
    """A row per tool: share called in % by how much slower new is, and seconds."""
    columns: dict[str, dict[str, float]] = {}
    seconds: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        old, new = Path(folder) / "old.txt", Path(folder) / "new.txt"
        for place, slower in enumerate(SLOWER):
            random = np.random.default_rng([seed, runs, [*NOISE].index(kind), place])
            noise = 1 + COV * NOISE[kind](random, (2, count, runs)).clip(-50, 50)
            write(old, 1e6 * noise[0])
            write(new, 1e6 * noise[1] * (1 + slower))
            title = f"{slower:.0%} slower" if slower else "false"
            answers = judged(old, new)
            columns[title] = {
                name: np.nan if calls is None else 100 * float(calls.mean())
                for name, (calls, _) in answers.items()
            }
            for name, (_, took) in answers.items():
                seconds.setdefault(name, []).append(took)
    table = pd.DataFrame(columns)
    table["seconds"] = [f"{np.median(seconds[name]):.3f}" for name in table.index]
    return table.rename_axis("tool").reset_index()


def _timed(call: Callable[[], Answer]) -> tuple[Answer, float]:
    start = time.perf_counter()
    answer = call()
    return answer, time.perf_counter() - start


def main() -> None:
    """A table per number of runs and kind of noise."""
    asked = arguments(__doc__, series=1000)
    for kind in NOISE:
        for runs in RUNS:
            show(
                f"{asked.series} comparisons of {runs} runs each, noise {COV:.0%} "
                f"({kind}), seed {asked.seed}: called, in %",
                table_of(asked.seed, asked.series, runs, kind),
            )
    peers.hint()
    print(f"\n{peers.versions()}, benchstat: {benchstat_program() or 'SciPy'}")  # noqa: T201


if __name__ == "__main__":
    main()
