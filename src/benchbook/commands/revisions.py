"""Revisions of a git repository: which they are, and a checkout of each, built once.

A checkout is a clone that shares the objects of the repository, which stays as it is. It
is known by the revision's tree and by the command that builds it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmath.errors import UserError

WORKTREE = "WORKTREE"  # what lies in the folder now, committed or not
LOG = "build.log"
BUILT = "built"
_LAST_LINES = 5
# A commit of the same files is the same commit, whoever makes it and when.
_NOBODY = {
    f"GIT_{who}_{what}": said
    for who in ("AUTHOR", "COMMITTER")
    for what, said in (("NAME", "-"), ("EMAIL", "-"), ("DATE", "1970-01-01T00:00:00Z"))
}


@dataclass(frozen=True)
class Revision:
    """A revision by the name that a study gives it."""

    name: str
    commit: str
    tree: str
    repository: Path


@dataclass(frozen=True)
class Checkout:
    """Where a revision lies, or is to lie, and the command that builds it there."""

    revision: Revision
    root: Path  # of the checkout; what is said of it lies beside
    folder: Path  # in it: where the commands run
    build: str

    @property
    def is_there(self) -> bool:
        return (self.root.parent / BUILT).is_file()

    @property
    def label(self) -> str:
        """`v1.2 (1a2b3c4d5e6f)`, of what is not committed the tree's."""
        name, revision = self.revision.name, self.revision
        short = (revision.tree if name == WORKTREE else revision.commit)[:12]
        return short if name == short else f"{name} ({short})"


def find_revision(name: str, folder: Path, where: str) -> Revision:
    """The revision of the repository around ``folder``; ``where`` is who asks for it."""
    if not shutil.which("git"):
        raise UserError(f"{where}: git is not installed: apt-get install git")
    top = _git(folder, "rev-parse", "--show-toplevel")
    if top is None:
        raise UserError(
            f"{where}: {folder} is in no git repository: say with `folder:` where it is"
        )
    repository = Path(top)
    if name == WORKTREE:
        tree, commit = _snapshot(repository, where)
        return Revision(name, commit, tree, repository)
    found = _git(repository, "rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
    if found is None or name.startswith("-"):
        raise UserError(
            f"{where}: {repository} has no revision {name!r}: name a tag, a branch, a "
            f"commit, or {WORKTREE} for what lies there now"
        )
    tree = _git(repository, "rev-parse", f"{found}^{{tree}}") or ""
    return Revision(name, found, tree, repository)


def _snapshot(repository: Path, where: str) -> tuple[str, str]:
    """Tree and commit of the files as they lie there; what git ignores is left out."""
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        own = _git(repository, "rev-parse", "--git-path", "index")
        if own and (repository / own).is_file():
            shutil.copyfile(repository / own, index)
        env = {"GIT_INDEX_FILE": str(index), **_NOBODY}
        added = _git(repository, "add", "-A", env=env)
        tree = _git(repository, "write-tree", env=env) if added is not None else None
        words = ["commit-tree", tree or "", "-m", WORKTREE]
        head = _git(repository, "rev-parse", "--verify", "--quiet", "HEAD")
        words += ["-p", head] if head else []
        commit = _git(repository, *words, env=env) if tree else None
    if not tree or not commit:
        raise UserError(f"{where}: cannot take the files of {repository} as a revision")
    return tree, commit


def _git(folder: Path, *words: str, env: Mapping[str, str] | None = None) -> str | None:
    """What git says; None where it fails."""
    done = subprocess.run(
        ["git", "-C", str(folder), *words],
        capture_output=True, text=True, check=False, env={**os.environ, **(env or {})},
    )  # fmt: skip
    return done.stdout.strip() if done.returncode == 0 else None


def commits_between(good: Revision, bad: Revision) -> tuple[Revision, ...]:
    """Both and all commits between them, along first parents, by short names.

    UserError where one is no ancestor of the other.
    """
    repository = good.repository
    ancestor = _git(repository, "merge-base", "--is-ancestor", good.commit, bad.commit)
    words = ("log", "--first-parent", "--reverse", "--format=%H %T")
    lines = _git(repository, *words, f"{good.commit}..{bad.commit}") or ""
    if ancestor is None or not lines:
        raise UserError(
            f"{good.name} is no ancestor of {bad.name}, so no commit lies between them: "
            "name the older one with --good"
        )
    pairs = [(good.commit, good.tree), *(line.split() for line in lines.splitlines())]
    return tuple(
        Revision(commit[:12], commit, tree, repository) for commit, tree in pairs
    )


def subject_of(revision: Revision) -> str:
    """The first line of its message, or as much as a line of text has room for."""
    said = _git(revision.repository, "log", "-1", "--format=%s", revision.commit)
    return (said or "")[:72]


def make_checkout(checkout: Checkout, say: Callable[[str], None]) -> None:
    """Get and build a revision unless it is there; UserError with what its build said.

    It is built where it stays, because many builds remember their folder.
    """
    if checkout.is_there:
        return
    say(f"building {checkout.label}")
    revision, home = checkout.revision, checkout.root.parent
    shutil.rmtree(home, ignore_errors=True)
    home.mkdir(parents=True)
    clone = ["git", "clone", "-q", "--shared", "--no-checkout"]
    steps = [
        [*clone, str(revision.repository), str(checkout.root)],
        ["git", "-C", str(checkout.root), "checkout", "-q", "--detach", revision.commit],
    ]
    modules = f"{revision.commit}:.gitmodules"
    if _git(revision.repository, "cat-file", "-e", modules) is not None:
        words = ["submodule", "update", "-q", "--init", "--recursive"]
        steps.append(["git", "-C", str(checkout.root), *words])
    with (home / LOG).open("w") as log:
        done = all(_said(words, None, log) for words in steps)
        if done and not checkout.folder.is_dir():
            raise UserError(f"{checkout.label} has no folder {checkout.folder.name}")
        if done and checkout.build:
            done = _said(["sh", "-c", checkout.build], checkout.folder, log)
    if not done:
        lines = (home / LOG).read_text(errors="replace").strip().splitlines()
        said = (
            " / ".join(lines[-_LAST_LINES:])[:500] or "its build failed and said nothing"
        )
        raise UserError(
            f"{checkout.label} cannot be built: {said} (all of it is in {home / LOG})",
            exit_code=1,
        )
    (home / BUILT).write_text(f"{revision.commit}\n{checkout.build}\n")


def _said(words: list[str], folder: Path | None, log: object) -> bool:
    done = subprocess.run(
        words, cwd=folder, stdout=log, stderr=subprocess.STDOUT,  # type: ignore[call-overload]
        stdin=subprocess.DEVNULL, check=False,
    )  # fmt: skip
    return bool(done.returncode == 0)
