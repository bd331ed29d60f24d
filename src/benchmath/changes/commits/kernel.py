"""The two passes over a series that take the time, compiled by Numba.

The level of the series is a hidden state on a grid of cells. At each point it jumps to
any cell with a small probability, else it stays or drifts a little. A hidden mode of the
noise says from which density the point comes. `forward` and `backward` are the passes of
L. R. Rabiner, "A Tutorial on Hidden Markov Models", Proc. IEEE 77 (1989), with the jumps
summed once for all cells: time and memory grow as points x cells x modes.

Rows of cells, one per mode, stand one after the other in flat arrays that are told by
where they begin: cutting them out in the innermost functions only is what makes Numba
write vector code without counting references at every point. A row has a margin that
mirrors the grid, so that a level that drifts off it comes back.
"""

from typing import Any, NamedTuple

import numpy as np
from numba import njit

MARGIN = 16
COMPILE: dict[str, Any] = {"fastmath": True, "cache": True, "error_model": "numpy"}
NO_HISTORY = np.zeros(0, np.float32)
_CELL = np.float32


class Points(NamedTuple):
    """Of each point: where in the tables of a mode its density under level 0 stands.

    Those under the levels above follow. ``first`` is for the first point of a level,
    ``next`` for those after it.
    """

    first: np.ndarray
    next: np.ndarray


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
    first_counts: np.ndarray
    next_counts: np.ndarray
    level: np.ndarray


def room(points: Points, tables: Tables, walk: Walk) -> np.ndarray:
    """For what `forward` keeps: two sets of rows to work with and one for each point."""
    rows = (points.first.size + 2) * tables.weights.size
    return np.empty(rows * (walk.size + 2 * MARGIN), _CELL)


@njit(**COMPILE)
def forward(
    points: Points, tables: Tables, walk: Walk, history: np.ndarray
) -> np.ndarray:
    """Log likelihood of the first t points, for t from 0 to all.

    ``history`` takes the distribution of mode and level after each point, for `backward`
    to learn from (see `room`); `NO_HISTORY` takes nothing.
    """
    modes, n, size = tables.weights.size, points.first.size, walk.size
    row, skip = size + 2 * MARGIN, tables.first.size // modes
    every = modes * row
    first, later = tables.first.ravel(), tables.next.ravel()
    shares = (tables.weights / size).astype(_CELL)
    hazard, stays, sides = _moves(walk)
    keep = history.size > 0
    rows = history if keep else np.empty(3 * every, _CELL)
    _begin(rows, shares, row)
    totals, scale = np.ones(n + 1), _CELL(1)
    now = every
    for t in range(n):
        new = now + every if keep else 3 * every - now
        before = 0 if modes > 1 else now
        if modes > 1:
            _mix(rows, now, tables.moves, row)
        total, stay, side = _CELL(0), stays * scale, sides * scale
        for m in range(modes):
            at, jump = m * row + MARGIN, hazard * shares[m]
            a, b = points.first[t] + m * skip, points.next[t] + m * skip
            if side == 0:
                total += _advance(
                    rows, before + at, size, stay, jump, first, a, later, b, new + at
                )
            else:
                total += _advance_drifting(
                    rows, before + at, size, walk.reach, stay, side, jump,
                    first, a, later, b, new + at,
                )  # fmt: skip
        totals[t + 1], scale = total, _CELL(1) / total
        now = new
    return np.cumsum(np.log(totals))


@njit(**COMPILE)
def backward(points: Points, tables: Tables, walk: Walk, history: np.ndarray) -> Passed:
    """What `forward` leaves open, from the last point to the first.

    What was kept is used up, and of a level that does not drift.
    """
    modes, n, size = tables.weights.size, points.first.size, walk.size
    row, skip = size + 2 * MARGIN, tables.first.size // modes
    every = modes * row
    first, later = tables.first.ravel(), tables.next.ravel()
    alike = np.array_equal(points.first, points.next)
    shares = (tables.weights / size).astype(_CELL)
    hazard, stays, sides = _moves(walk)
    keep = history.size > 0
    rows = np.zeros(3 * every, _CELL)
    first_counts, next_counts = np.zeros_like(first), np.zeros_like(later)
    level, starts, totals = np.zeros(n), np.ones(n), np.ones(n)
    stay, side, jump = _CELL(0), _CELL(0), _CELL(1)  # after the last point: nothing
    now = every
    for t in range(n - 1, -1, -1):
        new, then = 3 * every - now, (t + 2) * every
        after = 0 if modes > 1 else now
        if modes > 1:
            _mix(rows, now, tables.moves.T, row)
        start, total, met, moment = _CELL(0), _CELL(0), _CELL(0), _CELL(0)
        for m in range(modes):
            at = m * row + MARGIN
            a, b = points.first[t] + m * skip, points.next[t] + m * skip
            if keep:
                fresh, old, both, part = _meet(
                    rows, after + at, size, stay, jump, first, a, later, b, new + at,
                    history, then + at,
                )  # fmt: skip
                met += both
                moment += part
            elif sides == 0:
                fresh, old = _retreat(
                    rows, after + at, size, stay, jump, first, a, later, b, new + at
                )
            else:
                fresh, old = _retreat_drifting(
                    rows, after + at, size, walk.reach, stay, side, jump,
                    first, a, later, b, new + at,
                )  # fmt: skip
            start += shares[m] * fresh
            total += old
        if keep:
            level[t] = moment / met
            for m in range(modes):
                at = then + m * row + MARGIN
                a, b = points.first[t] + m * skip, points.next[t] + m * skip
                _count(history, at, size, _CELL(1) / met, first_counts, a)
                if not alike:
                    _count(history, at, size, _CELL(1) / met, next_counts, b)
        totals[t], starts[t], scale = total, start / total, _CELL(1) / total
        stay, side, jump = stays * scale, sides * scale, hazard * start * scale
        now = new
    to_come = np.log(starts) + np.cumsum(np.log(totals)[::-1])[::-1]
    shape = tables.first.shape
    following = first_counts if alike else next_counts
    return Passed(to_come, first_counts.reshape(shape), following.reshape(shape), level)


@njit(**COMPILE)
def _moves(walk: Walk) -> tuple[float, float, float]:
    """The probabilities of a jump, of staying and of drifting to one side."""
    left = 1 - walk.hazard
    stay, side = left * (1 - 2 * walk.share), left * walk.share
    return _CELL(walk.hazard), _CELL(stay), _CELL(side)


@njit(**COMPILE)
def _begin(rows: np.ndarray, shares: np.ndarray, row: int) -> None:
    """Any mode and level before the first point, in the second set of rows."""
    for m in range(shares.size):
        at = (shares.size + m) * row
        rows[at : at + row] = shares[m]


@njit(**COMPILE)
def _advance(
    rows: np.ndarray, at: int, size: int, stay: float, jump: float,
    first: np.ndarray, a: int, later: np.ndarray, b: int, new: int,
) -> float:  # fmt: skip
    """The level stays or jumps and a point is seen; returns the sum of the new row."""
    here, to = rows[at : at + size], rows[new : new + size]
    fresh, same = first[a : a + size], later[b : b + size]
    total = _CELL(0)
    for g in range(size):
        v = stay * here[g] * same[g] + jump * fresh[g]
        to[g] = v
        total += v
    return total


@njit(**COMPILE)
def _advance_drifting(
    rows: np.ndarray, at: int, size: int, reach: int, stay: float, side: float,
    jump: float, first: np.ndarray, a: int, later: np.ndarray, b: int, new: int,
) -> float:  # fmt: skip
    """The same with a level that may also drift."""
    here, to = rows[at : at + size], rows[new : new + size]
    below = rows[at - reach : at - reach + size]
    above = rows[at + reach : at + reach + size]
    fresh, same = first[a : a + size], later[b : b + size]
    total = _CELL(0)
    for g in range(size):
        v = (stay * here[g] + side * (below[g] + above[g])) * same[g] + jump * fresh[g]
        to[g] = v
        total += v
    _mirror(rows, new, size, reach)
    return total


@njit(**COMPILE)
def _retreat(
    rows: np.ndarray, at: int, size: int, stay: float, jump: float,
    first: np.ndarray, a: int, later: np.ndarray, b: int, new: int,
) -> tuple[float, float]:  # fmt: skip
    """The level stays or jumps, seen from later, and a point comes before.

    Returns the sum for a new level, and that without the point.
    """
    here, to = rows[at : at + size], rows[new : new + size]
    fresh, same = first[a : a + size], later[b : b + size]
    start, total = _CELL(0), _CELL(0)
    for g in range(size):
        v = stay * here[g] + jump
        to[g] = v * same[g]
        start += v * fresh[g]
        total += v
    return start, total


@njit(**COMPILE)
def _retreat_drifting(
    rows: np.ndarray, at: int, size: int, reach: int, stay: float, side: float,
    jump: float, first: np.ndarray, a: int, later: np.ndarray, b: int, new: int,
) -> tuple[float, float]:  # fmt: skip
    """The same with a level that may also drift."""
    here, to = rows[at : at + size], rows[new : new + size]
    below = rows[at - reach : at - reach + size]
    above = rows[at + reach : at + reach + size]
    fresh, same = first[a : a + size], later[b : b + size]
    start, total = _CELL(0), _CELL(0)
    for g in range(size):
        v = stay * here[g] + side * (below[g] + above[g]) + jump
        to[g] = v * same[g]
        start += v * fresh[g]
        total += v
    _mirror(rows, new, size, reach)
    return start, total


@njit(**COMPILE)
def _meet(
    rows: np.ndarray, at: int, size: int, stay: float, jump: float,
    first: np.ndarray, a: int, later: np.ndarray, b: int, new: int,
    history: np.ndarray, then: int,
) -> tuple[float, float, float, float]:  # fmt: skip
    """As `_retreat`; a level given all points takes the place of that kept.

    Returns the sum and the moment of that too.
    """
    here, to, both = (
        rows[at : at + size],
        rows[new : new + size],
        history[then : then + size],
    )
    fresh, same = first[a : a + size], later[b : b + size]
    start, total, met, moment = _CELL(0), _CELL(0), _CELL(0), _CELL(0)
    for g in range(size):
        v = stay * here[g] + jump
        w = both[g] * v
        both[g] = w
        to[g] = v * same[g]
        start += v * fresh[g]
        total += v
        met += w
        moment += w * _CELL(g)
    return start, total, met, moment


@njit(**COMPILE)
def _count(
    history: np.ndarray, at: int, size: int, factor: float, counts: np.ndarray, a: int
) -> None:
    row, to = history[at : at + size], counts[a : a + size]
    for g in range(size):
        to[g] += row[g] * factor


@njit(**COMPILE)
def _mirror(rows: np.ndarray, at: int, size: int, reach: int) -> None:
    for i in range(reach):
        rows[at - 1 - i] = rows[at + i]
        rows[at + size + i] = rows[at + size - 1 - i]


@njit(**COMPILE)
def _mix(rows: np.ndarray, at: int, moves: np.ndarray, row: int) -> None:
    """Move probability between the modes' rows; the first set of rows takes it."""
    modes = moves.shape[0]
    if modes == 2:
        _mix_two(rows, at, moves, row)
        return
    rows[: modes * row] = 0
    for j in range(modes):
        to = rows[j * row : (j + 1) * row]
        for i in range(modes):
            here, p = rows[at + i * row : at + (i + 1) * row], _CELL(moves[i, j])
            for g in range(row):
                to[g] += p * here[g]


@njit(**COMPILE)
def _mix_two(rows: np.ndarray, at: int, moves: np.ndarray, row: int) -> None:
    """The same of the most usual number of modes, in one loop."""
    one, other = rows[at : at + row], rows[at + row : at + 2 * row]
    to_one, to_other = rows[:row], rows[row : 2 * row]
    a, b = _CELL(moves[0, 0]), _CELL(moves[0, 1])
    c, d = _CELL(moves[1, 0]), _CELL(moves[1, 1])
    for g in range(row):
        x, y = one[g], other[g]
        to_one[g] = a * x + c * y
        to_other[g] = b * x + d * y
