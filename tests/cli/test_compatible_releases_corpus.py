"""Releases of RocksDB, imported and compared: the archive's relative tables come out."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from comparisons import compared
from corpus import corpus

from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.store.query import expand_dims, query

pytestmark = pytest.mark.unit

SET = "rocksdb_releases_2023"
# Relative tables: name, and how many cells of theirs can follow.
RELEASES = {
    "byrx.4x": 72, "byrx.5x": 144, "byrx.6x": 203, "byrx.7x": 80, "byrx.8x": 64,
    "iobuf.4x": 72, "iobuf.5x": 144, "iobuf.6x": 203, "iobuf.7x": 80,
}  # fmt: skip


@pytest.fixture(scope="module")
def releases(tmp_path_factory) -> pd.DataFrame:
    """The throughput of 79 RocksDB releases."""
    project = Project(tmp_path_factory.mktemp("releases"))
    import_dir(corpus(SET), project)
    found = expand_dims(query("metric_of_set", project, set=SET))
    return found[found["main"]]


@pytest.mark.parametrize("name", RELEASES)
def test_relative_tables_of_releases(releases, name):
    """Every row of rel2.*.csv, from the reports: releases to the first of their line.

    Not the row ``overwriteandwait`` of 6.x: its first 19 releases ran ``overwrite``, so
    11 of its cells divide one test by another. iobuf.8x has two reports of two releases,
    which are repetitions here.
    """
    path = corpus(SET) / f"rel2.{name}.csv"
    printed = dict(line.split(",", 1) for line in path.read_text().splitlines())
    base, *others = versions(corpus(SET) / f"sum.{name}.txt")
    rows = releases[releases["workload"] == name.split(".")[0]]
    text = compared(rows, base, others, csv=True, compatible=True)
    found = dict(line.split(",", 1) for line in text.splitlines()[1:])
    if name.endswith("6x"):
        del printed["overwriteandwait.t8.s0"]
    common = {test: found.get(test) for test in printed}

    assert printed == common
    assert list(printed) == [test for test in found if test in printed]
    assert RELEASES[name] == sum(row.count(",") + 1 for row in printed.values())


def versions(path: Path) -> list[str]:
    """The releases of a sum file, in its order."""
    header, *lines = path.read_text().split("\n\n")[0].splitlines()
    column = header.split("\t").index("version")
    return [line.split("\t")[column] for line in lines]
