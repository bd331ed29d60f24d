"""Revisions of a repository of the user's, and what is built of each."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchbook.commands.commands import Commands
from benchbook.commands.revisions import Checkout, find_revision, make_checkout
from benchbook.project import Project
from benchmath.errors import UserError

pytestmark = pytest.mark.engine
WHO = ("-c", "user.name=a", "-c", "user.email=a@example.com")


def git(folder: Path, *words: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(folder), *WHO, *words],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path) -> Path:
    """One commit, tagged v1, of a file `work`."""
    folder = tmp_path / "mine"
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "work").write_text("1\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    git(folder, "tag", "v1")
    return folder


def checkout(repository: Path, name: str, build: str = "") -> Checkout:
    revision = find_revision(name, repository, "here")
    root = repository.parent / "build" / "key" / "tree"
    return Checkout(revision, root, root, build)


def test_work_tree_is_a_revision(repository):
    """Changed and new files are in it; the repository keeps its state."""
    (repository / "work").write_text("2\n")
    (repository / "new").write_text("3\n")
    before = git(repository, "status", "--short")
    made = checkout(repository, "WORKTREE")
    make_checkout(made, lambda text: None)

    assert ("2\n", "3\n") == tuple((made.root / n).read_text() for n in ("work", "new"))
    assert before == git(repository, "status", "--short")
    assert made.revision.tree != checkout(repository, "v1").revision.tree


def test_same_files_are_the_same_revision(repository):
    """Whatever it is called: the tree tells."""
    first, second = (find_revision(n, repository, "here") for n in ("v1", "HEAD"))

    assert (first.commit, first.tree) == (second.commit, second.tree)


def test_build_runs_once_in_the_checkout(repository):
    """Its output is kept beside it."""
    said: list[str] = []
    made = checkout(repository, "v1", "echo making; cp work built")
    make_checkout(made, said.append)
    make_checkout(made, said.append)

    assert 1 == len(said)
    assert "1\n" == (made.root / "built").read_text()
    assert "making\n" == (made.root.parent / "build.log").read_text()


def test_build_that_fails_says_why(repository):
    """Its last lines and where the others are; the next call tries again."""
    made = checkout(repository, "v1", "echo no such header; exit 3")
    with pytest.raises(UserError, match=r"v1 \(.*\) cannot be built: no such header"):
        make_checkout(made, lambda text: None)

    assert not made.is_there


def test_build_that_fails_without_a_word_is_told(repository):
    """There are no last lines of it."""
    made = checkout(repository, "v1", "exit 3")
    with pytest.raises(
        UserError, match="cannot be built: its build failed and said noth"
    ):
        make_checkout(made, lambda text: None)


@pytest.mark.parametrize("name", ["v2", "--all", "HEAD~9"])
def test_revision_that_is_not_there_is_refused(repository, name):
    with pytest.raises(UserError, match=f"has no revision '{name}'"):
        find_revision(name, repository, "here")


def test_folder_without_repository_is_refused(tmp_path):
    with pytest.raises(UserError, match="is in no git repository: say with `folder:`"):
        find_revision("v1", tmp_path, "here")


def test_published_study_asks_for_its_repository_where_it_is_needed(repository, tmp_path):
    """Read without one; a cell finds its revision, or says which is not there."""
    mine = Commands(tmp_path / "x", "0", ("work",), frozenset(), repository.resolve())
    project = Project(tmp_path)
    found = mine.checkout({"revision": "v1"}, project)

    assert found and found.revision == find_revision("v1", repository, "here")
    with pytest.raises(UserError, match="has no revision 'v2'"):
        mine.checkout({"revision": "v2"}, project)
