"""A byte of a run folder is not what it was: it is refused, or changes no row."""

from __future__ import annotations

from pathlib import Path

import pytest
from make_runs import make_run

from benchmarks.mutations import tried

pytestmark = pytest.mark.unit


def test_no_changed_byte_is_believed(tmp_path: Path):
    """Of all files, the manifest among them; bytes of all kinds, less or more."""
    make_run(tmp_path, config="none", steps=[("l.i0", "insert", 10, 1.0)])
    ends = tried(tmp_path, 300, 1)

    assert 250 < ends.total()
    assert [] == [where for where in ends if where[2] == "believed"]
