"""What a run of ingest printed and left behind, for the tests that judge it."""

from __future__ import annotations

import hashlib
import json
import sqlite3


def kind(records, name):
    return [r for r in records if r["kind"] == name]


def by_op(records, name):
    """(step, op) -> what the records of that kind add up to."""
    sums = {}
    for record in kind(records, name):
        total = sums.setdefault((record["step"], record["op"]), {"ops": 0, "rows": 0})
        total["ops"] += record["ops"]
        total["rows"] += record["rows"]
    return sums


def refused(done):
    """The one sentence of a run that failed, which its end record says too."""
    (sentence,) = done.stderr.splitlines()
    assert 1 == done.returncode
    assert sentence == "ingest: " + json.loads(done.stdout.splitlines()[-1])["reason"]
    return sentence.removeprefix("ingest: ")


def table(folder, columns="*", number=1):
    """All rows of a table of the database in the folder, by primary key."""
    db = sqlite3.connect(folder / "benchbook.db")
    try:
        sql = f"SELECT {columns} FROM pi{number} ORDER BY transactionid"
        return db.execute(sql).fetchall()
    finally:
        db.close()


def checksum(folder):
    """Of everything but the time of a row's making."""
    rows = table(
        folder, "transactionid, cashregisterid, customerid, productid, price, data"
    )
    return hashlib.sha256(repr(rows).encode()).hexdigest()
