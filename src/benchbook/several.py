"""The same work on several things, by as many processes as CPUs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, TypeVar

Result = TypeVar("Result")


def each_of(work: Callable[..., Result], *things: Sequence[Any]) -> list[Result]:
    """``map``, in that order; one thing alone is worth no process.

    Errors: the first that ``work`` raised.
    """
    cpus = len(os.sched_getaffinity(0))
    if min(cpus, len(things[0])) < 2:
        return list(map(work, *things))
    context = get_context("spawn")  # threads of numpy do not fork
    with ProcessPoolExecutor(cpus, mp_context=context) as pool:
        return list(pool.map(work, *things))
