"""Files of perf, of stack samplers and of ann-benchmarks made for tests."""

from __future__ import annotations

import re

from benchformats.ann import builds as ann_builds
from benchformats.ann import plot as ann_plot
from benchformats.ann import recall as ann
from benchformats.parsed import Parsed, TextFile
from benchformats.profilers import (
    folded,
    perf_counters,
    perf_report,
    perf_script,
    perf_stat,
    pmp,
)

FOLDER = "x.pg1023_o2nofp.x10a_c32r128.pk1"
STAT = """\
# started on Sat Nov 21 10:00:00 2026


 Performance counter stats for process id '4321':

         10,001.50 msec cpu-clock                 #    1.000 CPUs utilized          
    27,504,023,459      cycles                    #    2.750 GHz                      (83.31%)
   <not supported>      bus-cycles                                                  
    78,291,065,255      instructions              #    2.85  insn per cycle         
                                                  #    0.45  stalled cycles per insn
    18,417,035,078      branches                  #    1.841 G/sec                  
        19,177,900      branch-misses             #    0.10% of all branches        

      10.001539688 seconds time elapsed

# started on Sat Nov 21 10:00:12 2026


 Performance counter stats for process id '4321':

       233,794,611      cache-references                                            
        53,289,689      cache-misses              #   22.793 % of all cache refs    
        46,049,692      stalled-cycles-backend    #    0.00% backend cycles idle    
                 0      faults                                                      

      10.001516356 seconds time elapsed

"""  # noqa: E501, W291
NEW_STAT = """\
 Performance counter stats for 'system wide':

             2,890      context-switches                 #    179.9 cs/sec  cs_per_second     
    16,061,923,339      cpu-clock                        #     16.0 CPUs  CPUs_utilized       
         5,708,413      cpu_core/branch-misses/          #      1.4 %  branch_miss_rate         (88.83%)
     <not counted>      cpu_atom/branch-misses/                                                 (0.00%)
     2,556,805,534      instructions                     #      1.5 instructions  insn_per_cycle  (88.86%)
            TopdownL1 (cpu_core)                         #     20.1 %  tma_backend_bound      
                                                         #     40.5 %  tma_bad_speculation      (88.90%)

       1.002994394 seconds time elapsed

"""  # noqa: E501, W291
COUNTERS = """\
branches\t18417035078
branch-miss-pct\t0.10
bus-cycles\t-1
cache-misses\t53289689
cycles\t27504023459
GHz\t2.750
instructions\t78291065255
ipc\t2.85
migratons\t0
"""
SCRIPT = """\
# ========
# cmdline : /usr/bin/perf record -g -p 4321
# ========
#
prog 77/78 [001] 100.000001:          1 cycles: 
\t          40af10 c+0x1a (/usr/bin/prog)
\t          40af20 b (/usr/bin/prog)
\t          40af30 a (/usr/bin/prog)

prog 77/78 [001] 100.000002:          1 cycles: 
\t          40af10 f+0x10 (/usr/bin/prog)
\t          40af20 e(int, char const*) (/usr/bin/prog)
\t          40af30 d (/usr/bin/prog)

io worker 77/79 [002] 100.000003:          2 cycles: 
\tffffffff81001408 i ([kernel.kallsyms])
\t          40af20 [unknown] (/usr/bin/prog (deleted))
\t          40af30 g (/usr/bin/prog)

"""  # noqa: W291
OLD_SCRIPT = """\
node-v011 31912 cpu-clock: 
\t          40af10 c (/usr/bin/node)
\t          40af30 a (/usr/bin/node)

io worker  31912/78 cpu-clock: 
\t          40af10 f (/usr/bin/node)
\t          40af20 d (/usr/bin/node)

"""  # noqa: W291
REPORT = """\
# To display the perf.data header info, please use --header/--header-only options.
#
# Total Lost Samples: 0
#
# Samples: 912  of event 'cycles'
# Event count (approx.): 27550963166
#
# Overhead  Command   Shared Object      Symbol                             
# ........  ........  .................  ...................................
#
    46.64%  postgres  postgres           [.] mblen
     5.78%  io write  postgres           [.] Expr::run(int, char const*)
     0.04%  postgres  [kernel.kallsyms]  [k] update_group


#
# (Cannot load tips.txt file, please install perf!)
#
"""  # noqa: W291
PMP = """\
    130 send,vio_write,do_command,start_thread,clone3
     19 wait_until<duration<long,,Pool::wait,worker,clone3
      1 CIterate<Release>::operator(),log<4u,,main
      1 
"""  # noqa: W291
FOLDED = """\
prog;a;b;c 1
prog;d;e 20202020
"""
PLOT = """\
writing output to results/some-16-euclidean.png
Computing knn metrics
 PGVector(m=32, ef_construction=64, ef_search=120)        0.999      690.259
Computing knn metrics
 MariaDB(m=12, ef_search=10)        1.000     4744.975
"""
QDRANT = """\
Found cached result
 Qdrant((m=32, ef_construct=96, quantization=scalar, hnsw_ef=20)        0.956      987.950
"""
LIST = """\

0.912 3818.8     PGVector(m=8, ef_construction=32, ef_search=10)
0.964 3001.9     PGVector(m=8, ef_construction=32, ef_search=20)

1.000 8.3     MariaDB(m=48, ef_search=400)
1.000 8.3     MariaDB(m=48, ef_search=400)
"""
BEST = """\
Best QPS with recall >= 1.000
1.000 920.0     PGVector(m=16, ef_construction=192, ef_search=120)
1.000 834.1     PGVector(m=16, ef_construction=256, ef_search=120)

1.000 3226.1     MariaDB(m=32, ef_search=10)

Best QPS with recall >= 0.99
0.990 2337.0     PGVector(m=16, ef_construction=96, ef_search=20)
"""
BUILDS = """\

Legend:
* M - value for M when creating the index

pgvector
M\tcons\tsecs\tsize (MB)
 8\t 32\t 27.0\t234
64\t256\t598.8\t238

MariaDB
M\tNA\tsecs\tsize (MB)
 4\t\t 11.9\t120

"""
FILES = {
    "stat": (perf_stat, STAT),
    "new_stat": (perf_stat, NEW_STAT),
    "counters": (perf_counters, COUNTERS),
    "script": (perf_script, SCRIPT),
    "old script": (perf_script, OLD_SCRIPT),
    "report": (perf_report, REPORT),
    "pmp": (pmp, PMP),
    "folded": (folded, FOLDED),
    "plot": (ann_plot, PLOT),
    "qdrant": (ann_plot, QDRANT),
    "list": (ann, LIST),
    "best": (ann, BEST),
    "builds": (ann_builds, BUILDS),
}
MODULES = (perf_stat, perf_counters, perf_script, perf_report, pmp, folded, ann_plot,
           ann, ann_builds)  # fmt: skip

# Sums over lines; the share of the lines is checked in the series.
_SUMS = re.compile(r".*_(?:samples|sampled|stacks|weight)$")
_COUNTED = {"line", "report", "rank", "at_recall"}
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?")


def text_file(text: str, name: str = "notes") -> TextFile:
    """A file of a folder that says nothing."""
    return TextFile(f"results/{name}", text)


def found(parsed: Parsed) -> list[tuple]:
    """(line, metric, value, unit) of all rows."""
    return [(r.line, r.metric, r.value, r.unit) for r in parsed.rows]


def told(parsed: Parsed) -> list[tuple[int, str]]:
    """(line, text) of all problems."""
    return [(p.line, p.text) for p in parsed.problems]


def not_printed(parsed: Parsed, text: str) -> list:
    """Figures that do not stand in their line, and sums that are not of the series."""
    lines = text.split("\n")
    sums = _sums(parsed)
    wrong: list = [
        row
        for row in parsed.rows
        if row.value not in _numbers(lines[row.line - 1])
        and not (_SUMS.match(row.metric) and row.value in sums)
    ]
    for name, table in parsed.series.items():
        for sample in table.to_pylist():
            printed = _numbers(lines[sample["line"] - 1]) | {1.0}
            wrong += [
                (name, key, value)
                for key, value in sample.items()
                if isinstance(value, float | int) and key not in _COUNTED
                and value not in printed
            ]  # fmt: skip
    return wrong


def _sums(parsed: Parsed) -> set[float]:
    """Numbers of lines and sums of weights, of all and of each event."""
    found: dict[str, list[int]] = {}
    for table in parsed.series.values():
        for sample in table.to_pylist():
            for event in {"", sample.get("event", "")}:
                found.setdefault(event, []).append(sample.get("weight", 0))
    return {float(n) for weights in found.values() for n in (len(weights), sum(weights))}


def _numbers(line: str) -> set[float]:
    return {float(number.replace(",", "")) for number in _NUMBER.findall(line)}
