"""Files of the sysbench family made for tests."""

from __future__ import annotations

import re

from benchformats.parsed import Parsed

FOLDER = "x.my8036_rel.z11a_bee.pk1"
RUN = """\
/opt/sysb/bin/sysbench --db-driver=mysql --range-size=100 --table-size=5000000 \
--tables=2 --threads=3 --events=0 --warmup-time=5 --time=60 \
/opt/sysb/share/sysbench/oltp_update_index.lua run --rand-type=uniform
8 CPUs
sysbench 1.1.0-abc1234 (using bundled LuaJIT 2.1.0-beta3)

Running the test with following options:
Number of threads: 3
Warmup time: 5s
Initializing random number generator from current time


Initializing worker threads...

Threads started!

Warming up for 5 seconds...

[ 10s ] thds: 3 tps: 812.40 qps: 1624.80 (r/w/o: 0.00/812.40/812.40) \
lat (ms,95%): 6.32 err/s: 0.00 reconn/s: 0.00
[ 20s ] thds: 3 tps: 799.10 qps: 1598.20 (r/w/o: 0.00/799.10/799.10) \
lat (ms,95%): 6.79 err/s: 0.10 reconn/s: 0.00
Latency histogram (values are in milliseconds)
       value  ------------- distribution ------------- count
       3.615 |****                                     4021
       3.681 |**************************************** 44321
SQL statistics:
    queries performed:
        read:                            0
        write:                           48342
        other:                           48343
        total:                           96685
    transactions:                        48342 (805.66 per sec.)
    queries:                             96685 (1611.37 per sec.)
    ignored errors:                      1      (0.02 per sec.)
    reconnects:                          0      (0.00 per sec.)

Throughput:
    events/s (eps):                      805.6612
    time elapsed:                        60.0029s
    total number of events:              48342

Latency (ms):
         min:                                    3.11
         avg:                                    3.72
         max:                                  118.04
         95th percentile:                        6.55
         sum:                               179832.24

Threads fairness:
    events (avg/stddev):           16114.0000/21.37
    execution time (avg/stddev):   59.9441/0.01

"""
OLD = """\
sysbench 0.5:  multi-threaded system evaluation benchmark

Running the test with following options:
Number of threads: 16
Report intermediate results every 5 second(s)
Threads started!

[   5s] threads: 16, tps: 410.20, reads: 5742.83, writes: 1640.81, \
response time: 44.10ms (95%), errors: 0.00, reconnects:  0.00
[  10s] threads: 16, tps: 415.00, reads/s: 5810.05, writes/s: 1660.01, \
response time: 43.87ms (99%)
[  15s] threads: 16, tps: 409.99, reads/s: 5739.80, writes/s: 1639.94 \
response time: 45.02ms (99%)
[  20s] Intermediate results: 16 threads, tps: 411.250000, reads/s: 5757.500000, \
writes/s: 1645.000000 response time: 44.900000ms (95%), min: 9.100000ms, max: 99.000000ms
OLTP test statistics:
    queries performed:
        read:                            345100
        write:                           98600
        other:                           49300
        total:                           493000
    transactions:                        24650  (410.80 per sec.)
    deadlocks:                           2      (0.03 per sec.)
    read/write requests:                 443700 (7394.41 per sec.)
    other operations:                    49300  (821.60 per sec.)

General statistics:
    total time:                          60.0048s
    total number of events:              24650
    total time taken by event execution: 959.7001s
    response time:
         min:                                  9.10ms
         avg:                                 38.93ms
         max:                                201.75ms
         approx.  95 percentile:              44.71ms

Threads fairness:
    events (avg/stddev):           1540.6250/5.93
    execution time (avg/stddev):   59.9813/0.00

"""
MET = """\
iostat, vmstat normalized by operation rate
samp\tr/s\trMB/s\tw/s\twMB/s\tr/o\trKB/o\twKB/o\to/s
58\t0.2\t0.0\t981.5\t40.3\t0.000\t0.001\t25.610\t1611.37

samp\tcs/s\tcpu/s\tcs/o\tcpu/o
61\t20411\t21.9\t12.667\t0.013591
"""
MET_TABLE = """\
sb.prepare.met.point-query.warm.range100.pk1
--- absolute
cpu/o\t\tcs/o\tr/o\trKB/o\twKB/o\to/s\tdbms
0.000170\t1.210\t0\t0.001\t1.25\t63157\tx.my5651_rel.z11a_bee.pk1
0.000187\t1.330\t0\t0\t1.248\t62761\tx.my8036_rel.z11a_bee.pk1
--- relative to first result
1.10\t\t1.10\t1\t0.00\t1.00\t0.99\tx.my8036_rel.z11a_bee.pk1

sb.met.update-index.range100.pk1.dop3
--- absolute
cpu/o\t\tcs/o\tr/o\trKB/o\twKB/o\to/s\tdbms
0.015003\t34.740\t0\t0\t110.865\t2268\tx.my5651_rel.z11a_bee.pk1
0.006468\t14.170\t0.857\t3.426\t50.978\t2453\tx.my8036_rel.z11a_bee.pk1
--- relative to first result
0.43\t\t0.41\tinf\tinf\t0.46\t1.08\tx.my8036_rel.z11a_bee.pk1

"""
QPS_ABS = """\
col-1 : x.my5651_rel.z11a_bee.pk1
col-2 : x.my8036_rel.z11a_bee.pk1

col-1\tcol-2
2303\t2009\thot-points_range=100
3.437\t2.113\tscan_range=100
2077\t2139\tupdate-index_range=100
"""
QPS_REL = """\
Relative to: x.my5651_rel.z11a_bee.pk1
col-1 : x.my8036_rel.z11a_bee.pk1

col-1
0.87\thot-points_range=100
0.61\tscan_range=100
1.03\tupdate-index_range=100
"""
BLOCKS = """\
sb.prepare.o.point-query.warm.range100.pk1
99009\tx.my5649.x6d.pk1
68965\tx.my8022.x6d.pk1

sb.r.qps.point-query.range100.pk1
24631\t48686\t65803\tx.my5649.x6d.pk1
17994\t35746\t51524\tx.my8022.x6d.pk1

sb.r.qps.scan.range100.pk1
4.673\tx.my5649.x6d.pk1
3.901\tx.my8022.x6d.pk1

"""
R = "1611\tinnodb update-index range=100\n"

_NUMBERS = re.compile(r"inf|[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def figures(parsed: Parsed) -> list[tuple]:
    """(line, step, metric, value, unit) of all rows."""
    return [(r.line, r.step, r.metric, r.value, r.unit) for r in parsed.rows]


def told(parsed: Parsed) -> list[tuple[int, str]]:
    """(line, text) of all problems."""
    return [(p.line, p.text) for p in parsed.problems]


def not_printed(parsed: Parsed, text: str) -> list:
    """Figures that do not stand in the line that they say they are from."""
    lines = text.split("\n")
    wrong = [r for r in parsed.rows if r.value not in _numbers(lines[r.line - 1])]
    for table in parsed.series.values():
        for row in table.to_pylist():
            printed = _numbers(lines[row["line"] - 1])
            said = {k: v for k, v in row.items() if k not in ("line", "run")}
            wrong += [row for v in said.values() if v is not None and v not in printed]
    return wrong


def _numbers(line: str) -> set[float]:
    return {float(number) for number in _NUMBERS.findall(line)}
