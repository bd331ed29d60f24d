"""The slowest operations of a histogram: how much of all the time lies in them.

Where clients wait for their answers, the mean response time is the clients over the rate.
So two cells whose usual operations take as long differ in rate by their slowest ones.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated

import numpy as np
import pandas as pd

from benchmath.frames import Kind, row_per_group
from benchmath.latency.buckets import bucket_value, percentile
from benchmath.latency.histogram import require_ns
from benchmath.ratios.power import ALPHA
from benchmath.ratios.verdicts import CHANGES

SLOWEST = 0.01  # of all operations: those above p99
ALIKE = 0.1  # RocksDB's own buckets are half as wide again as the one before
PER_TEN_THOUSAND = {"p50": 5000, "p99": 9900, "p999": 9990, "p9999": 9999, "max": 10000}
QUICK_US = 10
TAILS = Kind(
    "tails",
    ("n", "count", "mean", *PER_TEN_THOUSAND, "quick_pct", "slow", "slowest_pct"),
)
TailFrame = Annotated[pd.DataFrame, TAILS]
_COMPARED = ("mean", "p50", "p99", "slow", "slowest_pct")
_MOST = 50  # percent


def tails(hists: pd.DataFrame, by: Sequence[str]) -> TailFrame:
    """Percentiles, the mean, and what of it the slowest hundredth is, for each of ``by``.

    Needs the columns of the view ``hists`` and ``by``; histograms of one ``by`` are
    merged. Columns: ``by``, n (runs), count (operations), and in microseconds mean, p50,
    p99, p999, p9999, max and slow, the part of the mean that the slowest 1% of the
    operations are; slowest_pct is that part in percent of the mean. quick_pct: percent of
    the operations that took up to 10 us.
    """
    require_ns(hists, (*by, "run_id"))
    return row_per_group(hists, by, _row, TAILS.columns)


def tails_beside(
    tails: TailFrame, judged: pd.DataFrame, base: Mapping[str, str]
) -> pd.DataFrame:
    """The tail of each compared cell beside that of its base.

    ``judged`` is the frame of ``verdicts`` of throughput with the same dimensions, and
    ``base`` what it is relative to. Columns: the keys of ``tails``, as text, me, verdict,
    q, relative, then mean, p50, p99, slow, slowest_pct and the base's, each with _base;
    p50_ratio and p99_ratio; more (of the mean, in us), of_slow_pct (how much of that the
    slowest 1% make), changed (the rate, also after Benjamini-Hochberg), and explained: it
    has, p50 and p99 agree within a tenth, and the slowest make most of the difference.
    """
    keys = [c for c in TAILS.keys(tails) if c in judged.columns]
    known = tails.astype(dict.fromkeys(keys, str))[[*keys, *_COMPARED]]
    rows = judged[judged["relative"].notna()].astype(dict.fromkeys(keys, str))
    rows = rows[[*keys, "me", "verdict", "q", "relative"]].reset_index(drop=True)
    of_base = rows[keys].assign(**{name: str(value) for name, value in base.items()})
    theirs = of_base.merge(known, on=keys, how="left")[list(_COMPARED)]
    mine = rows.merge(known, on=keys, how="left")
    table = pd.concat([mine, theirs.add_suffix("_base")], axis="columns").dropna()
    more = table["mean"] - table["mean_base"]
    of_slow = 100 * (table["slow"] - table["slow_base"]) / more.where(more != 0)
    ratios = {f"{c}_ratio": table[c] / table[f"{c}_base"] for c in ("p50", "p99")}
    alike = [np.abs(np.log(ratio)) <= np.log1p(ALIKE) for ratio in ratios.values()]
    changed = table["verdict"].isin(CHANGES) & (table["q"] <= ALPHA)
    return table.assign(
        **ratios, more=more, of_slow_pct=of_slow, changed=changed,
        explained=changed & alike[0] & alike[1] & (of_slow > _MOST),
    )  # fmt: skip


def _row(cell: pd.DataFrame) -> dict[str, float]:
    if cell["sub_bits"].nunique() > 1:
        raise ValueError("histograms of different sub_bits cannot be merged")
    bits = int(cell["sub_bits"].iloc[0])
    merged = cell.groupby("bucket")["count"].sum().sort_index()
    counts = [(int(bucket), int(count)) for bucket, count in merged.items()]
    times = {
        name: percentile(counts, part, bits, 10_000) / 1e3
        for name, part in PER_TEN_THOUSAND.items()
    }
    values = np.array([bucket_value(bucket, bits) for bucket, _ in counts]) / 1e3
    numbers = np.array([count for _, count in counts], dtype=float)
    total = numbers.sum()
    mean, slow = float(values @ numbers) / total, _slowest(values, numbers) / total
    return {
        "n": cell["run_id"].nunique(), "count": int(total), "mean": mean, **times,
        "quick_pct": 100 * float(numbers[values <= QUICK_US].sum()) / total,
        "slow": slow, "slowest_pct": 100 * slow / mean if mean else np.nan,
    }  # fmt: skip


def _slowest(values: np.ndarray, numbers: np.ndarray) -> float:
    """The time of the slowest hundredth; of the bucket on the border a part counts."""
    above = numbers.sum() - np.cumsum(numbers)  # slower than the bucket
    left = np.clip(SLOWEST * numbers.sum() - above, 0.0, numbers)
    return float(values @ left)
