"""bench/workloads: the files that ship keep their promises; SQLite's rows are counted."""

from __future__ import annotations

import re
import sqlite3
from collections import Counter

import pytest
from ingest_answers import by_op, kind
from places import BENCH

pytest_plugins = ("sql_fixtures",)
pytestmark = pytest.mark.engine

YCSB, TPCB, TPCC = (
    BENCH / "workloads" / n / "workload" for n in ("ycsb", "tpcb", "tpcc")
)
SMALL_YCSB = ["--set", "records=500"]
SMALL_TPCB = ["--set", "accounts=300", "--set", "scale=2"]
SMALL_TPCC = ["--set", "warehouses=2", "--set", "customers=30", "--set", "items=200"]


@pytest.fixture
def ask(tmp_path):
    """A function that asks SQLite's file, once a run has left it."""

    def ask(sql):
        db = sqlite3.connect(tmp_path / "benchbook.db")
        try:
            return db.execute(sql).fetchall()
        finally:
            db.close()

    return ask


def sent(found, step):
    return {s["name"]: s["sent"] for s in kind(found, "statement") if s["step"] == step}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["null", "sqlite"])
def test_the_example_of_the_manual_runs(records_of_sql, engine):
    """It stands in README.md as it is copied from there, and so do its steps."""
    manual = (BENCH / "workloads" / "README.md").read_text()
    steps = [*re.findall(r"--step ([a-z]+\S*)", manual), "tidy"]
    found = records_of_sql(
        engine, manual.split("```\n")[1], steps, "--set", "carts=1000", "--dop", "2"
    )

    assert ["load", "index", "analyze", "look", "shop", "tidy"] == [
        s["step"] for s in kind(found, "step") if s["main"]
    ]


@pytest.mark.slow
@pytest.mark.parametrize("options", [[], ["--dop", "3", "--no-prepare"]], ids=" ".join)
def test_ycsb_sends_its_mixes(records_of_sql, ask, options):
    """A to F in the shares that YCSB gives them; every insert is there."""
    steps = ["load", "index", *(f"{s}:events=1000" for s in "abcdef")]
    found = records_of_sql("sqlite", YCSB, steps, *SMALL_YCSB, *options)
    inserted = sent(found, "d")["insert"] + sent(found, "e")["insert"]

    assert 450 < sent(found, "a")["update"] < 550
    assert 30 < sent(found, "b")["update"] < 75
    assert {"read": 1000} == sent(found, "c")
    assert 1000 == sum(sent(found, "d").values()) == sum(sent(found, "e").values())
    assert 1000 == sent(found, "f")["read"]
    assert 450 < sent(found, "f")["update-same"] < 550
    assert 60 < inserted < 150
    assert [(500 + inserted, 500 + inserted)] == ask(
        "SELECT count(*), max(ycsb_key) FROM usertable"
    )


def test_ycsb_writes_the_record_that_it_has_read(records_of_sql, tmp_path):
    """F: the key of an update is that of the read before it, outside of a transaction."""
    trace = tmp_path / "trace"
    records_of_sql(
        "sqlite", YCSB, ["load", "f:events=200"], *SMALL_YCSB, "--trace", trace
    )
    lines = [ln for ln in trace.read_text().splitlines() if "ycsb_key =" in ln]
    keys = [int(re.search(r"ycsb_key = (\d+)", line)[1]) for line in lines]
    updates = [i for i, line in enumerate(lines) if line.startswith("UPDATE")]

    assert "BEGIN" not in trace.read_text()
    assert updates
    assert all(keys[i] == keys[i - 1] for i in updates)


def test_ycsb_has_few_keys_that_are_read_most(records_of_sql, tmp_path):
    """The likeliest of 10^10 ranks has 1/26.47 of the requests; its key may be any."""
    trace = tmp_path / "trace"
    records_of_sql(
        "sqlite", YCSB, ["load", "c:events=4000"], *SMALL_YCSB, "--trace", trace
    )
    keys = Counter(re.findall(r"ycsb_key = (\d+)", trace.read_text()))
    (_, most), *_ = keys.most_common(1)

    assert 0.03 < most / 4000 < 0.05
    assert len(keys) > 400


@pytest.mark.parametrize("dop", ["1", "3"])
def test_tpcb_keeps_its_sums(records_of_sql, ask, dop):
    """Accounts, tellers, branches and history agree, as TPC-B asks."""
    steps = ["load", "select-only:events=9", "tpcb-like:events=30"]
    found = records_of_sql("sqlite", TPCB, steps, *SMALL_TPCB, "--dop", dop)
    ((accounts,),) = ask("SELECT sum(abalance) FROM pgbench_accounts")

    assert 9 == by_op(found, "step")["select-only", "query"]["ops"]
    assert 30 * 7 == by_op(found, "step")["tpcb-like", "query"]["ops"]
    assert [(accounts,)] == ask("SELECT sum(tbalance) FROM pgbench_tellers")
    assert [(accounts,)] == ask("SELECT sum(bbalance) FROM pgbench_branches")
    assert [(accounts, 30)] == ask("SELECT sum(delta), count(*) FROM pgbench_history")
    assert accounts != 0


def test_tpcb_has_the_rows_of_a_scale(records_of_sql, ask):
    """Each branch its tellers and accounts; simple update leaves tellers alone."""
    records_of_sql("sqlite", TPCB, ["load", "simple-update:events=5"], *SMALL_TPCB)

    assert [(1, 10), (2, 10)] == ask(
        "SELECT bid, count(*) FROM pgbench_tellers GROUP BY bid"
    )
    assert [(1, 300), (2, 300)] == ask(
        "SELECT bid, count(*) FROM pgbench_accounts GROUP BY bid"
    )
    assert [(0,)] == ask("SELECT sum(abs(tbalance)) FROM pgbench_tellers")


@pytest.fixture
def tpcc(records_of_sql):
    """The records of both transactions, of three clients."""
    steps = ["load", "index", "new-order:events=40", "payment:events=40", "mix:events=20"]
    return records_of_sql("sqlite", TPCC, steps, *SMALL_TPCC, "--dop", "3")


def test_tpcc_is_consistent(tpcc, ask):
    """Conditions 1 to 4 of clause 3.3.2, as far as its two transactions go."""
    assert [] == ask(
        "SELECT w_id FROM warehouse WHERE w_ytd <> (SELECT sum(d_ytd) FROM district "
        "WHERE d_w_id = w_id)"
    )
    for table, column, number in (
        ("orders", "o", "o_id"),
        ("new_order", "no", "no_o_id"),
    ):
        assert [] == ask(
            f"SELECT d_id FROM district JOIN {table} ON {column}_w_id = d_w_id AND "
            f"{column}_d_id = d_id GROUP BY d_w_id, d_id "
            f"HAVING max({number}) <> d_next_o_id - 1 OR "
            f"count(*) <> max({number}) - min({number}) + 1"
        )
    assert ask("SELECT sum(o_ol_cnt) FROM orders") == ask(
        "SELECT count(*) FROM order_line"
    )


def test_tpcc_orders_have_their_lines(tpcc, ask):
    """5 to 15 lines, numbered from 1, each with its stock and its price."""
    orders = ask(
        "SELECT o_ol_cnt, count(*), min(ol_number), max(ol_number) FROM orders JOIN "
        "order_line ON ol_w_id = o_w_id AND ol_d_id = o_d_id AND ol_o_id = o_id "
        "GROUP BY o_w_id, o_d_id, o_id"
    )
    news = sum(s["sent"] for s in kind(tpcc, "statement") if s["name"] == "insert-order")

    assert all(lines == found == last for lines, found, first, last in orders)
    assert {1} == {first for _, _, first, _ in orders}
    assert 5 <= min(orders)[0] < max(orders)[0] <= 15
    assert news == len(orders) >= 40
    assert [] == ask(
        "SELECT 1 FROM order_line JOIN item ON i_id = ol_i_id "
        "WHERE ol_amount <> ol_quantity * i_price"
    )
    assert ask("SELECT count(*) FROM order_line") == ask(
        "SELECT sum(s_order_cnt) FROM stock"
    )
    assert ask("SELECT sum(ol_quantity) FROM order_line") == ask(
        "SELECT sum(s_ytd) FROM stock"
    )
    assert [] == ask("SELECT 1 FROM stock WHERE s_quantity NOT BETWEEN 10 AND 100")


def test_tpcc_payments_are_recorded(tpcc, ask):
    """What customers paid is what warehouses got; some paid elsewhere."""
    ((paid, count),) = ask("SELECT sum(h_amount), count(*) FROM history")
    elsewhere = ask("SELECT count(*) FROM history WHERE h_c_w_id <> h_w_id")

    assert 40 < count < 60
    assert [(paid,)] == ask("SELECT sum(w_ytd - 30000000) FROM warehouse")
    assert [(paid,)] == ask("SELECT sum(-1000 - c_balance) FROM customer")
    assert 0 < elsewhere[0][0] < count / 2
