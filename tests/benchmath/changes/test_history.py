"""Histories: one value per commit, blocks of a long past, words of a change."""

import numpy as np
import pytest
from version_frames import ROW, WOBBLE, frame

from benchbook.results.found import all_found
from benchmath.changes.changepoints import Changepoint, Detected
from benchmath.changes.history import (
    blocks,
    change_rows,
    commit_dimension,
    commit_series,
    found,
    histories_of,
    verdict,
)
from benchmath.changes.shift import Shift

pytestmark = pytest.mark.unit


def rows(**changed):
    """Two commits: the older one, run three times, stands last."""
    new = {"commit": "b2", "started": "2026-01-02 00:00:00", "version": "1.1"}
    old = {"commit": "a1", "started": "2026-01-01 00:00:00", "version": "1.0"}
    return [
        ROW | changed | new | {"value": 7.0},
        *(
            ROW | changed | old | {"value": v, "trial": i}
            for i, v in enumerate((1.0, 9, 4))
        ),
    ]


def change(ratio, low, high):
    return Changepoint(1, ratio, low, high, 0.01, 9, 9)


def test_a_commit_is_the_median_of_its_runs_in_the_order_of_time():
    [series] = commit_series(frame(rows()), "commit")

    assert ("a1", "b2") == series.commits
    assert [4.0, 7.0] == series.values.tolist()
    assert ("2026-01-01 00:00:00", "2026-01-02 00:00:00") == series.times


def test_what_follows_from_the_commit_tells_no_tests_apart():
    """The version differs from commit to commit; the indexes differ within one."""
    two = frame(rows(indexes="3"), rows(indexes="5"))

    names = [one.test for one in commit_series(two, "commit")]

    assert ["scan qps indexes=3", "scan qps indexes=5"] == names


def test_clients_never_follow_from_the_commit():
    """One client before, two from the second commit on: two tests of one commit each."""
    old, *_ = rows()
    both = frame([old | {"dop": 1}, old | {"dop": 2, "commit": "c3"}])

    tests = {one.test: one.commits for one in commit_series(both, "commit")}

    assert {"scan qps dop=1": ("b2",), "scan qps dop=2": ("c3",)} == tests


@pytest.mark.parametrize(
    ("configs", "tests"),
    [
        ("aab", {"scan qps a": ("c1", "c2"), "scan qps b": ("c3",)}),
        ("abc", {"scan qps": ("c1", "c2", "c3")}),
    ],
)
def test_settings_that_commits_share_tell_tests_apart(configs, tests):
    """Other settings from the third commit on are no change by it."""
    days = [{"started": f"2026-01-0{n} 00:00:00", "commit": f"c{n}"} for n in (1, 2, 3)]
    said = [
        ROW | day | {"config": config, "value": 1.0}
        for day, config in zip(days, configs, strict=True)
    ]
    found = commit_series(frame(said), "commit")

    assert tests == {one.test: one.commits for one in found}


def test_commits_are_versions_where_no_run_names_one():
    assert "commit" == commit_dimension(frame(rows()))
    assert "version" == commit_dimension(frame([ROW | {"value": 1.0, "commit": ""}]))


def test_a_test_has_one_unit():
    mixed = [rows()[0], ROW | rows()[1] | {"unit": "ms"}]

    with pytest.raises(ValueError, match="more than one unit"):
        commit_series(frame(mixed), "commit")


@pytest.mark.parametrize(
    ("n", "expected"),
    [
        (0, [(0, 0)]),
        (2000, [(0, 2000)]),
        (2001, [(0, 2000), (1000, 2001)]),
        (3001, [(0, 2000), (1000, 3000), (2000, 3001)]),
    ],
)
def test_blocks_overlap_by_half(n, expected):
    assert expected == blocks(n)


def test_a_new_commit_searches_one_block():
    """Of 3,001 points two blocks are as they were with 3,000."""
    asked = []

    def search(several):
        asked.extend(values.tobytes() for values in several)
        return [Detected([], []) for _ in several]

    values = np.arange(1.0, 3002.0)
    histories_of([values[:3000]], search)
    before = set(asked)
    asked.clear()
    histories_of([values], search)

    assert 1 == len(set(asked) - before)


def test_each_block_answers_for_its_middle():
    """What two blocks see at one place is one change, and the surer one."""
    answers = [Detected([Shift(1500, 0.02)], []), Detected([Shift(502, 0.01)], [])]
    values = np.where(np.arange(2500) < 1502, 8.0, 4.0)

    [[one]] = histories_of([values], lambda _: answers)

    assert (1502, 0.01) == (one.position, one.p)


def test_many_series_are_searched_as_one_alone_is(monkeypatch):
    """By other processes, where that is worth it; answers stay in their order."""
    monkeypatch.setattr("benchbook.results.found._WORTH", 100)
    many = [np.resize(WOBBLE, 60) * np.where(np.arange(60) < 20 + i, 100, 90)
            for i in range(20)]  # fmt: skip

    assert [found(values) for values in many] == all_found(many)


def test_changes_of_long_series_are_where_the_detector_puts_them():
    values = np.resize(WOBBLE, 2600) * np.where(np.arange(2600) < 1700, 100, 90)

    assert [1700] == [c.position for c in histories_of([values])[0]]
    assert [1700] == [c.position for c in found(values).changes]


@pytest.mark.parametrize(
    ("one", "direction", "expected"),
    [
        (change(0.9, 0.8, 0.95), "higher", "worse"),
        (change(0.9, 0.8, 0.95), "lower", "better"),
        (change(0.9, 0.8, 0.95), "none", "changed"),
        (change(0.9, 0.8, 1.01), "higher", "unsure"),
        (change(np.nan, np.nan, np.nan), "higher", "worse"),
        (change(np.nan, np.nan, np.nan), "lower", "better"),
    ],
)
def test_words_follow_the_direction_of_the_metric(one, direction, expected):
    """Where a level of 0 leaves no ratio, the difference (2 less) tells."""
    assert expected == verdict(one, direction, -2.0)


def test_a_change_names_the_range_of_commits():
    [series] = commit_series(frame(rows()), "commit")
    [row] = change_rows(series, [change(0.9, 0.8, 0.95)])

    assert ("a1", "b2", "2026-01-02 00:00:00", "worse") == (
        row["after"], row["at"], row["time"], row["verdict"],
    )  # fmt: skip
