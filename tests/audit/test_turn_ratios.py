"""Ratios of turns against those of the whole steps, which hold a little more."""

import pandas as pd

from benchbook.audit.ratios import ratio_contradictions

ROW = {"me": "new", "step": "q", "metric": "throughput", "noise": "turns", "value": 104.0,
       "value_base": 100.0, "relative": 1.05, "low": 1.04, "high": 1.06}  # fmt: skip


def said(**changed) -> list[str]:
    frame = pd.DataFrame([ROW | changed])
    return [str(c) for c in ratio_contradictions("x", frame, pd.DataFrame())]


def test_a_ratio_of_turns_may_differ_from_that_of_the_steps():
    assert [] == said()


def test_but_not_by_more_than_its_interval_and_a_step_explain():
    assert 1 == len(said(value=110.0))


def test_a_ratio_of_runs_may_not():
    assert 1 == len(said(noise="pooled"))
