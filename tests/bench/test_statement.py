"""Any statement on real servers and on DuckDB: bench/tests/test_statement.c goes there.

It checks what prepared statements and text bring, failures and what may be sent again.
Here stands what plan each engine tells, and that no guess is in it.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from servers import compiled, held_server, install_tree

pytest_plugins = ("server_fixtures",)
pytestmark = pytest.mark.engine

SMALL = {
    "postgres": "shared_buffers = 16MB\n",
    "mariadb": "[mysqld]\ninnodb_buffer_pool_size = 32M\n",
    "myrocks": "[mysqld]\nrocksdb_block_cache_size = 16M\n",
}
BY_KEY, BY_INDEX = (
    "SELECT c FROM st_item WHERE id = 2",
    "SELECT c FROM st_item WHERE k BETWEEN 1 AND 2 ORDER BY k",
)
# By the primary key, and by the index of k.
PLANS = {
    "postgres": (
        "Index Scan using st_item_pkey on st_item\n  Index Cond: (id = 2)",
        "Index Scan using st_item_k on st_item\n  Index Cond: ((k >= 1) AND (k <= 2))",
    ),
    "mariadb": (
        "select_type=SIMPLE table=st_item type=const key=PRIMARY key_len=4 ref=const",
        "select_type=SIMPLE table=st_item type=range key=st_item_k key_len=4 "
        "extra=Using index condition",
    ),
    "duckdb": (
        "SEQ_SCAN\n    Table: benchbook.main.st_item\n    Type: Sequential Scan\n"
        "    Projections: c\n    Filters: id=2",
        "ORDER_BY\n    Order By: #1 ASC\n  EMPTY_RESULT",
    ),
}
PLANS["myrocks"] = PLANS["mariadb"]


@pytest.fixture(scope="session")
def program(builds) -> Path:
    """The unit test with sanitizers, which takes an engine and a target."""
    return compiled(builds, "statement") / "check" / "test_statement"


def told(
    program: Path, engine: str, target: str | Path, libraries: Path | None = None
) -> str:
    """What it prints; insists on success. libraries: where the engine's own are."""
    more = {"LD_LIBRARY_PATH": str(libraries)} if libraries else {}
    done = subprocess.run(
        [program, engine, target],
        capture_output=True, text=True, check=False, env=os.environ | more,
    )  # fmt: skip
    assert (0, "") == (done.returncode, done.stderr)
    assert done.stdout.endswith(" 0 failures\n")
    return done.stdout


def plans(text: str) -> dict[str, str]:
    """The plan that was printed for each statement."""
    parts = [part.partition("\n") for part in text.split("\n\n")]
    return {statement: plan for statement, _, plan in parts if plan}


def check_plans(engine: str, text: str) -> None:
    found = plans(text)
    assert PLANS[engine] == (found[BY_KEY], found[BY_INDEX])
    assert 4 == len(found)
    assert not re.search(r"rows|cost|cardinality|~\d", text, re.I)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "tree", "version"),
    [
        ("postgres", "postgres", "15"),
        ("mariadb", "mariadb", "10.11"),
        ("myrocks", "mariadb", "10.11"),
    ],
)
def test_a_server_takes_any_statement(program, helpers, tmp_path, engine, tree, version):
    """Everything that the program checks holds, and the plans are these."""
    basedir = install_tree(tree, version, "debian")
    with held_server(engine, basedir, tmp_path, SMALL[engine], helpers) as (target, _):
        text = told(program, engine, target)

    check_plans(engine, text)


def test_duckdb_takes_any_statement(program, tmp_path):
    """The same in the process."""
    tree = install_tree("duckdb", "1.5.6", "npm")

    check_plans("duckdb", told(program, "duckdb", tmp_path, tree / "lib"))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("version", "source", "writes"),
    [("5.5.9", "jar", False), ("8.0.12", "jar", True), ("9.7", "sid", True)],
)
def test_each_mysql_tells_its_plan_as_a_table(
    program, helpers, tmp_path, version, source, writes
):
    """Before 5.6 not that of an UPDATE; from 9 on only because it is asked for."""
    tree = install_tree("mysql", version, source)
    config = SMALL["mariadb"]
    with held_server("mysql", tree, tmp_path, config, helpers) as (target, _):
        found = plans(told(program, "mysql", target))

    update = found["UPDATE st_item SET k = k + 1 WHERE id = 2"]
    assert PLANS["mariadb"][0] == found[BY_KEY]
    assert writes == ("key=PRIMARY" in update) != (update == "(does not say)")
