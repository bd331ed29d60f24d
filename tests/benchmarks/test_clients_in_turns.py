"""The benchmark of our client beside sysbench and pgbench: its arithmetic, a run."""

import json
import os
import re
import shutil
import subprocess
import sys

import pandas as pd
import pytest
from places import ROOT
from servers import compiled

# Appended: a benchmark must not hide a module of another package.
sys.path.append(str(ROOT / "tests/benchmarks"))

import clients_in_turns

pytest_plugins = ("server_fixtures",)


@pytest.mark.unit
def test_ratios_are_of_pairs_of_sessions():
    """2, 2 and 8: the mean of their logarithms is ln 3.175, +- 4.303 * .4621."""
    ours, theirs = pd.Series([2.0, 2.0, 16.0]), pd.Series([1.0, 1.0, 2.0])

    assert "3.175 [0.435, 23.185]" == clients_in_turns.ratio(ours, theirs)


@pytest.mark.unit
def test_table_has_ratios_and_costs_of_each_case():
    """Twice the throughput, half the client's CPU, the same of the server's."""
    row = {"engine": "e", "case": "c", "session": 1}
    ours = {"throughput": 20.0, "client": 1.5, "server": 7.0}
    theirs = {"throughput": 10.0, "client": 3.0, "server": 7.0}
    sessions = pd.DataFrame(
        [row | {"side": "ours"} | ours, row | {"side": "theirs"} | theirs]
    )
    table = clients_in_turns.table(sessions).iloc[0]

    assert table["throughput"].startswith("2.000")
    assert table["client"].startswith("0.500")
    assert ("1.5 / 3.0", "7.0 / 7.0") == (table["client µs"], table["server µs"])


@pytest.mark.unit
@pytest.mark.parametrize(
    "said",
    [
        "    transactions:                        12  (11.9 per sec.)\n",
        "number of transactions actually processed: 12/12\n",
        json.dumps({"kind": "step", "op": "query", "ops": 12}),
        "\n".join(
            json.dumps({"kind": "step", "op": op, "ops": ops})
            for op, ops in (("query", 84), ("transaction", 12))
        ),
    ],
    ids=["sysbench", "pgbench", "statements", "transactions"],
)
def test_events_are_counted_by_the_client_itself(said):
    """The line of each tool, and our records."""
    assert 12 == clients_in_turns.events(said)


@pytest.mark.slow
@pytest.mark.engine
@pytest.mark.skipif(not shutil.which("sysbench"), reason="needs sysbench")
def test_both_clients_take_turns(builds, tmp_path, postgres):
    """Two sessions of 1 s: a row per case, costs above 0."""
    for goal in ("sql", "keeper"):
        out = compiled(builds, goal)
    words = [
        sys.executable, ROOT / "tests/benchmarks/clients_in_turns.py",
        "--engine", "postgres", "--sessions", "2", "--seconds", "1", "--rows", "500",
        "--bin", out, "--case", "oltp_read_only", "--case", "pgbench -M prepared",
    ]  # fmt: skip
    done = subprocess.run(
        [str(word) for word in words], capture_output=True, text=True, check=False,
        env=os.environ | {"BENCHBOOK_LOCK": str(tmp_path / "lock")},
    )  # fmt: skip

    assert (0, "") == (done.returncode, done.stderr)
    rows = [line for line in done.stdout.splitlines() if line.startswith("postgres")]
    costs = [float(us) for row in rows for us in re.findall(r"(\S+) / (\S+)", row)[0]]
    assert ["oltp_read_only", "pgbench"] == [row.split()[1] for row in rows]
    assert 4 == len(costs) and min(costs) > 0
