"""The shape of a tree over time, by the flushes, compactions and moves of its LOG."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from benchmath.lsm.moves import BOTH, MOVED, WRITTEN

FLUSH, COMPACTION, MOVE = "flush", "compaction", "move"
ARRIVAL_COLUMNS = ("run_id", "level", "first_s")
PLACE_COLUMNS = ("run_id", "level", "input_level", "top", "place", "compression")
SIZE_COLUMNS = ("run_id", "second", "level", "files", "size_mb")
CHECK_COLUMNS = ("run_id", "states", "equal")
MIB = 2**20


def arrivals(jobs: pd.DataFrame) -> pd.DataFrame:
    """When each level of each run first got a file, in seconds of its first step."""
    done = _done(jobs)
    if done.empty:
        return pd.DataFrame(columns=[*ARRIVAL_COLUMNS])
    table = done.groupby(["run_id", "level"], sort=False)["ended_s"].min().reset_index()
    table = table.rename(columns={"ended_s": "first_s"})
    return table[[*ARRIVAL_COLUMNS]]


def compaction_places(jobs: pd.DataFrame) -> pd.DataFrame:
    """Where each compaction wrote, counted from the top of its tree.

    top: the level nearest to L0 that had got a file before the compaction began; place:
    1 if it wrote to the top level, 2 to the one below it. Moves have no row.
    """
    done = _done(jobs)
    rows: list[dict[str, Any]] = []
    for run_id, run in done.groupby("run_id", sort=False):
        below = run[run["level"] > 0].sort_values("end_ns", kind="stable")
        tops = np.minimum.accumulate(below["level"].to_numpy(dtype=int))
        ends = below["end_ns"].to_numpy(dtype=float)
        for job in run[run["kind"] == COMPACTION].to_dict("records"):
            before = int(np.searchsorted(ends, job["start_ns"], side="right"))
            if before and len(job["input_levels"]):
                rows.append(_place(str(run_id), job, int(tops[before - 1])))
    return pd.DataFrame(rows, columns=[*PLACE_COLUMNS])


def _place(run_id: str, job: Mapping[str, Any], top: int) -> dict[str, Any]:
    level = int(job["level"])
    return {
        "run_id": run_id, "level": level, "input_level": int(min(job["input_levels"])),
        "top": top, "place": level - top + 1, "compression": job["compression"],
    }  # fmt: skip


def sizes_over_time(jobs: pd.DataFrame, points: int = 100) -> pd.DataFrame:
    """Files and MB of each level over the first step of each run, at ``points`` moments.

    Reckoned from the jobs: what a flush adds, a compaction takes and gives, and a move
    carries from the nearest level above that has as many files. A run in which one
    compaction read several levels is left out: the LOG does not say how much of each.
    """
    rows: list[dict[str, Any]] = []
    for run_id, run in _countable(jobs):
        first = run[run["step"] == run["step"].iloc[0]]
        ends = np.linspace(0, first["ended_s"].max(), points + 1)[1:]
        tree, n = _Tree(first["level"]), 0
        ordered = first.to_dict("records")
        for end in ends:
            while n < len(ordered) and ordered[n]["ended_s"] <= end:
                tree.apply(ordered[n])
                n += 1
            rows += [
                {"run_id": run_id, "second": float(end), "level": level,
                 "files": tree.files[level], "size_mb": tree.bytes[level] / MIB}
                for level in sorted(tree.files)
            ]  # fmt: skip
    return pd.DataFrame(rows, columns=[*SIZE_COLUMNS])


def states_checked(jobs: pd.DataFrame) -> pd.DataFrame:
    """How many states of the tree in the LOG equal those reckoned from its jobs."""
    rows = []
    for run_id, run in _countable(jobs):
        tree, states, equal = _Tree(), 0, 0
        for job in run.to_dict("records"):
            tree.apply(job)
            state = list(job["lsm_state"])
            if job["kind"] != MOVE and state:
                states += 1
                equal += tree.equals(state)
        rows.append({"run_id": run_id, "states": states, "equal": equal})
    return pd.DataFrame(rows, columns=[*CHECK_COLUMNS])


class _Tree:
    """Files and bytes of each level, as jobs change them."""

    def __init__(self, levels: Iterable[int] = ()) -> None:
        self.files = {int(level): 0 for level in levels}
        self.bytes = {int(level): 0.0 for level in levels}

    def apply(self, job: Mapping[str, Any]) -> None:
        if job["kind"] == COMPACTION and self.equals(job["lsm_state"]):
            return  # stopped when the database was closed: the tree is as it was
        if job["kind"] != FLUSH:
            source = self._source(job)
            self._add(source, -int(job["files_in"] or 0), -float(job["bytes_in"] or 0))
        self._add(int(job["level"]), int(job["files_out"]), float(job["bytes_out"]))

    def equals(self, state: Sequence[int]) -> bool:
        return all(self.files.get(level, 0) == n for level, n in enumerate(state))

    def _source(self, job: Mapping[str, Any]) -> int:
        if job["kind"] == COMPACTION:
            return int(job["input_levels"][0])
        above = range(int(job["level"]) - 1, 0, -1)
        wanted = int(job["files_in"] or 0)
        return next((n for n in above if self.files.get(n, 0) >= wanted), 0)

    def _add(self, level: int, files: int, size: float) -> None:
        self.files[level] = self.files.get(level, 0) + files
        self.bytes[level] = max(0.0, self.bytes.get(level, 0.0) + size)


def _countable(jobs: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame]]:
    """Runs of which each compaction read one level, their jobs in the order of ends."""
    done = _done(jobs)
    for run_id, run in done.groupby("run_id", sort=False):
        several = [len(levels) > 1 for levels in run["input_levels"]]
        if not any(several):
            yield str(run_id), run


def _done(jobs: pd.DataFrame) -> pd.DataFrame:
    """Jobs that ended, by their ends, with ended_s after the begin of the first step."""
    if jobs.empty:
        return pd.DataFrame(columns=["run_id", "level", "ended_s", "kind"])
    begin = jobs["start_ns"].astype(float) - 1e9 * jobs["second"].astype(float)
    begin = begin.groupby(jobs["run_id"]).transform("min")
    ended = jobs.assign(ended_s=(jobs["end_ns"].astype(float) - begin) / 1e9)
    ended = ended[ended["end_ns"].notna() & ended["level"].notna()]
    return ended.sort_values(["end_ns", "line"], kind="stable")


EXPECTED_COLUMNS = ("case", "expected", "found", "holds")
Levels = Mapping[int, str]  # how each level of a case got its files, by its number


def expectations(
    levels: pd.DataFrame, arrivals: pd.DataFrame, cases: pd.DataFrame
) -> pd.DataFrame:
    """A row per expectation of each case, with what was found and whether it holds.

    ``levels`` is the frame of ``moves.by_case``, ``arrivals`` has case, level, first_s;
    ``cases`` has case, dynamic and begins (the level where compression begins; missing
    if nothing is compressed).
    """
    rows: list[dict[str, Any]] = []
    for case in cases.drop_duplicates("case").to_dict("records"):
        own = levels[levels["case"] == case["case"]]
        if own.empty:
            continue
        how = dict(zip(own["level"].astype(int), own["how"], strict=True))
        found = ", ".join(f"L{level} {word}" for level, word in how.items())
        rows += [
            {"case": case["case"], "expected": text, "found": found, "holds": holds(how)}
            for text, holds in _of(case)
        ]
        first = arrivals[(arrivals["case"] == case["case"]) & (arrivals["level"] > 0)]
        rows.append(_growth(case, first))
    return pd.DataFrame(rows, columns=[*EXPECTED_COLUMNS])


def _of(case: Mapping[str, Any]) -> list[tuple[str, Callable[[Levels], bool]]]:
    always = ("L0 written", lambda how: how.get(0) == WRITTEN)
    begins = case["begins"]
    if pd.isna(begins):
        return [always, ("every other level moved", _all_moved)]
    if case["dynamic"]:
        return [always, ("the first level moved, those below both", _first_moved)]
    n = int(begins)
    text = f"L{n} written, every other level below L0 moved"
    return [always, (text, lambda how: _written_at(how, n))]


def _all_moved(how: Levels) -> bool:
    return {word for level, word in how.items() if level} == {MOVED}


def _first_moved(how: Levels) -> bool:
    words = [how[level] for level in sorted(how) if level]
    return len(words) > 1 and words[0] == MOVED and set(words[1:]) == {BOTH}


def _written_at(how: Levels, begins: int) -> bool:
    rest = {word for level, word in how.items() if level not in (0, begins)}
    return how.get(begins) == WRITTEN and rest == {MOVED}


def _growth(case: Mapping[str, Any], first: pd.DataFrame) -> dict[str, Any]:
    """Levels get their first files from the last one upwards, or from L1 downwards."""
    order = list(first.sort_values("first_s", kind="stable")["level"].astype(int))
    upwards = bool(case["dynamic"])
    return {
        "case": case["case"],
        "expected": f"levels fill from the {'last' if upwards else 'first'} one on",
        "found": ", ".join(f"L{level}" for level in order),
        "holds": order == sorted(order, reverse=upwards),
    }
