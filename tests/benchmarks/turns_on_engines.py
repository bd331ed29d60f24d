"""What turns say of real engines: of equal arms, of slowed ones, beside load, and alone.

Each part is a study in a folder of its own, measured with this checkout's programs:

* aa: arms of the same program with the same settings. A true ratio is 1, so the share of
  intervals that hold 1 is their coverage, and every verdict of a change is false.
* slowed: ingest built with -DDELAY_SPINS against the same without. The truth is that of
  the counted instructions of SQLite's own run, so only what is known is compared: the
  spins are the same number for every arm.
* busy: the arms of aa again beside a process that keeps a CPU busy: how much wider.
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
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
from script import show

from benchbook.results.collect import collect
from benchbook.results.in_turns import per_cpu_second
from benchbook.results.results import Results

ROOT = Path(__file__).resolve().parents[2]
ENGINES = {
    "sqlite": "{engine: sqlite",
    "postgres": '{engine: postgres, version: "15", source: debian',
    "mariadb": '{engine: mariadb, version: "10.11", source: debian',
}
CONFIGS = {
    "sqlite": "wal_normal_4k", "postgres": "x10a_1g", "mariadb": "z11a_1g",
}  # fmt: skip
SPINS = (0, 20, 40, 60, 100)  # per inserted row
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
    parser.add_argument("--engines", nargs="+", default=list(ENGINES), choices=ENGINES)
    parser.add_argument("--arms", type=int, default=4)
    parser.add_argument("--trials", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4)
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="turns-") as folder:
        root = checkout(Path(folder))
        for part in asked.parts:
            for engine in asked.engines:
                print(f"{part} {engine}: load {os.getloadavg()[0]:.1f}", flush=True)  # noqa: T201
                PARTS[part](root, engine, asked)


def checkout(root: Path) -> Path:
    """A folder with the programs and templates of this one, and data of its own."""
    for name in ("posts", "data"):
        (root / name).mkdir()
    for name in ("bench", "notebooks", "build"):
        (root / name).symlink_to(ROOT / name)
    os.environ["BENCHBOOK_ROOT"] = str(root)
    return root


def study(root: Path, slug: str, text: str) -> Path:
    file = root / "posts" / slug / "study.yml"
    (file.parent / "configs").mkdir(parents=True)
    file.write_text(text)
    engine = next(name for name in CONFIGS if f"engine: {name}" in text)
    for name in NAMES:
        shared = ROOT / "bench" / "configs" / engine / CONFIGS[engine]
        (file.parent / "configs" / name).write_text(shared.read_text())
    return file


def equal_arms(engine: str, arms: int, order: str, asked: argparse.Namespace) -> str:
    """A study of one engine against itself: copies of a settings file tell arms apart."""
    head = HEAD.format(engine=engine, base="config: a", order=order, trials=asked.trials)
    lines = [f"  - {ENGINES[engine]}, config: {name}}}" for name in NAMES[:arms]]
    steps = STEPS.format(seconds=asked.seconds)
    return "\n".join([f"{head}engines:", *lines, steps])


def slowed_arms(engine: str, order: str, asked: argparse.Namespace) -> str:
    """One engine with the client's insert delayed by more and more spins a row."""
    base = 'flags: "-O2 -DDELAY_SPINS=0"'
    head = HEAD.format(engine=engine, base=base, order=order, trials=asked.trials)
    spins = ", ".join(f'"-O2 -DDELAY_SPINS={n}"' for n in SPINS)
    matrix = f"matrix:\n  compiler: [gcc]\n  flags: [{spins}]\n"
    steps = f"steps:\n  - l.i0:seconds={5 * asked.seconds}\n"
    return f"{head}{matrix}engines:\n  - {ENGINES[engine]}, config: a}}\n{steps}"


def judged(file: Path) -> tuple[pd.DataFrame, float]:
    """Verdicts of main ops of a study that is measured now, and the seconds it took."""
    began = time.monotonic()
    words = [sys.executable, "-m", "benchbook", "run", str(file)]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    took = time.monotonic() - began
    results = collect(file, measure=False)
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
    with busy_cpu():
        aa(root, engine, asked, "busy")


@contextmanager
def busy_cpu() -> Iterator[None]:
    """A process that never rests."""
    words = [sys.executable, "-c", "while True: pass"]
    with subprocess.Popen(words) as process:
        try:
            yield
        finally:
            process.kill()


def slowed(root: Path, engine: str, asked: argparse.Namespace) -> None:
    rows, took = judged(
        study(root, f"slowed-{engine}", slowed_arms(engine, "turns", asked))
    )
    show(f"slowed {engine}, {took:.0f} s", rows[COLUMNS])


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


PARTS = {"aa": aa, "slowed": slowed, "busy": busy, "alone": alone}

if __name__ == "__main__":
    main()
