"""How many background jobs, in sentences: every answer, and a claim for every number."""

import numpy as np
import pandas as pd
import pytest
from job_frames import BASE, CLIENTS, JOBS, runs

from benchbook.audit.claims import claim_contradictions, insignificant_changes
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.posts.audit import _texts
from benchbook.templates.background_jobs.finding import jobs_finding
from benchmath.ratios.averaged import averaged_pairs
from benchmath.ratios.relative import relative
from benchmath.ratios.verdicts import verdicts

pytestmark = pytest.mark.unit

SAME, GAIN, MOST = (
    {"2": 1.0, "4": a, "8": b} for a, b in ((1, 1), (1.3, 1.3), (1.2, 1.5))
)
SHAPES = {
    "**overwrite** needs no more than 2 background jobs: over 1, 2, 4 and": runs(SAME),
    "**overwrite** needs 4 background jobs: over 1, 2, 4 and 8 clients its": runs(GAIN),
    "**overwrite** needs 8 background jobs, the most measured, or more: over": runs(MOST),
    "gains from more than 2 background jobs, but how many it needs is not decided": runs(
        {"2": 1.0, "4": 1.5, "8": 1.52}, noise=0.05
    ),
    "How many background jobs **overwrite** needs is not decided: over": runs(
        SAME, noise=0.2
    ),
    ": at 4 clients its rate with 4 is": runs(GAIN, dops=[4]),
    ": over 1, 2 and 4 clients its rate": runs(GAIN, without=[("8", 8)]),
    "a single run has no interval, so more trials would decide it": runs(
        {"2": 1.0, "8": 1.2}, dops=[1], trials=1
    ),
    "and it with 8 is 0.50": runs({"2": 1.0, "4": 1.5, "8": 0.75}),
}


def finding(frame):
    judged = verdicts(relative(frame, BASE))
    return jobs_finding(averaged_pairs(frame, JOBS, CLIENTS), judged)


def borne_out(said):
    """What an audit finds in a finding, which should be nothing."""
    return [
        *claim_contradictions("", said.claims, said.frames),
        *insignificant_changes("", said.claims),
        *unborne(said.data, said.claims),
        *unclaimed(said.data, said.claims, _texts(said.frames)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("words", SHAPES)
def test_each_shape_has_its_words_and_every_number_a_claim(words):
    """All decided, nothing decided, one number of clients, cells that are not there."""
    said = finding(SHAPES[words])

    assert words in said.data
    assert [] == borne_out(said)


def test_ratio_of_the_most_to_the_fewest_has_its_interval():
    """1.00 times that with 2, in three digits where the interval is narrow."""
    said = finding(SHAPES[next(iter(SHAPES))]).data

    assert " times that with 2 [" in said
    assert ": over 1, 2, 4 and 8 clients its rate with 8 is " in said


def test_open_says_which_runs_would_decide():
    """Of the pairs with the fewest that may be enough."""
    said = finding(runs(SAME, noise=0.2)).data

    assert "more runs per side would detect a difference of 2%" in said


@pytest.mark.slow
def test_single_numbers_of_clients_are_counted():
    """Of 8 ratios to 2 jobs all 8 are faster; none where nothing is decided."""
    many, none = finding(runs(GAIN)).data, finding(runs(SAME, noise=0.2)).data

    assert "Of 8 ratios to 2 jobs at one number of clients 8 are faster (at most " in many
    assert (
        "Of 8 ratios to 2 jobs at one number of clients none differs detectably" in none
    )


@pytest.mark.slow
def test_steps_have_a_sentence_each():
    """One gains, the other does not; what is not decided comes last."""
    reads = runs(SAME, step="readwhilewriting").assign(unit="queries/s", metric="qps")
    said = finding(pd.concat([runs(GAIN), reads], ignore_index=True))
    noisy = runs(SAME, [1], noise=0.2, step="a").assign(unit="queries/s", metric="qps")
    last = finding(pd.concat([noisy, runs(GAIN)], ignore_index=True))

    assert "**overwrite** needs 4 background jobs" in said.data
    assert "**readwhilewriting** needs no more than 2 background jobs" in said.data
    assert last.data.startswith("**overwrite** needs 4")
    assert [] == borne_out(said)


def test_wrong_ratio_is_a_contradiction():
    """A claim that its frame does not bear out is found."""
    said = finding(runs(GAIN))
    pairs = said.frames["pairs"]
    frames = said.frames | {"pairs": pairs.assign(relative=pairs["relative"] * 1.1)}

    assert claim_contradictions("", said.claims, frames)


def test_one_number_of_jobs_says_nothing():
    """Nor does a study without runs."""
    frame = runs({"2": 1.0})
    nothing = averaged_pairs(frame, JOBS, CLIENTS)

    assert "nothing can be said yet" in jobs_finding(nothing, pd.DataFrame()).data
    assert np.isfinite(frame["value"]).all()
