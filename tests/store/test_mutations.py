"""What was changed in a run folder is refused, or changes no row."""

from __future__ import annotations

from pathlib import Path

import pytest
from make_runs import make_run

from benchmarks import impossible_records, mutations

pytestmark = pytest.mark.unit


def test_no_changed_byte_is_believed(tmp_path: Path):
    """Of all files, the manifest among them; bytes of all kinds, less or more."""
    make_run(tmp_path, config="none", steps=[("l.i0", "insert", 10, 1.0)])
    ends = mutations.tried(tmp_path, 300, 1)

    assert 300 == ends.total()
    assert [] == [where for where in ends if where[2] == "believed"]


@pytest.mark.slow
def test_no_record_is_believed_that_contradicts_others(tmp_path: Path):
    """Though the manifest is made anew: changes of all that a run's files say."""
    raw = mutations.measured(tmp_path, ["ingest", "turns"])
    ends = impossible_records.tried(raw)

    assert 300 < ends.total()
    assert [] == [where for where in ends if where[1] == "believed"]
