"""How far it scales, in sentences: each answer has its own, each number its claim."""

import pandas as pd
import pytest
from scaling_frames import ANSWERS, finding, runs

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.findings.scaling import scaling_finding
from benchbook.posts.audit import _texts
from benchmath.ratios.relative import relative, summary
from benchmath.ratios.suite import suite
from benchmath.scaling import efficiency, scaling

pytestmark = pytest.mark.unit


@pytest.mark.slow
@pytest.mark.parametrize("words", ANSWERS)
def test_each_answer_has_its_words_and_every_number_a_claim(words):
    """What the sentence says is in its claims, and these are in their frames."""
    said = finding(ANSWERS[words])

    assert words in said.data
    assert [] == claim_contradictions("", said.claims, said.frames)
    assert [] == list(unborne(said.data, said.claims))
    assert [] == unclaimed(said.data, said.claims, _texts(said.frames))


def test_peak_comes_with_rate_gain_and_cpus():
    """sqrt(.7 / .02) is 5.92 clients; the first sentence has all that was asked."""
    said = finding(ANSWERS["peaks"]).data

    assert said.startswith("**point-query** peaks at 5.9")
    assert "clients on 2 CPUs: " in said
    assert " queries/s [" in said
    assert " times one client's." in said


def test_clients_beyond_the_cpus_are_said():
    """With 2 CPUs and 1, 2, 4 ... clients, from 4 on they wait for a CPU too."""
    said = finding(ANSWERS["peaks"]).data

    assert "From 4 clients on they are more than the 2 CPUs" in said


def test_as_many_cpus_as_clients_need_no_word():
    """32 CPUs are enough for 32 clients."""
    assert "more than the" not in finding(ANSWERS["peaks"], cpus=32).data


def test_open_says_what_would_decide():
    """Twice and four times the most clients measured."""
    said = finding(ANSWERS["later, or never"]).data

    assert "runs with 64 and 128 clients would decide it" in said


def test_placements_are_named():
    """A law each, told apart by name."""
    said = finding(
        runs(0.9, 0.02, placement="0"), runs(0.3, 0.02, placement="0,1")
    ).data  # fmt: skip

    assert "**point-query placement=0** " in said
    assert "**point-query placement=0,1** peaks at" in said


def test_many_tests_are_counted_first():
    """Seven tests: counts, then the one that gains most and the one that gains least."""
    parts = [
        runs(s, 0.02, step=f"q{i}") for i, s in enumerate((0.1, 0.2, 0.25, 0.3, 0.4))
    ]
    parts.append(runs(0.1, 0.0, step="open", noise=0.03))
    parts.append(runs(0.1, 0.0, dops=(1, 2), step="few"))

    said = finding(*parts)

    assert said.data.startswith(
        "Of 7 tests 5 peak within the clients measured, 1 does not show whether it peaks "
        "and 1 has too few clients for a law. **q0** peaks"
    )
    assert "**q4** peaks" in said.data
    assert [] == claim_contradictions("", said.claims, said.frames)


def test_tests_that_all_lack_clients_are_said_once():
    """Two tests with two numbers of clients each: one sentence, and why."""
    said = finding(*(runs(0.1, 0.0, dops=(1, 2), step=f"q{i}") for i in range(2)))

    assert said.data.startswith(
        "The law is not fitted: 2 numbers of clients: a law takes 5, with two to spare."
    )


def on_cores(*parts):
    """The finding of runs on one CPU (placement 0) and on two, with what two bring."""
    frame = pd.DataFrame([row for part in parts for row in part])
    steps = {step: step for step in dict.fromkeys(frame["step"])}
    cores = suite(frame, {"placement": "0"}, steps)
    cores = cores[cores["me"] != "0"].assign(cpus=2, cpus_base=1)
    law = scaling(frame, {run: 1 + ("0,1" in run) for run in frame["run_id"]})
    table = efficiency(relative(frame, {"dop": "1"}), summary(frame))
    return scaling_finding(law, table, cores)


@pytest.mark.slow
def test_what_more_cpus_bring_comes_first():
    """Two clients: twice the rate of q1 and three times that of q2, 6 ** .5 together."""
    parts = [
        runs(1.0, 0.0, step=step, placement=place, dops=(1, 2, 4, 8, 16), noise=1e-9,
             off={n: factor for n in (2, 4, 8, 16)} if place == "0,1" else None)
        for step, factor in (("q1", 2), ("q2", 3))
        for place in ("0", "0,1")
    ]  # fmt: skip
    said = on_cores(*parts)

    assert said.data.startswith(
        "With 2 clients 2 CPUs do **2.449** [2.449, 2.449] times the work of 1 in the "
        "geometric mean of 2 tests, with 1 client **1.000** [1.000, 1.000] times, with "
        "16 clients **2.449** [2.449, 2.449] times. With 2 clients it is least in q1, "
        "**2.000** [2.000, 2.000] times, and most in q2, **3.000** [3.000, 3.000] times."
    )
    assert [] == claim_contradictions("", said.claims, said.frames)
    assert [] == unclaimed(said.data, said.claims, _texts(said.frames))


def test_a_placement_called_none_counts_nothing():
    """`placement=none` is a name, no word that needs a count."""
    said = finding(
        runs(0.3, 0.02, placement="none"), runs(0.9, 0.02, placement="same")
    )  # fmt: skip

    assert "placement=none" in said.data
    assert [] == list(unborne(said.data, said.claims))


def test_of_many_that_do_not_peak_the_extremes_are_told():
    """Off the law, or flat: the best that was measured decides."""
    off = {n: 1 / n for n in (1, 2, 4, 8, 16, 32)}
    parts = [
        runs(0.0, 0.0, step=f"q{i}", off={n: f * (i + 1) if n > 1 else 1
                                          for n, f in off.items()})
        for i in range(7)
    ]  # fmt: skip
    said = finding(*parts).data

    assert "**q6** is fastest with" in said and "**q0** gains nothing" in said
    assert "**q3**" not in said


def test_wrong_peak_is_a_contradiction():
    """A claim that its frame does not bear out is found."""
    said = finding(ANSWERS["peaks"])
    frames = said.frames | {"estimates": said.frames["estimates"].assign(value=1.0)}

    assert claim_contradictions("", said.claims, frames)


def test_no_runs_say_nothing():
    """An empty study has a sentence too."""
    law = scaling(pd.DataFrame(runs(0.1, 0.01)).head(0))

    assert "nothing can be said of scaling yet" in scaling_finding(law, law).data
