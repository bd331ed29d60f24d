"""What this machine does to measurements."""

from __future__ import annotations

import time

import pytest
from fake_root import fake_root, write

from benchbook.machine import doctor
from benchbook.machine import doctor as checks
from benchbook.machine.facts import machine_facts
from benchbook.project import Project

CPUS = "sys/devices/system/cpu"


@pytest.fixture
def root(tmp_path):
    return fake_root(tmp_path / "root")


@pytest.fixture
def examine(root, tmp_path):
    """One check on the fake machine, with some of its files replaced."""
    project = Project(tmp_path)
    project.data.mkdir()

    def one(check, files=None):
        write(root, files or {})
        facts = machine_facts(project.data, root)
        return check(checks.MachineState(project, root, facts))

    return one


def test_render_aligns_values_and_reasons():
    """Status, name and value in columns; the reason below the value; a last line."""
    text = doctor.render([
        doctor.Finding("swap", "2,048 MiB", "warn", "A cache may be swapped out."),
        doctor.Finding("governor", "performance", "ok", "Clocks move."),
    ])  # fmt: skip

    expected = """\
warn  swap      2,048 MiB
                A cache may be swapped out.
ok    governor  performance
                Clocks move.

look at: swap"""
    assert expected == text


def test_render_fits_the_terminal(root, tmp_path, monkeypatch):
    """No line is longer than the width, whatever the machine says."""
    monkeypatch.setattr(checks, "STEAL_SECONDS", 0.01)
    found = doctor.doctor(Project(tmp_path), root)

    assert [] == [
        line for line in doctor.render(found, 80).splitlines() if len(line) > 80
    ]


def test_every_reason_is_one_sentence():
    """Each check says in one sentence why a benchmark cares."""
    reasons = [why for _, _, why in doctor.CHECKS]

    assert [] == [why for why in reasons if not why.endswith(".") or ". " in why]


def test_nothing_readable(tmp_path, monkeypatch):
    """Where /proc and /sys are empty, findings say so and nothing fails."""
    monkeypatch.setattr(checks, "STEAL_SECONDS", 0.01)
    found = {f.name: f for f in doctor.doctor(Project(tmp_path), tmp_path / "nothing")}

    hidden = ("hyperthreading", "governor", "turbo", "clock source", "huge pages", "load")
    assert {checks.UNREADABLE} == {found[name].value for name in hidden}
    unwritable = f"{checks.UNREADABLE}: data/ cannot be written"
    assert (unwritable, "warn") == (found["fdatasync"].value, found["fdatasync"].status)


@pytest.mark.parametrize(
    ("check", "expected"),
    [
        (checks.hyperthreading, ("on", "warn")),
        (checks.governor, ("schedutil", "warn")),
        (checks.huge_pages, ("always", "warn")),
        (checks.swap, ("2,048 MiB", "warn")),
        (checks.memory, ("15 GiB", "info")),
        (checks.virtualisation, ("Amazon EC2 c6i.large", "warn")),
        (checks.load, ("0.10 in the last minute", "ok")),
        (checks.filesystem, ("ext4", "ok")),
        (checks.counters, ("none, software events only", "info")),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_verdicts(examine, check, expected):
    """What a small cloud machine gets told."""
    assert expected == examine(check, {f"{CPUS}/smt/active": "1"})


def test_hyperthreading_of_the_host_is_hidden(examine):
    """A virtual machine that sees no hyperthreads may still share cores."""
    value, status = examine(checks.hyperthreading, {f"{CPUS}/smt/active": "0"})

    assert ("info", True) == (status, "hidden" in value)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"intel_pstate/no_turbo": "0"}, ("on", "warn")),
        ({"intel_pstate/no_turbo": "1"}, ("off", "ok")),
        ({"cpufreq/boost": "1"}, ("on", "warn")),
        ({"cpufreq/boost": "0"}, ("off", "ok")),
        ({}, checks.UNKNOWN),
    ],
)
def test_turbo(examine, files, expected):
    """Intel says when turbo is off, the others when boost is on."""
    placed = {f"{CPUS}/{name}": text for name, text in files.items()}

    assert expected == examine(checks.turbo, placed)


def test_busy_machine(examine):
    """A load above a quarter of the hardware threads is worth a look."""
    value = examine(checks.load, {"proc/loadavg": "0.60 0.20 0.30 1/100 4242"})

    assert ("0.60 in the last minute", "warn") == value


def test_steal_is_a_share_of_all_cpu_time():
    """5 of 100 ticks stolen are 5%."""
    before = [0, 0, 0, 0, 0, 0, 0, 0]
    after = [50, 0, 15, 30, 0, 0, 0, 5]

    assert 0.05 == checks.stolen_share(before, after)


def test_fdatasync_without_compiled_probe(examine):
    """The disk's rate is measured even before any driver is built."""
    value, _ = examine(checks.fdatasync)

    assert value.endswith(" per second")


def test_hardware_counters(examine):
    """A PMU counts unless the kernel closes it to users."""
    pmu = {"sys/bus/event_source/devices/cpu/type": "4"}

    seen = [
        examine(checks.counters, {**pmu, "proc/sys/kernel/perf_event_paranoid": text})[1]
        for text in ("1", "3")
    ]
    assert ["ok", "warn"] == seen


def test_compilers_in_order(examine, tmp_path, monkeypatch):
    """Compilers on the PATH, older first; one family alone is worth a look."""
    write(tmp_path / "bin", dict.fromkeys(("gcc-12", "gcc-9", "gcc-ar", "gccgo"), ""))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))

    assert ("gcc-9, gcc-12", "warn") == examine(checks.compilers)


def test_record_of_findings(root, tmp_path, monkeypatch):
    """Name, value and status of every check of the machine; no path, none of the site."""
    monkeypatch.setattr(checks, "STEAL_SECONDS", 0.01)
    project = Project(tmp_path)
    project.data.mkdir()

    record = doctor.findings_record(project, root)

    names = [name for name, _, _ in doctor.CHECKS if name not in doctor.NOT_OF_RUNS]
    assert names == [name for name, _, _ in record]
    assert ["swap", "2,048 MiB", "warn"] in record
    assert [] == [value for _, value, _ in record if "/" in value.replace("ms/", "")]


def test_steal_counts_from_the_begin_of_the_examination(root, tmp_path):
    """10 s after it began nothing is left to wait for: 5 of 100 ticks were stolen."""
    write(root, {"proc/stat": "cpu 50 0 15 30 0 0 0 5\n"})
    ago = time.monotonic() - 10
    seen = checks.MachineState(Project(tmp_path), root, {}, ago, (0,) * 8)

    value, status = checks.steal(seen)

    assert ("5.0% over 10 s", "warn") == (value, status)
    assert time.monotonic() - ago < 10.5
