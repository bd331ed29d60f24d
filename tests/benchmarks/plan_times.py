"""What `plan` says a study takes, over what its published runs took.

A line per post on real engines, then the median of the errors. Runs that took turns took
the time of their session. A study that stops when it is decided leaves steps out, so it
takes no longer than said.
"""

from __future__ import annotations

import statistics
import sys
from pathlib import Path

import pandas as pd

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "src"))


def took_s(runs: pd.DataFrame, turns: pd.DataFrame) -> float:
    """Seconds of all runs; of a session from its first start to its last end."""
    sessions = {}
    if "session" in turns.columns:
        sessions = turns.drop_duplicates("run_id").set_index("run_id")["session"]
    start = pd.to_datetime(runs["started"]).astype("int64") / 1e9
    ends = start + runs["elapsed_s"]
    ids = runs["run_id"].astype(object)
    session = [sessions.get(name, name) for name in ids]
    spans = pd.DataFrame({"start": start, "end": ends}).groupby(session)
    return float((spans["end"].max() - spans["start"].min()).sum())


def main() -> None:
    from benchbook.measure.guess import run_seconds
    from benchbook.results import evidence
    from benchbook.study.study import load_study

    errors = []
    for file in sorted((ROOT / "posts").glob("*/published.json")):
        folder = file.parent / "evidence"
        study = load_study(file.parent / "study.yml")
        if not study.cells or study.data or not evidence.exists(folder):
            continue
        frames = evidence.read(folder, ("runs", "turns"))
        runs = frames["runs"]
        runs = runs[(runs["study"] == study.slug) & (runs["arm"] == "main")]
        each = {c.label(): run_seconds(c, study.driver) for c in study.cells}
        mean = sum(each.values()) / len(each)
        if runs.empty:
            continue
        said, took = mean * len(runs), took_s(runs, frames.get("turns", pd.DataFrame()))
        errors.append(abs(said / took - 1))
        times = f"{said:8.0f} s said {took:8.0f} s took {said / took:6.2f}"
        print(f"{study.slug:32} {times}")  # noqa: T201
    error = f"{statistics.median(errors):.0%}"
    print(f"median error of {len(errors)} posts: {error}")  # noqa: T201


if __name__ == "__main__":
    main()
