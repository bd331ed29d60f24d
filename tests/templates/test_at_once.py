"""Flushes and compactions at once: sweeps over begins and ends; RocksDB's own rule."""

import pandas as pd
import pytest

from benchbook.templates.background_jobs.at_once import most_at_once, slots

pytestmark = pytest.mark.unit


def jobs(*spans):
    return pd.DataFrame(
        [(begin, end - begin) for begin, end in spans], columns=["second", "seconds"]
    )


@pytest.mark.parametrize(
    ("spans", "most"),
    [
        ([(0, 1), (2, 3)], 1),
        ([(0, 3), (1, 2), (1.5, 4)], 3),
        ([(0, 1), (1, 2)], 1),  # one begins when the other ends
        ([], 0),
    ],
)
def test_jobs_that_overlap_are_counted(spans, most):
    assert most == most_at_once(jobs(*spans))


def test_a_job_whose_end_is_not_told_does_not_count():
    assert 1 == most_at_once(jobs((0, 9), (1, float("nan"))))


@pytest.mark.parametrize(
    ("number", "flush", "compaction"), [(1, 1, 1), (2, 1, 1), (4, 1, 3), (8, 2, 6)]
)
def test_a_quarter_of_the_jobs_flushes(number, flush, compaction):
    assert {"flush": flush, "compaction": compaction} == slots(number)
