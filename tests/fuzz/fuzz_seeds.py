"""Where fuzzing starts: undamaged files of the tests, with a path that fits."""

from __future__ import annotations

import db_bench_files as db_bench
import iibench_files as iibench
import profile_files as profiles
import sysbench_files as sysbench
import system_files as system
import tidy_files as tidy
import tool_files as tools

TEST = "update-index.range100.pk1"
FILES = (
    (f"{sysbench.FOLDER}/sb.o.{TEST}.dop3", sysbench.RUN),
    ("other/sysbench.rw.16.res", sysbench.OLD),
    (f"{sysbench.FOLDER}/sb.r.qps.{TEST}", sysbench.R),
    (f"{sysbench.FOLDER}/sb.met.{TEST}.dop3", sysbench.MET),
    ("o.met.my", sysbench.MET_TABLE),
    ("qps.abs.my.tsv", sysbench.QPS_ABS),
    ("qps.rel.my.tsv", sysbench.QPS_REL),
    ("o.qps.abs.my", sysbench.BLOCKS),
    ("sum.res.pg.load8.vu1.w100.5.120.csv", "pg1222,33781\npg1323,33740\npg181,33705\n"),
    ("c6i.2xl/bm.lc.nt8/benchmark_readrandom.t8.log", db_bench.LOG),
    ("c6i.2xl/benchmark_overwrite.t8.log", db_bench.SHAPES),
    ("c6i.2xl/sum.byrx.txt", db_bench.SUM),
    ("c6i.2xl/benchmark_overwrite.t8.csv", db_bench.RATES),
    ("sum.byrx.tsv", db_bench.TABLE_TSV),
    ("sum.byrx.csv", db_bench.TABLE_CSV),
    ("sum.abs.byrx.tsv", db_bench.ABS),
    ("sum.rel.byrx.csv", db_bench.REL),
    ("l.i1/o.ib.dop8.3", iibench.SECONDS_12),
    ("q100.1/o.ib.dop8.3", iibench.SECONDS_17),
    ("in.byMem/o.ci.128m", iibench.SECONDS_12 + iibench.CREATED),
    ("q100.1/o.res.dop2", iibench.STEP),
    ("res.a/mrg.q100.1", iibench.MRG),
    ("res.a/rel.q100.1", iibench.REL),
    ("o.sum.t.20m.my8022.cx6d", iibench.SUM),
    ("mrg.q100.1.rt.query", iibench.SHARES),
    ("l.i0/o.rt.t.insert", iibench.COUNTS),
    ("mrg.q100.1.rate.query", iibench.SLICES),
    ("o.getmin.c2.4g.pg153.r", iibench.GETMIN),
    ("oct2017/ibench.nuc", iibench.NOTES),
    ("oct2017/sysbench.nuci3", iibench.TESTS),
    ("runs.csv", tidy.LONG),
    ("runs.tsv", tidy.WIDE),
    ("runs.jsonl", tidy.JSON_LINES),
    ("history.csv", tidy.HISTORY),
    *((f"sb.io.{name}", text) for name, text in system.LAYOUTS.items()),
    *((f"sb.vm.{name}", text) for name, text in system.VMSTATS.items()),
    *((f"results/{name}", text) for name, (_, text) in profiles.FILES.items()),
    *tools.FILES.values(),
    ("jmh-result.csv", tools.JMH_SCSV),
    ("target/criterion/fib/new/estimates.json", tools.OLD_ESTIMATES),
    ("target/criterion/fib/new/sample.json", tools.OLD_SAMPLES),
)
