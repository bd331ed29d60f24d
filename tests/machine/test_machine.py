"""Which machine this is: facts, id, name."""

from __future__ import annotations

from pathlib import Path

import pytest
from fake_root import fake_root, write

from benchbook.machine import facts as machine
from benchmath.errors import UserError

DATA = Path("/srv/my data/benchbook/data")
CPUS = "sys/devices/system/cpu"


@pytest.fixture
def root(tmp_path):
    return fake_root(tmp_path)


def facts_of(root):
    return machine.machine_facts(DATA, root)


def test_identity_facts(root):
    """Hardware, hypervisor, and the disk and filesystem that hold the data folder."""
    facts = facts_of(root)

    expected = {
        "cpu_model": "Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz",
        "sockets": 1,
        "cores": 1,
        "threads": 2,
        "mem_gib": 15,
        "hypervisor": "Amazon EC2 c6i.large",
        "device": "Amazon Elastic Block Store",
        "filesystem": "xfs",
    }
    assert expected == {key: facts[key] for key in machine.IDENTITY}


def test_facts_of_a_run(root):
    """What may change between runs is recorded as the kernel writes it."""
    facts = facts_of(root)

    expected = {
        "kernel": "6.1.0-37-amd64",
        "microcode": "0xd0003d1",
        "mitigations": "meltdown: Not affected; spectre_v1: Mitigation: barriers",
        "governor": "schedutil",
        "thp": "[always] madvise never",
        "mem_kib": 16074568,
        "swap_kib": 2097152,
    }
    assert expected == {k: v for k, v in facts.items() if k not in machine.IDENTITY}


def test_id_ignores_what_may_change(root):
    """A new kernel, governor or microcode does not make another machine."""
    before = machine.machine_id(facts_of(root))
    write(root, {
        "proc/sys/kernel/osrelease": "6.12.0",
        f"{CPUS}/cpu0/cpufreq/scaling_governor": "performance",
        "proc/cpuinfo": (root / "proc/cpuinfo").read_text().replace("0xd0003d1", "0x1"),
    })  # fmt: skip

    assert before == machine.machine_id(facts_of(root))


@pytest.mark.parametrize("key", machine.IDENTITY)
def test_id_follows_the_hardware(root, key):
    """Each identity fact alone makes another machine."""
    facts = facts_of(root)

    assert machine.machine_id(facts) != machine.machine_id({**facts, key: "other"})


def test_id_is_the_documented_hash():
    """First 16 hex digits of sha256 over canonical JSON, values as strings."""
    facts = dict.fromkeys(machine.IDENTITY, "x") | {"cores": 2}

    assert "9620dbc0effb3dbb" == machine.machine_id(facts)


def test_small_memory_differences_are_one_machine(root):
    """A kernel that keeps 100 MB more for itself leaves the id as it is."""
    before = machine.machine_id(facts_of(root))
    write(root, {"proc/meminfo": "MemTotal: 15974568 kB\nSwapTotal: 2097152 kB"})

    assert before == machine.machine_id(facts_of(root))


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("Intel(R) Xeon(R) Processor", "xeon-2c"),
        ("Intel(R) Xeon(R) Platinum 8375C CPU @ 2.90GHz", "xeon-platinum-8375c-2c"),
        ("AMD EPYC 7R13 48-Core Processor", "epyc-7r13-2c"),
        ("AMD Ryzen 7 7840HS w/ Radeon 780M Graphics", "ryzen-7-7840hs-2c"),
        ("13th Gen Intel(R) Core(TM) i9-13900K", "core-i9-13900k-2c"),
        ("", "machine-2c"),
    ],
)
def test_default_name(model, name):
    """The name is a slug of the CPU model without the words all models share."""
    assert name == machine.default_name({"cpu_model": model, "cores": 2})


def test_name_in_file_and_environment(tmp_path):
    """data/machine names the machine; BENCHBOOK_MACHINE goes before it."""
    write(tmp_path, {"machine": "ser7"})
    facts = {"cpu_model": "x", "cores": 2}

    assert "ser7" == machine.machine_name(facts, tmp_path, {})
    assert "c6i" == machine.machine_name(facts, tmp_path, {"BENCHBOOK_MACHINE": "c6i"})


def test_name_that_is_no_folder_name(tmp_path):
    """A name with a slash is refused, saying where it stands."""
    write(tmp_path, {"machine": "lab/ser7"})

    with pytest.raises(UserError, match="machine: machine name 'lab/ser7'"):
        machine.machine_name({"cpu_model": "x", "cores": 2}, tmp_path, {})


def test_bare_metal(root):
    """Without the hypervisor flag there is no hypervisor, whatever the vendor."""
    write(root, {"proc/cpuinfo": "flags\t: fpu sse4_2"})

    assert "none" == machine.hypervisor(root)


def test_virtual_machine_without_firmware_tables(tmp_path):
    """A microVM shows its hypervisor only in the clock it offers."""
    source = "sys/devices/system/clocksource/clocksource0/available_clocksource"
    write(tmp_path, {"proc/cpuinfo": "flags\t: fpu hypervisor", source: "tsc kvm-clock"})

    assert "KVM" == machine.hypervisor(tmp_path)


@pytest.mark.parametrize(
    ("product", "expected"),
    [("m7g.large", "Amazon EC2 m7g.large"), ("m7g.metal", "none")],
)
def test_arm_virtual_machine(tmp_path, product, expected):
    """ARM has no hypervisor flag: vendor and product decide."""
    write(tmp_path, {
        "proc/cpuinfo": "CPU implementer\t: 0x41\nCPU part\t: 0xd40",
        "sys/class/dmi/id/sys_vendor": "Amazon EC2",
        "sys/class/dmi/id/product_name": product,
    })  # fmt: skip

    assert expected == machine.hypervisor(tmp_path)
    assert "ARM 0x41 0xd40" == machine.cpu_model(tmp_path)


def test_partition_has_the_model_of_its_disk(tmp_path):
    """The model of /dev/sda1 is that of sda."""
    write(tmp_path, {"sda/device/model": "Micron 5300", "sda/sda1/partition": "1"})

    assert "Micron 5300" == machine.device_model(tmp_path / "sda/sda1")


def test_mapped_device_names_the_disks_below(tmp_path):
    """LVM and encrypted volumes are told by the disks that hold them."""
    write(tmp_path, {"sda/device/model": "Micron 5300", "dm-3/dm/name": "vg-data"})
    (tmp_path / "dm-3/slaves").mkdir()
    (tmp_path / "dm-3/slaves/sda").symlink_to("../../sda")

    assert "dm on Micron 5300" == machine.device_model(tmp_path / "dm-3")


def test_folder_in_memory_has_no_device(tmp_path):
    """tmpfs has no block device."""
    write(tmp_path, {"proc/self/mountinfo": "1 1 0:26 / /dev/shm rw - tmpfs tmpfs rw"})

    assert ("tmpfs", "none") == machine.data_disk(Path("/dev/shm/data"), tmp_path)


def test_empty_root(tmp_path):
    """Where /proc and /sys are empty there are facts and an id all the same."""
    facts = machine.machine_facts(DATA, tmp_path)

    assert "unknown" == facts["cpu_model"]
    assert 16 == len(machine.machine_id(facts))


def test_this_machine():
    """The real /proc and /sys give a CPU, memory, and a name that is a folder name."""
    facts = machine.machine_facts(Path.cwd())

    assert facts["threads"] >= facts["cores"] >= facts["sockets"] >= 1
    assert machine.NAME.fullmatch(machine.default_name(facts))
