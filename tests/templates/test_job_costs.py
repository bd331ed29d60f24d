"""The rule of thumb, the slowest operations and write stalls, in sentences."""

import pandas as pd
import pytest
from job_cost_frames import FASTER, RULES, SAME, rule, stalls, tails
from job_frames import CLIENTS, JOBS, runs

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.posts.audit import _texts
from benchbook.templates.background_jobs.busy import NO_CPUS, rule_finding
from benchbook.templates.background_jobs.stalls import NO_STALLS_KNOWN, stalls_finding
from benchbook.templates.background_jobs.tails import tails_finding
from benchmath.costs.busy import busy_threads
from benchmath.costs.ranges import ranges
from benchmath.ratios.averaged import averaged_pairs

pytestmark = pytest.mark.unit


def borne_out(said):
    """What an audit finds in a finding, which should be nothing."""
    return [
        *claim_contradictions("", said.claims, said.frames),
        *unborne(said.data, said.claims),
        *unclaimed(said.data, said.claims, _texts(said.frames)),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("words", RULES)
def test_rule_is_held_against_the_ratios(words):
    """Each answer has its words, and every number its claim."""
    said = rule(RULES[words])

    assert words in said.data
    assert [] == borne_out(said)


def test_rule_that_all_keep_is_not_tested():
    """16 threads on 16 CPUs."""
    said = rule(runs(FASTER), cpus=16)

    assert "of 12 combinations of step, clients and jobs 12 keep it on 16" in said.data
    assert "nothing here tests it" in said.data
    assert [] == borne_out(said)


def test_rule_without_cpus_says_so():
    """Nobody recorded them."""
    frame = runs(SAME)
    said = rule_finding(busy_threads(frame, {}, CLIENTS, JOBS), pd.DataFrame())

    assert NO_CPUS == said.data


@pytest.mark.parametrize(
    ("explained", "words"),
    [
        (
            [True, False],
            "in 1 of 2 comparisons whose rates differ. It is overwrite with 1",
        ),
        (
            [True, True],
            "in 2 of 2 comparisons whose rates differ. The largest difference",
        ),
        ([False, True], "make the whole of the difference: they are 50% of the time"),
    ],
)
def test_slowest_operations_are_said_where_they_explain(explained, words):
    """The comparison whose means are farthest apart is told."""
    said = tails_finding(tails(explained))

    assert words in said.data
    assert [] == borne_out(said)


def test_nothing_is_said_where_they_do_not():
    """Neither of an empty frame."""
    assert "" == tails_finding(tails([False, False])).data
    assert "" == tails_finding(tails([True, True]).head(0)).data


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([0.0] * 6, "RocksDB held up its writers in none of 2 combinations"),
        ([24.0, 0, 25, 0, 26, 0], "longest in overwrite with 1 client and 2 background "
         "jobs: 25% of the time, 24 to 26 in 3 runs."),
    ],
)  # fmt: skip
def test_stalls_are_told_with_their_range(values, words):
    """With what more jobs wrote for each byte."""
    said = stalls(values)

    assert words in said.data
    assert "In overwrite write amplification with 8 jobs is " in said.data
    assert [] == borne_out(said)


def test_runs_that_know_nothing_of_stalls_say_so():
    """Those of another engine."""
    frame = runs(SAME)
    table = ranges(frame, ["stall_pct"], [CLIENTS, JOBS])
    nothing = averaged_pairs(frame.head(0), JOBS, CLIENTS, "write_amp")

    assert NO_STALLS_KNOWN == stalls_finding(table, nothing).data
