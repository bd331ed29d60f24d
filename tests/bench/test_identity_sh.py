"""bench/identity.sh: a host without Python says who it is as the library would."""

import json
import subprocess
from pathlib import Path

import pytest
from fake_root import fake_root, write
from places import BENCH, ROOT

from benchbook.digests import files_digest
from benchbook.machine import facts as machine
from benchbook.measure.execute import available_cpus
from benchbook.measure.spec import cpu_list
from benchbook.study.compilers import compiler_name

CPUS = "sys/devices/system/cpu"
NO_FLAGS = {"proc/cpuinfo": "CPU implementer\t: 0x41\nCPU part\t: 0xd40\nprocessor\t: 0"}


def bash(text: str, *words: str | Path, **environ: str) -> str:
    """What a line says that has sourced identity.sh."""
    start = f'set -euo pipefail; source "{BENCH}/identity.sh"; '
    done = subprocess.run(
        ["bash", "-c", start + text, "bash", *map(str, words)],
        env={"PATH": "/bin:/sbin:/usr/bin:/usr/sbin"} | environ,
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return done.stdout.removesuffix("\n")


def in_shell(data: Path, root: str = "") -> tuple[dict[str, str], str, str]:
    """Facts, id and name of a machine by bash."""
    said = bash(
        'host_root=$2; facts=$(host_facts "$1"); echo "{$facts}"; host_id "$facts"; '
        'host_name "$facts" "$1"',
        data, root,
    )  # fmt: skip
    facts, number, name = said.splitlines()
    return json.loads(facts), number, name


def in_python(data: Path, root: Path) -> tuple[dict[str, str], str, str]:
    facts = machine.machine_facts(data, root)
    identity = {key: str(facts[key]) for key in machine.IDENTITY}
    return identity, machine.machine_id(facts), machine.machine_name(facts, data, {})


def test_shell_and_library_agree_on_this_machine(tmp_path):
    """The same facts, the same id, the same name: whoever runs first, others join."""
    for data in (ROOT / "data", tmp_path):
        assert in_python(data, Path("/")) == in_shell(data)


CASES = {
    "EC2": {},
    "bare metal": {"proc/cpuinfo": "model name\t: 13th Gen  Intel(R) Core(TM) i9-13900K\n"
                                   "flags\t\t: fpu sse4_2"},
    "ARM": NO_FLAGS,
    "ARM metal": NO_FLAGS | {"sys/class/dmi/id/product_name": "m7g.metal"},
    "microVM": {"sys/class/dmi/id/sys_vendor": "", "sys/class/dmi/id/product_name": "",
                f"{CPUS[:-4]}/clocksource/clocksource0/available_clocksource":
                "tsc kvm-clock"},
    "half a GiB": {"proc/meminfo": "MemTotal: 4718592 kB\nSwapTotal: 0 kB"},
    "above half a GiB": {"proc/meminfo": "MemTotal: 4718593 kB\nSwapTotal: 0 kB"},
    "two sockets": {f"{CPUS}/cpu1/topology/thread_siblings_list": "1",
                    f"{CPUS}/cpu1/topology/physical_package_id": "1"},
    "virtio": {"sys/block/nvme1n1/device/model": ""},
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES)
def test_shell_and_library_agree_elsewhere(tmp_path, case):
    """On machines of other kinds, given by their /proc and /sys."""
    root = write(fake_root(tmp_path / "root"), CASES[case])
    data = tmp_path / "my data"
    data.mkdir()
    mounts = (root / "proc/self/mountinfo").read_text()
    point = str(data).replace(" ", "\\040")
    write(root, {"proc/self/mountinfo": mounts.replace("/srv/my\\040data", point)})

    assert in_python(data, root) == in_shell(data, str(root))


def test_shell_and_library_agree_on_volumes(tmp_path):
    """A logical volume has the models below it; a partition that of its disk."""
    root = fake_root(tmp_path / "root")
    write(root, {
        "sys/block/dm-0/slaves/nvme1n1p1": "",
        "sys/block/nvme1n1/nvme1n1p1/partition": "1",
        "sys/block/sda/device/model": "Disk B", "proc/self/mountinfo":
        "22 1 252:0 / / rw - btrfs /dev/mapper/vg-data rw",
        "dev/dm-0": "",
    })  # fmt: skip
    slaves = root / "sys/block/dm-0/slaves"
    (slaves / "nvme1n1p1").unlink()
    (slaves / "nvme1n1p1").symlink_to("../../nvme1n1/nvme1n1p1")
    (slaves / "sda").symlink_to("../../sda")
    (root / "sys/class/block").mkdir(parents=True)
    (root / "sys/class/block/dm-0").symlink_to("../../block/dm-0")
    (root / "dev/mapper").mkdir()
    (root / "dev/mapper/vg-data").symlink_to("../dm-0")
    facts, *_ = in_shell(tmp_path, str(root))

    assert "dm on Amazon Elastic Block Store, Disk B" == facts["device"]
    assert in_python(tmp_path, root)[0] == facts


def test_name_of_a_machine_is_given_or_made(tmp_path):
    """BENCHBOOK_MACHINE, else data/machine, which must do as a folder's name."""
    write(tmp_path, {"machine": "ser7"})
    line = 'host_name \'"cores":"2"\' "$1" || echo refused'

    assert "ser7" == bash(line, tmp_path)
    assert "c6i" == bash(line, tmp_path, BENCHBOOK_MACHINE="c6i")
    assert "refused" == bash(line, tmp_path, BENCHBOOK_MACHINE="lab/c6i")


def test_digest_of_sources_is_the_one_of_the_library(tmp_path):
    """Names and bytes, in the order of paths by their parts."""
    write(tmp_path, {"a/x.c": "1", "a.c": "2", "a-b/y.c": "3", "a/.hidden": "4"})
    files = [f for g in ("a*", "a/*", "a-b/*") for f in tmp_path.glob(g) if f.is_file()]

    expected = files_digest(tmp_path, set(files))
    assert expected == bash('files_digest "$1" "a* a/* a-b/*"', tmp_path)


@pytest.mark.parametrize("line", [
    "gcc (Debian 12.2.0-14+deb12u1) 12.2.0", "Debian clang version 19.1.7 (3)",
    "x86_64-conda-linux-gnu-cc (conda-forge gcc 13.3.0-1) 13.3.0", "icx",
])  # fmt: skip
def test_compilers_have_the_names_of_the_library(line):
    """Labels and tags of both are the same."""
    assert compiler_name(line) == bash('compiler_name "$1"', line)


@pytest.mark.parametrize("placement", ["none", "same", "split", "0,2-3"])
def test_placements_are_those_of_the_library(placement):
    """same is the last CPU here, split the upper half."""
    expected = cpu_list(placement, available_cpus())

    assert expected == bash('placed_cpus "$1"', placement)
