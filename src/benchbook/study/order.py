"""The order in which the runs of a study are made, and which of them take turns."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

TURNS = "turns"
ORDERS = ("abba", "random", TURNS)
TURN_MS = 100  # of a turn, where a study does not say

# What a cell is made of: where the base names one of these, others follow from it.
_MADE_OF = (
    "engine", "version", "source", "connect", "build", "compiler", "flags", "config",
    "tag",
)  # fmt: skip


def schedule(cells: int, trials: int, order: str, seed: int) -> list[tuple[int, int]]:
    """Every (cell index, trial) of a study in the order to run them.

    A pure function: a resumed study continues the same list.  ``abba`` runs two cells
    as ABBA ABBA ..., and more cells as a permutation in each odd trial and its reverse
    in the next, so that a linear drift of the machine falls on all cells alike.
    ``random`` draws a new permutation for every trial.  Trials count from 1.  ``turns``
    is about what happens within a session (``groups``): trials follow one another.
    """
    runs: list[tuple[int, int]] = []
    for trial in range(1, trials + 1):
        runs.extend((cell, trial) for cell in _permutation(cells, trial, order, seed))
    return runs


def _permutation(cells: int, trial: int, order: str, seed: int) -> list[int]:
    if order == TURNS:
        return list(range(cells))
    if order == "random":
        return _shuffled(cells, f"{seed}:{trial}")
    pair, second = divmod(trial - 1, 2)
    forward = list(range(cells)) if cells <= 2 else _shuffled(cells, f"{seed}:{pair}")
    return forward[::-1] if second else forward


def _shuffled(cells: int, key: str) -> list[int]:
    indexes = list(range(cells))
    random.Random(key).shuffle(indexes)
    return indexes


def groups(
    cells: Sequence[Mapping[str, str]], base: Mapping[str, str]
) -> list[list[int]]:
    """Indexes of the cells that are compared with one another, which take turns.

    ``cells`` are dimensions by name. Cells of a group are equal in all of them but those
    of ``base`` and what follows from these: a settings file that each version has for
    itself belongs to the version, one that every version has as well makes another group.
    """
    names = list(dict.fromkeys(name for cell in cells for name in cell))
    free = {n for n in names if n in base or _follows(n, cells, base)}
    by_rest: dict[tuple[str, ...], list[int]] = {}
    for i, cell in enumerate(cells):
        rest = tuple(cell.get(name, "") for name in names if name not in free)
        by_rest.setdefault(rest, []).append(i)
    return list(by_rest.values())


def _follows(
    name: str, cells: Sequence[Mapping[str, str]], base: Mapping[str, str]
) -> bool:
    """Has each cell made of the same, as far as the base's dimensions say, one value?"""
    if name not in _MADE_OF:
        return False
    values: dict[tuple[str, ...], set[str]] = {}
    for cell in cells:
        key = tuple(cell.get(dimension, "") for dimension in base)
        values.setdefault(key, set()).add(cell.get(name, ""))
    return all(len(one) == 1 for one in values.values())
