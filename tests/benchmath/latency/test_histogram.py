"""Histogram buckets: literals by hand, and the same answers in SQL."""

from __future__ import annotations

import duckdb
import pytest

from benchbook.sql import statement
from benchmath.latency import buckets

pytestmark = pytest.mark.unit

EDGES = (0, 1, 127, 128, 129, 255, 256, 257, 258, 511, 512, 1_000_000, 2**40 + 12345)


def bucket_of(value: int, sub_bits: int = buckets.SUB_BITS) -> int:
    """The bucket that counts a value."""
    m = 1 << sub_bits
    if value < m:
        return value
    shift = value.bit_length() - 1 - sub_bits
    return m + shift * m + ((value >> shift) - m)


@pytest.fixture
def sql() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(statement("macros"))
    return connection


def test_small_values_have_their_own_bucket():
    """Below 2 * 2**sub_bits every value is its own bucket."""
    assert [0, 127, 128, 255] == [bucket_of(v) for v in (0, 127, 128, 255)]


def test_bucket_of_larger_values():
    """256 and 257 share bucket 256; 1,000,000 = 244 << 12 + 576 lies in bucket 1780."""
    buckets = [bucket_of(v) for v in (256, 257, 258, 511, 512, 1_000_000)]

    assert [256, 256, 257, 383, 384, 1780] == buckets


def test_lower_width_and_value_by_hand():
    """Bucket 1780 covers 4096 values from 999,424 on; its middle is 1,001,471.5."""
    assert 999_424 == buckets.bucket_lower(1780)
    assert 4096 == buckets.bucket_width(1780)
    assert 1_001_471.5 == buckets.bucket_value(1780)
    assert 5.0 == buckets.bucket_value(5)


def test_every_value_lies_in_its_bucket():
    """lower <= value < lower + width, for values at the edges of buckets."""
    for value in EDGES:
        bucket = bucket_of(value)
        lower = buckets.bucket_lower(bucket)

        assert lower <= value < lower + buckets.bucket_width(bucket)


def test_representative_value_is_within_one_percent():
    """The middle of a bucket is less than 0.4% from any value in it."""
    for value in EDGES[1:]:
        middle = buckets.bucket_value(bucket_of(value))

        assert abs(middle - value) <= 0.004 * value


def test_percentiles_by_hand():
    """Of 100 values: 90 are 10, 9 are 20, 1 is 256 or 257."""
    counts = [(10, 90), (20, 9), (256, 1)]
    found = [buckets.percentile(counts, p) for p in (500, 900, 901, 990, 991, 1000)]

    assert [10.0, 10.0, 20.0, 20.0, 256.5, 256.5] == found


def test_percentile_rank_is_exact_for_large_counts():
    """p99.9 of 1000 * 10**12 values is the 999 * 10**12th, without a rounding error."""
    counts = [(1, 999 * 10**12), (2, 10**12)]

    assert 1.0 == buckets.percentile(counts, 999)


def test_percentile_of_nothing_is_refused():
    """An empty histogram has no percentile."""
    with pytest.raises(ValueError, match="no counts"):
        buckets.percentile([], 500)


def test_merge_adds_counts_of_equal_buckets():
    """Merging two histograms adds their counts, ascending by bucket."""
    merged = buckets.merge([[(5, 1), (300, 2)], [(4, 3), (300, 5)]])

    assert [(4, 3), (5, 1), (300, 7)] == merged


def test_sql_macros_agree_with_python(sql: duckdb.DuckDBPyConnection):
    """lower, width and value of 1800 buckets are the same in SQL, for two sub_bits."""
    found = sql.execute(
        "SELECT b, s, bucket_lower(b, s), bucket_width(b, s), bucket_value(b, s) "
        "FROM range(1800) AS r(b), (VALUES (7), (5)) AS v(s) ORDER BY s, b"
    ).fetchall()
    expected = [
        (b, s, buckets.bucket_lower(b, s), buckets.bucket_width(b, s),
         buckets.bucket_value(b, s))
        for s in (5, 7)
        for b in range(1800)
    ]  # fmt: skip

    assert expected == found


def test_sql_percentiles_agree_with_python(sql: duckdb.DuckDBPyConnection):
    """insert_latency.sql gives Python's percentiles of the same counts."""
    counts = [(7, 500), (130, 450), (256, 40), (1780, 9), (2500, 1)]
    sql.execute(statement("schema"))
    sql.execute(
        "INSERT INTO hist VALUES ('r', 's', 'insert', 'actual', 'ns', 7, $b, $c)",
        {"b": [b for b, _ in counts], "c": [c for _, c in counts]},
    )
    sql.execute(statement("insert_latency"))
    found = sql.execute("SELECT * EXCLUDE (run_id, step, op, clock) FROM latency")
    expected = [buckets.percentile(counts, p) for p in (500, 950, 990, 999, 1000)]

    assert [(1000, *expected)] == found.fetchall()
    assert [7.0, 130.0, 256.5, 1_001_471.5] == expected[:4]
