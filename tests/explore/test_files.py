"""site/explore/: written for what is published, made again only where that changed."""

from __future__ import annotations

import json
import shutil

import pytest
from explored import SLUG, hostile_project

from benchbook.explore.files import write_explore


def index_of(project):
    return json.loads((project.root / "site/explore/index.json").read_text("utf-8"))


def test_the_index_lists_what_is_published_and_its_size(tmp_path):
    """The sample has evidence, too, but is not published."""
    project = hostile_project(tmp_path)
    sizes = write_explore(project)
    file = project.root / "site/explore" / f"{SLUG}.json"

    assert {SLUG: file.stat().st_size} == sizes
    assert [SLUG] == [entry["study"] for entry in index_of(project)]
    assert ["desk"] == index_of(project)[0]["machines"]


@pytest.mark.slow
def test_what_did_not_change_is_not_computed_again(tmp_path):
    """A file of the same evidence stays as it is; a changed study.yml makes it anew."""
    project = hostile_project(tmp_path)
    write_explore(project)
    file = project.root / "site/explore" / f"{SLUG}.json"
    file.write_text("kept", encoding="utf-8")
    write_explore(project)
    kept = file.read_text(encoding="utf-8")
    with (project.posts / SLUG / "study.yml").open("a", encoding="utf-8") as study:
        study.write("margin: 0.05\n")
    write_explore(project)

    assert "kept" == kept
    assert 0.05 == json.loads(file.read_text(encoding="utf-8"))["margin"]


def test_what_is_published_no_longer_goes(tmp_path):
    """Its file is removed and its line of the index."""
    project = hostile_project(tmp_path)
    write_explore(project)
    shutil.rmtree(project.posts / SLUG)
    write_explore(project)

    assert [] == index_of(project)
    assert ["index.json"] == [f.name for f in (project.root / "site/explore").iterdir()]
