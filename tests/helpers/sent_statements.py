"""What a server's own log says was sent to it, as statements without values, counted.

What each of the 42 microbenchmarks is to send: tests/data/sysbench_events.tsv.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from places import ROOT

DEFINITION = ROOT / "tests" / "data" / "sysbench_events.tsv"
Sent = dict[str, int]  # statement: how often

_POSTGRES = re.compile(r"\[(\d+)\] LOG:  (?:execute [^:]+|statement): (.*)")
_MYSQL = re.compile(r"(?:^|\t) *(\d+) (?:Execute|Query)\t(.*)")
# What a client of ours says before and after a step's time.
_ASIDE = ("SET ", "EXPLAIN ", "DEALLOCATE ")


def defined_events() -> dict[str, Sent]:
    """What one event of each microbenchmark sends, by step."""
    events: dict[str, Sent] = {}
    with DEFINITION.open(newline="") as lines:
        for row in csv.DictReader(lines, delimiter="\t"):
            events.setdefault(row["step"], {})[row["statement"]] = int(row["count"])
    return events


def sessions_of(log: Iterable[str]) -> list[Counter[str]]:
    """The statements of each connection, in the order in which these began."""
    sessions: dict[str, Counter[str]] = {}
    for line in log:
        if sent := _POSTGRES.search(line) or _MYSQL.search(line):
            sessions.setdefault(sent[1], Counter())[shape(sent[2])] += 1
    return list(sessions.values())


def sessions_of_duckdb(folder: Path) -> list[Counter[str]]:
    """The same of DuckDB's log of queries, of which each is a line of two files."""
    sessions: dict[str, Counter[str]] = {}
    contexts = _rows(folder / "duckdb_log_contexts.csv")
    connections = {row["context_id"]: row["connection_id"] for row in contexts}
    for row in _rows(folder / "duckdb_log_entries.csv"):
        sent = sessions.setdefault(connections[row["context_id"]], Counter())
        sent[shape(row["message"])] += 1
    return list(sessions.values())


def _rows(file: Path) -> list[dict[str, str]]:
    with file.open(newline="") as lines:
        return list(csv.DictReader(lines))


def per_event(session: Counter[str], events: int) -> dict[str, float]:
    """What a client of ours sent for one event of its step."""
    return {
        sql: count / events
        for sql, count in session.items()
        if not sql.startswith(_ASIDE)
    }


def read_log(file: Path) -> list[str]:
    return file.read_text(errors="replace").splitlines()


def shape(sql: str) -> str:
    """A statement without values, table and what differs between engines alone.

    >>> shape("SELECT c FROM sbtest1 WHERE id IN (3, $2)")
    'SELECT c WHERE id IN (? x 2)'
    """
    sql = re.sub(r"'[^']*'|\$\d+|\b\d+\b", "?", sql.strip())
    sql = re.sub(r"\s*(FROM |INTO )?\bsbtest\d+", "", sql)
    sql = re.sub(r"IN ?\(([?, ]*)\)", lambda m: f"IN (? x {m[1].count('?')})", sql)
    sql = re.sub(r"\s*,\s*", ", ", sql)
    return "INSERT" if sql.startswith("INSERT") else re.sub(r"\s+", " ", sql)
