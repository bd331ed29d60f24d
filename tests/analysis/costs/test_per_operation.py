"""Costs per operation: the archives' digits with their error, and ours without."""

import pandas as pd
import pytest
from corpus import corpus, corpus_file
from system_files import MEGABYTES, UBUNTU_16, UBUNTU_22, VMSTAT

from benchbook.analysis.costs.from_samples import both_modes, per_operation, since_boot
from benchbook.errors import UserError
from benchbook.formats.parsed import TextFile
from benchbook.formats.sysbench import met as sysbench_met
from benchbook.formats.sysbench import output as sysbench_output
from benchbook.formats.system import iostat, vmstat

pytestmark = pytest.mark.unit

POSTGRES = "sysbench_postgres_raw_2025"
DEVICE = "md2"  # the only one of seven from which all three tests follow


def series(module, text: str, name: str = "") -> pd.DataFrame:
    return module.read(TextFile("x", text)).series[name or module.NAME].to_pandas()


def printed(frame: pd.DataFrame, *metrics: str) -> list[str]:
    figures = dict(zip(frame["metric"], frame["printed"], strict=True))
    return [figures[metric] for metric in metrics]


def costs(mode: str, device: str = "nvme0n1", text: str = UBUNTU_22, **more):
    io, vm = series(iostat, text), series(vmstat, VMSTAT)
    return per_operation(io, vm, 1000.0, device, mode, **more)


def test_compatible_counts_repeated_headers_as_samples_of_zeros():
    """6 samples and 2 repeated headers: 900000 / 8 switches, 441 / 8 percent."""
    frame = costs("compatible")

    assert ["8", "112500", "55.1", "112.500", "0.055125"] == printed(
        frame, "samp_vm", "cs_s", "cpu_s", "cs_o", "cpu_o"
    )


def test_correct_has_neither_headers_nor_the_sample_since_boot():
    """5 samples: 900000 / 5 switches, 415 / 5 percent."""
    frame = costs("correct")

    assert ["5", "180000", "83.0", "180.000", "0.083000"] == printed(
        frame, "samp_vm", "cs_s", "cpu_s", "cs_o", "cpu_o"
    )


def test_microseconds_of_cpu_per_operation():
    """0.083% of 8 CPUs for a second is 6640 us; without ncpu there is no such row."""
    assert ["6640.0"] == printed(costs("correct", ncpu=8), "cpu_us_o")
    assert "cpu_us_o" not in set(costs("correct")["metric"])


def test_compatible_takes_every_device_whose_name_contains_the_one_asked_for():
    """The mean over nvme0n1 and nvme0n1p1: (67 + 60 + 33 + 30) / 4 writes."""
    frame = costs("compatible")

    assert ["4", "2.0", "0.0", "47.5", "0.3", "0.002", "0.008", "0.048", "0.295"] == (
        printed(frame, "samp_io", "r_s", "rmb_s", "w_s", "wmb_s", "r_o", "rkb_o", "w_o",
                "wkb_o")
    )  # fmt: skip


def test_correct_takes_the_device_of_that_name():
    """nvme0n1 alone: (67 + 33) / 2 writes of (517.5 + 132.5) / 2 KB."""
    frame = costs("correct")

    assert ["2", "50.0", "0.050", "0.325"] == printed(
        frame, "samp_io", "w_s", "w_o", "wkb_o"
    )


def test_a_first_report_since_boot_is_left_out():
    """By the archives the first line of the device, by us the first report."""
    compatible = costs("compatible", boot_report=True)
    correct = costs("correct", boot_report=True)

    assert ["3", "41.0"] == printed(compatible, "samp_io", "w_s")
    assert ["1", "33.0"] == printed(correct, "samp_io", "w_s")


def test_megabytes_are_1024_kilobytes():
    """With -m the same digits are MB: (4 + 12) / 2 MB/s are 8192 KB/s."""
    frame = costs("correct", text=MEGABYTES["22"])

    assert ["8.0", "8.192"] == printed(frame, "rmb_s", "rkb_o")


def test_the_rate_keeps_its_digits():
    """A text as sysbench prints it, a number as awk prints one."""
    io, vm = series(iostat, UBUNTU_22), series(vmstat, VMSTAT)
    found = [
        *printed(per_operation(io, vm, "85249.20", "md2"), "o_s"),
        *printed(per_operation(io, vm, 97600.0, "md2"), "o_s"),
        *printed(per_operation(io, vm, 85249.26, "md2"), "o_s"),
    ]

    assert ["85249.20", "97600", "85249.26"] == found


def test_units_and_directions():
    """Costs are better when lower; the rate has the unit of an operation."""
    frame = costs("correct", ncpu=8).set_index("metric")

    assert ("us", "lower") == tuple(frame.loc["cpu_us_o", ["unit", "direction"]])
    assert ("KB", "lower") == tuple(frame.loc["wkb_o", ["unit", "direction"]])


def test_both_modes_side_by_side():
    """The ratio is correct / compatible; 0 of both has none."""
    io, vm = series(iostat, UBUNTU_22), series(vmstat, VMSTAT)
    frame = both_modes(io, vm, 1000, "md2").set_index("metric")

    assert ("112.500", "180.000", 1.6) == tuple(
        frame.loc["cs_o", ["compatible_printed", "correct_printed", "ratio"]]
    )
    assert pd.isna(frame.loc["r_o", "ratio"])


def test_a_first_report_like_the_first_sample_is_since_boot():
    """16 10 72 2 is vmstat's average since boot, 39 41 20 the first second."""
    cpus = series(iostat, UBUNTU_22, "iostat_cpu")
    vm = series(vmstat, VMSTAT)
    boot = cpus.assign(pct_user=[16.4, 1], pct_system=[9.6, 1], pct_idle=[72, 97],
                       pct_iowait=[2, 1])  # fmt: skip
    alike = vm.assign(us=39, sy=41, id=20, wa=0)

    assert [False, True, None] == [
        since_boot(cpus, vm), since_boot(boot, vm), since_boot(cpus, alike),
    ]  # fmt: skip


def test_a_device_that_is_not_there():
    """Named with those that are; a part of a name is none of ours."""
    with pytest.raises(UserError, match="'nvme'; available: md2, nvme0n1, nvme0n1p1"):
        costs("correct", device="nvme")


def test_what_cannot_be_divided_is_refused():
    """No operations, another mode, no samples, samples of two files."""
    io, vm = series(iostat, UBUNTU_16), series(vmstat, VMSTAT)
    with pytest.raises(ValueError, match="nothing to divide by"):
        per_operation(io, vm, 0.0, "sda")
    with pytest.raises(ValueError, match="no mode 'wrong'"):
        per_operation(io, vm, 1.0, "sda", "wrong")
    with pytest.raises(ValueError, match="no sample but the one since boot"):
        per_operation(io, vm.head(1), 1.0, "sda")
    with pytest.raises(ValueError, match="several files"):
        per_operation(io.assign(path=["a", "b"] * 2), vm, 1.0, "sda")
    with pytest.raises(ValueError, match="no column rkb_s or rmb_s"):
        per_operation(io.drop(columns="rkb_s"), vm, 1.0, "sda")


# test -> correct / compatible of cs/o and of cpu/o. Header lines alone are 15 of 350, 16
# of 355 and 30 of 665 of vmstat's samples, 4.29% to 4.51%; the rest is the sample since
# boot.
RATIOS = {
    "points-covered-pk": ("1.0479", "1.0469"),
    "scan": ("1.0503", "1.0493"),
    "update-index": ("1.0489", "1.0479"),
}


def run_of(test: str):
    """iostat, its CPUs, vmstat and the rate of a test of the archive."""
    folder = next(corpus(POSTGRES).iterdir())
    files = {
        kind: corpus_file(folder / f"sb.{kind}.{test}.range100.pk1.dop40")
        for kind in ("io", "vm", "o", "met")
    }
    io = iostat.read(files["io"])
    figures = {row.metric: row.value for row in sysbench_output.read(files["o"]).rows}
    rate: float | str = (
        figures["scans_s"] * figures["table_size"] / 1000
        if test == "scan" else f"{figures['qps']:.2f}"
    )  # fmt: skip
    vm = vmstat.read(files["vm"])
    assert [] == io.problems + vm.problems
    return io, vm.series["vmstat"].to_pandas(), rate, figures["cpus"], files["met"]


@pytest.mark.corpus
@pytest.mark.parametrize("test", sorted(RATIOS))
def test_every_published_figure_follows_digit_for_digit(test: str):
    """All of sb.met, samp to cpu/o: 14 figures from sb.io, sb.vm and the rate of sb.o."""
    io, vm, rate, _, met = run_of(test)
    frame = per_operation(io.series["iostat"].to_pandas(), vm, rate, DEVICE, "compatible")
    metrics = [row.metric for row in sysbench_met.read(met).rows]
    lines = met.text.splitlines()
    published = [*lines[2].split("\t"), *lines[5].split("\t")]

    assert 14 == len(metrics)
    assert published == printed(frame, *metrics)


@pytest.mark.corpus
@pytest.mark.parametrize("test", sorted(RATIOS))
def test_correct_costs_are_four_to_five_percent_higher(test: str):
    """cs/o and cpu/o; what iostat says of the device is the same in both modes."""
    io, vm, rate, ncpu, _ = run_of(test)
    devices = io.series["iostat"].to_pandas()
    ratio = both_modes(devices, vm, rate, DEVICE, int(ncpu)).set_index("metric")["ratio"]

    assert RATIOS[test] == (f"{ratio['cs_o']:.4f}", f"{ratio['cpu_o']:.4f}")
    assert (1.0, ratio["cpu_o"]) == (ratio["w_s"], pytest.approx(ratio["cpu_us_o"]))


@pytest.mark.corpus
@pytest.mark.parametrize("test", sorted(RATIOS))
def test_iostat_agrees_with_correct_not_with_compatible(test: str):
    """iostat counts CPU on its own, in hundredths of a percent: within 0.1%."""
    io, vm, rate, _, _ = run_of(test)
    cpus = io.series["iostat_cpu"].to_pandas()
    busy = (cpus["pct_user"] + cpus["pct_nice"] + cpus["pct_system"]).mean()
    both = both_modes(io.series["iostat"].to_pandas(), vm, rate, DEVICE)
    cpu = both.set_index("metric").loc["cpu_s"]

    assert busy == pytest.approx(cpu["correct"], rel=0.001)
    assert busy > 1.04 * cpu["compatible"]
    assert since_boot(cpus, vm) is False
