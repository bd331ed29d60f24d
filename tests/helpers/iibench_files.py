"""Files of the insert benchmark made for tests, and what must hold of their figures."""

from __future__ import annotations

import re

from benchformats.parsed import Parsed, TextFile

BUCKETS = (
    "256us       1ms       4ms      16ms      64ms     256ms        1s        4s"
    "       16s        gt         max"
)
COMMAND = (
    "python3 iibench.py --dbms=mysql --db_name=ib --secs_per_report=1 --engine=innodb"
    " --max_rows=3000 --table_name=pi1 --setup --rows_per_commit=100\n"
)
SECONDS_12 = f"""\
{COMMAND}i_sec\tt_sec\ti_ips\tt_ips\ti_qps\tt_qps\tmax_i\tmax_q\tt_ins\tt_query\t\
retry_i\tretry_q
1.0\t1.0\t1201\t1201\t88\t88\t7525\t940\t1300\t90\t0\t0
1.0\t2.0\t998\t1101\t91\t90\t2318\t-1\t2300\t181\t2\t0
1.1\t3.1\t702\t977\t85\t88\t2504\t1033\t3000\t274\t0\t1
Insert rt:     {BUCKETS}
Insert rt:         0        21         7         2         0         0         0\
         0         0         0    0.007525
Query rt:     {BUCKETS}
Query rt:        31       200        43         0         0         0         0\
         0         0         0    0.001033
Query thread: 274 queries, fetched/query(expected, actual) = ( 10 , 9.985 )
Created secondary indexes in 61.2 seconds
Totals: 3.1 secs, 967.7 rows/sec, 3000 rows, 2 insert retry, 1 query retry
Done
"""
SECONDS_17 = f"""\
i_sec\tt_sec\ti_ips\tt_ips\ti_dps\tt_dps\ti_qps\tt_qps\tmax_i\tmax_d\tmax_q\tt_ins\t\
t_del\tt_query\tretry_i\tretry_d\tretry_q
1.0\t1.0\t1000\t1000\t999\t999\t3312\t3312\t4120\t3877\t2210\t1000\t950\t3312\t0\t0\t0
1.0\t2.0\t996\t998\t1003\t1001\t3290\t3301\t4007\t3901\t2304\t2000\t1950\t6602\t0\t3\t0
get_min_trxid = 1951 in 0.012 seconds

Insert rt:     {BUCKETS}
Insert rt:         0         9        31         0         0         0         0\
         0         0         0    0.004120
Delete rt:     {BUCKETS}
Delete rt:         0        12        27         0         0         0         0\
         0         0         0    0.003901
Totals: 2.0 secs, 1000.0 rows/sec, 2000 rows, 0 3 0 insert-delete-query retry
Done
"""
CREATED = """\
create all with inplace
0.00user 0.00system 9:20.74elapsed 0%CPU (0avgtext+0avgdata 10792maxresident)k
0inputs+8outputs (0major+495minor)pagefaults 0swaps
561 seconds : create all with inplace
create 1
0.00user 0.00system 1:05:07elapsed 0%CPU (0avgtext+0avgdata 10772maxresident)k
0inputs+0outputs (0major+495minor)pagefaults 0swaps
"""
_TIMES_OF_2 = "".join(
    f"{op} rt:     {BUCKETS}\n{op} rt:         0    {first}         7         1"
    f"         0         0         0         0         0         0    0.01{first}\n"
    for op, first in (("Insert", 118), ("Insert", 204))
)
STEP = f"""\
2 processes, 360000 rows-per-process, 3626 seconds, 198.6 rows-per-second, \
99.3 rows-per-second-per-user, 44935553 queries, 12392.6 queries-per-second, no deletes

iostat, vmstat normalized by insert rate
nsamp\tr/s\trMB/s\tw/s\twMB/s\tr/i\trKB/i\tw/i\twKB/i\tips
725\t12.5\t0.3\t218.4\t6.1\t0.063\t1.547\t1.100\t31.453\t198.6

nsamp\tcs/s\tcpu/s\tcs/q\tcpu/q
760\t48125\t33.8\t242.321\t0.170191

iostat, vmstat normalized by query rate
nsamp\tr/s\trMB/s\tw/s\twMB/s\tr/q\trKB/q\tw/q\twKB/q\tqps
725\t12.5\t0.3\t218.4\t6.1\t0.001\t0.025\t0.018\t0.504\t12392.6

nsamp\tcs/s\tcpu/s\tcs/q\tcpu/q
760\t48125\t33.8\t3.883\t0.002727

average values from iostat for md2
r/s\trkB/s\trrqm/s\t%rrqm\tr_await\t
12.55\t309.1\t0.000\t0.017\t0.211\t

dbGB\t11.533
dbdirGB\t11.772\t/data/m/my

ubuntu    35438 1102  1.4 3574732 1923712 pts/3 Sl   05:15  31:25 /usr/sbin/mysqld

Max insert
0.044
0.041
Max query
0.009

{_TIMES_OF_2}
insert and query rate at nth percentile
50th, 1801 / 3602 = 100 insert, 6190 query
75th, 2701 / 3602 = 100 insert, 6102 query
90th, 3241 / 3602 = 100 insert, 6003 query
95th, 3421 / 3602 = 99 insert, 5871 query
99th, 3566 / 3602 = 98 insert, 5355 query
50th, 0 / 7 = NA insert, 0 delete, NA query
75th, 0 / 7 = NA insert, 0 delete, NA query
90th, 0 / 7 = NA insert, 0 delete, NA query
95th, 0 / 7 = NA insert, 0 delete, NA query
99th, 0 / 7 = NA insert, 0 delete, 5201 query

CPU seconds
client: 11.20 user, 3.10 system, 14.3 total
dbms: 1057.4
"""
HEADER = (
    "ips\tqps\trps\trmbps\twps\twmbps\trpq\trkbpq\twpi\twkbpi\tcsps\tcpups\tcspq\t"
    "cpupq\tdbgb1\tdbgb2\trss\tmaxop\tp50\tp99\ttag\n"
)
MRG = f"""\
{HEADER}\
100\t7084\t2\t0.0\t113.2\t3.4\t0.000\t0.001\t1.134\t35.269\t27542\t26.0\t3.888\t147\t\
8.0\t48.5\t8.0\t0.017\t8295\t2525\tmy5649.cx6d
100\t7228\t0\t0.0\t47.1\t1.3\t0.000\t0.000\t0.472\t13.564\t27885\t27.2\t3.858\t151\t\
8.0\t48.5\t8.2\t0.019\t7240\t7112\tmy5731.cx6d
-
100\t7284\t0\t0.0\t191.6\t6.8\t0.000\t0.000\t1.920\t70.021\t28055\t27.5\t3.851\t151\t\
8.3\t17.7\t0.0\t0.004\t7288\tNA\tpg1110.cx5
"""
REL = f"""\
{HEADER}\
1.00\t1.02\t0.00\t1\t0.42\t0.38\t1\t0.00\t0.42\t0.38\t1.01\t1.05\t0.99\t1.03\t1.00\t\
1.00\t1.02\t1.12\t0.87\t2.82\tmy5731.cx6d
-
1.00\t1.05\t1\tinf\t0.99\t1.00\t1\t1\t0.99\t1.00\t1.05\t1.00\t1.00\t0.96\t0.99\t0.98\t\
1\t1.00\t1.05\tNA\tpg124.cx5
"""
_LOAD = "\t0\t0.0\t3\t1.5\t0.000\t0.001\t0.236\t151\t45.7\t0.109\t13\t1.3\t41.8\t2.0\t"
_READ = "\t0.0\t3\t1.5\t0.000\t0.001\t0.236\t151\t45.7\t3.888\t147\t1.3\t41.8\t2.0\t"
SUM = f"""\
ips\tqps\trps\trkbps\twkbps\trpq\trkbpq\twkbpi\tcsps\tcpups\tcspq\tcpupq\tdbgb1\tdbgb2\t\
rss\tmaxop\tp50\tp99\ttag
139860{_LOAD}0.265\t143193\t18274\t20m.my8022.cx6d
107487{_LOAD}0.023\tNA\tNA\t20m.my8022.cx6d
41238{_LOAD}0.103\t42000\t3800\t20m.my8022.cx6d
400\t7084{_READ}0.017\t8295\t2525\t20m.my8022.cx6d
1999\t7010{_READ}0.016\t8201\t2601\t20m.my8022.cx6d
3100\t6822{_READ}0.021\t8113\t2415\t20m.my8022.cx6d
"""
SHARES = """\
256us\t1ms\t4ms\t16ms\t64ms\t256ms\t1s\t4s\t16s\tgt\tmax\ttag
62.994\t36.770\t0.197\t0.039\t0.001\t0.000\t0.000\t0.000\t0.000\t0.000\t0.044\tmy8031.c8
-
57.775\t41.714\t0.444\t0.065\t0.002\tnonzero\t0.000\t0.000\t0.000\t0.000\t0.104\tpg151.c9
"""
COUNTS = """\
256us\t1ms\t4ms\t16ms\t64ms\t256ms\t1s\t4s\t16s\tgt\tmax\ttag
0\t18900\t27739\t1001\t22\t1\t0\t0\t0\t0\t0.092\tt1:DBMS
0\t18900\t27739\t1001\t22\t1\t0\t0\t0\t0\t0.095\tsum:DBMS
0.000\t39.652\t58.196\t2.100\t0.046\t0.002\t0.000\t0.000\t0.000\t0.000\t0.095\tpct:DBMS
"""
SLICES = """\
-
qps-1\tqps-2\tqps-3\tqps-4\tqps-5\tqps-6\tqps-7\tqps-8\tqps-9\tqps-10\ttag
5245\t4758\t4570\t5108\t4952\t4718\t4919\t4837\t4875\t4781\t1:my8031.cy8_128gram
5227\t4773\t4554\t4692\t4608\t4686\t4799\t4721\t4629\t4785\t2:my8031.cy8_128gram
"""
GETMIN = """\
l.i0\tq100\tq500\tq1000\tdbms\t\t\t\t
0.070\t0.019\t0.001\t0.062\t160m.pg153_o3_native_lto.cx7a_4g
0.199\t0.091\t0.014\t0.001\t160m.pg153_o3_native_lto.cx7b_4g
"""
NOTES = """\
Notes:
* test is run for cached and IO-bound workloads
* size - size of database directory in GB

-- 250m, 1c, 1t, core-i3, mysql

- load mysql
ips.av  ips.99  rkb/i   wkb/i   Mcpu/i  size    cpu     engine
15936\t13984\t0.53\t  3.61 \t 3243\t28\t51.7\tmyrocks.apr14.none.no_NDEBUG
 2665\t 1185\t6.10\t 39.08\t 4934\t46\t13.1\tinno5635

scan
1\t2\t3\t4\t5\t2-4\tengine
 194\t198\t221\t210\t191\t 629\tmyrocks.apr14.none.no_NDEBUG
 292\t181\t194\t212\t127\t 587\tmysiam802

q4
secs    rMB/s   r/o     rKB/o   wa.sec  engine
 210\t28.2\t0.002\t0.024\t 5.4\tmyrocks.apr14.none.no_NDEBUG
 212\t35.2\t0.002\t0.031\t19.5\tmysiam802

- wps=1000 mysql
ips.av  ips.99  qps.av  qps.99  wkb/i   rkb/q   Mcpu/q  engine
999\t998\t3437\t2047\t 5.79\t  0.46\t 8166\tmyrocks.apr14.none.no_NDEBUG

- wps=100 mysql
ips.av  ips.99  qps.av  qps.99  wkb/i   rkb/q   Mcpu/q  engine
100\t100\t3536\t3305\t14.53\t  0.02\t 7059\tmyrocks.apr14.none.no_NDEBUG
"""
TESTS = """\
Notes:
* QPS for 1 and 2 concurrent clients

update-inlist
1\t2\tconcurrency/engine
1467     2422   myrocks.feb10.no_NDEBUG
9099    11666   myisam5096

delete
1\t2\tconcurrency/engine
19216   \tmyisam5096
11184   16396   myisam5717
"""
PRE_AND_POST = """\
1t.800m, 48-core, new sysbench

scan
pre     post    pre     post
secs    secs    Mrps    Mrps    engine
 602\t1020\t1.329\t0.784\tmyrocks.feb10.none
 451\t 496\t1.774\t1.613\tmyrocks.jun16.none.ra

update-inlist
1\t2\tconcurrency/engine
490      967   myrocks.feb10.none
"""

_NUMBERS = re.compile(r"inf|-?\d+(?:\.\d+)?")
_NOT_PRINTED = {"line", "run", "client", "slice"}


def seconds_file(text: str, path: str = "x.my8036_rel.z11a/l.i1/o.ib.dop8.3") -> TextFile:
    """A client's output."""
    return TextFile(path, text)


def not_printed(parsed: Parsed, text: str) -> list:
    """Figures that do not stand in the line that they say they are from."""
    lines = text.split("\n")
    wrong: list = [
        row for row in parsed.rows
        if row.value not in _numbers(lines[row.line - 1])
        and "elapsed" not in lines[row.line - 1]  # minutes and seconds
    ]  # fmt: skip
    for table in parsed.series.values():
        for sample in table.to_pylist():
            printed = _numbers(lines[sample["line"] - 1])
            wrong += [
                (sample["line"], name, value)
                for name, value in sample.items()
                if name not in _NOT_PRINTED and isinstance(value, int | float)
                and value not in printed
            ]  # fmt: skip
    return wrong


def _numbers(line: str) -> set[float]:
    return {float(number) for number in _NUMBERS.findall(line)}
