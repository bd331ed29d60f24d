"""Files as the field's tools and our drivers print them, of any length, seeded."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

CHUNK = 50_000  # lines that are held in memory
_IIBENCH = (
    "i_sec\tt_sec\ti_ips\tt_ips\ti_qps\tt_qps\tmax_i\tmax_q\tt_ins\tt_query\t"
    "retry_i\tretry_q\n"
)
_CPU = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"
_DEVICES = (
    "Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s "
    "  wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await "
    "dareq-sz     f/s f_await  aqu-sz  %util\n"
)
_VMSTAT = (
    "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----\n"
    " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st\n"
)
Random = np.random.Generator


@dataclass(frozen=True)
class Kind:
    """A format: its series, the name of such a file, and what stands in it."""

    series: str
    name: str
    head: str
    lines: Callable[[Random, int, int], str]  # random, first number, how many rows


def _sysbench(random: Random, first: int, count: int) -> str:
    values = np.round(random.uniform(100, 20_000, (count, 6)), 2).tolist()
    return "".join(
        f"[ {n}s ] thds: 16 tps: {a:.2f} qps: {b:.2f} (r/w/o: {c:.2f}/{d:.2f}/{e:.2f})"
        f" lat (ms,95%): {f:.2f} err/s: 0.00 reconn/s: 0.00\n"
        for n, (a, b, c, d, e, f) in enumerate(values, first)
    )


def _iibench(random: Random, first: int, count: int) -> str:
    values = random.integers(1_000, 200_000, (count, 6)).tolist()
    return "".join(
        f"1.0\t{n}.0\t{a}\t{b}\t{c}\t{d}\t{e}\t{f}\t{n * 100_000}\t{n * 900}\t0\t0\n"
        for n, (a, b, c, d, e, f) in enumerate(values, first)
    )


def _iostat(random: Random, first: int, count: int) -> str:
    values = np.round(random.uniform(0, 5_000, (count, 6)), 2).tolist()
    cpu = "          39.50    0.00   41.25    0.00    0.00   19.25\n"
    return "".join(
        (f"{_CPU}{cpu}\n{_DEVICES}" if n % 4 == 1 else "")
        + f"nvme{n % 4}n1  {a:10.2f} {b:9.2f}     0.00   0.00    0.04    16.00 {c:8.2f}"
        f" {d:9.2f}    59.00  46.83    0.43     7.72    0.00      0.00     0.00   0.00"
        f"    0.00     0.00    0.50    0.25{e:8.2f} {f:7.2f}\n"
        + ("\n" if n % 4 == 0 else "")
        for n, (a, b, c, d, e, f) in enumerate(values, first)
    )


def _vmstat(random: Random, first: int, count: int) -> str:
    values = random.integers(1_000, 9_000_000, (count, 5)).tolist()
    return "".join(
        (_VMSTAT if n % 20 == 1 else "")
        + f" 4  0 104424 {a} 787228 {b}    0    0 {c} {d} 5000 {e} 16 10 72  2  0\n"
        for n, (a, b, c, d, e) in enumerate(values, first)
    )


def _rates(random: Random, first: int, count: int) -> str:
    values = random.integers(1_000, 900_000, count).tolist()
    return "".join(f"{n},{a}\n" for n, a in enumerate(values, first))


KINDS = {
    "sysbench_output": Kind("sysbench_interval", "sb.o.point-query.dop16",
                            "sysbench 1.0.20 (using LuaJIT)\n", _sysbench),
    "iibench_seconds": Kind("iibench_seconds", "o.ib.dop1.1", _IIBENCH, _iibench),
    "iostat": Kind("iostat", "o.io.dop1", "", _iostat),
    "vmstat": Kind("vmstat", "o.vm.dop1", "", _vmstat),
    "db_bench_rates": Kind("db_bench_rates", "readrandom.t16.report.csv",
                           "secs_elapsed,interval_qps\n", _rates),
}  # fmt: skip


def write(folder: Path, kind: Kind, seed: int, rows: int) -> Path:
    """A file of so many rows of its series, below a folder that is made."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / kind.name
    with path.open("w") as file:
        file.write(kind.head)
        file.writelines(_chunks(kind, seed, rows))
    return path


def _chunks(kind: Kind, seed: int, rows: int) -> Iterator[str]:
    random = np.random.default_rng(seed)
    for first in range(1, rows + 1, CHUNK):
        yield kind.lines(random, first, min(CHUNK, rows + 1 - first))


def samples(seed: int, count: int, start_ns: int) -> tuple[str, int, int]:
    """Lines of samples of four clients, exactly as bench/common/record.c prints them.

    Also when the last one ends, and the sum of their ops.
    """
    random = np.random.default_rng(seed)
    clients = random.integers(1_000, 9_000, (count, 4))
    intervals = 10**9 + random.integers(-50_000, 50_000, count)
    ends = start_ns + np.cumsum(intervals)
    longest = random.integers(10**6, 10**8, count).tolist()
    text = "".join(
        f'{{"kind":"sample","step":"l.i0","op":"insert","t_ns":{end},'
        f'"interval_ns":{interval},"ops":{sum(ops)},"rows":{sum(ops)},'
        f'"max_ns":{slowest},"clients":{str(ops).replace(" ", "")}}}\n'
        for end, interval, slowest, ops in zip(
            ends.tolist(), intervals.tolist(), longest, clients.tolist(), strict=True
        )
    )
    return text, int(ends[-1]), int(clients.sum())
