"""Published tables in the store."""

from pathlib import Path

import pytest

from benchbook.project import Project
from benchbook.store.load import load

pytestmark = pytest.mark.unit


def test_a_table_without_its_columns_is_refused_by_name(tmp_path: Path):
    """A CSV that lacks columns is not passed over in silence."""
    table = tmp_path / "data/published/mine.csv"
    table.parent.mkdir(parents=True)
    table.write_text("engine,version,qps\nsqlite,3.46,100\n")

    [refusal] = load(Project(tmp_path)).refused

    assert refusal.startswith("published/mine.csv: ")
    assert "no column machine, step, metric, value" in refusal
