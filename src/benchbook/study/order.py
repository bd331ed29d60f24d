"""The order in which the runs of a study are made."""

from __future__ import annotations

import random


def schedule(cells: int, trials: int, order: str, seed: int) -> list[tuple[int, int]]:
    """Every (cell index, trial) of a study in the order to run them.

    A pure function: a resumed study continues the same list.  ``abba`` runs two cells
    as ABBA ABBA ..., and more cells as a permutation in each odd trial and its reverse
    in the next, so that a linear drift of the machine falls on all cells alike.
    ``random`` draws a new permutation for every trial.  Trials count from 1.
    """
    runs: list[tuple[int, int]] = []
    for trial in range(1, trials + 1):
        runs.extend((cell, trial) for cell in _permutation(cells, trial, order, seed))
    return runs


def _permutation(cells: int, trial: int, order: str, seed: int) -> list[int]:
    if order == "random":
        return _shuffled(cells, f"{seed}:{trial}")
    pair, second = divmod(trial - 1, 2)
    forward = list(range(cells)) if cells <= 2 else _shuffled(cells, f"{seed}:{pair}")
    return forward[::-1] if second else forward


def _shuffled(cells: int, key: str) -> list[int]:
    indexes = list(range(cells))
    random.Random(key).shuffle(indexes)
    return indexes
