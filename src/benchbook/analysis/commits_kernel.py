"""The two passes over a series that take the time, compiled by Numba.

The level of the series is a hidden state on a grid of cells. At each point it jumps to
any cell with a small probability, else it stays or drifts a little. A hidden mode of the
noise says from which density the point comes. `forward` and `backward` are the passes of
L. R. Rabiner, "A Tutorial on Hidden Markov Models", Proc. IEEE 77 (1989), with the jumps
summed once for all cells: time and memory grow as points x cells x modes.

Arrays of cells are flat, and rows of them are cut out in the innermost functions: that
is what makes Numba write vector code. A row has a margin that mirrors the grid, so that
a level that drifts off it comes back.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

MARGIN = 16
COMPILE: dict[str, Any] = {"fastmath": True, "cache": True, "error_model": "numpy"}
NOT_KEPT = np.zeros(0, np.float32)
_CELL = np.float32


class Points(NamedTuple):
    """Of each point: its cell, its cell given those before it, its class of spread."""

    cells: np.ndarray
    given: np.ndarray
    spread: np.ndarray


class Tables(NamedTuple):
    """Density of a point by mode, class of spread, and cells from level to point.

    ``first`` is for the first point of a level, ``next`` for those after it, ``weights``
    are the shares of the modes, and ``moves[i, j]`` is the probability that a point of
    mode i is followed by one of mode j.
    """

    first: np.ndarray
    next: np.ndarray
    weights: np.ndarray
    moves: np.ndarray


class Walk(NamedTuple):
    """How the level moves over ``size`` cells.

    It jumps anywhere with probability ``hazard``, else ``reach`` cells up or down with
    probability ``share`` each.
    """

    size: int
    hazard: float
    share: float
    reach: int


class Passed(NamedTuple):
    """What `backward` returns.

    ``to_come[t]`` is log p(points t and later | a level starts at t). If something was
    kept, ``level`` is the expected cell of the level at each point, and the others count
    how often a point was how far from its level, in the shape of the tables.
    """

    to_come: np.ndarray
    first_seen: np.ndarray
    next_seen: np.ndarray
    level: np.ndarray


@njit(**COMPILE)
def forward(points: Points, tables: Tables, walk: Walk, kept: np.ndarray) -> np.ndarray:
    """Log likelihood of the first t points, for t from 0 to all.

    ``kept`` takes the distribution of mode and level after each point, for `backward` to
    learn from; `NOT_KEPT` takes nothing.
    """
    modes, classes, length = tables.first.shape
    size, row = walk.size, walk.size + 2 * MARGIN
    first, later = tables.first.ravel(), tables.next.ravel()
    now = np.repeat(tables.weights / size, row).astype(_CELL)
    new = np.empty_like(now)
    totals, scale = np.ones(points.cells.size + 1), _CELL(1)
    for t in range(points.cells.size):
        if modes > 1:
            _mix(now, tables.moves, new)
            now, new = new, now
        if walk.share > 0:
            _drift(now, size, walk.reach, _CELL(walk.share), new)
            now, new = new, now
        at = length // 2 + points.spread[t] * length
        a, b = at - points.cells[t], at - points.given[t]
        total = _CELL(0)
        for m in range(modes):
            skip = m * classes * length
            jump = _CELL(walk.hazard / size * tables.weights[m])
            total += _advance(
                now, m * row, size, _CELL(1 - walk.hazard) * scale, jump,
                first, a + skip, later, b + skip, new,
            )  # fmt: skip
        totals[t + 1], scale = total, _CELL(1) / total
        now, new = new, now
        if kept.size > 0:
            for m in range(modes):
                to = (t * modes + m) * size
                _keep(now, m * row + MARGIN, size, scale, kept, to)
    return np.cumsum(np.log(totals))


@njit(**COMPILE)
def backward(points: Points, tables: Tables, walk: Walk, kept: np.ndarray) -> Passed:
    """What `forward` leaves open, from the last point to the first."""
    modes, classes, length = tables.first.shape
    n, size, row = points.cells.size, walk.size, walk.size + 2 * MARGIN
    first, later = tables.first.ravel(), tables.next.ravel()
    first_seen, next_seen = np.zeros_like(first), np.zeros_like(later)
    alike = np.array_equal(points.cells, points.given)
    rest, spare = np.zeros(modes * row, _CELL), np.zeros(modes * row, _CELL)
    both = np.empty(modes * size, _CELL)
    level, starts, totals = np.zeros(n), np.ones(n), np.ones(n)
    stay, jump = _CELL(0), _CELL(1)  # what is to come after the last point: nothing
    for t in range(n - 1, -1, -1):
        at = length // 2 + points.spread[t] * length
        a, b = at - points.cells[t], at - points.given[t]
        if modes > 1:
            _mix(rest, tables.moves.T, spare)
            rest, spare = spare, rest
        if walk.share > 0:
            _drift(rest, size, walk.reach, _CELL(walk.share), spare)
            rest, spare = spare, rest
        if kept.size > 0:
            total, moment = _meet(kept, t, rest, size, modes, stay, jump, both)
            level[t] = moment / total
            for m in range(modes):
                skip = m * classes * length
                _count(both, m * size, size, _CELL(1) / total, first_seen, a + skip)
                if not alike:
                    _count(both, m * size, size, _CELL(1) / total, next_seen, b + skip)
        start, total = 0.0, _CELL(0)
        for m in range(modes):
            skip = m * classes * length
            new, old = _retreat(
                rest, m * row, size, stay, jump, first, a + skip, later, b + skip
            )
            start += tables.weights[m] * new
            total += old
        totals[t] = total / (modes * size)
        starts[t] = start / size / totals[t]
        stay, jump = _CELL((1 - walk.hazard) / totals[t]), _CELL(walk.hazard * starts[t])
    to_come = np.log(starts) + np.cumsum(np.log(totals)[::-1])[::-1]
    shape = tables.first.shape
    following = first_seen if alike else next_seen
    return Passed(to_come, first_seen.reshape(shape), following.reshape(shape), level)


@njit(**COMPILE)
def _advance(
    now: np.ndarray, base: int, size: int, stay: float, jump: float,
    first: np.ndarray, a: int, later: np.ndarray, b: int, new: np.ndarray,
) -> float:  # fmt: skip
    """The level stays or jumps and a point is seen; returns the sum of the new row."""
    at = base + MARGIN
    here, to = now[at : at + size], new[at : at + size]
    fresh, same = first[a : a + size], later[b : b + size]
    total = _CELL(0)
    for g in range(size):
        v = stay * here[g] * same[g] + jump * fresh[g]
        to[g] = v
        total += v
    return total


@njit(**COMPILE)
def _retreat(
    rest: np.ndarray, base: int, size: int, stay: float, jump: float,
    first: np.ndarray, a: int, later: np.ndarray, b: int,
) -> tuple[float, float]:  # fmt: skip
    """The level stays or jumps, seen from later, and a point comes before.

    Returns the sum for a new level, and that without the point.
    """
    at = base + MARGIN
    row = rest[at : at + size]
    fresh, same = first[a : a + size], later[b : b + size]
    new, old = _CELL(0), _CELL(0)
    for g in range(size):
        v = stay * row[g] + jump
        row[g] = v * same[g]
        new += v * fresh[g]
        old += v
    return new, old


@njit(**COMPILE)
def _drift(rows: np.ndarray, size: int, reach: int, share: float, to: np.ndarray) -> None:
    """Move the level of each mode up and down."""
    stay = _CELL(1) - _CELL(2) * share
    for at in range(MARGIN, rows.size, size + 2 * MARGIN):
        _mirror(rows, at, size, reach)
        here, out = rows[at : at + size], to[at : at + size]
        below = rows[at - reach : at - reach + size]
        above = rows[at + reach : at + reach + size]
        for g in range(size):
            out[g] = stay * here[g] + share * (below[g] + above[g])


@njit(**COMPILE)
def _meet(
    kept: np.ndarray, t: int, rest: np.ndarray, size: int, modes: int,
    stay: float, jump: float, both: np.ndarray,
) -> tuple[float, float]:  # fmt: skip
    """Mode and level given all points, into ``both``; returns its sum and moment."""
    total, moment = _CELL(0), _CELL(0)
    for m in range(modes):
        start, at = (t * modes + m) * size, m * (size + 2 * MARGIN) + MARGIN
        before, after = kept[start : start + size], rest[at : at + size]
        to = both[m * size : (m + 1) * size]
        for g in range(size):
            v = before[g] * (stay * after[g] + jump)
            to[g] = v
            total += v
            moment += v * _CELL(g)
    return total, moment


@njit(**COMPILE)
def _count(
    both: np.ndarray, start: int, size: int, factor: float, seen: np.ndarray, a: int
) -> None:
    row, to = both[start : start + size], seen[a : a + size]
    for g in range(size):
        to[g] += row[g] * factor


@njit(**COMPILE)
def _keep(
    now: np.ndarray, at: int, size: int, factor: float, kept: np.ndarray, start: int
) -> None:
    row, to = now[at : at + size], kept[start : start + size]
    for g in range(size):
        to[g] = row[g] * factor


@njit(**COMPILE)
def _mirror(row: np.ndarray, at: int, size: int, reach: int) -> None:
    for i in range(reach):
        row[at - 1 - i] = row[at + i]
        row[at + size + i] = row[at + size - 1 - i]


@njit(**COMPILE)
def _mix(rows: np.ndarray, moves: np.ndarray, to: np.ndarray) -> None:
    """Move probability between the modes' rows."""
    modes = moves.shape[0]
    size = rows.size // modes
    to[:] = 0
    for j in range(modes):
        out = to[j * size : (j + 1) * size]
        for i in range(modes):
            row, p = rows[i * size : (i + 1) * size], _CELL(moves[i, j])
            for g in range(size):
                out[g] += p * row[g]
