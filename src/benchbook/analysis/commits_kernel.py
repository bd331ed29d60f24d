"""The two passes over a series of commits, compiled by Numba.

A series is a hidden level, on a grid of cells, that mostly stays, sometimes jumps
anywhere and may drift to the cells beside it; noise comes from one or several modes.
``forward`` and ``backward`` are the passes of L. R. Rabiner, "A Tutorial on Hidden Markov
Models", Proc. IEEE 77 (1989), with jumps summed once for all cells, so that a point costs
as many steps as there are cells and modes.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import njit

F = np.float32
EDGE = 16  # cells beside the grid that mirror it, so that a drifting level stays inside
_OPTIONS: dict[str, Any] = {"fastmath": True, "cache": True, "error_model": "numpy"}


class Points(NamedTuple):
    """Of each point: its cell, its cell given those before it, its class of spread."""

    cells: np.ndarray
    given: np.ndarray
    spread: np.ndarray


class Tables(NamedTuple):
    """Density of a point by mode, class of spread and distance from the level in cells.

    ``first`` is for the first point of a level, ``next`` for those after it; ``stay`` is
    the chance to keep the mode of the point before.
    """

    first: np.ndarray
    next: np.ndarray
    weights: np.ndarray
    stay: float


class Walk(NamedTuple):
    """How the level moves over ``size`` cells.

    It jumps anywhere with chance ``hazard``, and by ``reach`` cells up or down with
    chance ``share`` each.
    """

    size: int
    hazard: float
    share: float
    reach: int


@njit(**_OPTIONS)
def _mirror(row, size, reach):
    for i in range(reach):
        row[EDGE - 1 - i] = row[EDGE + i]
        row[EDGE + size + i] = row[EDGE + size - 1 - i]


@njit(**_OPTIONS)
def _add(to, row, factor):
    for g in range(row.size):
        to[g] += row[g] * factor


@njit(**_OPTIONS)
def _scale(row, factor):
    for g in range(row.size):
        row[g] *= factor


@njit(**_OPTIONS)
def _copy(to, row, factor):
    for g in range(row.size):
        to[g] = row[g] * factor


@njit(**_OPTIONS)
def _advance(here, below, above, stay, side, jump, first, follow, out):
    total = F(0)
    for g in range(out.size):
        moved = stay * here[g] + side * (below[g] + above[g])
        v = moved * follow[g] + jump * first[g]
        out[g] = v
        total += v
    return total


@njit(**_OPTIONS)
def _begin(first, weight, out):
    total = F(0)
    for g in range(out.size):
        v = weight * first[g]
        out[g] = v
        total += v
    return total


@njit(**_OPTIONS)
def _mix(rows, weights, stay, total):
    """The modes before the next point: kept with chance ``stay``, else drawn anew."""
    total[:] = 0
    for m in range(weights.size):
        _add(total, rows[m], F(1))
    for m in range(weights.size):
        _scale(rows[m], F(stay))
        _add(rows[m], total, F((1 - stay) * weights[m]))


@njit(**_OPTIONS)
def forward(points, tables, walk, so_far, kept):
    """so_far[t] = log p(the first t points); kept[t, mode] = the level after point t.

    ``kept`` of length 0 keeps nothing.
    """
    n, modes, size = points.cells.size, tables.weights.size, walk.size
    now = np.zeros((modes, size + 2 * EDGE), F)
    new = np.zeros((modes, size + 2 * EDGE), F)
    total = np.zeros(size + 2 * EDGE, F)
    offset = (tables.first.shape[2] - 1) // 2
    r = walk.reach
    stay = (1 - walk.hazard) * (1 - 2 * walk.share)
    side = (1 - walk.hazard) * walk.share
    logs, factor = 0.0, 1.0
    so_far[0] = 0.0
    for t in range(n):
        c = points.spread[t]
        a, b = offset - points.cells[t], offset - points.given[t]
        if modes > 1 and t > 0:
            _mix(now, tables.weights, tables.stay, total)
        s = 0.0
        for m in range(modes):
            first = tables.first[m, c, a : a + size]
            follow = tables.next[m, c, b : b + size]
            row, out = now[m], new[m, EDGE : EDGE + size]
            w = tables.weights[m] / size
            if t == 0:
                s += _begin(first, F(w), out)
            else:
                below = row[EDGE - r : EDGE - r + size]
                above = row[EDGE + r : EDGE + r + size]
                here = row[EDGE : EDGE + size]
                kept_share, moved = F(stay * factor), F(side * factor)
                jump = F(walk.hazard * w)
                s += _advance(
                    here, below, above, kept_share, moved, jump, first, follow, out
                )
            _mirror(new[m], size, r)
        factor = 1 / s
        if kept.shape[0] > 0:
            for m in range(modes):
                _copy(kept[t, m], new[m, EDGE : EDGE + size], F(factor))
        now, new = new, now
        logs += math.log(s)
        so_far[t + 1] = logs


@njit(**_OPTIONS)
def _meet(before, after, out):
    total, moment = F(0), F(0)
    for g in range(out.size):
        v = before[g] * after[g]
        out[g] = v
        total += v
        moment += v * F(g)
    return total, moment


@njit(**_OPTIONS)
def _emit(after, first, follow, out):
    total = F(0)
    for g in range(after.size):
        v = after[g]
        total += v * first[g]
        out[g] = v * follow[g]
    return total


@njit(**_OPTIONS)
def _retreat(here, below, above, stay, side, jump, out):
    total = F(0)
    for g in range(out.size):
        v = stay * here[g] + side * (below[g] + above[g]) + jump
        out[g] = v
        total += v
    return total


@njit(**_OPTIONS)
def backward(points, tables, walk, kept, to_come, first_seen, next_seen, level):
    """to_come[t] = log p(point t and later | a new level at t).

    With what ``forward`` kept also the mean level at each point, and in ``first_seen``
    and ``next_seen`` how often a point lay how far from its level.
    """
    n, modes, size = points.cells.size, tables.weights.size, walk.size
    after = np.ones((modes, size), F)
    seen = np.zeros((modes, size + 2 * EDGE), F)
    both = np.empty((modes, size), F)
    total = np.zeros(size + 2 * EDGE, F)
    offset = (tables.first.shape[2] - 1) // 2
    r = walk.reach
    stay = (1 - walk.hazard) * (1 - 2 * walk.share)
    side = (1 - walk.hazard) * walk.share
    logs = 0.0
    for t in range(n - 1, -1, -1):
        c = points.spread[t]
        a, b = offset - points.cells[t], offset - points.given[t]
        if kept.shape[0] > 0:
            s, moment = 0.0, 0.0
            for m in range(modes):
                s1, m1 = _meet(kept[t, m], after[m], both[m])
                s += s1
                moment += m1
            level[t] = moment / s
            for m in range(modes):
                _add(first_seen[m, c, a : a + size], both[m], F(1 / s))
                _add(next_seen[m, c, b : b + size], both[m], F(1 / s))
        new = 0.0
        for m in range(modes):
            first = tables.first[m, c, a : a + size]
            follow = tables.next[m, c, b : b + size]
            out = seen[m, EDGE : EDGE + size]
            new += tables.weights[m] * _emit(after[m], first, follow, out)
            _mirror(seen[m], size, r)
        new /= size
        to_come[t] = logs + math.log(new)
        if modes > 1:
            total[:] = 0
            for m in range(modes):
                _add(total, seen[m], F(tables.weights[m] * (1 - tables.stay)))
            for m in range(modes):
                _scale(seen[m], F(tables.stay))
                _add(seen[m], total, F(1))
        s = 0.0
        for m in range(modes):
            row = seen[m]
            below = row[EDGE - r : EDGE - r + size]
            above = row[EDGE + r : EDGE + r + size]
            here = row[EDGE : EDGE + size]
            jump = F(walk.hazard * new)
            s += _retreat(here, below, above, F(stay), F(side), jump, after[m])
        factor = size * modes / s
        for m in range(modes):
            _scale(after[m], F(factor))
        logs -= math.log(factor)


@njit(cache=True)
def has_bursts(x, far, longest):
    """Are there 2 to ``longest`` neighbours that lie ``far`` off their surroundings?"""
    n = x.size
    off = np.empty(n)
    for t in range(n):
        off[t] = abs(x[t] - np.median(x[max(0, t - 6) : min(n, t + 7)]))
    limit = far * 1.4826 * np.median(off)
    run = 0
    for t in range(n + 1):
        if t < n and off[t] > limit and limit > 0:
            run += 1
        else:
            if 2 <= run <= longest:
                return True
            run = 0
    return False
