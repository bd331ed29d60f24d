"""The insert benchmark's statements as one writes them in Python, and what they cost.

python client_loops.py ENGINE TARGET insert|range|point STATEMENTS prints one JSON object
with the CPU time of this process in the loop. Rows are made before it begins: what is
compared is the cost of sending them. `bench/cost/loops/` has the same in C.
"""

import json
import random
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

INSERT_ROWS, QUERY_ROWS = 100, 10
COLUMNS = "dateandtime, cashregisterid, customerid, productid, price, data"
# Columns of an index, the comparison of its first, and how many values that one has.
INDEXES = (
    ("marketsegment", "productid, customerid, price", "productid >=", 10_000),
    ("registersegment", "cashregisterid, customerid, price", "cashregisterid >", 1000),
    ("pdc", "price, dateandtime, customerid", "price >=", 500),
)
TABLE = (
    "CREATE TABLE loop2 (transactionid {key}, dateandtime {time} NOT NULL, "
    "cashregisterid int NOT NULL, customerid int NOT NULL, productid int NOT NULL, "
    "price int NOT NULL, data varchar(4000) NOT NULL)"
)
Rows = list[tuple[Any, ...]]
Query = Callable[[str, Sequence[Any]], int]


def make_rows(when: object) -> Rows:
    """The rows of one statement; data is 10 to 20 letters, as ingest has it."""
    below = random.randrange
    return [
        (
            when,
            below(1000),
            below(100_000),
            below(10_000),
            below(500),
            "a" * below(10, 21),
        )
        for _ in range(INSERT_ROWS)
    ]


def range_sql(number: int, mark: str, hint: str) -> str:
    """The range query on an index."""
    name, columns, condition, _ = INDEXES[number]
    table = f"pi1 {hint.format(f'pi1_{name}')}"
    return (
        f"SELECT {columns} FROM {table} WHERE {condition} {mark} "
        f"ORDER BY {columns} LIMIT {QUERY_ROWS}"
    )


def point_sql(mark: str) -> str:
    """The query for ten primary keys."""
    marks = ", ".join([mark] * QUERY_ROWS)
    return (
        f"SELECT transactionid, productid, data FROM pi1 WHERE transactionid IN ({marks})"
    )


class Postgres:
    """psycopg 3: one INSERT of all rows of a statement, which it prepares by itself."""

    mark, hint = "%s", ""

    def __init__(self, target: str) -> None:
        import psycopg

        self.connection = psycopg.connect(target, autocommit=True)
        self.cursor = self.connection.cursor()

    def create(self) -> None:
        self.cursor.execute("DROP TABLE IF EXISTS loop2")
        self.cursor.execute(TABLE.format(key="bigserial PRIMARY KEY", time="timestamp"))
        self.cursor.execute("ALTER SEQUENCE loop2_transactionid_seq CACHE 1000")
        row = f"({', '.join(['%s'] * 6)})"
        rows = ", ".join([row] * INSERT_ROWS)
        self.insert_sql = f"INSERT INTO loop2 ({COLUMNS}) VALUES {rows}"

    def insert(self, rows: Rows) -> None:
        self.cursor.execute(self.insert_sql, [value for row in rows for value in row])

    def query(self, sql: str, values: Sequence[Any]) -> list[Any]:
        return self.cursor.execute(sql, values).fetchall()

    now = staticmethod(lambda: datetime.now(UTC).replace(tzinfo=None))


class Mysql:
    """mysqlclient, on the same library as ingest; executemany makes one INSERT of it."""

    mark, hint = "%s", "FORCE INDEX ({})"

    def __init__(self, target: str) -> None:
        import MySQLdb

        words = dict(word.split("=", 1) for word in target.split())
        self.storage = words.get("storage", "InnoDB")
        self.connection = MySQLdb.connect(
            unix_socket=words["socket"], user=words["user"], database=words["dbname"],
            charset="latin1", autocommit=True,
        )  # fmt: skip
        self.cursor = self.connection.cursor()

    def create(self) -> None:
        key = "bigint NOT NULL AUTO_INCREMENT PRIMARY KEY"
        self.cursor.execute("DROP TABLE IF EXISTS loop2")
        table = TABLE.format(key=key, time="datetime")
        self.cursor.execute(f"{table} ENGINE={self.storage} DEFAULT CHARSET=latin1")
        marks = ", ".join(["%s"] * 6)
        self.insert_sql = f"INSERT INTO loop2 ({COLUMNS}) VALUES ({marks})"

    def insert(self, rows: Rows) -> None:
        self.cursor.executemany(self.insert_sql, rows)

    def query(self, sql: str, values: Sequence[Any]) -> list[Any]:
        self.cursor.execute(sql, values)
        return list(self.cursor.fetchall())

    now = staticmethod(lambda: datetime.now(UTC).replace(tzinfo=None, microsecond=0))


class Sqlite:
    """The module sqlite3: the engine is in the same process and in the same CPU time."""

    mark, hint = "?", "INDEXED BY {}"

    def __init__(self, target: str) -> None:
        import sqlite3

        self.connection = sqlite3.connect(target, isolation_level=None)
        self.cursor = self.connection.cursor()
        self.cursor.execute("PRAGMA journal_mode = wal")
        self.cursor.execute("PRAGMA synchronous = normal")

    def create(self) -> None:
        self.cursor.execute("DROP TABLE IF EXISTS loop2")
        self.cursor.execute(TABLE.format(key="INTEGER PRIMARY KEY", time="integer"))
        marks = ", ".join("?" * 6)
        self.insert_sql = f"INSERT INTO loop2 ({COLUMNS}) VALUES ({marks})"

    def insert(self, rows: Rows) -> None:
        self.cursor.execute("BEGIN IMMEDIATE")
        self.cursor.executemany(self.insert_sql, rows)
        self.cursor.execute("COMMIT")

    def query(self, sql: str, values: Sequence[Any]) -> list[Any]:
        return self.cursor.execute(sql, values).fetchall()

    now = staticmethod(lambda: time.time_ns() // 1000)


CLIENTS = {"postgres": Postgres, "mariadb": Mysql, "myrocks": Mysql, "sqlite": Sqlite}
Client = Postgres | Mysql | Sqlite


def inserts(client: Client, count: int) -> tuple[int, int]:
    """Rows sent, and nanoseconds of CPU."""
    client.create()
    made = [make_rows(client.now()) for _ in range(count)]
    begin = time.process_time_ns()
    for rows in made:
        client.insert(rows)
    return INSERT_ROWS * count, time.process_time_ns() - begin


def queries(client: Client, what: str, count: int) -> tuple[int, int]:
    """Rows that came, and nanoseconds of CPU."""
    ranges = [range_sql(i, client.mark, client.hint) for i in range(len(INDEXES))]
    point = point_sql(client.mark)
    ends = "SELECT min(transactionid), max(transactionid) FROM pi1"
    oldest, newest = client.query(ends, ())[0]
    below, found = random.randrange, 0
    begin = time.process_time_ns()
    for _ in range(count):
        if what == "range":
            index = below(len(INDEXES))
            found += len(client.query(ranges[index], (below(INDEXES[index][3]),)))
        else:
            ids = [below(oldest, newest + 1) for _ in range(QUERY_ROWS)]
            found += len(client.query(point, ids))
    return found, time.process_time_ns() - begin


def main() -> None:
    """Run one loop and print its cost."""
    engine, target, what, count = sys.argv[1:]
    random.seed(1)
    client = CLIENTS[engine](target)
    if what == "insert":
        rows, cpu_ns = inserts(client, int(count))
    else:
        rows, cpu_ns = queries(client, what, int(count))
    told = {"statements": int(count), "rows": rows, "cpu_ns": cpu_ns}
    print(json.dumps(told))  # noqa: T201


if __name__ == "__main__":
    main()
