"""Costs per operation of an imported set: files of a run found by their names."""

import shutil
from pathlib import Path

import pytest
from corpus import corpus
from sysbench_files import FOLDER, RUN
from system_files import UBUNTU_16, UBUNTU_22, VMSTAT

from benchbook.errors import UserError
from benchbook.formats import format_of
from benchbook.formats.sysbench import met as sysbench_met
from benchbook.formats.sysbench import output as sysbench_output
from benchbook.formats.system import iostat, vmstat
from benchbook.imports import importer
from benchbook.imports.importer import import_dir
from benchbook.project import Project
from benchbook.results.imported_costs import operation_costs

pytestmark = pytest.mark.unit

MODULES = (iostat, vmstat, sysbench_output, sysbench_met)
TEST = "update-index.range100.pk1.dop3"
# Of nvme0n1 and vmstat above, 1611.37 queries per second: what an.sh would print.
MET = """\
iostat, vmstat normalized by operation rate
samp\tr/s\trMB/s\tw/s\twMB/s\tr/o\trKB/o\twKB/o\to/s
2\t0.0\t0.0\t16.5\t0.1\t0.000\t0.000\t0.055\t1611.37

samp\tcs/s\tcpu/s\tcs/o\tcpu/o
8\t112500\t55.1\t69.816\t0.034210
"""


@pytest.fixture(autouse=True)
def formats(monkeypatch):
    known = [format_of(module) for module in MODULES]
    monkeypatch.setattr(importer, "formats", lambda: known)


def imported(tmp_path: Path, **files: str) -> Project:
    """A project with one set, ``archive``, of one run."""
    folder = tmp_path / "archive" / FOLDER
    folder.mkdir(parents=True)
    for tool, text in files.items():
        (folder / f"sb.{tool}.{TEST}").write_text(text)
    project = Project(tmp_path / "lab")
    import_dir(tmp_path / "archive", project)
    return project


def test_both_modes_beside_what_was_published(tmp_path):
    """The device is the one from which the published figures follow: md2."""
    project = imported(tmp_path, io=UBUNTU_22, vm=VMSTAT, o=RUN, met=MET)
    frame = operation_costs("archive", project).set_index("metric")
    cpu = frame.loc["cpu_o"]

    assert {"md2"} == set(frame["device"])
    assert ("update-index_range=100", 3, "8.0.36", f"{FOLDER}/sb.{TEST}") == tuple(
        cpu[["step", "dop", "version", "run"]]
    )
    assert ("0.034210", 0.03421, "0.051509") == tuple(
        cpu[["compatible_printed", "published", "correct_printed"]]
    )
    assert "1611.37" == frame.loc["o_s", "compatible_printed"]
    assert "4120.7" == frame.loc["cpu_us_o", "correct_printed"]  # of the 8 CPUs of sb.o


def test_the_device_and_the_cpus_may_be_said(tmp_path):
    """nvme0n1 with 16 CPUs, where nothing published tells."""
    project = imported(tmp_path, io=UBUNTU_22, vm=VMSTAT, o=RUN)
    frame = operation_costs("archive", project, "nvme0n1", 16).set_index("metric")

    assert ("50.0", "8241.4") == (
        frame.loc["w_s", "correct_printed"], frame.loc["cpu_us_o", "correct_printed"],
    )  # fmt: skip
    assert frame["published"].isna().all()


def test_a_device_that_is_not_clear(tmp_path):
    """Several that nothing published tells apart, or none that fits."""
    project = imported(tmp_path, io=UBUNTU_16, vm=VMSTAT, o=RUN)
    with pytest.raises(UserError, match="sda, nvme0n1 give the same figures"):
        operation_costs("archive", project)
    other = imported(tmp_path / "2", io=UBUNTU_16, vm=VMSTAT, o=RUN, met=MET)
    with pytest.raises(UserError, match="no device of iostat gives the published"):
        operation_costs("archive", other)


def test_a_first_report_since_boot_is_found_by_its_cpus(tmp_path):
    """iostat's first report has vmstat's shares of CPU since boot: left out."""
    text = UBUNTU_22.replace("39.50    0.00   41.25    0.00    0.00   19.25",
                             "16.10    0.20    9.80    1.90    0.00   72.00")  # fmt: skip
    project = imported(tmp_path, io=text, vm=VMSTAT, o=RUN)
    frame = operation_costs("archive", project, "nvme0n1").set_index("metric")

    assert ("1", "33.0") == tuple(frame.loc[["samp_io", "w_s"], "correct_printed"])


def test_a_set_without_such_a_run(tmp_path):
    """No vmstat beside iostat: nothing to divide."""
    project = imported(tmp_path, io=UBUNTU_22, o=RUN)
    with pytest.raises(UserError, match="set 'archive': no run with samples of iostat"):
        operation_costs("archive", project)


def test_a_run_that_was_too_short(tmp_path):
    """vmstat's only sample is the one since boot."""
    short = "".join(VMSTAT.splitlines(keepends=True)[:3])
    project = imported(tmp_path, io=UBUNTU_22, vm=short, o=RUN)
    with pytest.raises(UserError, match="no sample but those since boot"):
        operation_costs("archive", project, "md2")


@pytest.mark.corpus
def test_the_archive_of_2025(tmp_path):
    """42 of 42 published figures of three tests, the device found among seven."""
    shutil.copytree(corpus("sysbench_postgres_raw_2025"), tmp_path / "pg")
    project = Project(tmp_path / "lab")
    import_dir(tmp_path / "pg", project)
    frame = operation_costs("pg", project)
    known = frame[frame["published"].notna()]

    assert {"md2"} == set(frame["device"])
    assert (42, 42) == (
        len(known),
        (known["compatible_printed"].astype(float) == known["published"]).sum(),
    )
