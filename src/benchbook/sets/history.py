"""What changed over the commits of a set, with a memory of what was searched before.

The memory lies under build/history/, may be deleted at any time, and is worth nothing to
another version of the detectors or of the libraries that they compute with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

import benchmath
from benchbook.digests import files_digest, short_digest
from benchbook.files import replace_text
from benchbook.project import Project, here, user_cache
from benchbook.results.found import all_found
from benchbook.results.history import History, history_in
from benchbook.sets.files import chosen_set
from benchmath.changes.changepoints import Detected
from benchmath.changes.shift import Shift

_COMPUTES = ("numpy", "scipy", "numba", "pandas", "ruptures")


@dataclass
class Memory:
    """Answers by the digest of a block's values, of this library and no other."""

    file: Path
    library: str
    old: dict[str, Any] = field(default_factory=dict)
    used: dict[str, Any] = field(default_factory=dict)
    searched: int = 0

    def search(self, several: Sequence[np.ndarray]) -> list[Detected]:
        keys = [_key(values) for values in several]
        told = [
            detected_of(self.old.get(key), values.size)
            for key, values in zip(keys, several, strict=True)
        ]
        left = [at for at, answer in enumerate(told) if answer is None]
        self.searched += len(left)
        anew = iter(all_found([several[at] for at in left]) if left else ())
        answers = [next(anew) if answer is None else answer for answer in told]
        self.used |= {
            key: [
                [[int(c.position), float(c.p)] for c in answer.changes],
                [int(i) for i in answer.outliers],
            ]
            for key, answer in zip(keys, answers, strict=True)
        }
        return answers

    def keep(self) -> None:
        """A memory that cannot be kept costs time, nothing else."""
        if self.used != self.old:
            with suppress(OSError):
                text = json.dumps({"library": self.library, "blocks": self.used})
                replace_text(self.file, text)


def history(
    name: str,
    project: Project | None = None,
    metric: str = "",
    dimension: str = "",
    memory: bool = True,
    pattern: str | None = None,
) -> History:
    """What changed over the commits of a set: a study, an import, a table, or files.

    ``bb.history("imported/mine").tests[0]`` is what matters most.  ``metric`` keeps one
    metric, ``dimension`` says what the commits are (``commit``
    where the set has it, else ``version``); ``pattern`` what names of files say.
    UserError for a set without a history.
    """
    chosen = chosen_set(name, project, pattern)
    of = (chosen.metric, chosen.name, metric, dimension, chosen.listed)
    if not memory:
        return history_in(*of, notes=chosen.notes)
    kept = memory_of(chosen.name, project)
    told = history_in(*of, kept.search, chosen.notes)
    kept.keep()
    return replace(told, searched=kept.searched)


def memory_of(name: str, project: Project | None) -> Memory:
    """What is remembered of a set; nothing where another library wrote it."""
    project = project or here()
    folder = project.build / "history" if project else user_cache("history")
    memory = Memory(folder / f"{short_digest(name)}.json", _library_digest())
    try:
        there = json.loads(memory.file.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return memory
    if isinstance(there, dict) and there.get("library") == memory.library:
        blocks = there.get("blocks")
        memory.old = blocks if isinstance(blocks, dict) else {}
    return memory


def detected_of(answer: Any, size: int) -> Detected | None:
    """An answer as it was kept; None where it is none for a block of that size."""
    try:
        changes, outliers = answer
        shifts = [Shift(int(at), float(p)) for at, p in changes]
        away = [int(i) for i in outliers]
    except (TypeError, ValueError):
        return None
    places = [shift.position for shift in shifts]
    inside = all(0 < at < size for at in places) and all(0 <= i < size for i in away)
    return Detected(shifts, away) if inside and places == sorted(places) else None


def _key(values: np.ndarray) -> str:
    return hashlib.sha256(np.ascontiguousarray(values, "<f8").tobytes()).hexdigest()


@cache
def _library_digest() -> str:
    """The files of the detectors, and the versions of what they compute with."""
    package = Path(benchmath.__file__).parent
    files = package.rglob("*.py")
    versions = [f"{name} {version(name)}" for name in _COMPUTES]
    return short_digest("\n".join([files_digest(package, files), *versions]))
