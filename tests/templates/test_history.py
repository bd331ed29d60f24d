"""The history of a suite: how many tests changed, which one most, and since when."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.posts.audit import _texts
from benchbook.templates.history import (
    histories,
    history_finding,
    history_table,
    sparklines,
)

pytestmark = pytest.mark.unit

ROW = {
    "set": "s", "machine": "m", "op": "query", "main": True, "clock": "", "dop": 1,
    "metric": "ns_op", "unit": "ns/op", "direction": "lower", "origin": "published",
    "trial": 1,
}  # fmt: skip


def suite(**levels: tuple[float, float]):
    """The history of tests over 30 commits, whose level changes at the 20th (c19)."""
    noise = np.random.default_rng(1).normal(1, 0.005, (len(levels), 30))
    rows = [
        ROW | {"step": step, "commit": f"c{n:02}", "run_id": f"{step}{n}",
               "started": f"2026-01-{n + 1:02} 00:00:00",
               "value": (before if n < 19 else after) * noise[place, n]}
        for place, (step, (before, after)) in enumerate(levels.items())
        for n in range(30)
    ]  # fmt: skip
    study = SimpleNamespace(slug="s", listed=lambda dimension: [])
    return histories(SimpleNamespace(study=study, metric=pd.DataFrame(rows)))


CASES = {
    "two of three": suite(get=(100, 120), put=(50, 50), scan=(10, 9)),
    "all": suite(get=(100, 120)),
    "none": suite(get=(100, 100), put=(50, 50)),
}


@pytest.mark.parametrize("name", CASES)
def test_every_number_and_word_has_a_claim_that_holds(name):
    said = history_finding(CASES[name])

    assert [] == claim_contradictions("cell", said.claims, said.frames)
    assert [] == unclaimed(said.data, said.claims, _texts(said.frames))
    assert [] == list(unborne(said.data, said.claims))


def test_worst_test_is_said_with_its_commits():
    text = history_finding(CASES["two of three"]).data

    assert text.startswith("**2 of 3 tests changed** over up to 30 commits: ")
    assert "the last change of 1 worse and 1 better" in text
    assert "Worst off is get" in text
    assert "since c19 (c18..c19, 2026-01-20" in text
    assert "with 11 measured from there on" in text


def test_no_change_is_said():
    assert history_finding(CASES["none"]).data.startswith("**None of 2 tests changed**")


def test_a_level_is_the_mean_of_its_commits():
    points = CASES["all"].points

    assert 2 == points["level"].nunique()
    assert points["value"][:19].mean() == pytest.approx(points["level"][0])
    assert ["worse"] == list(points["kind"][points["kind"] != ""])
    assert 19 == points.index[points["kind"] != ""][0]


def test_table_has_the_tests_that_changed():
    page = history_table(CASES["two of three"].tests).as_raw_html()

    assert "c18..c19" in page.replace("\u200b", "").replace("<wbr>", "")
    assert "put" not in page


def test_chart_has_a_panel_per_test():
    spec = sparklines(CASES["two of three"].points).to_dict()

    assert ["get ns_op", "scan ns_op", "put ns_op"] == spec["facet"]["sort"]
