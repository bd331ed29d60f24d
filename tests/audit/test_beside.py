"""A number planted in the section beside published figures is found on the page."""

from copy import deepcopy

import nbformat
import pytest
from places import FIXTURES, ROOT
from planted import said

from benchbook.posts.audit import again, checked
from benchbook.project import Project
from benchbook.study.study import load_study

pytestmark = [pytest.mark.unit, pytest.mark.slow]  # it executes a template
CELL = "beside_section"
EDITS = {
    "a published ratio": said(CELL, r"1\.25 there", "1.35 there"),
    "our ratio": said(CELL, r"0\.068 \[", "0.086 ["),
    "a count": said(CELL, "of 4 tests", "of 5 tests"),
    "a cell of the table": said(CELL, ">1.25<", ">1.35<", 1),
}


@pytest.fixture(scope="module")
def post():
    """The fixture's post, executed in this process."""
    study = load_study(FIXTURES / "posts" / "workload")
    made = again(study, Project(ROOT), nbformat.v4.new_notebook())
    return study, made, checked(made.page, made, study)


@pytest.mark.parametrize("name", EDITS)
def test_edited_section_is_found(post, name):
    """By executing the post again; a number of the sentence by its claims too."""
    study, made, before = post
    page = deepcopy(made.page)
    EDITS[name](page)
    parts = checked(page, made, study)
    by = {kind for kind, those in parts.items() if set(those) - set(before[kind])}

    assert "replay" in by
    assert ("claims" in by) == (name != "a cell of the table")


def test_true_section_is_believed(post):
    """No false alarm."""
    _, _, before = post

    assert [] == before["claims"]
