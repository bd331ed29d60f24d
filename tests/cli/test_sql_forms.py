"""`benchbook sql`: the same rows as a table, CSV, JSON lines and Parquet."""

from __future__ import annotations

import io
import json

import pandas as pd
import pytest
from click.testing import CliRunner

from benchbook.cli.main import main
from benchbook.project import Project
from benchbook.store.load import load

pytestmark = pytest.mark.unit

QUERY = "select 1 as n, 'a' as word union all select 2, 'b' order by n"


@pytest.fixture(autouse=True)
def project(tmp_path, monkeypatch):
    (tmp_path / "bench").mkdir()
    (tmp_path / "_quarto.yml").touch()
    monkeypatch.setenv("BENCHBOOK_ROOT", str(tmp_path))
    load(project=Project(tmp_path))


def sql(*words: str) -> bytes:
    done = CliRunner().invoke(main, ["sql", QUERY, *words])
    assert 0 == done.exit_code, done.output
    return done.stdout_bytes


def test_text_forms_have_the_rows():
    assert b"n,word\n1,a\n2,b\n" == sql("--csv")
    assert [{"n": 1, "word": "a"}, {"n": 2, "word": "b"}] == [
        json.loads(line) for line in sql("--json").splitlines()
    ]


def test_parquet_is_a_file_on_standard_output():
    frame = pd.read_parquet(io.BytesIO(sql("--parquet")))

    assert [(1, "a"), (2, "b")] == list(frame.itertuples(index=False, name=None))
