"""Variants of the microbenchmarks: an index instead of the key, and corrected ones."""

from __future__ import annotations

import re

import pytest
from ingest_answers import by_op, kind
from places import BENCH
from sql_fixtures import (
    SYSBENCH,
    SYSBENCH_ROWS,
    all_steps,
    check_sums,
    digest,
    rows_of,
    traced,
)

pytest_plugins = ("sql_fixtures",)
pytestmark = pytest.mark.engine

SECONDARY, CORRECTED = (
    BENCH / "workloads" / f"sysbench-{name}" / "workload"
    for name in ("secondary", "corrected")
)
SMALL = ("--set", "table_size=2000")
each_variant = pytest.mark.parametrize(
    "file", [SECONDARY, CORRECTED], ids=["secondary", "corrected"]
)


def blocks(file, *words):
    """Statements, transactions and steps of a file: first line and what is below."""
    text = re.sub(r"^#.*\n", "", file.read_text(), flags=re.MULTILINE)
    found = (block.partition("\n") for block in re.split(r"\n(?=\S)", text))
    return {
        head: [line for line in below.splitlines() if line]
        for head, _, below in found
        if head.startswith(words)
    }


def test_only_the_table_differs_without_a_primary_key():
    """What is sent, and when, is to the letter what the other file has."""
    words = ("statement", "transaction", "step", "let")
    original, variant = blocks(SYSBENCH, *words), blocks(SECONDARY, *words)

    assert 40 < len(variant)
    assert variant == {head: original[head] for head in variant}


def test_corrected_steps_are_published_ones():
    """Each has its step's name, kind and group."""
    original, variant = blocks(SYSBENCH, "step"), blocks(CORRECTED, "step")
    corrected = {h.removesuffix(".corrected"): b for h, b in variant.items()}

    assert 7 == sum(h.endswith(".corrected") for h in variant)
    for head, below in corrected.items():
        assert [ln for ln in below if "group" in ln or "kind" in ln] == [
            ln for ln in original[head] if "group" in ln or "kind" in ln
        ]


@each_variant
def test_variants_load_the_rows_of_the_microbenchmarks(file, records_of_sql, tmp_path):
    """Ids, too: the same digest."""
    records_of_sql("sqlite", file, ["load"], "--set", "table_size=1000")

    assert SYSBENCH_ROWS == digest(rows_of(tmp_path, "id, k, c, pad", "sbtest1"))


@each_variant
@pytest.mark.slow
def test_variants_run_on_sqlite(file, records_of_sql, sql):
    """Every step, its answers as the file says."""
    check_sums(records_of_sql("sqlite", file, all_steps(sql, file), *SMALL))


def test_an_id_is_found_by_its_index(records_of_sql):
    """SQLite's plans name it, and no primary key."""
    steps = ["load", "index", "point-query.range100:events=1", "delete.range100:events=1"]
    found = records_of_sql("sqlite", SECONDARY, steps, *SMALL)
    plans = [s["plan"] for s in kind(found, "statement")]

    assert 2 == sum("USING INDEX id_1 (id=?)" in plan for plan in plans)


def test_corrected_steps_send_what_their_names_promise(records_of_sql, tmp_path):
    """100 ids, 100 rows, a count beside 10 points in a transaction, prepared inserts."""
    steps = [
        "load", "update-inlist.range100.corrected:events=1",
        "range-notcovered-pk.range100.corrected:events=30",
        "read-only-count.range1000.corrected:events=1",
        "insert.range100.corrected:events=1",
    ]  # fmt: skip
    options = (*SMALL, "--trace", tmp_path / "trace")
    found = records_of_sql("sqlite", CORRECTED, steps, *options)
    lines = traced(tmp_path, "sbtest1")
    shown = {s["name"]: s["sql"] for s in kind(found, "statement")}
    ranges = [re.findall(r"BETWEEN (\d+) AND (\d+)", line) for line in lines]
    widths = [int(high) - int(low) + 1 for [(low, high)] in filter(None, ranges)]
    (listed,) = [line for line in lines if line.startswith("UPDATE")]

    assert 100 == listed.split(" IN ")[1].count(",") + 1
    assert [100] * 30 + [1000] == widths
    assert 30 * 100 == by_op(found, "step")[
        "range-notcovered-pk.range100.corrected", "query"
    ]["rows"]  # fmt: skip
    assert (
        13 == by_op(found, "step")["read-only-count.range1000.corrected", "query"]["ops"]
    )
    assert shown["insert"].endswith("VALUES (?, ?, ?)")
