"""The order of runs is a pure function of cells, trials and seed."""

from benchbook.study.order import schedule


def test_two_cells_run_abba():
    """Two cells alternate as A B B A, so a linear drift hits both alike."""
    runs = schedule(cells=2, trials=4, order="abba", seed=1)

    assert [(0, 1), (1, 1), (1, 2), (0, 2), (0, 3), (1, 3), (1, 4), (0, 4)] == runs


def test_more_cells_run_forth_and_back():
    """Each even trial is the reverse of the trial before it."""
    runs = [cell for cell, _ in schedule(cells=5, trials=4, order="abba", seed=7)]

    assert runs[0:5] == runs[5:10][::-1]
    assert runs[10:15] == runs[15:20][::-1]
    assert sorted(runs[0:5]) == [0, 1, 2, 3, 4]


def test_more_trials_continue_the_same_order():
    """A study extended from 3 to 5 trials keeps the order of the first 3."""
    short = schedule(cells=4, trials=3, order="random", seed=3)

    assert short == schedule(cells=4, trials=5, order="random", seed=3)[:12]


def test_seed_decides_the_permutation():
    """Two seeds give two orders of the same runs."""
    one = schedule(cells=6, trials=1, order="random", seed=1)
    two = schedule(cells=6, trials=1, order="random", seed=2)

    assert one != two
    assert sorted(one) == sorted(two)
