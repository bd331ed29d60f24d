"""pmp-N.txt: what gdb saw of all threads of a process, look by look.

A look belongs to the step in which it began; stacks of one step and tree are added up, a
thread that was seen is a sample of weight 1. Threads that wait count as those that run:
shares are of threads, not of CPU time.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from benchbook.runs.profiles import read_text, sentences
from benchbook.runs.records import Record
from benchformats.profilers import pmp

EVENT = "pmp"
Window = tuple[int, int]  # start_ns, end_ns


def looks(names: Collection[str]) -> list[str]:
    """The files of a run folder that hold looks."""
    return sorted(n for n in names if n.startswith("pmp-") and n.endswith(".txt"))


def read_looks(
    folder: Path, names: Collection[str], steps: Mapping[str, Window]
) -> tuple[list[Record], list[str]]:
    """Rows of stack, and a sentence for each thing that was left out.

    ``steps`` says when each step was, CLOCK_MONOTONIC. A look outside any step, or that
    does not say when it was, is left out.
    """
    counts: dict[tuple[str, str, str], int] = {}
    problems: list[str] = []
    for name in looks(names):
        file = read_text(folder / name)
        look = pmp.look_of(file)
        step = _step_at(look.start_ns, steps) if look else ""
        if look is None or not step:
            continue
        parsed = pmp.read(file)
        problems += sentences(name, parsed.problems)
        table = parsed.series.get(pmp.SERIES)
        for row in table.to_pylist() if table is not None else []:
            key = (step, look.tree, str(row["frames"]))
            counts[key] = counts.get(key, 0) + int(row["weight"])
    return [_row(*key, count) for key, count in counts.items()], problems


def _step_at(time_ns: int, steps: Mapping[str, Window]) -> str:
    return next((s for s, (start, end) in steps.items() if start <= time_ns <= end), "")


def _row(step: str, tree: str, frames: str, count: int) -> Record:
    kinds = "u" * len(frames.split(";"))
    return {
        "step": step, "tree": tree, "event": EVENT, "comm": "", "frames": frames,
        "kinds": kinds, "state": "", "weight": count, "samples": count,
    }  # fmt: skip
