"""What the db_bench formats share: numbers and sizes as printed, steps, units."""

from __future__ import annotations

import re
from functools import lru_cache

from benchformats.metric_names import metric_name
from benchformats.printed import number
from benchformats.units import meanings

ENGINE = "rocksdb"
ABSENT = frozenset(("", "NA", "na"))

# metric -> unit and which is better; GB and MB are 2^30 and 2^20 bytes. Times of
# compaction are summed over its threads; CPU time is in thousands of seconds.
FIGURES = meanings({
    ("operations/s", "higher"): "ops_sec",
    ("MB/s", "higher"): "mb_sec",
    ("MB/s", "none"): "c_mbps ingest_mbps",
    ("GB", "lower"): "lsm_sz blob_sz c_wgb b_rgb b_wgb rss c_rgb",
    ("GB", "none"): "flush_gb l0_wgb ingest_gb",
    ("ratio", "lower"): "w_amp",
    ("s", "lower"): "c_wsecs c_csecs stall_s",
    ("s", "none"): "uptime elapsed_s",
    ("us", "lower"): "usec_op p50 p75 p99 p99_9 p99_99 pmax pmin avg stddev",
    ("%", "lower"): "stall_pct",
    ("count", "lower"): "nstall",
    ("count", "none"): "ops found searched",
    ("1000 s", "none"): "u_cpu s_cpu",
})  # fmt: skip
_RESPONSE_TIME = re.compile(r"p(?:\d|max|min)|avg$|stddev$")
_STALLS = ("count", "lower")

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s?([KMGTP]?B)", re.ASCII)
_COUNT = re.compile(r"(-?\d{1,15})([KMG]?)", re.ASCII)
_CLOCK = re.compile(r"(\d{1,9}):(\d{1,2}):(\d{1,2}(?:\.\d{1,3})?)", re.ASCII)
_BEFORE_6 = re.compile(r"[1-5]\.\d", re.ASCII)
_LAST_DIGIT = 0.05  # of a time in us with one decimal
_LOG = re.compile(r"benchmark_(?P<step>.+?)\.log(?:$|\.)")
_THREADS = re.compile(r"\.t(\d{1,6})(?:\.|$)", re.ASCII)
_WRITES = re.compile(
    r"fill|overwrite|update|append|merge|bulkload|deleteseq|deleterandom"
)
_BYTES = re.compile(r"(?:crc32c|xxhash|xxhash64|xxh3|compress|uncompress)(?:\.|$)")
_IN_GB = {
    "B": 2.0**-30, "KB": 2.0**-20, "MB": 2.0**-10, "GB": 1.0, "TB": 2.0**10,
    "PB": 2.0**20,
}  # fmt: skip
_TIMES = {"": 1, "K": 1_000, "M": 1_000_000, "G": 1_000_000_000}


def gigabytes(text: str) -> float | None:
    """``16GB``, ``944 MB`` and ``1.5TB`` in GB (2^30 bytes)."""
    size = _SIZE.fullmatch(text)
    value = number(size[1]) if size else None
    return value * _IN_GB[size[2]] if size and value is not None else None


def count_of(text: str) -> float | None:
    """``1105``, ``35M``: counts of keys, which RocksDB prints in powers of 1000."""
    count = _COUNT.fullmatch(text)
    return float(int(count[1]) * _TIMES[count[2]]) if count else None


def seconds_of(text: str) -> float | None:
    """``00:14:22.143`` in seconds."""
    clock = _CLOCK.fullmatch(text)
    if not clock:
        return None
    hours, minutes, seconds = (float(part) for part in clock.groups())
    return hours * 3600 + minutes * 60 + seconds


def before_6(version: str) -> bool:
    """A release of RocksDB before 6.0."""
    return bool(_BEFORE_6.match(version))


def usec_of_a_client(
    usec_op: float | None, ops_sec: float | None, clients: int
) -> float | None:
    """Time of an operation at its client, where that of all clients together is printed.

    db_bench printed the time of the run over all operations before RocksDB 6.0; since
    then it is the sum of the clients' times over all operations.
    """
    if clients < 2 or usec_op is None or not ops_sec:
        return None
    busy = usec_op * ops_sec / 1e6  # clients that this time is of: one, or all
    slack = min(0.01 + _LAST_DIGIT * ops_sec / 1e6, 0.3)
    return clients * 1e6 / ops_sec if abs(busy - 1) <= slack else None


def figure_of(metric: str) -> tuple[str, str]:
    """Unit and direction of a metric; ("", "none") of one that is not known."""
    plain = metric.removesuffix("_correct")
    if plain in FIGURES:
        return FIGURES[plain]
    return _STALLS if plain.startswith("stall_") else ("", "none")


def clock_of(metric: str) -> str:
    """Response times are from where the client turned to the operation: a closed loop."""
    return "actual" if _RESPONSE_TIME.match(metric) else ""


@lru_cache(maxsize=256)
def column_name(header: str) -> str:
    """A column of the compaction tables: Read(GB) is read_gb, Rd(MB/s) is rd_mb_s."""
    return metric_name(re.sub(r"[({]", "_", header.rstrip(")}")))


def op_of(step: str) -> str:
    """What a step's rate counts."""
    if _BYTES.match(step):
        return "bytes"
    return "insert" if _WRITES.match(step) else "query"


def dop_of(step: str) -> int:
    """Clients of ``readrandom.t24``; 0 where the name does not say."""
    threads = _THREADS.search(step)
    return int(threads[1]) if threads else 0


def step_of_log(name: str) -> str:
    """``readrandom.t24`` of ``benchmark_readrandom.t24.log``; '' of other names."""
    log = _LOG.match(name)
    return log["step"] if log else ""
