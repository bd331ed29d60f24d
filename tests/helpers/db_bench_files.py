"""db_bench files made for tests, and how to see that a figure was printed."""

from __future__ import annotations

import re

from benchformats.parsed import Parsed, TextFile

COLUMNS = [
    "ops_sec", "mb_sec", "lsm_sz", "blob_sz", "c_wgb", "w_amp", "c_mbps", "c_wsecs",
    "c_csecs", "b_rgb", "b_wgb", "usec_op", "p50", "p99", "p99.9", "p99.99", "pmax",
    "uptime", "stall%", "Nstall", "u_cpu", "s_cpu", "rss", "test", "date", "version",
    "job_id", "githash",
]  # fmt: skip
HEADER = "\t".join(COLUMNS) + "\n"
_CELLS = {
    "ops_sec": "1000", "mb_sec": "40.1", "lsm_sz": "16GB", "blob_sz": "0GB",
    "c_wgb": "15.9", "w_amp": "2.0", "c_mbps": "399.7", "c_wsecs": "40",
    "c_csecs": "39", "b_rgb": "0", "b_wgb": "0", "usec_op": "1.0", "p50": "0.5",
    "p99": "2", "p99.9": "4", "p99.99": "1170", "pmax": "17698", "uptime": "41",
    "stall%": "34.1", "Nstall": "295", "u_cpu": "1.7", "s_cpu": "0.2", "rss": "16.8",
    "test": "readrandom.t4", "date": "2022-12-14T16:17:11", "version": "7.9.1",
    "job_id": "", "githash": "afa92034d9",
}  # fmt: skip


def row(**cells: object) -> str:
    """A line of a sum file: p999 is p99.9, p9999 is p99.99, stall is stall%."""
    names = {"p999": "p99.9", "p9999": "p99.99", "stall": "stall%"}
    said = {names.get(name, name): str(cell) for name, cell in cells.items()}
    return "\t".join(said.get(name, _CELLS[name]) for name in COLUMNS) + "\n"


SUM = (
    HEADER
    + row(ops_sec=981140, test="fillseq.wal_disabled.v400")
    + row(ops_sec=966091, test="fillseq.wal_disabled.v400", mb_sec="387.0")
    + row(ops_sec=973806, test="fillseq.wal_disabled.v400", p999="3")
    + "mean=973679\tstddev=6144.4\tsdev/mean=0.006\n\n"
    + HEADER
    + row(ops_sec=300, w_amp="NA", Nstall="", lsm_sz="944MB")
    + row(ops_sec=600, w_amp="NA", version="7.10.2", blob_sz="0.0GB")
    + "\n"
)
OLD = (
    "ops/sec\tmb/sec\tSize-GB\tL0_MB\tSum_GB\tW-Amp\tW-MB/s\tusec/op\tp50\tp75\tp99"
    "\tp99.9\tp99.99\tUptime\tStall-time\tStall%\tTest\n"
    "90000\t36.0\t0.4\t24.5\t98.0\t4.0\t27.8\t11.1\t9.1\t12.0\t40\t90\t210\t3600"
    "\t00:01:02.500\t1.7\toverwrite.t1.s1\n"
)
TABLE_TSV = """\
9.8.4\t9.9.3\t10.10.0\ttest
1513822\t1559014\t1511114\tfillseq.wal_disabled.v400
542253\t535640\t549189\trevrangewhilewriting.t36
"""
TABLE_CSV = """\
test,9.8.4,9.9.3,10.10.0,
fillseq.wal_disabled.v400,1.00,1.03,1.00
revrangewhilewriting.t36,1.00,0.99,1.01
"""
ABS = "2069271\t2026473\tfillseq.wal_disabled.v400\n1377175\t1366408\treadrandom.t8\n"
REL = "fillseq.wal_disabled.v400,0.98,0.91\nreadrandom.t8,0.99,1.00\n"
RATES = "secs_elapsed,interval_qps\n5,184320\n10,190001\n15,0\n20,177003\n"

_TABLES = """\
** Compaction Stats [default] **
Level    Files   Size     Score Read(GB)  Rn(GB) Write(GB) W-Amp Rd(MB/s) Wr(MB/s) \
Comp(sec) CompMergeCPU(sec) KeyIn KeyDrop Rblob(GB) Wblob(GB)
--------------------------------------------------------------
  L0      6/0   37.54 MB   0.8      0.0     0.0       4.1   1.0      0.0    212.7 \
     20.16             11.50       0      0       0.0       0.0
  L6    121/3    1.50 GB   0.0      9.5     4.0       8.4   2.1    199.4    176.0 \
     49.01             40.25   1105    16K       0.0       0.0
 Sum    127/3    1.54 GB   0.0      9.5     4.0      12.5   3.1    140.6    185.0 \
     69.17             51.75    35M   243K       0.0       0.0
 Int      0/0    0.00 KB   0.0      0.1     0.0       0.1 2486.0    227.6    211.0 \
      1.12              0.89   1090      7       0.0       0.0

** Compaction Stats [default] **
Priority    Files   Size     Score Read(GB)  Rn(GB) Write(GB) W-Amp Rd(MB/s) Wr(MB/s) \
Comp(sec) CompMergeCPU(sec) KeyIn KeyDrop Rblob(GB) Wblob(GB)
--------------------------------------------------------------
 Low      0/0    0.00 KB   0.0      9.5     4.0       8.4   0.0    199.4    176.0 \
     49.01             40.25    35M   243K       0.0       0.0

Blob file count: 0, total size: 0.0 GB, garbage size: 0.0 GB, space amp: 0.0

"""
_BELOW = """\
Uptime(secs): {uptime} total, 20.0 interval
Flush(GB): cumulative {flush}, interval 1.247
AddFile(GB): cumulative 0.000, interval 0.000
AddFile(Keys): cumulative 0, interval 0
Cumulative compaction: {written} GB write, 661.03 MB/s write, 9.50 GB read, \
140.60 MB/s read, 69.2 seconds
Interval compaction: 0.23 GB write, 9.95 MB/s write, 0.25 GB read, 10.74 MB/s read, \
1.1 seconds
{stalls}
Block cache LRUCache@0x563#17 capacity: 8.00 MB usage: 0.09 KB table_size: 256

** File Read Latency Histogram By Level [default] **
** Level 0 read latency histogram (micros):
Count: 46 Average: 15.3627  StdDev: 872.46
Min: 0  Median: 0.8807  Max: 98301
Percentiles: P50: 0.88 P75: 1.46 P99: 2.95 P99.9: 28.44 P99.99: 47315.27
------------------------------------------------------
[       0,       1 ]       46 100.000% 100.000% ####################

** DB Stats **
Uptime(secs): {uptime} total, 20.0 interval
Cumulative writes: 242M writes, 242M keys, 242M commit groups, 1.0 writes per commit \
group, ingest: 4.04 GB, 54.69 MB/s
Cumulative WAL: 242M writes, 0 syncs, 275.00 writes per sync, written: 0.04 GB, 45.74 MB/s
Cumulative stall: 01:14:22.143 H:M:S, 47.8 percent
Interval stall: 00:00:0.000 H:M:S, 0.0 percent
num-running-compactions: 1

"""
OLD_STALLS = (
    "Stalls(count): 12 level0_slowdown, 3 stop for pending_compaction_bytes, "
    "1 memtable_slowdown, interval 7 total count"
)
NEW_STALLS = (
    "Write Stall (count): l0-file-count-limit-delays: 12, memtable-limit-stops: 0, "
    "total-delays: 13"
)


def dump(uptime: str, flush: str, written: str, stalls: str = OLD_STALLS) -> str:
    """Statistics as RocksDB prints them."""
    below = _BELOW.format(uptime=uptime, flush=flush, written=written, stalls=stalls)
    return _TABLES + below


BANNER = """\
RocksDB:    version 7.8.3
Date:       Sat Nov 21 22:03:55 2026
CPU:        4 * Some CPU
"""
HISTOGRAM = """\
Microseconds per write:
Count: 1000 Average: 3.1042  StdDev: 1.21
Min: 1  Median: 3.0021  Max: 88
Percentiles: P50: 3.00 P75: 3.61 P99: 9.90 P99.9: 18.02 P99.99: 40.10
------------------------------------------------------
[       0,       1 ]        7   0.700%   0.700%
(       1,       2 ]      493  49.300%  50.000% ##########
(       2,     110 ]      500  50.000% 100.000% ##########

"""
INTERVAL = (
    "2026/11/21-22:03:57  ... thread 1: (56000,92000) ops and (55487.2,45604.7) "
    "ops/second in (1.009241,2.017334) seconds\n"
)
RESULT = (
    "overwrite    :       7.854 micros/op 127320 ops/sec 0.008 seconds "
    "1000 operations;   51.0 MB/s\n"
)
LOG = (
    "/usr/bin/time -f '%e' ./db_bench --benchmarks=overwrite --threads=8 --seed=1\n"
    + BANNER + INTERVAL + "\n" + dump("20.0", "1.250", "2.50")
    + "DB path: [/data/m/rx]\n" + RESULT + HISTOGRAM
    + "waitforcompaction(/data/m/rx): finished\n\n" + dump("61.2", "4.050", "12.50")
)  # fmt: skip
SHAPES = (
    BANNER.replace("7.8.3", "6.17") + "DB path: [/data/m/rx]\n"
    "overwrite    :       2.802 micros/op 356886 ops/sec;   46.3 MB/s\n"
    "readrandom   :       8.151 micros/op 122677 ops/sec;   15.9 MB/s "
    "(979 of 1000 found)\n"
    "readrandom   :       6.636 micros/op 150690 ops/sec;   19.5 MB/s "
    "(979 of 1000 found)\n"
    "flush memtable\n" + dump("10.9", "4.050", "12.50")
    + "readrandom   :       6.625 micros/op 150950 ops/sec;   19.6 MB/s "
    "(979 of 1000 found)\n"
)  # fmt: skip

# Figures that are made of what is printed: sums of times, ratios, other units.
DERIVED = {"w_amp_correct", "stall_s", "lsm_sz", "blob_sz", "size_mb", "keyin", "keydrop",
           "interval_qps_correct", "lsm_sz_correct", "usec_op_correct"}  # fmt: skip
_NUMBERS = re.compile(r"\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")


def text_file(text: str, name: str = "sum.byrx.txt") -> TextFile:
    """A file of a folder that says nothing."""
    return TextFile(f"results/{name}", text)


def found(parsed: Parsed, *metrics: str) -> list[tuple]:
    """(step, metric, value, trial) of the rows of some metrics, or of all."""
    return [
        (r.step, r.metric, r.value, r.trial)
        for r in parsed.rows
        if not metrics or r.metric in metrics
    ]


def not_printed(parsed: Parsed, text: str) -> list:
    """Figures that do not stand in the line that they say they are from."""
    lines = text.split("\n")
    wrong: list = [
        row
        for row in parsed.rows
        if row.metric not in DERIVED
        and abs(row.value) not in _numbers(lines[row.line - 1])
    ]
    for name, table in parsed.series.items():
        for sample in table.to_pylist():
            own = lines[sample["line"] - 1]
            printed = _numbers(text if name == "db_bench_stats" else own)
            wrong += [
                (name, key, value)
                for key, value in sample.items()
                if isinstance(value, float | int) and key not in _COUNTED
                and abs(value) not in printed
            ]  # fmt: skip
    return wrong


_COUNTED = DERIVED | {"line", "trial", "dump", "dop"}


def _numbers(text: str) -> set[float]:
    return {float(number) for number in _NUMBERS.findall(text)}
