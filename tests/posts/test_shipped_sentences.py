"""Sentences that people wrote into shipped posts and templates are short."""

import nbformat
import pytest
from places import ROOT

from benchbook.audit.prose import long_sentences
from benchbook.posts.kept import hand_written
from benchbook.study.study import load_study

pytestmark = pytest.mark.unit
POSTS = sorted(path.parent.name for path in ROOT.glob("posts/*/study.yml"))


@pytest.mark.parametrize("slug", POSTS)
def test_descriptions_are_short(slug):
    """At most 30 words in a sentence."""
    study = load_study(ROOT / "posts" / slug)
    long = list(long_sentences({"description": study.description}))

    assert [] == long


@pytest.mark.parametrize("slug", POSTS)
def test_cells_of_posts_are_short(slug):
    """Those tagged hand-written and edited, and those that were added."""
    path = ROOT / "posts" / slug / "index.ipynb"
    page = (
        nbformat.read(path, as_version=4)
        if path.is_file()
        else nbformat.v4.new_notebook()
    )
    texts = {cell.id: cell.source for cell in hand_written(page, page)}

    assert [] == list(long_sentences(texts))


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("notebooks/*.ipynb")), ids=lambda p: p.stem
)
def test_text_of_templates_is_short(path):
    """Every page that a template makes has it."""
    cells = nbformat.read(path, as_version=4).cells
    texts = {cell.id: cell.source for cell in cells if cell.cell_type == "markdown"}

    assert [] == list(long_sentences(texts))
