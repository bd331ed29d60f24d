"""A /proc and a /sys of small literal files, for tests that ask what machine this is."""

from __future__ import annotations

from pathlib import Path

CPUINFO = """\
processor\t: 0
model name\t: Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz
microcode\t: 0xd0003d1
flags\t\t: fpu sse4_2 hypervisor
processor\t: 1
model name\t: Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz
"""
MOUNTS = """\
22 1 259:1 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p1 rw
23 22 0:21 / /proc rw - proc proc rw
24 22 259:2 / /srv/my\\040data rw,noatime - xfs /dev/nvme1n1 rw
"""


def write(root: Path, files: dict[str, str]) -> Path:
    """Put small files below a folder."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text + "\n")
    return root


def fake_root(root: Path) -> Path:
    """One socket, one core, two threads, 16 GB, KVM on EC2, data on an NVMe disk."""
    cpus = "sys/devices/system/cpu"
    write(root, {
        "proc/cpuinfo": CPUINFO,
        "proc/meminfo": "MemTotal:       16074568 kB\nSwapTotal:       2097152 kB",
        "proc/self/mountinfo": MOUNTS,
        "proc/sys/kernel/osrelease": "6.1.0-37-amd64",
        "proc/loadavg": "0.10 0.20 0.30 1/100 4242",
        f"{cpus}/cpu0/topology/thread_siblings_list": "0-1",
        f"{cpus}/cpu0/topology/physical_package_id": "0",
        f"{cpus}/cpu1/topology/thread_siblings_list": "0-1",
        f"{cpus}/cpu1/topology/physical_package_id": "0",
        f"{cpus}/cpu0/cpufreq/scaling_governor": "schedutil",
        f"{cpus}/vulnerabilities/meltdown": "Not affected",
        f"{cpus}/vulnerabilities/spectre_v1": "Mitigation: barriers",
        "sys/kernel/mm/transparent_hugepage/enabled": "[always] madvise never",
        "sys/class/dmi/id/sys_vendor": "Amazon EC2",
        "sys/class/dmi/id/product_name": "c6i.large",
        "sys/block/nvme1n1/device/model": "Amazon Elastic Block Store   ",
    })  # fmt: skip
    link = root / "sys/dev/block/259:2"
    link.parent.mkdir(parents=True)
    link.symlink_to("../../block/nvme1n1")
    return root
