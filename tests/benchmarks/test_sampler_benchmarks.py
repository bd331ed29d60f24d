"""The benchmarks of the sampler: their ratios are right, their machine of files whole."""

import sys

import pandas as pd
import pytest
from places import ROOT

BENCHMARKS = ROOT / "tests/benchmarks"
sys.path.append(str(BENCHMARKS))

import sampler_cost  # noqa: E402
from sampler_agreement import Sampled, against_iostat, against_vmstat  # noqa: E402

pytestmark = pytest.mark.unit


class Printed:
    """What a tool printed, each line with the instant it came."""

    def __init__(self, *lines):
        self.lines = list(lines)


@pytest.fixture
def sampled():
    """From 100 to 104 s: 10 switches and 8 reads of 4 KiB a second, a quarter busy."""
    samples = [
        {"kind": "os", "t_ns": (100 + s) * 10**9, "switches": 10 * s,
         "cpu_ns": [s, 0, 0, 3 * s, 0, 0, 0, 0],
         "dev": [[1, 8 * s, 0, 64 * s, 0, 0, 0, 0]]}
        for s in range(5)
    ]  # fmt: skip
    head = {"kind": "sampler", "devices": ["vdb", "vda"], "main_device": "vda"}
    return Sampled([head, *samples, {"kind": "end"}])


def by_metric(rows):
    return {r["metric"]: (r["sampler"], r["tool's"], r["difference"]) for r in rows}


def test_vmstat_is_met_between_its_first_and_last_line(sampled):
    """The line since the boot begins the time; 25% busy against 20 + 4."""
    rows = against_vmstat(sampled, Printed(
        (100.4, "procs ---memory--- --cpu--"), (100.4, " r  b cs us sy id"),
        (100.5, " 1  0 99999 1 1 98"), (101.5, " 1  0 10 20 4 76"),
        (102.5, " 1  0 11 20 4 76"),
    ))  # fmt: skip

    assert ["vmstat 1", 2] == [rows[0]["tool"], rows[0]["seconds"]]
    assert by_metric(rows) == {
        "cs": ("10.00", "10.50", "-4.76%"), "us+sy": ("25.00", "24.00", "+4.17%"),
    }  # fmt: skip


def test_iostat_is_met_on_the_main_device(sampled):
    """64 sectors a second are 32 KiB; what never happens has no difference."""
    cpu = "avg-cpu:  %user   %nice %system %iowait  %steal   %idle"
    names = "Device r/s rkB/s w/s wkB/s"
    rows = against_iostat(sampled, Printed(
        (101.0, cpu), (101.0, "  9.0 9.0 9.0 0.0 0.0 70.0"), (101.0, names),
        (101.0, "vda 99.0 99.0 99.0 99.0"), (101.0, "vdb 1.0 1.0 1.0 1.0"),
        (103.0, cpu), (103.0, "  20.0 3.0 2.0 0.0 0.0 75.0"), (103.0, names),
        (103.0, "vda 8.0 40.0 0.0 0.0"), (103.0, "vdb 1.0 1.0 1.0 1.0"),
    ))  # fmt: skip

    assert by_metric(rows) == {
        "r/s": ("8.00", "8.00", "+0.00%"), "w/s": ("0.00", "0.00", ""),
        "rkB/s": ("32.00", "40.00", "-20.00%"), "wkB/s": ("0.00", "0.00", ""),
        "us+sy": ("25.00", "25.00", "+0.00%"),
    }  # fmt: skip


def test_cost_is_per_sample_and_a_share_of_a_core():
    """1 ms ten times a second is one percent of a core."""
    costs = pd.DataFrame(
        [("sampler", "files", 1, 0.002), ("sampler", "files", 10, 0.001),
         ("iostat", "machine", 1, None)],
        columns=["tool", "where", "hz", "s"],
    )  # fmt: skip
    rows = sampler_cost.table(costs).to_dict("records")

    assert rows[0] == {
        "tool": "sampler", "where": "files", "µs at 1 Hz": "2000",
        "core at 1 Hz": "0.200%", "µs at 10 Hz": "1000", "core at 10 Hz": "1.000%",
    }  # fmt: skip
    assert {"", "iostat", "machine"} == set(rows[1].values())


def test_machine_of_files_has_what_the_goal_names(tmp_path, monkeypatch):
    """64 devices, whose lines keep their length as they go on; a server of 64."""
    monkeypatch.setattr(sampler_cost, "OTHERS", 3)
    root = sampler_cost.put_files(tmp_path)
    processes = [p for p in (root / "proc").iterdir() if p.name.isdigit()]

    assert 64 == len((root / "proc/diskstats").read_text().splitlines())
    assert len(sampler_cost.diskstats(0)) == len(sampler_cost.diskstats(10**6))
    assert 64 + 3 == len(processes)
