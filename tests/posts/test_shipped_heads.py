"""Lists and the table of versions show of shipped posts what their evidence gives."""

from __future__ import annotations

import nbformat
import pytest
from places import ROOT

from benchbook.posts.execute import as_page
from benchbook.posts.thumbnail import NAME, first_chart
from benchbook.project import Project
from benchbook.study.study import load_study

pytestmark = pytest.mark.slow  # half a minute over the frames of all posts
PUBLISHED = sorted(path.parent.name for path in ROOT.glob("posts/*/published.json"))


@pytest.mark.parametrize("slug", PUBLISHED)
def test_front_matter_is_that_of_the_evidence(slug):
    """No figure of it is typed in or left over, and its picture is there."""
    study = load_study(ROOT / "posts" / slug)
    notebook = nbformat.read(study.folder / "index.ipynb", as_version=4)

    page = as_page(notebook, study, Project(ROOT))
    assert page.cells[0].source == notebook.cells[0].source
    assert (study.folder / NAME).is_file() == bool(first_chart(notebook))
