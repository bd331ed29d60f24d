"""Runs against the steps that their specs declare."""

import json

import pandas as pd
import pytest

from benchbook.audit.bookkeeping import run_contradictions

pytestmark = pytest.mark.unit


def contradicted(spec, *made):
    """What is said of a run with this spec that made these steps."""
    run = {"run_id": "r", "machine": "m", "machine_id": "0", "env": "{}", "folder": "f",
           "started": "2026-11-23", "declared_id": "d", "trial": 1,
           "cell_id": "c", "status": "ok", "spec": json.dumps(spec)}  # fmt: skip
    steps = pd.DataFrame({"run_id": "r", "step": made})
    return [c for c in run_contradictions({"runs": pd.DataFrame([run]), "steps": steps})]


DECLARED = {"steps": [{"step": "a"}, {"step": "b"}, {"step": "c"}]}


def test_a_run_has_its_steps_but_those_it_left_out():
    """Without a word of it a step is missing."""
    assert [] == contradicted(DECLARED, "a", "b", "c")
    assert [] == contradicted(DECLARED | {"left_out": ["b"]}, "a", "c")
    [one] = contradicted(DECLARED, "a", "c")
    assert "steps of run r" in str(one)


def test_a_step_left_out_was_not_made():
    """Else its rates are of a run that says it has none."""
    assert 1 == len(contradicted(DECLARED | {"left_out": ["b"]}, "a", "b", "c"))
