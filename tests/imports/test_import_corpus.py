"""Importing real archives: everything is recognised, and published figures come out."""

from __future__ import annotations

import pandas as pd
import pytest
from corpus import corpus
from places import ROOT

from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.store.query import query

pytestmark = pytest.mark.unit

COV = """
SELECT
  dims['workload'] AS workload, machine, dop, round(max(cov_pop), 3) AS worst
FROM cov
WHERE main AND regexp_matches(
  step, '^(fillseq|readrandom|fwdrangewhilewriting|readwhilewriting|overwriteandwait)[.]'
)
GROUP BY ALL
"""


def test_variance_of_cloud_servers(tmp_path):
    """68 published maxima of the CoV from 70 files, their names and the view cov."""
    project = Project(tmp_path)
    import_dir(corpus("rocksdb_variance_2022"), project)
    published = pd.read_csv(ROOT / "data/published/rocksdb_variance_2022.csv")
    both = published.merge(query(COV, project), on=["workload", "machine", "dop"])

    assert 68 == len(published) == len(both)
    assert list(both["value"]) == list(both["worst"])


def test_fourteen_versions(tmp_path):
    """42 tests of 14 MySQL versions, each figure once though four tables repeat it."""
    project = Project(tmp_path)
    import_dir(corpus("sysbench_mysql_2024"), project)
    [counts] = query(
        "SELECT count(*), count(DISTINCT version), count(DISTINCT step), max(trial), "
        "count(DISTINCT run_id) FROM metric WHERE main",
        project,
    ).itertuples(index=False, name=None)

    assert (588, 14, 42, 1, 14) == counts


def test_published_table_agrees_with_its_source(tmp_path):
    """The committed table of the 14 versions has the figures that importing gives."""
    project = Project(tmp_path)
    import_dir(corpus("sysbench_mysql_2024"), project)
    keys = ["version", "config", "step", "value"]
    found = query("SELECT version, config, step, value FROM metric WHERE main", project)
    table = pd.read_csv(
        ROOT / "data/published/sysbench_mysql_2024.csv", dtype={"version": str}
    )
    rates = table[table["metric"] == "qps"]

    assert sorted(rates[keys].itertuples(index=False, name=None)) == sorted(
        found[keys].itertuples(index=False, name=None)
    )


@pytest.mark.parametrize(
    "folder",
    [
        "rocksdb_variance_2022", "sysbench_mysql_2024", "rocksdb_releases_2023",
        "sysbench_2020", "rocksdb_lsm_shape_2021", "ibench_nuc_2017", "ibench_2021",
        "sysbench_postgres_raw_2025", "create_index_2023", "pmp_mariadb_2024",
        "ann_fashion_mnist_2025", "perf_script",
    ],
)  # fmt: skip
def test_every_file_is_recognised(tmp_path, folder: str):
    """No file of the corpus is unknown; what is left out has another reason."""
    report = import_dir(corpus(folder), Project(tmp_path))

    assert [] == [
        skipped.path
        for skipped in report.manifest.skipped
        if skipped.reason == "not a known format"
    ]
