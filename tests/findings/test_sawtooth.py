"""Whether a rate goes up and down, in sentences whose numbers have claims."""

import numpy as np
import pandas as pd
import pytest

from benchbook.analysis.lsm.activity import beside_rate
from benchbook.analysis.variation.oscillation import oscillations
from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.findings.sawtooth import sawtooth_finding
from benchbook.posts.audit import _texts
from benchbook.results.sawtooth import Sawtooth

pytestmark = pytest.mark.unit


def run(case, trial, depth, n=60):
    """A sine of 10 seconds around 100 in noise of 5%, with files of L0 that follow it."""
    random = np.random.default_rng([trial, len(case)])
    wave = np.sin(2 * np.pi * np.arange(n) / 10)
    rate = 100 * (1 + depth / 2 * wave + 0.05 * random.normal(size=n))
    files = np.rint(5 - 4 * wave) if depth else 4 + random.integers(0, 3, size=n)
    return pd.DataFrame({
        "case": case, "step": "overwrite", "op": "insert", "run_id": f"{case}{trial}",
        "second": np.arange(1.0, n + 1), "interval_ns": 10**9, "rate": rate,
        "l0_files": files, "compacting": (wave < 0).astype(float),
    })  # fmt: skip


def told(n=60, trials=3, stall=12.5, **depths):
    """Cases by name with the depth of their cycle."""
    runs = [run(c, t, d, n) for c, d in depths.items() for t in range(1, trials + 1)]
    seconds = pd.concat(runs, ignore_index=True)
    found = oscillations(seconds)
    stalls = pd.DataFrame([
        {"case": case, "step": "overwrite", "n": trials, "value": stall, "low": stall,
         "high": stall, "still_s": 0.0, "cause": "l0_delays" if stall else ""}
        for case in depths
    ])  # fmt: skip
    files = oscillations(seconds.assign(rate=seconds["l0_files"])).cases
    return Sawtooth(
        cases=found.cases, runs=found.runs, shown=found.runs, files=files,
        beside=beside_rate(seconds), stalls=stalls, seconds=seconds, rates=seconds,
    )  # fmt: skip


SHAPES = {
    "one case": told(up=0.5),
    "one run": told(trials=1, up=0.5),
    "found and not": told(level=0.0, up=0.5),
    "none found": told(level=0.0, other=0.0),
    "nothing stalled": told(stall=0.0, up=0.5),
    "too short": told(n=20, up=0.5),
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_number_and_word_has_a_claim_that_holds(name):
    """Whatever was found, an auditor derives what is said from the frames."""
    said = sawtooth_finding(SHAPES[name])

    assert [] == claim_contradictions("cell", said.claims, said.frames)
    assert [] == unclaimed(said.data, said.claims, _texts(said.frames))
    assert [] == list(unborne(said.data, said.claims))


def test_period_and_depth_come_first():
    """Of two cases that with a cycle, though the other stands first."""
    text = sawtooth_finding(SHAPES["found and not"]).data

    assert text.startswith(
        "**up**: the rate of overwrite goes up and down with a period of "
    )
    assert "as long up as down, about" in text
    assert "**level**: overwrite has no period (3 runs of 60 s" in text


def test_no_period_is_said_with_what_would_find_one():
    """The depth of a sine that would be found about every second time."""
    text = sawtooth_finding(SHAPES["none found"]).data

    assert text.startswith("**No period is found** in any of 2 cases.")
    assert "would be found about every second time" in text


def test_the_tree_and_stalls_stand_beside_it():
    """Only what was computed of files of L0, their compactions and stalled writers."""
    text = sawtooth_finding(SHAPES["one case"]).data

    assert "RocksDB delayed or stopped its writers for 12.5%" in text
    assert "most often by l0 delays" in text
    assert "The number of files of L0 has a period of 10" in text
    quiet = sawtooth_finding(SHAPES["nothing stalled"]).data
    assert "RocksDB neither delayed nor stopped its writers." in quiet


def test_short_steps_have_no_answer():
    """Twenty seconds are too few for a period."""
    text = sawtooth_finding(SHAPES["too short"]).data

    assert text == "Nothing that writes lasts 30 seconds: no period is said."
