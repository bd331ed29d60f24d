# ruff: noqa: E501  (lines as tools print them)
"""Small files as the tools of other people write them; figures are made up."""

from __future__ import annotations

from benchformats.parsed import Parsed, TextFile

HYPERFINE = """\
{
  "results": [
    {
      "command": "./sort --threads 1",
      "mean": 0.25,
      "stddev": 0.05,
      "median": 0.25,
      "user": 0.125,
      "system": 0.0625,
      "min": 0.2,
      "max": 0.3,
      "times": [0.2, 0.3],
      "exit_codes": [0, 0],
      "parameters": {"threads": "1"}
    },
    {
      "command": "./sort --threads 8",
      "mean": 0.1234567890123,
      "stddev": null,
      "median": 0.1234567890123,
      "user": 0.5,
      "system": 0.25,
      "min": 0.1234567890123,
      "max": 0.1234567890123,
      "times": [0.1234567890123],
      "memory_usage_byte": [4096],
      "exit_codes": [0],
      "parameters": {"threads": "8"}
    }
  ]
}
"""
GOOGLE_JSON = """\
{
  "context": {"date": "2026-01-01T00:00:00+00:00", "num_cpus": 2, "caches": []},
  "benchmarks": [
    {"name": "BM_copy/64/threads:2", "run_name": "BM_copy/64/threads:2",
     "run_type": "iteration", "repetitions": 2, "repetition_index": 0, "threads": 2,
     "iterations": 1000, "real_time": 1.2550000000000001e+01, "cpu_time": 1.25e+01,
     "time_unit": "ns", "bytes_per_second": 5.1e+09, "hits": 3.0},
    {"name": "BM_copy/64/threads:2", "run_name": "BM_copy/64/threads:2",
     "run_type": "iteration", "repetitions": 2, "repetition_index": 1, "threads": 2,
     "iterations": 1000, "real_time": 1.3e+01, "cpu_time": 1.28e+01, "time_unit": "ns"},
    {"name": "BM_copy/64/threads:2_mean", "run_name": "BM_copy/64/threads:2",
     "run_type": "aggregate", "aggregate_name": "mean", "aggregate_unit": "time",
     "threads": 2, "iterations": 2, "real_time": 1.2775e+01, "cpu_time": 1.265e+01,
     "time_unit": "ns"},
    {"name": "BM_broken", "run_name": "BM_broken", "run_type": "iteration",
     "error_occurred": true, "error_message": "no file", "real_time": 0, "cpu_time": 0,
     "time_unit": "ns"}
  ]
}
"""
GOOGLE_CSV = """\
2026-01-01T00:00:00+00:00
Running ./bench
name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message,"hits"
"BM_copy/64",1000,12.5,12.4,us,5.1e+09,,"two words",,,3
"BM_copy/128",500,25.5,25.25,us,,,,,,
"BM_broken",,,,,,,,true,"no file"
"""
GO = """\
goos: linux
goarch: amd64
pkg: example.org/sort
cpu: Some CPU
BenchmarkSort/size=1k-8   \t    1000\t     31478 ns/op\t  42.66 MB/s\t     512 B/op\t       3 allocs/op
BenchmarkSort/size=1k-8   \t    1000\t     31480 ns/op\t  42.60 MB/s\t     512 B/op\t       3 allocs/op
--- BENCH: BenchmarkSort
    sort_test.go:10: 5 things
BenchmarkServe \t 200\t 5.25e+06 ns/op\t 12.5 p99-ms\t 190 req/s
PASS
ok  \texample.org/sort\t2.345s
"""
PYTEST = """\
{
  "machine_info": {"node": "host", "cpu": {"brand_raw": "CPU"}},
  "commit_info": {"id": "abc123", "time": "2026-01-01T00:00:00", "dirty": true},
  "benchmarks": [
    {"group": "sorting", "name": "test_sort[10]", "fullname": "tests/test_s.py::test_sort[10]",
     "params": {"n": 10}, "param": "10", "extra_info": {"rows": 7},
     "options": {"timer": "perf_counter"},
     "stats": {"min": 0.001, "max": 0.003, "mean": 0.002, "stddev": 0.001, "rounds": 3,
               "median": 0.002, "iqr": 0.001, "outliers": "1;0", "ops": 500.0,
               "data": [0.001, 0.002, 0.003], "iterations": 1}},
    {"group": null, "name": "test_sum", "fullname": "tests/test_s.py::test_sum",
     "params": null, "param": null, "extra_info": {}, "options": {},
     "stats": {"min": 0.5, "max": 0.75, "mean": 0.625, "stddev": 0.125, "rounds": 2,
               "median": 0.625, "iqr": 0.25, "iterations": 1}}
  ],
  "datetime": "2026-01-01T00:00:00", "version": "4.0.0"
}
"""
HYPERFINE_CSV = """\
command,mean,stddev,median,user,system,min,max,parameter_n
sort 1,0.25,0.05,0.2,0.125,0.0625,0.2,0.3,1
sort 2,0.5,,0.5,0.25,0.125,0.5,0.5,2
"""
_ESTIMATE = (
    '{"confidence_interval":{"confidence_level":0.95,"lower_bound":1.0,"upper_bound":3.0},'
    '"point_estimate":%s,"standard_error":0.1}'
)
ESTIMATES = (
    f'{{"mean":{_ESTIMATE % "2.5"},"median":{_ESTIMATE % "2.25"},'
    f'"median_abs_dev":{_ESTIMATE % "0.5"},"slope":null,"std_dev":{_ESTIMATE % "0.75"}}}'
)
OLD_ESTIMATES = (
    f'{{"Mean":{_ESTIMATE % "2.5"},"Median":{_ESTIMATE % "2.25"},'
    f'"MedianAbsDev":{_ESTIMATE % "0.5"},"Slope":null,"StdDev":{_ESTIMATE % "0.75"}}}'
)
CHANGE = f'{{"mean":{_ESTIMATE % "0.01"},"median":{_ESTIMATE % "-0.02"}}}'
SAMPLES = '{"sampling_mode":"Linear","iters":[1.0,2.0,4.0],"times":[10.0,21.0,38.0]}'
OLD_SAMPLES = "[[1.0,2.0,4.0],[10.0,21.0,38.0]]"
MESSAGES = (
    '{"reason":"benchmark-complete","id":"fib/20","report_directory":"target/x",'
    '"iteration_count":[1,2],"measured_values":[10.0,24.0],"unit":"ns","throughput":[],'
    '"typical":{"estimate":11.5,"lower_bound":10.0,"upper_bound":12.0,"unit":"ns"},'
    '"mean":{"estimate":11.0,"lower_bound":10.0,"upper_bound":12.0,"unit":"ns"},'
    '"median":{"estimate":11.25,"lower_bound":10.0,"upper_bound":12.0,"unit":"ns"},'
    '"slope":null,"change":null}\n'
    '{"reason":"group-complete","group_name":"fib","benchmarks":["fib/20"]}\n'
)
JMH = """\
[
    {
        "jmhVersion" : "1.37",
        "benchmark" : "org.example.Sort.quick",
        "mode" : "thrpt",
        "threads" : 4,
        "forks" : 2,
        "params" : {"size" : "1000"},
        "primaryMetric" : {
            "score" : 11.5, "scoreError" : "NaN", "scoreConfidence" : ["NaN", "NaN"],
            "scorePercentiles" : {"0.0" : 10.0, "50.0" : 11.5, "100.0" : 13.0},
            "scoreUnit" : "ops/ms",
            "rawData" : [[10.0, 11.0], [12.0, 13.0]]
        },
        "secondaryMetrics" : {
            "gc.alloc.rate.norm" : {"score" : 24.0, "scoreUnit" : "B/op",
                                    "rawData" : [[24.0], [24.0]]}
        }
    },
    {
        "benchmark" : "org.example.Sort.slow", "mode" : "sample", "threads" : 1,
        "primaryMetric" : {
            "score" : 2.5, "scoreError" : 0.1, "scoreUnit" : "us/op",
            "scorePercentiles" : {"50.0" : 2.25, "99.9" : 9.0},
            "rawDataHistogram" : [[[[2.5, 3]]]]
        },
        "secondaryMetrics" : {}
    }
]
"""
JMH_CSV = """\
"Benchmark","Mode","Threads","Samples","Score","Score Error (99.9%)","Unit","Param: size"
"org.example.Sort.quick","thrpt",4,25,11.500000,0.125000,"ops/ms",1000
"org.example.Sort.quick:\u00b7gc.alloc.rate.norm","thrpt",4,25,24.000000,0.000000,"B/op",1000
"org.example.Sort.slow","sample",1,900,2.500000,NaN,"us/op",
"org.example.Sort.slow:slow\u00b7p0.999","sample",1,1,9.000000,NaN,"us/op",
"""
JMH_SCSV = """\
"Benchmark";"Mode";"Threads";"Samples";"Score";"Score Error (99,9%)";"Unit"
"org.example.Sort.quick";"thrpt";4;25;1234,500000;0,125000;"ops/ms"
"""
DATA_JS = """\
window.BENCHMARK_DATA = {
  "lastUpdate": 1706572800000,
  "entries": {
    "Go": [
      {"commit": {"id": "c1", "timestamp": "2024-01-01T02:00:00+01:00"}, "tool": "go",
       "benches": [
        {"name": "Set", "value": 7716.5, "unit": "ns/op\\t 344 B/op", "extra": "4 procs"},
        {"name": "Set - ns/op", "value": 7716.5, "unit": "ns/op"},
        {"name": "Set - B/op", "value": 344, "unit": "B/op"}
       ]}
    ],
    "Own": [
      {"commit": {"id": "c1"}, "date": 1704067200000, "tool": "customBiggerIsBetter",
       "benches": [
        {"name": "hits", "value": 0.5, "unit": "share"},
        {"name": "hits", "value": 0.75, "unit": "share", "range": "0.1"}
       ]}
    ]
  }
}
"""
CUSTOM = """\
[
 {"name": "Set p99", "unit": "ms", "value": 12.5, "range": "0.2", "extra": "x"},
 {"name": "Get rate", "unit": "ops/s", "value": 51000},
 {"name": "hits", "unit": "share", "value": 0.5}
]
"""
ASV = """\
{"commit_hash": "0123abcd", "env_name": "virtualenv-py3.11-numpy1.26", "date": 1700000000000,
 "params": {"arch": "x86_64", "machine": "bee", "python": "3.11"}, "python": "3.11",
 "requirements": {"numpy": "1.26"}, "env_vars": {},
 "result_columns": ["result", "params", "version", "started_at", "duration",
                    "stats_ci_99_a", "stats_ci_99_b", "stats_q_25", "stats_q_75",
                    "stats_number", "stats_repeat", "samples", "profile"],
 "results": {
  "sort.time_quick": [[0.25, null], [["10", "20"], ["'a'"]], "hash", 1, 2.0,
                      [0.2, null], [0.3, null], [0.2, null], [0.3, null], [1, null],
                      [2, null], [[0.2, 0.3], null]],
  "sort.peakmem_quick": [[4096], [], "hash"],
  "sort.time_failed": [null, [], "hash"]
 },
 "durations": {}, "version": 2}
"""
PGBENCH = """\
pgbench (15.15)
starting vacuum...end.
progress: 1.0 s, 890.5 tps, lat 1.120 ms stddev 0.250, 0 failed
progress: 2.0 s, 0.0 tps, lat NaN ms stddev NaN, 0 failed
transaction type: <builtin: TPC-B (sort of)>
scaling factor: 10
query mode: prepared
number of clients: 4
number of threads: 2
maximum number of tries: 1
duration: 2 s
number of transactions actually processed: 891
number of failed transactions: 0 (0.000%)
latency average = 8.968 ms
latency stddev = 0.246 ms
initial connection time = 3.218 ms
tps = 445.983507 (without initial connection time)
statement latencies in milliseconds and failures:
         0.002           0  \\set aid random(1, 100000 * :scale)
         0.125           0  BEGIN;
         0.996           0  END;
"""
PGBENCH_OLD = """\
starting vacuum...end.
transaction type: multiple scripts
scaling factor: 1
query mode: simple
number of clients: 10
number of threads: 1
number of transactions per client: 100
number of transactions actually processed: 1000/1000
latency average = 117.391 ms
tps = 85.184871 (including connections establishing)
tps = 85.296346 (excluding connections establishing)
SQL script 1: ./read.sql
 - weight: 1 (targets 50.0% of total)
 - 505 transactions (50.5% of total, tps = 43.018360)
 - latency average = 1.500 ms
 - latency stddev = 0.500 ms
 - statement latencies in milliseconds:
         1.250  SELECT 1;
         0.250  SELECT 1;
SQL script 2: ./write.sql
 - weight: 1 (targets 50.0% of total)
 - 495 transactions (49.5% of total, tps = 42.166511)
"""
PGBENCH_LOG = """\
0 199 2241 0 1175850568 995598
0 200 2465 0 1175850568 998079
1 0 skipped 0 1175850569 608
0 201 2513 1 1175850569 608
0 202 2038 0 1175850569 2663
"""
PGBENCH_AGGREGATE = """\
1345828501 5601 1542744 483552416 61 2573
1345828503 0 0 0 0 0
1345828505 7884 1979812 565806736 60 1479
"""
FIO = """\
fio: warning about something
{
  "fio version" : "fio-3.33",
  "global options" : {"bs" : "4k", "ioengine" : "psync"},
  "jobs" : [
    {
      "jobname" : "rand", "groupid" : 0, "error" : 0,
      "job options" : {"rw" : "randrw", "iodepth" : "8", "numjobs" : "2"},
      "read" : {
        "io_bytes" : 4096, "bw_bytes" : 4194304, "bw" : 4096, "iops" : 1024.5,
        "total_ios" : 2049,
        "slat_ns" : {"min" : 0, "max" : 0, "mean" : 0.0, "stddev" : 0.0},
        "clat_ns" : {"min" : 100, "max" : 9000, "mean" : 512.25, "stddev" : 1.0,
                     "percentile" : {"1.000000" : 120, "99.000000" : 4000, "99.900000" : 8000}},
        "lat_ns" : {"min" : 100, "max" : 9100, "mean" : 520.5, "stddev" : 1.0}
      },
      "write" : {"io_bytes" : 4096, "bw_bytes" : 2097152, "iops" : 512.0, "total_ios" : 1000},
      "trim" : {"io_bytes" : 0, "bw_bytes" : 0, "iops" : 0.0, "total_ios" : 0}
    }
  ]
}
"""
YCSB = """\
Command line: -db site.ycsb.db.JdbcClient -P workloads/workloada -threads 8 -t
YCSB Client 0.17.0
[OVERALL], RunTime(ms), 10110
[OVERALL], Throughput(ops/sec), 98.91196834817013
[TOTAL_GCS_PS_Scavenge], Count, 3
[READ], Operations, 502
[READ], AverageLatency(us), 1005.75
[READ], MinLatency(us), 297
[READ], 99thPercentileLatency(us), 4771
[READ], Return=OK, 502
[READ], 0, 479
[READ], >1000, 0
[Intended-READ], 99thPercentileLatency(us), 8771
"""
HAMMERDB = """\
Vuser 1:64 Active Virtual Users configured
Vuser 1:TEST RESULT : System achieved 28876 NOPM from 67189 PostgreSQL TPM
>>>>> VIRTUAL USER 2 : ELAPSED TIME : 120522ms
>>>>> PROC: NEWORD
CALLS: 9\tMIN: 1.0ms\tAVG: 2.0ms\tMAX: 3.0ms\tTOTAL: 18.0ms
+-+-+-+
>>>>> SUMMARY OF 64 ACTIVE VIRTUAL USERS : MEDIAN ELAPSED TIME : 127146ms
>>>>> PROC: NEWORD
CALLS: 3427\tMIN: 1.730ms\tAVG: 36.332ms\tMAX: 1220.165ms\tTOTAL: 124508.229ms
P99: 210.118ms\tP95: 104.921ms\tP50: 19.126ms\tSD: 49663.123\tRATIO: 48.963%
"""
TPCC_MYSQL = """\
<Parameters>
     [server]: localhost
  [warehouse]: 10
 [connection]: 16
MEASURING START.

  10, trx: 179, 95%: 681.363, 99%: 886.175, max_rt: 1107.724, 177|739.591, 18|58.454

<Raw Results>
  [0] sc:15 lt:164  rt:0  fl:1 avg_rt: 203.9 (5)
  [1] sc:0 lt:177  rt:0  fl:0 avg_rt: 105.3 (5)
 in 10 sec.

<Raw Results2(sum ver.)>
  [0] sc:99  lt:0  rt:0  fl:0

<TpmC>
                 1074.000 TpmC
"""
BENCHMARKSQL = """\
07:07:52,100 [main] INFO   jTPCC : Term-00, db=postgres
07:07:52,100 [main] INFO   jTPCC : Term-00, warehouses=100
07:07:52,100 [main] INFO   jTPCC : Term-00, terminals=50
Term-00, Running Average tpmTOTAL: 9.9  Memory Usage: 6MB 07:09:53,455 [Thread-9] INFO   jTPCC : Term-00, Measured tpmC (NewOrders) = 77373.25
07:09:53,455 [Thread-9] INFO   jTPCC : Term-00, Measured tpmTOTAL = 171959.88
07:09:53,456 [Thread-9] INFO   jTPCC : Term-00, Transaction Count = 345240
"""
GO_TPC = """\
[Current] NEW_ORDER - Takes(s): 4.4, Count: 1, TPM: 13.8, Avg(ms): 224
Finished
[Summary] NEW_ORDER - Takes(s): 299.9, Count: 33007, TPM: 6602.7, Sum(ms): 1034428.7, Avg(ms): 31.4, 50th(ms): 24.1, 99.9th(ms): 109.1, Max(ms): 1040.2
tpmC: 6602.7, tpmTotal: 14679.5, efficiency: 513.4%
"""

FILES = {
    "hyperfine": ("out.json", HYPERFINE),
    "hyperfine_csv": ("out.csv", HYPERFINE_CSV),
    "google_benchmark": ("out.json", GOOGLE_JSON),
    "google_benchmark_csv": ("out.csv", GOOGLE_CSV),
    "go_bench": ("new.txt", GO),
    "pytest_benchmark": ("0001_abc.json", PYTEST),
    "criterion_estimates": ("target/criterion/fib/20/new/estimates.json", ESTIMATES),
    "criterion_samples": ("target/criterion/fib/20/new/sample.json", SAMPLES),
    "criterion_messages": ("messages.json", MESSAGES),
    "jmh": ("jmh-result.json", JMH),
    "jmh_csv": ("jmh-result.csv", JMH_CSV),
    "benchmark_action": ("dev/bench/data.js", DATA_JS),
    "benchmark_action_custom": ("out.json", CUSTOM),
    "asv": ("results/bee/0123abcd-env.json", ASV),
    "pgbench": ("pg.out", PGBENCH),
    "pgbench_log": ("pgbench_log.4711", PGBENCH_LOG),
    "pgbench_aggregate": ("pgbench_log.4712", PGBENCH_AGGREGATE),
    "fio": ("fio.json", FIO),
    "ycsb": ("ycsb.out", YCSB),
    "hammerdb": ("hdb.log", HAMMERDB),
    "tpcc_mysql": ("tpcc.out", TPCC_MYSQL),
    "benchmarksql": ("bsql.log", BENCHMARKSQL),
    "go_tpc": ("gotpc.log", GO_TPC),
}


def text_file(text: str, path: str = "out/result") -> TextFile:
    """A text as a format gets it."""
    return TextFile(path, text)


def found(parsed: Parsed) -> list[tuple]:
    """Step, metric, value, unit and direction of each row."""
    return [(r.step, r.metric, r.value, r.unit, r.direction) for r in parsed.rows]


def told(parsed: Parsed) -> list[tuple[int, str]]:
    """Line and text of each problem."""
    return [(problem.line, problem.text) for problem in parsed.problems]
