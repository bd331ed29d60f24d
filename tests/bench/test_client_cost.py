"""The benchmark of ingest's own cost: its loops do the work, its ratios are right."""

import json
import sqlite3
import subprocess
import sys

import pandas as pd
import pytest
from places import ROOT

BENCHMARKS = ROOT / "tests" / "benchmarks"
sys.path.append(str(BENCHMARKS))

import client_cost  # noqa: E402
import client_loops  # noqa: E402

SANITIZE = "-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=undefined"


def costs(**us):
    """Three turns of the loads of one engine, microseconds per row."""
    return pd.DataFrame(
        [
            {"engine": "e", "what": "insert", "client": client, "dop": 1, "turn": turn,
             "us": value}
            for client, values in us.items()
            for turn, value in enumerate(values, start=1)
        ]
    )  # fmt: skip


@pytest.mark.unit
def test_ratios_are_of_medians_with_the_range_of_the_turns():
    """Medians 3 and 2 are 1.5; single turns 2/2, 3/2 and 9/3 are 1 to 3."""
    frame = costs(ingest=[2.0, 3.0, 9.0], C=[2.0, 2.0, 3.0], Python=[20.0, 30.0, 90.0])
    row = client_cost.table(frame).iloc[0]

    assert ("row", "3.00 (2.00-9.00)") == (row["per"], row["ingest µs"])
    assert "1.500 (1.000-3.000)" == row["ingest/C"]
    assert "0.100 (0.100-0.100)" == row["ingest/Python"]


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    """The table pi1 of 500 rows, with its indexes, as a run of ingest leaves it."""
    file = tmp_path_factory.mktemp("loops") / "benchbook.db"
    db = sqlite3.connect(file)
    table = client_loops.TABLE.format(key="INTEGER PRIMARY KEY", time="integer")
    db.execute(table.replace("loop2", "pi1"))
    for name, columns, *_ in client_loops.INDEXES:
        db.execute(f"CREATE INDEX pi1_{name} ON pi1 ({columns})")
    # The largest values of a key: no query, wherever it begins, finds fewer than 10.
    rows = [(n, 1000 + n, n, 10_000 + n, 500 + n, "a" * 10) for n in range(500)]
    marks = ", ".join("?" * 6)
    db.executemany(f"INSERT INTO pi1 ({client_loops.COLUMNS}) VALUES ({marks})", rows)
    db.commit()
    db.close()
    return file


@pytest.fixture(scope="module")
def in_c(tmp_path_factory):
    """The loop in C, with sanitizers."""
    out = tmp_path_factory.mktemp("loop")
    make = ("make", "-s", "-C", ROOT / "bench", "-f", "Makefile",
            "-f", "cost/loops/loops.mk", f"OUT={out}", f"OPT={SANITIZE}",
            out / "loop_sqlite")  # fmt: skip
    done = subprocess.run(make, capture_output=True, text=True, check=False)
    assert 0 == done.returncode, done.stderr
    return [out / "loop_sqlite"]


@pytest.fixture(params=["C", "Python"])
def loop(request):
    """The command of one loop, and the table it inserts into."""
    if request.param == "C":
        return request.getfixturevalue("in_c"), "loop1"
    return [sys.executable, BENCHMARKS / "client_loops.py", "sqlite"], "loop2"


@pytest.mark.engine
def test_a_loop_inserts_and_finds_every_row(loop, database):
    """Two statements insert 200 rows; 30 queries of either kind return 10 rows each."""
    words, table = loop
    told = [
        json.loads(subprocess.check_output([*words, database, what, count]))
        for what, count in (("insert", "2"), ("range", "30"), ("point", "30"))
    ]
    (inserted,) = sqlite3.connect(database).execute(f"SELECT count(*) FROM {table}")

    assert [200, 300] == [t["rows"] for t in told[:2]]
    assert 290 <= told[2]["rows"] <= 300  # two of ten keys may be the same one
    assert (200,) == inserted
    assert all(t["cpu_ns"] > 0 for t in told)
