"""The result lines of db_bench's checksum, hash and compression benchmarks.

A V2 line (RocksDB 7 and later) counts its operations and seconds::

    crc32c : 0.212 micros/op 4708112 ops/sec 0.272 seconds 1280000 operations; 18391.1 MB/s (4096 per op)

A V1 line has only the rates, so it gives no counters.
"""  # noqa: E501

from __future__ import annotations

import re
from dataclasses import dataclass

TESTS = ("crc32c", "xxhash", "xxhash64", "xxh3", "compress", "uncompress")

_LINE = re.compile(
    rf"""^(?P<test>{"|".join(TESTS)})\s*:
    \s+(?P<micros>[\d.]+)\s+micros/op
    \s+(?P<rate>\d+)\s+ops/sec
    (?:\s+(?P<seconds>[\d.]+)\s+seconds\s+(?P<ops>\d+)\s+operations)?;
    (?:\s+(?P<mb_per_s>[\d.]+)\s+MB/s)?
    (?:\s+\((?P<size>\d+)\s+per\s+op\))?""",
    re.VERBOSE,
)
_BLOCK_SIZE = re.compile(r"--block_size=(\d+)")


@dataclass(frozen=True)
class MicroResult:
    """One result line; counters are None where the line does not give them."""

    test: str
    mb_per_s: float | None  # as printed; a MB is 2^20 bytes
    ops: int | None
    bytes: int | None
    elapsed_ns: int | None


def read_micro(text: str) -> list[MicroResult]:
    """All result lines of a log, in its order.

    compress and uncompress do not print their block size: it is taken from the command
    line, which bench/db_bench.sh writes above each result.
    """
    results = []
    block_size: int | None = None
    for line in text.splitlines():
        if command := _BLOCK_SIZE.search(line):
            block_size = int(command[1])
        elif found := _LINE.match(line):
            results.append(_result(found, block_size))
    return results


def _result(found: re.Match[str], block_size: int | None) -> MicroResult:
    size = int(found["size"]) if found["size"] else block_size
    ops = int(found["ops"]) if found["ops"] else None
    return MicroResult(
        test=found["test"],
        mb_per_s=float(found["mb_per_s"]) if found["mb_per_s"] else None,
        ops=ops,
        bytes=ops * size if ops is not None and size is not None else None,
        elapsed_ns=_elapsed_ns(ops, int(found["rate"]), found["seconds"]),
    )


def _elapsed_ns(ops: int | None, rate: int, seconds: str | None) -> int | None:
    """The rate has more digits than the seconds, which are rounded to a thousandth."""
    if ops is None or seconds is None:
        return None
    if rate == 0:
        return round(float(seconds) * 1e9)
    return round(ops / rate * 1e9)
