"""What turns say of real engines: of equal arms, of slowed ones, beside load, and alone.

Each part is a study in a folder of its own, measured with this checkout's programs:

* aa: arms of the same program with the same settings. A true ratio is 1, so the share of
  intervals that hold 1 is their coverage, and every verdict of a change is false.
* slowed: ingest built with -DDELAY_SPINS against the same without. A spin is timed by a
  program of its own, before the session and after it: the truth is the base's time of a
  row over that time and its spins, by the clock and of CPU. Spins make 1, 2, 3 and 5%.
* busy: the arms of aa again beside processes that keep CPUs busy: how much wider.
* device: one arm inserts and syncs each commit, the other queries a database larger than
  its memory: the rates of each in turns over those of the same runs alone. It is what
  turns on one device do to one another.
* alone: runs one after the other (abba) of the same pair as in turns, for as long: do the
  ratios agree within both intervals, and how much narrower are those of turns?

One session is one load; the load is printed before each part, because it matters.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from scipy import stats
from script import show

from benchbook.results.collect import collect
from benchbook.results.results import Results
from benchbook.views.in_turns import per_cpu_second

ROOT = Path(__file__).resolve().parents[2]
ENGINES = {
    "sqlite": "{engine: sqlite",
    "postgres": '{engine: postgres, version: "15", source: debian',
    "mariadb": '{engine: mariadb, version: "10.11", source: debian',
}
MICRO = """\
matrix:
  compiler: [gcc]
  flags: [{copies}]
  block_size: [4096]
same_code: true
engines:
  - engine: ours
    version: "1"
    steps: ["crc32c-table:seconds={seconds}", "crc32c-1stream:seconds={seconds}"]
  - engine: xxhash
    version: "0.8.1"
    steps:
      - xxhash:seconds={seconds}
      - xxhash64:seconds={seconds}
      - xxh3:seconds={seconds}
"""
CONFIGS = {
    "sqlite": "wal_normal_4k", "postgres": "x10a_1g", "mariadb": "z11a_1g",
}  # fmt: skip
SPIN_FLAGS = "-O2 -DDELAY_SPINS="
SPIN = """\
#include "ingest/delay.h"
int main(void)
{
	uint64_t begin = clock_thread_cpu_ns();
	injected_spin(20000000000);
	printf("%f", (double)(clock_thread_cpu_ns() - begin) / 20000000000);
}
"""
SLOWED = (1, 2, 3, 5)  # % of a row's time that the spins add
ROW_NS = {"sqlite": 1200, "postgres": 2700, "mariadb": 1900}  # of l.i0: sizes spins alone
NAMES = "abcdefghij"
STEPS = """\
steps:
  - l.i0:rows=100000
  - l.x
  - l.i1:seconds={seconds}
  - l.i2:seconds={seconds}
  - qr100.L1:seconds={seconds}
  - qp100.L2:seconds={seconds}
"""
DEVICE = """\
matrix:
  memory: ["256M"]
engines:
  - engine: postgres
    version: "15"
    source: debian
    config: x10a_256m
    steps: ["l.i0:rows=3000000", "l.x", "qp100.L2:seconds={seconds}"]
  - engine: postgres
    version: "15"
    source: debian
    config: synced
    steps: ["l.i0:rows=100000", "l.x", "l.i2:seconds={seconds}"]
"""
HEAD = """\
title: Turns on {engine}
template: ab
driver: ingest
base: {{{base}}}
order: {order}
placement: same
margin: 0.03
trials: {trials}
"""


def main() -> None:
    """Print a table per part."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=list(PARTS), help="default: all")
    parser.add_argument(
        "--engines", nargs="+", default=list(ENGINES), choices=[*ENGINES, "micro"]
    )
    parser.add_argument("--arms", type=int, default=4)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--busy", type=int, default=2, help="processes of that part")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="turns-") as folder:
        root = checkout(Path(folder))
        for part in asked.parts:
            for engine in ["postgres"] if part == "device" else asked.engines:
                print(f"{part} {engine}: load {os.getloadavg()[0]:.1f}", flush=True)  # noqa: T201
                PARTS[part](root, engine, asked)


def checkout(root: Path) -> Path:
    """A folder with the programs and templates of this one, and data of its own."""
    for name in ("posts", "data"):
        (root / name).mkdir()
    for name in ("bench", "notebooks", "build"):
        (root / name).symlink_to(ROOT / name)
    os.environ |= {"BENCHBOOK_ROOT": str(root), "BENCHBOOK_QUIET": "off"}
    return root


def study(root: Path, slug: str, text: str) -> Path:
    """The file of a study, with copies of each engine's settings beside it."""
    file = root / "posts" / slug / "study.yml"
    (file.parent / "configs").mkdir(parents=True)
    file.write_text(text)
    for engine in (name for name in CONFIGS if f"engine: {name}" in text):
        shared = ROOT / "bench" / "configs" / engine / CONFIGS[engine]
        for name in NAMES:
            (file.parent / "configs" / name).write_text(shared.read_text())
    return file


def equal_arms(engine: str, arms: int, order: str, asked: argparse.Namespace) -> str:
    """A study of one engine against itself: copies of a settings file tell arms apart."""
    if engine == "micro":
        return equal_micro(arms, order, asked)
    head = HEAD.format(engine=engine, base="config: a", order=order, trials=asked.trials)
    lines = [f"  - {ENGINES[engine]}, config: {name}}}" for name in NAMES[:arms]]
    steps = STEPS.format(seconds=asked.seconds)
    return "\n".join([f"{head}engines:", *lines, steps])


def equal_micro(arms: int, order: str, asked: argparse.Namespace) -> str:
    """Checksums built several times from the same sources: a number tells arms apart."""
    copies = [f'"-O2 -DCOPY={n}"' for n in range(arms)]
    head = HEAD.format(
        engine="micro", base=f"flags: {copies[0]}", order=order, trials=asked.trials
    )
    head = head.replace("driver: ingest", "driver: micro")
    return head + MICRO.format(copies=", ".join(copies), seconds=asked.seconds)


def slowed_arms(engine: str, spins: Iterable[int], asked: argparse.Namespace) -> str:
    """One engine with the client's insert delayed by more and more spins a row."""
    base = f'flags: "{SPIN_FLAGS}0"'
    head = HEAD.format(engine=engine, base=base, order="turns", trials=asked.trials)
    flags = ", ".join(f'"{SPIN_FLAGS}{n}"' for n in (0, *spins))
    matrix = f"matrix:\n  compiler: [gcc]\n  flags: [{flags}]\n"
    steps = f"steps:\n  - l.i0:seconds={5 * asked.seconds}\n"
    return f"{head}{matrix}engines:\n  - {ENGINES[engine]}, config: a}}\n{steps}"


def measure(file: Path) -> None:
    """Make the runs of a study, when nobody else measures on this machine."""
    words = [sys.executable, "-m", "benchbook", "run", "--wait", str(file)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)


def judged(file: Path) -> tuple[pd.DataFrame, float]:
    """Verdicts of main ops of a study that is measured now, and the seconds it took."""
    measure(file)
    results = collect(file, measure=False)
    began = pd.to_datetime(results.runs["started"], utc=True).min()
    took = (pd.Timestamp.now("UTC") - began).total_seconds()
    mains = results.steps.loc[results.steps["main"].astype(bool), ["step", "op"]]
    rows = results.judged().merge(mains.drop_duplicates(), on=["step", "op"])
    rows = rows[np.isfinite(rows["low"].astype(float))]
    ratios = {c: rows[c].astype(float) for c in ("relative", "low", "high")}
    percent = {f"{c} %": 100 * (ratio - 1) for c, ratio in ratios.items()}
    half = 50 * np.log(ratios["high"] / ratios["low"])
    return _with_cpu(rows.assign(half=half, **percent), results), took


def _with_cpu(rows: pd.DataFrame, results: Results) -> pd.DataFrame:
    """The same per CPU second, in percent: cpu, and its half-width."""
    ratios, _ = per_cpu_second(results)
    if ratios.empty:
        return rows.assign(cpu=np.nan, cpu_half=np.nan)
    low, high = (ratios[c].astype(float) for c in ("low", "high"))
    ratios = ratios.assign(
        cpu=100 * (ratios["relative"] - 1), cpu_half=50 * np.log(high / low)
    )
    return rows.merge(ratios[["me", "step", "cpu", "cpu_half"]], on=["me", "step"])


def aa(root: Path, engine: str, asked: argparse.Namespace, slug: str = "aa") -> None:
    text = equal_arms(engine, asked.arms, "turns", asked)
    rows, took = judged(study(root, f"{slug}-{engine}", text))
    holds = (rows["low"].astype(float) <= 1) & (rows["high"].astype(float) >= 1)
    cpu_holds = rows["cpu"].abs() <= rows["cpu_half"]
    beyond = rows["verdict"].isin(["improved", "regressed"])
    queries = rows["step"].str.startswith("q")
    counts = {
        "comparisons": len(rows),
        "hold 1 in %": 100 * holds.mean(),
        "false verdicts": int(beyond.sum()),
        "equivalent": int((rows["verdict"] == "equivalent").sum()),
        "half-width in %, median": rows["half"].median(),
        "of queries": rows.loc[queries, "half"].median(),
        "per CPU second: hold 1 in %": 100 * cpu_holds.mean(),
        "its half-width": rows["cpu_half"].median(),
    }
    size = f"{asked.arms} arms, {asked.trials} loads, {took:.0f} s"
    show(f"{slug} {engine}, {size}", pd.DataFrame([counts]))
    show(f"{slug} {engine}: each", rows[COLUMNS])


def busy(root: Path, engine: str, asked: argparse.Namespace) -> None:
    with busy_cpus(asked.busy):
        aa(root, engine, asked, "busy")


@contextmanager
def busy_cpus(count: int) -> Iterator[None]:
    """Processes that never rest, and end with this one however that ends."""
    own = "import os; mine = os.getppid()\nwhile os.getppid() == mine: pass"
    words = [sys.executable, "-c", own]
    processes = [subprocess.Popen(words) for _ in range(count)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def slowed(root: Path, engine: str, asked: argparse.Namespace) -> None:
    before = spin_ns(root)
    spins = [round(share / 100 * ROW_NS[engine] / before) for share in SLOWED]
    file = study(root, f"slowed-{engine}", slowed_arms(engine, spins, asked))
    rows, took = judged(file)
    per_spin = (before + spin_ns(root)) / 2
    added = rows["me"].str.removeprefix(SPIN_FLAGS).astype(float) * per_spin
    by_clock, of_cpu = base_row_ns(collect(file, measure=False))
    rows = rows.assign(
        truth=-100 * added / (by_clock + added), cpu_truth=-100 * added / (of_cpu + added)
    )
    holds = rows["truth"].between(rows["low %"], rows["high %"])
    cpu_holds = (rows["cpu"] - rows["cpu_truth"]).abs() <= rows["cpu_half"]
    rows = rows.assign(holds=holds, cpu_holds=cpu_holds)
    columns = ["truth", *COLUMNS, "cpu_truth", "holds", "cpu_holds"]
    size = f"{asked.trials} loads, {took:.0f} s, a spin {before:.3f} to {per_spin:.3f} ns"
    row = f"a row {by_clock:.0f} ns, of CPU {of_cpu:.0f}"
    show(f"slowed {engine}: {size}, {row}", rows[columns])


def spin_ns(root: Path) -> float:
    """CPU time of one of ingest's spins, on the CPU that arms are measured on.

    The mean of some seconds: what neighbours take is in it as it is in that of a row.
    """
    source, program = root / "spin.c", root / "spin"
    source.write_text(SPIN)
    flags = ["-O2", "-DDELAY_SPINS=1", f"-I{ROOT / 'bench'}"]
    subprocess.run(["gcc", *flags, str(source), "-o", str(program)], check=True)
    last_cpu = str(max(os.sched_getaffinity(0)))
    return float(subprocess.check_output(["taskset", "-c", last_cpu, str(program)]))


def base_row_ns(results: Results) -> tuple[float, float]:
    """Time of a row of the base: by the clock, and of client and server on the CPU.

    Without the heads of turns: caches are filled there, which spins do not need, so a
    row costs less than turns in all over rows in all. Of heads no CPU time is on record;
    it is taken to be as much more as the time by the clock.
    """
    runs = results.runs[results.runs["flags"] == f"{SPIN_FLAGS}0"]
    turns = results.main_turns[results.main_turns["run_id"].isin(runs["run_id"])]
    columns = ["ops", "rows", "head_ops", "active_ns", "head_ns"]
    sums = turns[[*columns, "client_cpu_ns", "server_cpu_ns"]].sum()
    whole = sums["active_ns"] / sums["rows"]
    rows = (sums["ops"] - sums["head_ops"]) * sums["rows"] / sums["ops"]
    warm = (sums["active_ns"] - sums["head_ns"]) / rows
    cpu_ns = (sums["client_cpu_ns"] + sums["server_cpu_ns"]) / sums["rows"]
    return warm, cpu_ns * warm / whole


def device(root: Path, engine: str, asked: argparse.Namespace) -> None:
    """How much slower or faster each of two arms is in turns than in a run alone."""
    rates = pd.concat([device_rates(root, order, asked) for order in ("turns", "abba")])
    logs = np.log(rates.set_index(["order", "arm", "step"])["rate"])
    sides = logs.groupby(level=["order", "arm", "step"]).agg(["mean", "var", "count"])
    turns, alone = sides.xs("turns"), sides.xs("abba")
    se = np.sqrt(turns["var"] / turns["count"] + alone["var"] / alone["count"])
    half = 100 * stats.t.ppf(0.975, turns["count"] + alone["count"] - 2) * se
    bias = 100 * (turns["mean"] - alone["mean"])
    means = {"per s in turns": np.exp(turns["mean"]), "alone": np.exp(alone["mean"])}
    table = pd.DataFrame({**means, "bias in %": bias, "half": half}).reset_index()
    show(f"device: {asked.trials} runs of each, 100 ln(in turns / alone)", table)


def device_rates(root: Path, order: str, asked: argparse.Namespace) -> pd.DataFrame:
    """Operations a second of the step that waits for the device: a row per run."""
    head = HEAD.format(
        engine="one device", base="config: x10a_256m", order=order, trials=asked.trials
    )
    file = root / "posts" / f"device-{order}" / "study.yml"
    (file.parent / "configs").mkdir(parents=True)
    small = (ROOT / "bench" / "configs" / "postgres" / "x10a_256m").read_text()
    synced = small.replace("synchronous_commit = off", "synchronous_commit = on")
    (file.parent / "configs" / "synced").write_text(synced)
    file.write_text(head + DEVICE.format(seconds=asked.seconds))
    measure(file)
    results = collect(file, measure=False)
    steps = results.steps[results.steps["main"].astype(bool)]
    last = steps[steps["seq"] == steps["seq"].max()]
    names = {"l.i2": "inserts, synced", "qp100.L2": "reads beyond memory"}
    return pd.DataFrame(
        {
            "order": order,
            "arm": last["step"].map(names),
            "step": last["step"],
            "rate": last["ops"] / (last["elapsed_ns"] / 1e9),
        }
    )


COLUMNS = ["me", "step", "relative %", "low %", "high %", "half", "verdict", "cpu",
           "cpu_half"]  # fmt: skip


def alone(root: Path, engine: str, asked: argparse.Namespace) -> None:
    frames = []
    for order in ("turns", "abba"):
        text = equal_arms(engine, 2, order, asked)
        rows, took = judged(study(root, f"{order}-{engine}", text))
        frames.append(rows.assign(order=f"{order}, {took:.0f} s").set_index("step"))
    both = frames[0].merge(
        frames[1], left_index=True, right_index=True, suffixes=(" turns", " abba")
    )
    low = np.maximum(both["low turns"], both["low abba"])
    high = np.minimum(both["high turns"], both["high abba"])
    both = both.assign(agree=low <= high).reset_index()
    of = ("turns", "abba")
    columns = ["step", *(f"{c} {o}" for c in ("relative %", "half") for o in of), "agree"]
    names = " against ".join(f["order"].iloc[0] for f in frames)
    show(f"alone {engine}: {names}", both[columns])


PARTS = {
    "aa": aa, "slowed": slowed, "busy": busy, "alone": alone, "device": device,
}  # fmt: skip

if __name__ == "__main__":
    main()
