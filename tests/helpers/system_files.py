"""Output of iostat and vmstat made for tests, in every layout they have had."""

from __future__ import annotations

from benchformats.parsed import Parsed
from benchformats.system import iostat, vmstat

BANNER = "Linux 5.15.0-119-generic (quiet) \t03/04/2025 \t_x86_64_\t(96 CPU)\n"
CPU = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle\n"

# The layouts by the Ubuntu that has them, two reports of two devices each.
UBUNTU_16 = f"""\
{BANNER}
{CPU}\
           3.25    0.00    1.50    0.25    0.00   95.00

Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz \
avgqu-sz   await r_await w_await  svctm  %util
sda               0.01     2.02    3.03   40.04    50.50   606.06    70.70     \
0.08    9.09   10.10   11.11   1.12   13.13
nvme0n1           0.00     0.00    0.00    0.00     0.00     0.00     0.00     \
0.00    0.00    0.00    0.00   0.00    0.00

{CPU}\
          39.50    0.00   41.25    0.00    0.00   19.25

Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz \
avgqu-sz   await r_await w_await  svctm  %util
sda               0.00     0.00    1.00    7.00     4.00    56.00    15.00     \
0.00    0.00    0.00    0.00   0.00    0.40
nvme0n1           0.00     0.00 1234.00    5.00  4936.00    20.00     8.02     \
0.50    0.10    0.10    0.20   0.05   60.40

"""
# Before reads and writes had awaits of their own.
CENTOS_6 = f"""\
{BANNER}
{CPU}\
          39.50    0.00   41.25    0.00    0.00   19.25

Device:         rrqm/s   wrqm/s     r/s     w/s    rkB/s    wkB/s avgrq-sz \
avgqu-sz   await  svctm  %util
cciss/c0d0        0.02     7.25    0.04    1.90     0.74    35.47    37.15     \
0.04   19.13   5.58   1.09

"""
SECTORS = CENTOS_6.replace("rkB/s    wkB/s", "rsec/s   wsec/s")
UBUNTU_18 = f"""\
{BANNER}
{CPU}\
          39.50    0.00   41.25    0.00    0.00   19.25

Device            r/s     w/s     rkB/s     wkB/s   rrqm/s   wrqm/s  %rrqm  %wrqm \
r_await w_await aqu-sz rareq-sz wareq-sz  svctm  %util
sda              1.00    7.00      4.00     56.00     0.10     0.20  10.30   2.40 \
   0.50    0.60   0.07     4.00     8.00   0.09   0.40

"""
UBUNTU_20 = f"""\
{BANNER}
{CPU}\
          39.50    0.00   41.25    0.00    0.00   19.25

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   \
wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz  \
aqu-sz  %util
sda              1.00      4.00     0.10  10.30    0.50     4.00    7.00     56.00   \
  0.20   2.40    0.60     8.00    2.00   2048.00     0.30   0.70    0.80  1024.00  \
  0.07   0.40

"""
UBUNTU_22 = f"""\
{BANNER}

{CPU}\
          39.50    0.00   41.25    0.00    0.00   19.25

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   \
wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     \
f/s f_await  aqu-sz  %util
md2              0.00      0.00     0.00   0.00    0.00     0.00    5.00     56.00   \
  0.00   0.00    0.00    11.20    0.00      0.00     0.00   0.00    0.00     0.00    \
0.00    0.00    0.00   0.80
nvme0n1          1.00      4.00     0.00   0.00    0.00     4.00   67.00    517.50   \
 59.00  46.83    0.43     7.72    0.00      0.00     0.00   0.00    0.00     0.00    \
0.50    0.25    0.03   4.80
nvme0n1p1        1.00      4.00     0.00   0.00    0.00     4.00   60.00    400.00   \
 59.00  46.83    0.43     7.72    0.00      0.00     0.00   0.00    0.00     0.00    \
0.00    0.00    0.03   4.80


{CPU}\
          52.25    0.00   31.00    0.00    0.00   16.75

Device            r/s     rkB/s   rrqm/s  %rrqm r_await rareq-sz     w/s     wkB/s   \
wrqm/s  %wrqm w_await wareq-sz     d/s     dkB/s   drqm/s  %drqm d_await dareq-sz     \
f/s f_await  aqu-sz  %util
md2              0.00      0.00     0.00   0.00    0.00     0.00   28.00    120.00   \
  0.00   0.00    0.00     4.29    0.00      0.00     0.00   0.00    0.00     0.00    \
0.00    0.00    0.00   0.40
nvme0n1          3.00     12.00     0.00   0.00    0.09     4.00   33.00    132.50   \
  0.00   0.00    0.09     4.02    0.00      0.00     0.00   0.00    0.00     0.00    \
0.00    0.00    0.00   0.80
nvme0n1p1        3.00     12.00     0.00   0.00    0.09     4.00   30.00    130.00   \
  0.00   0.00    0.09     4.02    0.00      0.00     0.00   0.00    0.00     0.00    \
0.00    0.00    0.00   0.80

"""
SHORT = f"""\
{BANNER}
{CPU}\
          39.50    0.00   41.25    0.00    0.00   19.25

Device             tps      kB/s    rqm/s   await areq-sz  aqu-sz  %util
sda              10.50    122.25     1.25    0.75   11.64    0.07   0.40

"""
PLAIN = f"""\
{BANNER}
{CPU}\
          39.50    0.00   41.25    0.00    0.00   19.25

Device             tps    kB_read/s    kB_wrtn/s    kB_dscd/s    kB_read    kB_wrtn    \
kB_dscd
sda               0.36        24.32         1.50         0.00      73113       4519      \
    0

"""
LAYOUTS = {
    "plain": PLAIN, "6": CENTOS_6, "sectors": SECTORS, "16": UBUNTU_16, "18": UBUNTU_18,
    "20": UBUNTU_20, "22": UBUNTU_22, "short": SHORT,
}  # fmt: skip
MEGABYTES = {
    name: text.replace("kB", "MB") for name, text in LAYOUTS.items() if "kB" in text
}

PROCS = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
"""
NAMES = """\
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
"""
VMSTAT = f"""\
{PROCS}{NAMES}\
 4  0 104424 6362468 787228 122356912   10    9  3170  4076    0    0 16 10 72  2  0
43  0 104424 4575416 787232 122357088    0    0     4   575 31377 150000 39 41 20  0  0
41  0 104424 4557536 787236 122357088    0    0     0   141 29362 170000 52 31 17  0  0
{PROCS}{NAMES}\
44  0 104424 4555156 787240 122357088    0    0     0   469 28975 190000 61 23 16  0  0
43  0 104424 4553392 787240 122357088    0    0     0    57 24390 210000 66 18 16  0  0
{PROCS}{NAMES}\
43  0 104424 4553392 787240 122357088    0    0     0    57 24390 180000 66 18 16  0  0
"""
OLD_VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- ----cpu----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa
 3  0    153      4      5     45    0    0    21    16  144   29  9 15 75  1
"""
NEW_VMSTAT = """\
procs -----------memory---------- ---swap-- -----io---- -system-- -------cpu------- \
-----timestamp-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu \
                UTC
 1  3 1992040 114300   1204 244116 8120 9340 10240  9520 3120 4511 12 18  8 60  2  0 \
2026-03-14 09:26:53
"""
WIDE_VMSTAT = """\
--procs-- -----------------------memory---------------------- ---swap-- -----io---- \
-system-- --------cpu--------
   r    b         swpd         free        inact       active   si   so    bi    bo \
  in   cs  us  sy  id  wa  st
   2    1            0     16303468       212500       844216    1    2     3     4 \
   5    6   7   8  80   3   2
"""
VMSTATS = {"17": VMSTAT, "16": OLD_VMSTAT, "time": NEW_VMSTAT, "wide": WIDE_VMSTAT}

PLACE = ("line", "report", "header", "sample")


def not_printed(parsed: Parsed, text: str) -> list[dict]:
    """Samples that are not, word for word, their line under the header above it."""
    lines = text.split("\n")
    found = []
    for table in parsed.series.values():
        for row in table.to_pylist():
            line = row["line"] - 1
            said = [str(v) for k, v in row.items() if k not in PLACE]
            printed = " ".join(_as_read(word) for word in lines[line].split())
            names = _names_above(lines, line)
            columns = [k for k in row if k not in (*PLACE, "device", "time")]
            if " ".join(said) != printed or columns != names:
                found.append(row)
    return found


def _as_read(word: str) -> str:
    return str(float(word)) if "." in word and word.replace(".", "").isdigit() else word


def _names_above(lines: list[str], line: int) -> list[str]:
    """The columns of the nearest header above, under their names in the series."""
    for text in reversed(lines[:line]):
        words = text.split()
        if words and words[0] in ("Device", "Device:", "avg-cpu:"):
            return [iostat.metric_name(word) for word in words[1:]]
        if "swpd" in words:
            return words if tuple(words) in vmstat.LAYOUTS else words[:-1]
    return []
