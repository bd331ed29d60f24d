"""A /proc and a /sys in ordinary files, for sampler --root."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

STAT = """\
cpu  100 20 30 4000 50 6 7 8 0 0
cpu0 50 10 15 2000 25 3 3 4 0 0
cpu1 50 10 15 2000 25 3 4 4 0 0
intr 12345 0 9
ctxt 777
btime 1700000000
processes {forks}
procs_running 3
procs_blocked 1
softirq 55 0 1
"""
VMSTAT = "nr_free_pages 9\npswpin 1\npswpout 2\npgfault 1000\npgmajfault 10\n"
MEMINFO = """\
MemTotal:       16074568 kB
MemFree:        1000 kB
MemAvailable:   2000 kB
Buffers:        300 kB
Cached:         400 kB
SwapCached:     999 kB
SwapFree:       700 kB
Dirty:          50 kB
Writeback:      60 kB
"""
PRESSURE = (
    "some avg10=1.00 avg60=2.00 avg300=3.00 total={some}\n"
    "full avg10=0.00 avg60=0.00 avg300=0.00 total={full}\n"
)
NET = """\
Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets
    lo:    5000       50    0    0    0     0          0         0     5000       50
  eth0:    1000       10    0    0    0     0          0         0     2000       20
 veth1:     900        9    0    0    0     0          0         0      800        8
"""
PSI = {"cpu": (11, 0), "io": (22, 23), "memory": (44, 45)}


def put(root: Path, name: str, text: str) -> None:
    """Write one file, with the folders above it."""
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def put_machine(root: Path, forks: int = 500) -> Path:
    """Two CPUs, one card, no frequency; devices are to be added."""
    put(root, "proc/stat", STAT.format(forks=forks))
    put(root, "proc/vmstat", VMSTAT)
    put(root, "proc/meminfo", MEMINFO)
    put(root, "proc/net/dev", NET)
    for name, (some, full) in PSI.items():
        put(root, f"proc/pressure/{name}", PRESSURE.format(some=some, full=full))
    return root


def disk(name: str, reads: int, major: int = 259, minor: int = 0) -> str:
    """A line of /proc/diskstats: reads, then 2 to 17."""
    numbers = " ".join(str(n) for n in (reads, *range(2, 18)))
    return f"{major:4d} {minor:7d} {name} {numbers}\n"


def put_process(
    root: Path, pid: int, children: Iterable[int] = (), ticks: int = 0, io: int = 0
) -> None:
    """Ticks of user time, twice that of ended children, 3 of system time, bytes read."""
    times = f"1 2 3 4 {ticks} 1 {2 * ticks} 2"
    stat = f"{pid} (a) b) S 1 1 1 0 -1 0 {times} 20 0 1 0 900 4096 10 0\n"
    put(root, f"proc/{pid}/stat", stat)
    put(root, f"proc/{pid}/io", f"rchar: 9\nread_bytes: {io}\nwrite_bytes: {2 * io}\n")
    text = "".join(f"{child} " for child in children)
    put(root, f"proc/{pid}/task/{pid}/children", text)
