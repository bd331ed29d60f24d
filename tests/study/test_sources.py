"""Whose published figures are: named in study.yml, and the post has their date."""

from __future__ import annotations

from pathlib import Path

import pytest
from places import ROOT

from benchbook.study.published import Source, sources_of
from benchbook.study.study import load_study
from benchmath.errors import UserError

FILE = Path("study.yml")
OLD = {"author": "A", "title": "Old", "url": "https://a.org/1", "date": "2022-04-25"}
NEW = OLD | {"title": "New", "date": "2023-01-03"}
PUBLISHED = [
    study for study in sorted(ROOT.glob("posts/*/study.yml"))
    if "driver: published" in study.read_text(encoding="utf-8")
]  # fmt: skip


def test_post_has_the_date_of_its_newest_source():
    """Not that of the day on which it was executed."""
    raw = {"data": ["t"], "date": "2023-01-03", "sources": [OLD, NEW]}

    assert (Source(**OLD), Source(**NEW)) == sources_of(raw, FILE)
    with pytest.raises(UserError, match=r'date: .* "2023-01-03"'):
        sources_of(raw | {"date": "2022-04-25"}, FILE)


def test_measured_study_has_no_sources():
    """Its figures are its own."""
    with pytest.raises(UserError, match="`data:` is missing"):
        sources_of({"date": "2023-01-03", "sources": [NEW]}, FILE)


@pytest.mark.parametrize("path", PUBLISHED, ids=lambda path: path.parent.name)
def test_every_post_on_published_figures_names_whose_they_are(path):
    """Author, title and link, each of the posts that ship."""
    assert load_study(path).sources
