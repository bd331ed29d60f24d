"""A study of a workload whose statements are counted in instructions."""

import shutil

import pytest

pytestmark = [pytest.mark.engine, pytest.mark.slow]
STUDY = """\
title: How many instructions does a query take?
template: workload
driver: sql
workload: sysbench
base: {config: wal_normal_4k}
engines: [{engine: sqlite, config: wal_normal_4k}]
matrix: {table_size: [2000]}
steps: [load, index, "point-query.range100:seconds=0.2"]
instructions: {steps: [load, index, "point-query.range100:events=2000"]}
trials: 1
"""


def test_statements_are_counted(checkout):
    """Per query, in a run of its own."""
    if not shutil.which("valgrind"):
        pytest.skip("needs valgrind")
    checkout.study("counted", STUDY)

    assert "1 runs made, 0 failed" in checkout.ok(
        "run", "counted", "--count-instructions"
    )
    checkout.ok("load")
    which = "metric = 'instructions_o' AND step LIKE 'point%'"
    value = checkout.ok("sql", f"SELECT value FROM metric WHERE {which}").split()[-1]

    assert 2_000 < float(value) < 20_000
