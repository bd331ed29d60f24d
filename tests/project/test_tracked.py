"""What the repository keeps: sources and published posts, nothing made of them."""

from __future__ import annotations

import subprocess

import pytest
from places import ROOT

pytestmark = pytest.mark.unit
LARGEST = 2_000_000  # bytes: jobs of a database in minutes of overwrites are the most


def tracked(*words: str) -> list[str]:
    """Names as git lists them; skipped in a tree that is no clone."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone: nothing says what is tracked")
    listed = subprocess.run(
        ["git", "ls-files", "-z", *words], cwd=ROOT, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    return [name for name in listed.stdout.split("\0") if name]


def test_what_is_ignored_is_tracked_in_published_posts_alone():
    """`git add -f` of any other folder takes bytecode and databases along."""
    ignored = tracked("--cached", "--ignored", "--exclude-standard")

    assert [] == [name for name in ignored if not name.startswith("posts/")]


def test_no_tracked_file_is_large():
    large = [n for n in tracked() if (ROOT / n).stat().st_size > LARGEST]

    assert [] == large
