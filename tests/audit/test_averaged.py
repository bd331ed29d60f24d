"""A ratio over all numbers of clients that its runs do not bear out is found."""

import pandas as pd
import pytest
from job_frames import BASE, CLIENTS, JOBS, runs

from benchbook.audit.averaged import pair_contradictions
from benchbook.templates.background_jobs.finding import jobs_finding
from benchmath.ratios.averaged import averaged_pairs
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts

pytestmark = pytest.mark.unit
GAINS = {"2": 1.0, "4": 1.1, "8": 1.3}


def pairs(frame):
    judged = verdicts(relative(frame, BASE))
    return jobs_finding(averaged_pairs(frame, JOBS, CLIENTS), judged).frames["pairs"]


@pytest.mark.slow
@pytest.mark.parametrize("without", [[], [("8", 8)]])
def test_ratios_of_the_runs_are_borne_out(without):
    """Also where a cell is not there."""
    frame = runs(GAINS, dops=[1, 2, 8], without=without)

    assert [] == list(pair_contradictions("", pairs(frame), frame))


def test_a_trial_that_lacks_a_cell_counts_for_nothing():
    """One run less: its trial is left out on that side."""
    frame = runs(GAINS, dops=[1, 2], noise=0.05).iloc[1:]

    assert [] == list(pair_contradictions("", pairs(frame), frame))


def test_another_ratio_is_a_contradiction():
    """One percent more in each of three pairs."""
    frame = runs(GAINS, dops=[1, 2])
    wrong = pairs(frame)
    wrong = wrong.assign(relative=1.01 * wrong["relative"])

    assert 3 == len(list(pair_contradictions("", wrong, frame)))


def test_runs_of_another_placement_do_not_count():
    """The page answers of the first, and the runs are those of both."""
    frame = runs(GAINS, dops=[1, 2]).assign(placement="none")
    other = runs({"2": 1.0, "8": 0.5}, dops=[2]).assign(placement="same")

    both = pd.concat([frame, other], ignore_index=True)
    assert [] == list(pair_contradictions("", pairs(frame), both))
