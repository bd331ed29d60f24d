"""The history of a suite: how many tests changed, which one most, and since when."""

from __future__ import annotations

import pytest
from history_frames import CASES

from benchbook.audit.claims import claim_contradictions
from benchbook.audit.quantifiers import unborne
from benchbook.audit.words import unclaimed
from benchbook.posts.audit import _texts
from benchbook.templates.history import (
    history_finding,
    history_table,
    sparklines,
)

pytestmark = pytest.mark.unit


@pytest.mark.parametrize("name", CASES)
def test_every_number_and_word_has_a_claim_that_holds(name):
    said = history_finding(CASES[name])

    assert [] == claim_contradictions("cell", said.claims, said.frames)
    assert [] == unclaimed(said.data, said.claims, _texts(said.frames))
    assert [] == list(unborne(said.data, said.claims))


def test_worst_test_is_said_with_its_commits():
    text = history_finding(CASES["two of three"]).data

    assert text.startswith("**2 of 3 tests changed** over up to 30 commits")
    assert "commits, 1 for the worse and 1 for the better. " in text
    assert "Worst off is get" in text
    assert "since c19 (c18..c19, 2026-01-20" in text
    assert "and 11 are measured from there on" in text


def test_no_change_is_said():
    assert history_finding(CASES["none"]).data.startswith("**No test of 2 changed**")


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
