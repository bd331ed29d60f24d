"""A shell command 5% slower in one of two revisions, found here and by hyperfine.

A repository of two commits, whose program counts in a loop of the shell; the second one
counts 5% further. Here that is `run` and `compare` of a study of nine lines, until it is
decided at a margin of 2%; hyperfine gets the same programs, a warm-up of three runs and
its usual ten, or as many as fit into its usual three seconds. What either says of two
programs that are the same is a false alarm.

    python tests/benchmarks/beside_hyperfine.py [PAIRS]     # needs hyperfine, git

hyperfine gives no verdict. Two are made of its file: its own words ("1.05 +- 0.02 times
faster", an alarm if 1 lies outside), and Welch's test of its times at 5%.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

from benchmath.intervals import two_sided

ROOT = Path(__file__).parents[2]
COUNT = 30_000
STUDY = """\
title: Is it slower?
template: ab
driver: command
base: {revision: v1}
folder: REPOSITORY
commands: {count: sh count.sh}
seconds: 1
until: decided
budget: 2m
matrix: {revision: [v1, v2]}
"""


def repository(folder: Path, slower: float) -> Path:
    """v1 and v2, which counts ``slower`` further."""
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    folder.mkdir(parents=True)
    for number, count in enumerate((COUNT, round(COUNT * (1 + slower))), 1):
        text = f"# {number}\ni=0\nwhile [ $i -lt {count} ]; do i=$((i + 1)); done\n"
        (folder / "count.sh").write_text(text)
        for words in (("init", "-q"), ("add", "."), ("commit", "-qm", f"{number}"),
                      ("tag", f"v{number}")):  # fmt: skip
            subprocess.run(["git", "-C", str(folder), *who, *words], check=True)
    return folder


def laboratory(folder: Path) -> dict[str, str]:
    """A checkout that shares the programs of this one, and its environment."""
    (ROOT / "build").mkdir(exist_ok=True)
    (folder / "posts").mkdir(parents=True)
    for name in ("bench", "notebooks", "build", "_quarto.yml"):
        (folder / name).symlink_to(ROOT / name)
    return os.environ | {
        "BENCHBOOK_ROOT": str(folder), "BENCHBOOK_LOCK": str(folder / "lock"),
    }  # fmt: skip


def ours(place: Path, environ: dict[str, str], slug: str, repo: Path) -> tuple[str, str]:
    """The verdict on v2, and the ratio of its rate to that of v1."""
    study = place / "posts" / slug / "study.yml"
    study.parent.mkdir()
    study.write_text(STUDY.replace("REPOSITORY", str(repo)))
    call = [sys.executable, "-m", "benchbook"]
    subprocess.run([*call, "run", slug], env=environ, capture_output=True, check=True)
    words = [*call, "compare", "--study", slug, "v1", "v2", "--json"]
    done = subprocess.run(words, env=environ, capture_output=True, check=True)
    [row] = json.loads(done.stdout)["rows"]
    ratio = f"{row['relative']:.3f} [{row['low']:.3f}, {row['high']:.3f}]"
    return str(row["verdict"]), ratio


def theirs(folder: Path, repo: Path) -> tuple[bool, bool, str]:
    """Alarms by its own words and by Welch's test, and the ratio of the rates."""
    programs = []
    for name in ("v1", "v2"):
        file = folder / f"{repo.name}-{name}.sh"
        show = ["git", "-C", str(repo), "show", f"{name}:count.sh"]
        file.write_bytes(subprocess.run(show, capture_output=True, check=True).stdout)
        programs.append(f"sh {file}")
    out = folder / f"{repo.name}.json"
    words = ["hyperfine", "-w", "3", "--export-json", str(out), *programs]
    subprocess.run(words, capture_output=True, check=True)
    one, other = json.loads(out.read_text())["results"]
    ratio = one["mean"] / other["mean"]
    error = ratio * np.hypot(one["stddev"] / one["mean"], other["stddev"] / other["mean"])
    sides = [np.array(side["times"]) for side in (one, other)]
    parts = [side.var(ddof=1) / len(side) for side in sides]
    df = sum(parts) ** 2 / sum(
        part**2 / (len(side) - 1) for part, side in zip(parts, sides, strict=True)
    )
    gap = sides[0].mean() - sides[1].mean()
    p = float(two_sided(np.array(gap), np.sqrt(sum(parts)), np.array(df)))
    return bool(abs(ratio - 1) > error), p < 0.05, f"{ratio:.3f} +- {error:.3f}"


def write(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def main(pairs: int) -> None:
    if not shutil.which("hyperfine"):
        write("hyperfine is not installed: apt-get install hyperfine")
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environ = laboratory(folder / "lab")
        slower = repository(folder / "slower", 0.05)
        began = time.monotonic()
        verdict, ratio = ours(folder / "lab", environ, "slower", slower)
        write(f"here: {verdict}, {ratio} in {time.monotonic() - began:.0f} s")
        began = time.monotonic()
        words, test, ratio = theirs(folder, slower)
        took = time.monotonic() - began
        write(f"hyperfine: {ratio} in {took:.0f} s; by its words {words}, test {test}")
        alarms = np.zeros(3, int)
        for number in range(pairs):
            same = repository(folder / f"same{number}", 0.0)
            verdict, _ = ours(folder / "lab", environ, f"same{number}", same)
            alarms += (verdict in ("improved", "regressed"), *theirs(folder, same)[:2])
            write(
                f"{number + 1} A/A: here {alarms[0]}, hyperfine {alarms[1]} {alarms[2]}"
            )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
