"""The rule of thumb, the slowest operations and write stalls, in sentences."""

import pandas as pd
import pytest
from job_frames import BASE, CLIENTS, JOBS, runs

from benchbook.analysis.costs.busy import busy_threads
from benchbook.analysis.costs.ranges import ranges
from benchbook.analysis.ratios.averaged import averaged_pairs
from benchbook.analysis.ratios.relative import relative
from benchbook.analysis.ratios.verdicts import verdicts
from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.findings.busy import NO_CPUS, rule_finding
from benchbook.findings.stalls import NO_STALLS_KNOWN, stalls_finding
from benchbook.findings.tails import tails_finding
from benchbook.posts.audit import _texts

pytestmark = pytest.mark.unit

SAME = {"2": 1.0, "4": 1.0, "8": 1.0}
FASTER = {"2": 1.0, "4": 1.3, "8": 1.3}
SLOWER = {"2": 1.0, "4": 0.8, "8": 0.7}


def borne_out(said):
    """What an audit finds in a finding, which should be nothing."""
    return [
        *claim_contradictions("", said.claims, said.frames),
        *unborne(said.data, said.claims),
        *unclaimed(said.data, said.claims, _texts(said.frames)),
    ]


def rule(frame, cpus=2):
    busy = busy_threads(frame, dict.fromkeys(frame["run_id"], cpus), CLIENTS, JOBS)
    return rule_finding(busy, verdicts(relative(frame, BASE)))


def sampled(frame):
    costs = [
        frame.assign(metric=name, value=400.0, unit="us", main=False)
        for name in ("client_user_o", "client_system_o")
    ]
    return pd.concat([frame, *costs], ignore_index=True)


RULES = {
    "It does not hold here: of 8 ratios of more jobs beyond it 8 are faster": runs(
        FASTER
    ),
    "As far as it is tested it holds: of 8 ratios of more jobs beyond it": runs(SLOWER),
    "More jobs beyond it cost nothing here: of 8 ratios": runs(SAME, noise=0.001),
    "Whether it holds here is not decided: of 8 ratios": runs(SAME, noise=0.2),
    "none keeps it on 2 CPUs (they have 3 to 16 threads)": runs(SAME),
    "Clients and background jobs together used 0.8": sampled(runs(SAME, noise=0.0001)),
}


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


def tails(explained, more=(4.0, -6.0)):
    """Two comparisons with 8 jobs, at 1 and 2 clients."""
    return pd.DataFrame({
        "step": "overwrite", "dop": ["1", "2"], JOBS: "8", "me": "max_background_jobs=8",
        "verdict": "improved", "q": 0.01, "relative": 1.4,
        "mean": 10.0, "mean_base": 14.0,
        "p50": 3.0, "p50_base": 3.1, "p99": 9.0, "p99_base": 9.1, "slow": 5.0,
        "slow_base": 9.0, "slowest_pct": 50.0, "slowest_pct_base": 64.3,
        "p50_ratio": 0.97, "p99_ratio": 0.99, "more": more, "of_slow_pct": [80.0, 120.0],
        "changed": True, "explained": explained,
    })  # fmt: skip


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


def stalled(values):
    """A stalled share of each run of two cells, and their write amplification."""
    frame = runs({"2": 1.0, "8": 1.0}, dops=[1])
    share = frame.assign(metric="stall_pct", unit="%", main=False, value=values)
    written = frame.assign(metric="write_amp", unit="ratio", main=False,
                           direction="lower")  # fmt: skip
    written = written.assign(value=written["value"] / 200)
    return pd.concat([frame, share, written], ignore_index=True)


def stalls(values):
    frame = stalled(values)
    table = ranges(frame, ["stall_pct"], [CLIENTS, JOBS])
    written = frame[frame["metric"] == "write_amp"]
    return stalls_finding(table, averaged_pairs(written, JOBS, CLIENTS, "write_amp"))


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
