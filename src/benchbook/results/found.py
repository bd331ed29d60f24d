"""The detector of changes asked for many series, by as many processes as CPUs."""

from __future__ import annotations

import os
from collections.abc import Sequence
from multiprocessing import get_context

import numpy as np

from benchmath.changes.changepoints import Detected
from benchmath.changes.history import found

_CHUNK = 20  # blocks that a process takes at a time
_WORTH = 100_000  # points: fewer are searched before other processes have begun


def all_found(several: Sequence[np.ndarray]) -> list[Detected]:
    """What the detector says of each block, as many at a time as there are CPUs."""
    cpus = len(os.sched_getaffinity(0))
    if cpus == 1 or sum(values.size for values in several) < _WORTH:
        return [found(values) for values in several]
    first = found(several[0])  # what it imports and compiles, the processes inherit
    with get_context("fork").Pool(cpus) as pool:
        return [first, *pool.map(found, several[1:], _CHUNK)]
