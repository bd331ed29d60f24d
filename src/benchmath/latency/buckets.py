"""The buckets that bench/common/hist.h fills, and percentiles of their counts.

With m = 2**sub_bits, a value v < m has a bucket of its own, v. Above, each power of two
is cut into m buckets, so that a value is known to 1 / m of itself (sub_bits 7: 0.8%).
src/benchbook/sql/macros.sql says the same in SQL.
"""

from collections import Counter
from collections.abc import Iterable

SUB_BITS = 7
Counts = list[tuple[int, int]]  # (bucket, count), ascending, no count of 0


def bucket_of(value: int, sub_bits: int = SUB_BITS) -> int:
    """The bucket that counts a value."""
    shift = max(value.bit_length() - sub_bits - 1, 0)
    return (shift << sub_bits) + (value >> shift)


def bucket_lower(bucket: int, sub_bits: int = SUB_BITS) -> int:
    """The smallest value that a bucket counts."""
    m = 1 << sub_bits
    return bucket if bucket < m else (bucket % m + m) << (bucket // m - 1)


def bucket_width(bucket: int, sub_bits: int = SUB_BITS) -> int:
    """How many values share a bucket."""
    return 1 << max(bucket // (1 << sub_bits) - 1, 0)


def bucket_value(bucket: int, sub_bits: int = SUB_BITS) -> float:
    """The value that stands for a bucket: its middle."""
    lower, width = bucket_lower(bucket, sub_bits), bucket_width(bucket, sub_bits)
    return lower + (width - 1) / 2


def percentile(
    counts: Counts, part: int, sub_bits: int = SUB_BITS, of: int = 1000
) -> float:
    """The value of the first bucket that holds `part` of all counts and those below.

    Thousandths, or what ``of`` says, because 0.999 * n is not a whole number in floating
    point: p99 is 990 of 1000, p99.99 is 9999 of 10000.
    """
    total = sum(count for _, count in counts)
    if not total:
        raise ValueError("a percentile of nothing: the histogram has no counts")
    rank = (total * part + of - 1) // of
    so_far = 0
    for bucket, count in counts:
        so_far += count
        if so_far >= rank:
            return bucket_value(bucket, sub_bits)
    raise ValueError(f"there is no percentile {part} of {of}")


def merge(histograms: Iterable[Counts]) -> Counts:
    """The histogram of all the values of several with the same sub_bits."""
    total: Counter[int] = Counter()
    for counts in histograms:
        for bucket, count in counts:
            total[bucket] += count
    return sorted(total.items())
