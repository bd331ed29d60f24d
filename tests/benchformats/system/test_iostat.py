"""iostat: its layouts, all devices and CPUs by report, damage told."""

import re

import pytest
from sysbench_files import told
from system_files import (
    BANNER,
    CPU,
    LAYOUTS,
    MEGABYTES,
    PLAIN,
    SECTORS,
    SHORT,
    UBUNTU_16,
    UBUNTU_18,
    UBUNTU_20,
    UBUNTU_22,
    VMSTAT,
)
from text_blocks import reader

from benchformats.parsed import Parsed, TextFile, merged
from benchformats.system import iostat

pytestmark = pytest.mark.unit

BAD_ROW = "not a row of the header above it"
BAD_HEADER = "not a known header, or not that of the file: rows below it are not read"


def read(text: str) -> Parsed:
    return iostat.read(TextFile("sb.io.scan.range100.pk1.dop1", text))


def devices(text: str) -> list[dict]:
    return read(text).series["iostat"].to_pylist()


def test_all_devices_of_all_reports_with_their_lines():
    """Three devices in two reports, of two of which a name begins as the other."""
    found = [(r["line"], r["report"], r["device"], r["w_s"]) for r in devices(UBUNTU_22)]

    assert [
        (8, 1, "md2", 5.0), (9, 1, "nvme0n1", 67.0), (10, 1, "nvme0n1p1", 60.0),
        (17, 2, "md2", 28.0), (18, 2, "nvme0n1", 33.0), (19, 2, "nvme0n1p1", 30.0),
    ] == found  # fmt: skip


def test_a_second_banner_is_of_another_run():
    """Its first report is since boot, in the middle of a file."""
    banners = [n for n, x in enumerate(UBUNTU_22.split("\n")) if x.startswith("Linux ")]
    parsed = read(UBUNTU_22 + "\n" + UBUNTU_22)

    assert [0] == banners
    assert [1, 2, 3, 4] == sorted({r["report"] for r in devices(UBUNTU_22 * 2)})
    assert [
        (UBUNTU_22.count("\n") + 2,
         "another run begins: its first report may be since boot"),
    ] == told(parsed)  # fmt: skip


def test_the_layout_of_ubuntu_16():
    """Merges first, one await of both, sizes in sectors, svctm."""
    assert {
        "line": 7, "report": 1, "device": "sda", "rrqm_s": 0.01, "wrqm_s": 2.02,
        "r_s": 3.03, "w_s": 40.04, "rkb_s": 50.5, "wkb_s": 606.06, "avgrq_sz": 70.7,
        "avgqu_sz": 0.08, "await": 9.09, "r_await": 10.1, "w_await": 11.11,
        "svctm": 1.12, "pct_util": 13.13,
    } == devices(UBUNTU_16)[0]  # fmt: skip


def test_the_layout_before_awaits_of_reads_and_writes():
    """Of CentOS 6; without -k it prints sectors, which keep their own names."""
    [row] = devices(SECTORS)

    assert {
        "line": 7, "report": 1, "device": "cciss/c0d0", "rrqm_s": 0.02, "wrqm_s": 7.25,
        "r_s": 0.04, "w_s": 1.9, "rsec_s": 0.74, "wsec_s": 35.47, "avgrq_sz": 37.15,
        "avgqu_sz": 0.04, "await": 19.13, "svctm": 5.58, "pct_util": 1.09,
    } == row  # fmt: skip


def test_the_short_layout():
    """-s: reads and writes together."""
    assert [{
        "line": 7, "report": 1, "device": "sda", "tps": 10.5, "kb_s": 122.25,
        "rqm_s": 1.25, "await": 0.75, "areq_sz": 11.64, "aqu_sz": 0.07, "pct_util": 0.4,
    }] == devices(SHORT)  # fmt: skip


def test_the_plain_layout():
    """Without -x: sums of KB since the report before are whole numbers."""
    assert [{
        "line": 7, "report": 1, "device": "sda", "tps": 0.36, "kb_read_s": 24.32,
        "kb_wrtn_s": 1.5, "kb_dscd_s": 0.0, "kb_read": 73113, "kb_wrtn": 4519,
        "kb_dscd": 0,
    }] == devices(PLAIN)  # fmt: skip
    assert [(7, BAD_ROW)] == told(read(PLAIN.replace("73113", "7311.3")))


def test_the_layout_of_ubuntu_18():
    """Reads and writes beside each other, then KB, then merges."""
    assert [{
        "line": 7, "report": 1, "device": "sda", "r_s": 1.0, "w_s": 7.0, "rkb_s": 4.0,
        "wkb_s": 56.0, "rrqm_s": 0.1, "wrqm_s": 0.2, "pct_rrqm": 10.3, "pct_wrqm": 2.4,
        "r_await": 0.5, "w_await": 0.6, "aqu_sz": 0.07, "rareq_sz": 4.0,
        "wareq_sz": 8.0, "svctm": 0.09, "pct_util": 0.4,
    }] == devices(UBUNTU_18)  # fmt: skip


def test_the_layout_of_ubuntu_20():
    """All of reads, all of writes, all of discards."""
    assert [{
        "line": 7, "report": 1, "device": "sda", "r_s": 1.0, "rkb_s": 4.0,
        "rrqm_s": 0.1, "pct_rrqm": 10.3, "r_await": 0.5, "rareq_sz": 4.0, "w_s": 7.0,
        "wkb_s": 56.0, "wrqm_s": 0.2, "pct_wrqm": 2.4, "w_await": 0.6, "wareq_sz": 8.0,
        "d_s": 2.0, "dkb_s": 2048.0, "drqm_s": 0.3, "pct_drqm": 0.7, "d_await": 0.8,
        "dareq_sz": 1024.0, "aqu_sz": 0.07, "pct_util": 0.4,
    }] == devices(UBUNTU_20)  # fmt: skip


def test_the_layout_of_ubuntu_22_has_flushes():
    """Flushes per second and their await, before the queue."""
    row = devices(UBUNTU_22)[1]

    assert 25 == len(row)
    assert (0.5, 0.25, 0.03, 4.8) == (
        row["f_s"], row["f_await"], row["aqu_sz"], row["pct_util"],
    )  # fmt: skip


@pytest.mark.parametrize("layout", sorted(MEGABYTES))
def test_megabytes_have_names_of_their_own(layout: str):
    """What -m prints in MB never stands in a column of KB."""
    expected = [
        {k.replace("kb_", "mb_"): v for k, v in row.items()}
        for row in devices(LAYOUTS[layout])
    ]

    assert expected == devices(MEGABYTES[layout])


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_decimal_commas_of_another_locale(layout: str):
    """Always two decimals and no separators: the same figures."""
    text = re.sub(r"(?<= )(\d+)\.(\d\d)(?=\s)", r"\1,\2", LAYOUTS[layout])

    assert text != LAYOUTS[layout]
    assert iostat.recognises(TextFile("notes", text))
    assert read(LAYOUTS[layout]) == read(text)


def test_a_comma_among_dots_is_damage():
    """It is told, not repaired."""
    parsed = read(UBUNTU_16.replace("2.02", "2,02"))

    assert [(7, BAD_ROW)] == told(parsed)


def test_cpus_are_a_series_of_their_own():
    """Percent of all CPUs, under the number of their report."""
    assert [
        {"line": 4, "report": 1, "pct_user": 3.25, "pct_nice": 0.0, "pct_system": 1.5,
         "pct_iowait": 0.25, "pct_steal": 0.0, "pct_idle": 95.0},
        {"line": 11, "report": 2, "pct_user": 39.5, "pct_nice": 0.0, "pct_system": 41.25,
         "pct_iowait": 0.0, "pct_steal": 0.0, "pct_idle": 19.25},
    ] == read(UBUNTU_16).series["iostat_cpu"].to_pylist()  # fmt: skip


def test_reports_of_devices_alone_are_numbered():
    """iostat -d prints no CPUs: each header of devices begins a report."""
    lines = UBUNTU_22.replace(CPU, "").split("\n")
    text = "\n".join(line for line in lines if not line.startswith("   "))

    assert [1, 1, 1, 2, 2, 2] == [row["report"] for row in devices(text)]


def test_rows_that_were_taken_out_of_their_reports():
    """One header and no banner, as grep leaves them: once more is a report more."""
    lines = UBUNTU_22.splitlines(keepends=True)
    text = "".join(line for n, line in enumerate(lines) if n in (6, 7, 8, 16, 17))
    parsed = read(text)

    assert [(2, 1, "md2"), (3, 1, "nvme0n1"), (4, 2, "md2"), (5, 2, "nvme0n1")] == [
        (row["line"], row["report"], row["device"])
        for row in parsed.series["iostat"].to_pylist()
    ]
    assert [] == told(parsed)
    file = TextFile("x", text, reader=reader(text.splitlines(keepends=True)))
    assert parsed == merged(iostat.stream(file))


def test_times_between_reports_are_no_damage():
    """iostat -t prints the time above each report."""
    times = (
        "03/04/2025 06:37:51 PM\n",
        "2025-03-04T18:37:51+0000\n",
        "03/04/25 18:37:51\n",
        "Time: 06:37:51 PM\n",
    )
    for time in times:
        assert [] == told(read(UBUNTU_22.replace(CPU, time + CPU)))


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_a_file_is_recognised_by_its_headers(layout: str):
    """Whatever its name; vmstat's output and others are not."""
    assert iostat.recognises(TextFile("notes", LAYOUTS[layout]))
    assert not iostat.recognises(TextFile("sb.io.x", VMSTAT))
    assert not iostat.recognises(TextFile("sb.io.x", BANNER))


@pytest.mark.parametrize("layout", sorted(MEGABYTES))
def test_a_file_of_megabytes_is_recognised(layout: str):
    """-m changes names of columns only."""
    assert iostat.recognises(TextFile("notes", MEGABYTES[layout]))


def test_a_page_about_iostat_is_none_of_its_outputs():
    """A report among more lines of prose, and a script that names the columns."""
    prose = "How busy a device is, and how long its queue.\n"
    page = f"{prose * 12}\n{UBUNTU_18}\n{prose}"
    script = "Device r/s w/s\n" + "grep nvme $1 | awk '{ print $2 }'\n" * 3

    assert not iostat.recognises(TextFile("README", page))
    assert not iostat.recognises(TextFile("io.sh", script))
    assert iostat.recognises(TextFile("o.io", f"{prose * 4}\n{UBUNTU_18}"))


def test_a_file_that_was_cut_within_a_line():
    """A number at the very end may lack digits: the line is told, the rest is read."""
    parsed = read(UBUNTU_16[:-3])

    assert [(15, "the file ends within this line: not read")] == told(parsed)
    assert 3 == parsed.series["iostat"].num_rows


def test_a_row_short_of_columns_and_one_that_says_no_number():
    """Told with their lines, neither is read."""
    text = UBUNTU_16.replace("sda               0.01 ", "sda ", 1)
    text = text.replace("nvme0n1           0.00     0.00 1234.00",
                        "nvme0n1           0.00     0.00    -nan")  # fmt: skip
    parsed = read(text)

    assert [(7, BAD_ROW), (15, BAD_ROW)] == told(parsed)
    assert [8, 14] == parsed.series["iostat"]["line"].to_pylist()


def test_a_number_with_a_digit_less_is_not_read():
    """All have two decimals, so that 0.8 is a piece of one."""
    parsed = read(UBUNTU_22.replace("0.03   4.80\n", "0.03   4.8\n", 1))

    assert [(9, BAD_ROW)] == told(parsed)


def test_a_damaged_header_hides_the_rows_below_it_only():
    """Told once, with its line: the next report is read."""
    parsed = read(UBUNTU_16.replace("r/s     w/s", "w/s     w/s", 1))

    assert [(6, BAD_HEADER)] == told(parsed)
    assert [(14, 2), (15, 2)] == [
        (row["line"], row["report"]) for row in parsed.series["iostat"].to_pylist()
    ]


def test_a_second_layout_in_a_file_is_told():
    """The columns of a series are those of the file's first known header."""
    parsed = read(UBUNTU_18 + UBUNTU_20)

    assert (14, BAD_HEADER) in told(parsed)
    assert [7] == parsed.series["iostat"]["line"].to_pylist()


def test_rows_outside_a_report():
    """A device after a blank line belongs to no header."""
    lines = UBUNTU_18.split("\n")
    parsed = read("\n".join([*lines[:-1], lines[6], ""]))

    assert [(9, BAD_ROW)] == told(parsed)


def test_a_report_whose_header_is_lost():
    """Devices that stand twice in one report: told, since the count is short of one."""
    lines = UBUNTU_16.split("\n")
    parsed = read("\n".join(lines[:8] + lines[13:]))
    text = "the device is in this report already: a header is missing"

    assert [(9, text), (10, text)] == told(parsed)


def test_a_file_without_a_known_layout_says_so():
    """Forced to be read as iostat, it gives a reason and no samples."""
    parsed = read(BANNER + "Device  tps  kB_read/s\nsda 1.00 2.00\n")

    assert [(2, BAD_HEADER), (0, "no report of iostat in a known layout")] == told(parsed)
    assert {} == parsed.series


def test_many_bad_lines_are_told_in_few_problems():
    """The first hundred, and that there are more."""
    parsed = read(UBUNTU_18 + "x\n" * 1000)

    assert (101, "not a row of the header above it (and in further lines)") == (
        len(parsed.problems), parsed.problems[-1].text,
    )  # fmt: skip


@pytest.mark.parametrize("layout", sorted(LAYOUTS))
def test_blocks_give_what_the_whole_file_gives(layout: str):
    """A large file comes in pieces that may begin within a report."""
    lines = LAYOUTS[layout].splitlines(keepends=True)
    whole = read(LAYOUTS[layout])
    for size in range(1, len(lines)):
        pieces = ["".join(lines[n : n + size]) for n in range(0, len(lines), size)]
        file = TextFile("x", LAYOUTS[layout], reader=reader(pieces))

        assert whole == merged(iostat.stream(file))


def test_a_file_of_nothing_but_cpus():
    """iostat -c: the headers of CPUs make it iostat's."""
    text = f"{BANNER}\n{CPU}          39.50    0.00   41.25    0.00    0.00   19.25\n\n"
    parsed = read(text)

    assert iostat.recognises(TextFile("x", text))
    assert (["iostat_cpu"], []) == (list(parsed.series), parsed.problems)
