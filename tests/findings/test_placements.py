"""Whether an answer turns with where client and server run."""

from __future__ import annotations

import pandas as pd
import pytest

from benchbook.audit.claims import claim_contradictions
from benchbook.findings.placements import placement_finding

pytestmark = pytest.mark.unit


def judged(*rows: tuple[str, str, str, float]) -> pd.DataFrame:
    """placement, step, verdict and ratio of 18.6 over 13.23."""
    return pd.DataFrame([
        {"placement": placement, "me": "18.6", "base": "13.23", "step": step,
         "verdict": verdict, "relative": ratio, "low": ratio - 0.02, "high": ratio + 0.02}
        for placement, step, verdict, ratio in rows
    ])  # fmt: skip


def test_a_verdict_that_turns_is_named_with_both_ratios():
    rows = judged(
        ("split", "l.i0", "improved", 1.2), ("same", "l.i0", "regressed", 0.9),
        ("split", "qr", "equivalent", 1.0), ("same", "qr", "equivalent", 1.0),
    )  # fmt: skip
    assert placement_finding(rows).data == (
        "This is of client and server on CPUs of their own (`split`). With client and "
        "engine on one CPU (`same`) the verdict turns in 1 of 2 comparisons, and none is "
        "decided in one alone: l.i0 of 18.6 (1.20 [1.18, 1.22], there 0.90 [0.88, 0.92])."
    )


def test_an_open_verdict_is_no_turn():
    rows = judged(("split", "q", "improved", 1.2), ("same", "q", "undecided", 1.0))
    assert (
        "turns in none of 1 comparison, and 1 is decided in one alone."
        in placement_finding(rows).data
    )


def test_one_placement_says_nothing():
    assert "" == placement_finding(judged(("same", "q", "improved", 1.2))).data


def test_each_engine_is_compared_with_itself_in_the_other_placement():
    several = [
        judged(("split", "q", "improved", 1.2), ("same", "q", there, 0.9)).assign(
            engine=engine
        )
        for engine, there in (("mysql", "improved"), ("postgres", "regressed"))
    ]
    finding = placement_finding(pd.concat(several, ignore_index=True))
    assert "turns in 1 of 2 comparisons" in finding.data
    assert ": q postgres of 18.6 (1.20 [1.18, 1.22], there 0.90" in finding.data
    assert [] == claim_contradictions("cell", finding.claims, finding.frames)
