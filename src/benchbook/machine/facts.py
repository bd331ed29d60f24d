"""Which machine this is: facts of the hardware, an id made of them, a name for people.

Everything is read from /proc and /sys below ``root``.  Host names, serial numbers and
addresses are never read.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchbook.project import Project
from benchmath.errors import UserError

IDENTITY = (
    "cpu_model", "sockets", "cores", "threads", "mem_gib", "hypervisor", "device",
    "filesystem",
)  # fmt: skip
CPUS = "sys/devices/system/cpu"
CLOCK_SOURCE = "sys/devices/system/clocksource/clocksource0"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
# Words of CPU models that tell no two machines apart.
NOISE = re.compile(
    r"\((r|tm|c)\)|@.*|\bw/.*|\bwith .*|\b\d+(st|nd|rd|th) gen\b|\b\d+-core\b"
    r"|\b(intel|amd|cpu|processor)\b"
)
# Who makes virtual machines, for CPUs that have no flag to say that they are virtual.
VENDORS = re.compile(r"QEMU|KVM|Xen|VMware|Amazon EC2|Google|Microsoft|Alibaba|OpenStack")
# A virtual machine without firmware tables still shows the clock of its hypervisor.
CLOCKS = (("kvm-clock", "KVM"), ("hyperv", "Hyper-V"), ("xen", "Xen"))


def local_machine(project: Project) -> Machine:
    """The machine of this process, as runs record it."""
    facts = machine_facts(project.data)
    identity = {key: str(facts[key]) for key in IDENTITY}
    return Machine(machine_name(facts, project.data), machine_id(facts), identity)


def machine_id(facts: Mapping[str, Any]) -> str:
    """16 hex digits that change when hardware, hypervisor or the data disk change."""
    identity = {key: str(facts[key]) for key in IDENTITY}
    text = json.dumps(identity, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def machine_name(
    facts: Mapping[str, Any], data: Path, environ: Mapping[str, str] = os.environ
) -> str:
    """BENCHBOOK_MACHINE, else the line in data/machine, else CPU model and cores."""
    file = data / "machine"
    name = environ.get("BENCHBOOK_MACHINE") or read(file)
    if not name:
        return default_name(facts)
    if not NAME.fullmatch(name):
        source = "BENCHBOOK_MACHINE" if environ.get("BENCHBOOK_MACHINE") else file
        raise UserError(
            f"{source}: machine name {name!r} becomes a folder's name: "
            "use letters, digits, dots, dashes and underscores"
        )
    return name


def default_name(facts: Mapping[str, Any]) -> str:
    """`xeon-platinum-8375c-16c` of a CPU model and its cores."""
    words = NOISE.sub(" ", facts["cpu_model"].lower())
    slug = re.sub(r"[^a-z0-9]+", "-", words).strip("-")
    return f"{slug or 'machine'}-{facts['cores']}c"


def machine_facts(data: Path, root: Path = Path("/")) -> dict[str, Any]:
    """The identity of the machine that holds ``data``, and facts that may change."""
    filesystem, device = data_disk(data, root)
    return {
        "cpu_model": cpu_model(root),
        **cpu_counts(root),
        "mem_gib": round(meminfo(root, "MemTotal") / 2**20),
        "hypervisor": hypervisor(root),
        "device": device,
        "filesystem": filesystem,
        "kernel": read(root / "proc/sys/kernel/osrelease"),
        "microcode": cpuinfo(root, "microcode"),
        "mitigations": mitigations(root),
        "governor": read(root / CPUS / "cpu0/cpufreq/scaling_governor"),
        "thp": read(root / "sys/kernel/mm/transparent_hugepage/enabled"),
        "mem_kib": meminfo(root, "MemTotal"),
        "swap_kib": meminfo(root, "SwapTotal"),
    }


def read(path: Path) -> str:
    """The text of a small file without the newline at its end, or "" where unreadable."""
    try:
        return path.read_text(errors="replace").strip().strip("\0")
    except OSError:
        return ""


def cpuinfo(root: Path, key: str) -> str:
    """The first value of a key in /proc/cpuinfo."""
    match = re.search(
        rf"^{re.escape(key)}\s*:\s*(.*)$", read(root / "proc/cpuinfo"), re.M
    )
    return match[1].strip() if match else ""


def meminfo(root: Path, key: str) -> int:
    """A value of /proc/meminfo in KiB."""
    match = re.search(rf"^{key}:\s+(\d+)", read(root / "proc/meminfo"), re.M)
    return int(match[1]) if match else 0


def cpu_model(root: Path) -> str:
    """The model name, or on ARM, which has none, the numbers of designer and part."""
    name = cpuinfo(root, "model name")
    if name:
        return " ".join(name.split())
    part = (cpuinfo(root, "CPU implementer"), cpuinfo(root, "CPU part"))
    return f"ARM {part[0]} {part[1]}" if all(part) else "unknown"


def cpu_counts(root: Path) -> dict[str, int]:
    """Sockets, cores and hardware threads that are online."""
    topologies = sorted((root / CPUS).glob("cpu[0-9]*/topology"))
    threads = len(topologies) or read(root / "proc/cpuinfo").count("processor\t:")
    siblings = {read(t / "thread_siblings_list") for t in topologies}
    sockets = {read(t / "physical_package_id") for t in topologies}
    return {
        "sockets": max(len(sockets), 1),
        "cores": len(siblings) or threads,
        "threads": threads,
    }


def hypervisor(root: Path) -> str:
    """Vendor and product of the virtual machine, "none" on bare metal."""
    vendor, product = (
        read(root / "sys/class/dmi/id" / key) for key in ("sys_vendor", "product_name")
    )
    flags = cpuinfo(root, "flags").split()
    guest = VENDORS.search(f"{vendor} {product}") and "metal" not in product
    if not ("hypervisor" in flags if flags else guest):
        return "none"
    clocks = read(root / CLOCK_SOURCE / "available_clocksource")
    by_clock = next((name for sign, name in CLOCKS if sign in clocks), "unknown")
    return f"{vendor} {product}".strip() or by_clock


def mitigations(root: Path) -> str:
    """What the kernel does about each hardware vulnerability, in one line."""
    files = sorted((root / CPUS / "vulnerabilities").glob("*"))
    return "; ".join(f"{file.name}: {read(file)}" for file in files)


def data_disk(data: Path, root: Path = Path("/")) -> tuple[str, str]:
    """Filesystem and device model below a folder."""
    filesystem, numbers, source = mount_of(data.resolve(), root)
    block = root / "sys/dev/block" / numbers
    if not block.exists():  # btrfs and others have device numbers of their own
        node = root / source.lstrip("/")
        name = node.resolve().name if source.startswith("/dev/") else "none"
        block = root / "sys/class/block" / name
    return filesystem, device_model(block.resolve()) if block.exists() else "none"


def mount_of(path: Path, root: Path) -> tuple[str, str, str]:
    """Filesystem type, device numbers and source of the mount that holds a path."""
    best, length = ("unknown", "none", "none"), -1
    for line in read(root / "proc/self/mountinfo").splitlines():
        before, _, after = line.partition(" - ")
        numbers, point = before.split()[2], unescape(before.split()[4])
        filesystem, source = after.split()[:2]
        # The last of two mounts on one point hides the first.
        if path.is_relative_to(point) and len(point) >= length:
            best, length = (filesystem, numbers, unescape(source)), len(point)
    return best


def unescape(text: str) -> str:
    """Spaces and the like in mountinfo are octal: \\040."""
    return re.sub(r"\\([0-7]{3})", lambda match: chr(int(match[1], 8)), text)


def device_model(block: Path) -> str:
    """The model of a disk, of the disk that holds a partition, or of those below it."""
    if (block / "partition").exists():
        block = block.parent
    below = sorted(block.glob("slaves/*"))
    if below:
        models = sorted({device_model(slave.resolve()) for slave in below})
        return f"{re.sub('-?[0-9]+$', '', block.name)} on {', '.join(models)}"
    model = read(block / "device/model")
    driver = block / "device/driver"
    return model or (driver.resolve().name if driver.exists() else block.name)


@dataclass(frozen=True)
class Machine:
    """The machine that measures: a name people use, and an id from its hardware."""

    name: str
    machine_id: str
    facts: Mapping[str, str] = field(default_factory=dict, compare=False)
