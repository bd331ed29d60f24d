"""Published evidence was measured while nobody else used the machine."""

from __future__ import annotations

import pytest
from places import ROOT

from benchbook.posts.publish import MARK, loud_steps
from benchbook.results import evidence
from benchbook.study.study import load_study

pytestmark = pytest.mark.unit

# Measured beside load, before `publish` refused that, and not measured again yet: a post
# that is leaves the list, and none comes to it.
LOUD: set[str] = set()


def test_none_but_the_listed_was_measured_beside_load():
    """As `publish` has it: what others took is 10% at most, or study.yml says why not."""
    loud = set()
    for mark in sorted((ROOT / "posts").glob(f"*/{MARK}")):
        frames = evidence.read(mark.parent / "evidence", ("metric", "turns"))
        if len(loud_steps(frames)) and not load_study(mark.parent).noisy:
            loud.add(mark.parent.name)

    assert LOUD == loud
