"""The passes over a series agree with sums over all levels and modes written out."""

from itertools import product

import numpy as np
import pytest

from benchmath.changes.commits.kernel import (
    NO_HISTORY,
    Points,
    Tables,
    Walk,
    backward,
    forward,
    room,
)

pytestmark = pytest.mark.unit

# Two cells, distances -2 to 2 from level to point; a drift of one cell.
CELLS = np.array([0, 1, 1])
POINTS = Points(2 - CELLS, 2 - CELLS)
WALK = Walk(size=2, hazard=0.1, share=0.2, reach=1)
STILL = WALK._replace(share=0.0)
NARROW, BROAD = [0.05, 0.1, 0.7, 0.1, 0.05], [0.2, 0.2, 0.2, 0.2, 0.2]
SKEWED = [0.4, 0.3, 0.15, 0.1, 0.05]


def tables(*densities, stay=1.0):
    density = np.array(densities, np.float32)[:, None, :]
    modes = len(densities)
    moves = stay * np.eye(modes) + (1 - stay) / modes
    return Tables(density, density, np.full(modes, 1 / modes), moves)


def drifted(before, after):
    """0.6 to stay, 0.2 to either side; the margin mirrors the cell at the edge."""
    return 0.8 if before == after else 0.2


def written_out(densities, moves):
    """p(three points): the sum over all states, a state being mode and level."""
    states = list(product(range(len(densities)), range(2)))
    total = 0.0
    for path in product(states, repeat=3):
        p = 1 / len(states)
        for t, (mode, level) in enumerate(path):
            before, last = path[t - 1] if t else path[0]
            if t:
                kept = 0.9 * moves[before, mode] * drifted(last, level)
                p *= kept + 0.1 / len(states)
            p *= densities[mode][2 + level - CELLS[t]]
        total += p
    return total


def path_likelihood(density, path):
    """p(three points and their levels), no level drifting."""
    p = 0.5
    for t, level in enumerate(path):
        if t:
            p *= 0.9 * (path[t - 1] == level) + 0.1 / 2
        p *= density[2 + level - CELLS[t]]
    return p


def test_likelihood_is_the_sum_over_all_levels():
    """Three points, two cells: eight paths, each a product of moves and densities."""
    found = np.exp(forward(POINTS, tables(NARROW), WALK, NO_HISTORY)[-1])

    assert abs(written_out([NARROW], np.eye(1)) - found) < 1e-7


def test_likelihood_is_the_sum_over_all_modes():
    """Two modes, of which the next point keeps the present one with .5 + .25."""
    given = tables(NARROW, BROAD, stay=0.5)
    found = np.exp(forward(POINTS, given, WALK, NO_HISTORY)[-1])

    assert abs(written_out([NARROW, BROAD], given.moves) - found) < 1e-7


def test_likelihood_is_the_sum_over_three_modes():
    """More than two modes are mixed one by one."""
    given = tables(NARROW, BROAD, SKEWED, stay=0.5)
    found = np.exp(forward(POINTS, given, WALK, NO_HISTORY)[-1])

    assert abs(written_out([NARROW, BROAD, SKEWED], given.moves) - found) < 1e-7


def test_what_is_to_come_is_the_likelihood_of_a_series_of_its_own():
    """From a new level on, later points know nothing of earlier ones."""
    to_come = backward(POINTS, tables(NARROW), WALK, NO_HISTORY).to_come
    alone = Points(*(row[1:] for row in POINTS))

    assert abs(forward(alone, tables(NARROW), WALK, NO_HISTORY)[-1] - to_come[1]) < 1e-6


def test_both_directions_agree():
    """All that is to come of the first point is the series, whatever moves."""
    given = tables(NARROW, BROAD, stay=0.5)
    to_come = backward(POINTS, given, WALK, NO_HISTORY).to_come

    assert abs(forward(POINTS, given, WALK, NO_HISTORY)[-1] - to_come[0]) < 1e-6


def learned_from(points, given):
    """Both passes of a level that does not drift, with all that is kept."""
    kept = room(points, given, STILL)
    forward(points, given, STILL, kept)
    return backward(points, given, STILL, kept)


@pytest.mark.parametrize(
    "densities", [[NARROW], [NARROW, BROAD], [NARROW, BROAD, SKEWED]]
)
def test_each_point_is_counted_once(densities):
    """Seen distances add up to the points; the expected level lies on the grid."""
    passed = learned_from(POINTS, tables(*densities, stay=0.5))

    assert abs(3 - passed.first_counts.sum()) < 1e-5
    assert ((passed.level >= 0) & (passed.level <= 1)).all()


def test_keeping_changes_nothing():
    """The likelihoods are the same whether something is learned or not."""
    given = tables(NARROW, BROAD, stay=0.5)
    alone = backward(POINTS, given, STILL, NO_HISTORY).to_come

    assert (np.abs(alone - learned_from(POINTS, given).to_come) < 1e-6).all()


def test_expected_level_is_the_mean_over_all_paths():
    """The last of three points, where the level is what the points before tell."""
    level = learned_from(POINTS, tables(NARROW)).level[-1]
    paths = list(product(range(2), repeat=3))
    likely = [path_likelihood(NARROW, path) for path in paths]

    assert abs(np.average([path[-1] for path in paths], weights=likely) - level) < 1e-5


def test_distances_are_counted_apart_where_the_noise_has_memory():
    """First of a level or not: distance 2 is only that of what is new in a point."""
    points = POINTS._replace(next=2 - np.array([0, 1, -1]))
    passed = learned_from(points, tables(NARROW))

    assert 0 == passed.first_counts[0, 0, 4] < passed.next_counts[0, 0, 4]
    assert abs(3 - passed.next_counts.sum()) < 1e-5
