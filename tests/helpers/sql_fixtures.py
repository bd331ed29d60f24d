"""The driver sql, compiled with sanitizers, for the tests that run it."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import subprocess
from pathlib import Path

import pytest
from ingest_answers import by_op, kind
from ingest_fixtures import SANITIZE
from places import BENCH

SYSBENCH = BENCH / "workloads" / "sysbench" / "workload"
# The digest of id, k, c and pad of 1000 rows with seed 1, on every engine.
SYSBENCH_ROWS = "7728b04497905b3af7d83e8ea33bc17c"


def digest(rows):
    """Of rows in order, whatever blanks an engine keeps behind their texts."""
    lines = ("|".join(str(value).rstrip() for value in row) for row in rows)
    return hashlib.md5("\n".join(lines).encode()).hexdigest()


def rows_of(folder, columns="*", name="t"):
    """All rows of a table of SQLite's file, in order."""
    db = sqlite3.connect(folder / "benchbook.db")
    try:
        return db.execute(f"SELECT {columns} FROM {name} ORDER BY 1").fetchall()
    finally:
        db.close()


def traced(folder, table="t"):
    """The statements that SQLite says it ran on a table, in order."""
    lines = (folder / "trace").read_text().splitlines()
    wanted = re.compile(rf"\b{table}\b|^BEGIN|^COMMIT")
    return [line for line in lines if wanted.search(line)]


def all_steps(sql, workload=SYSBENCH):
    """Every step of a workload, with a size where it needs one."""
    words = [sql, "--workload", workload, "--list"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    sizes = {"read": ":events=20", "write": ":events=20", "cleanup": ":seconds=0.1"}
    rows = [line.split("\t") for line in done.stdout.splitlines()]
    return [name + sizes.get(kind, "") for name, kind, *_ in rows]


def check_sums(found):
    """What a step's statements sent is what the step did, without errors."""
    steps = by_op(found, "step")
    for step in {s["step"] for s in kind(found, "statement")}:
        sent = [s["sent"] for s in kind(found, "statement") if s["step"] == step]
        op = "scan" if step.startswith("scan") else "query"
        assert sum(sent) == steps[step, op]["ops"]
    assert not any(s["errors"] for s in kind(found, "step"))


@pytest.fixture(scope="session")
def sql(builds) -> Path:
    """The driver, with sanitizers: a wrong access or a leak fails its run."""
    out = builds / "sanitized"
    out.parent.mkdir(parents=True, exist_ok=True)
    words = ["flock", f"{out}.lock", "make", "-s", "-j2", "-C", BENCH, f"OUT={out}"]
    done = subprocess.run(
        [*words, f"OPT={SANITIZE}", "sql"], capture_output=True, text=True, check=False
    )
    assert 0 == done.returncode, done.stderr
    return out / "sql"


@pytest.fixture
def command(sql, tmp_path):
    """A function that gives the words of a run: a workload's path or its text."""

    def words(engine, workload, steps, *options):
        if not isinstance(workload, Path):
            text, workload = workload, tmp_path / "workload"
            workload.write_text(text)
        if engine == "sqlite" and "--config" not in options:
            config = tmp_path / "config"
            config.write_text("synchronous = off\n")
            options = (*options, "--config", config)
        steps = [word for step in steps for word in ("--step", step)]
        return [
            sql, "--engine", engine, "--target", tmp_path, "--workload", workload,
            *steps, *options,
        ]  # fmt: skip

    return words


@pytest.fixture
def call_sql(command):
    """A function that runs steps of a workload and gives the finished process."""

    def run(engine, workload, steps, *options):
        return subprocess.run(
            command(engine, workload, steps, *options),
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    return run


@pytest.fixture
def records_of_sql(call_sql):
    """A function that runs steps, insists on success and gives the records."""

    def run(engine, workload, steps, *options):
        done = call_sql(engine, workload, steps, *options)
        assert ("", 0) == (done.stderr, done.returncode)
        return [json.loads(line) for line in done.stdout.splitlines()]

    return run
