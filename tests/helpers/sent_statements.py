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
