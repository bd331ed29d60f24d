"""Digests of large files: read once, by what they hold and are called."""

import os

import pytest

from benchbook.digests import digest_of
from benchbook.project import Project

pytestmark = pytest.mark.unit


def written(tmp_path, text, seconds=1):
    file = tmp_path / "tree" / "bin" / "mysqld"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    os.utime(file, (seconds, seconds))
    return digest_of([file], tmp_path / "tree", Project(tmp_path))


def test_a_file_is_read_again_when_its_time_changes(tmp_path):
    """Size and time alone tell that a file is the same: content is not looked at."""
    first = written(tmp_path, "one")

    assert first == written(tmp_path, "two")
    assert first != written(tmp_path, "two", seconds=2)
    assert first == written(tmp_path, "one", seconds=3)


def test_a_damaged_memory_is_no_memory(tmp_path):
    """What was remembered only saves time."""
    first = written(tmp_path, "one")
    (tmp_path / "build" / "file-digests.json").write_text("{")

    assert first == written(tmp_path, "one")


def test_the_digest_does_not_depend_on_the_place_of_the_tree(tmp_path):
    """The same tree elsewhere is the same build; another name in it is another."""
    here = written(tmp_path, "one")
    (tmp_path / "tree").rename(tmp_path / "moved")
    moved, project = tmp_path / "moved" / "bin" / "mysqld", Project(tmp_path)
    renamed = moved.with_name("mariadbd")

    assert here == digest_of([moved], tmp_path / "moved", project)
    assert here != digest_of([moved.rename(renamed)], tmp_path / "moved", project)
