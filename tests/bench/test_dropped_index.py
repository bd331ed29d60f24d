"""An index that is gone between two runs is named, by the plans of each engine."""

from __future__ import annotations

import json
import subprocess

import pytest
from ingest_answers import kind
from servers import held_server, install_tree

from benchmath.plans import difference

pytest_plugins = ("sql_fixtures", "server_fixtures")
pytestmark = [pytest.mark.engine, pytest.mark.slow]

SMALL = "innodb_buffer_pool_size = 64M\n"
SERVERS = {  # the engine, version and source of its tree, and settings
    "postgres": ("postgres", "15", "debian", "fsync = off\n"),
    "mariadb": ("mariadb", "10.11", "debian", SMALL),
    "myrocks": ("mariadb", "10.11", "debian", SMALL + "rocksdb_block_cache_size = 64M\n"),
    "mysql": ("mysql", "8.0.12", "jar", SMALL),
}
WORKLOAD = """\
workload by-k
let size 20000
table t
  rows size
  create CREATE TABLE {t} (id INTEGER PRIMARY KEY, k INTEGER NOT NULL, c VARCHAR(120))
  index CREATE INDEX k_1 ON {t} (k)
  column id int sequence 1
  column k int uniform 1, size
  column c text letters 100, 100
statement by-k
  sql SELECT c FROM {t} WHERE k = :k
  bind k int uniform 1, size
  rows 0..size
step by-k
  do by-k
"""


@pytest.fixture
def plan(sql, tmp_path):
    """A function that runs the step after these and gives the plan of its statement."""
    (tmp_path / "workload").write_text(WORKLOAD)

    def plan(engine: str, target: object, *steps: str) -> str:
        words = [sql, "--engine", engine, "--target", target]
        words += ["--workload", tmp_path / "workload"]
        for step in (*steps, "by-k:events=5"):
            words += ["--step", step]
        done = subprocess.run(words, capture_output=True, text=True, check=False)
        assert ("", 0) == (done.stderr, done.returncode)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        [statement] = kind(found, "statement")
        return str(statement["plan"])

    return plan


@pytest.mark.parametrize("engine", SERVERS)
def test_a_dropped_index_of_a_server_is_named(engine, plan, helpers, tmp_path):
    """The second run has loaded the table again and made no index."""
    name, version, source, config = SERVERS[engine]
    tree = install_tree(name, version, source)
    (tmp_path / "home").mkdir()
    with held_server(engine, tree, tmp_path / "home", config, helpers) as (words, _):
        before = plan(engine, words, "load", "index")
        after = plan(engine, words, "load")

    words = "index k_1 no longer used, reads the whole table"
    assert words == difference(before, after)
