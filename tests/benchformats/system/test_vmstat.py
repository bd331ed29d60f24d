"""vmstat: samples without the headers among them, the first marked by its number."""

import pytest
from sysbench_files import told
from system_files import (
    NEW_VMSTAT,
    OLD_VMSTAT,
    UBUNTU_22,
    VMSTAT,
    VMSTATS,
    WIDE_VMSTAT,
)
from text_blocks import reader

from benchformats.parsed import Parsed, TextFile, merged
from benchformats.system import vmstat

pytestmark = pytest.mark.unit

BAD_ROW = "not a row of the header above it"
BAD_HEADER = "not the columns of the file's first header: rows below it are not read"


def read(text: str) -> Parsed:
    return vmstat.read(TextFile("sb.vm.scan.range100.pk1.dop1", text))


def samples(text: str) -> list[dict]:
    return read(text).series["vmstat"].to_pylist()


def test_every_column_of_a_sample():
    """Integers under the names that vmstat gives them."""
    assert {
        "line": 4, "header": 1, "sample": 2, "r": 43, "b": 0, "swpd": 104424,
        "free": 4575416, "buff": 787232, "cache": 122357088, "si": 0, "so": 0, "bi": 4,
        "bo": 575, "in": 31377, "cs": 150000, "us": 39, "sy": 41, "id": 20, "wa": 0,
        "st": 0,
    } == samples(VMSTAT)[1]  # fmt: skip


def test_repeated_headers_are_no_samples():
    """Six samples under three headers: each says how many headers were above it."""
    assert [(3, 1, 1), (4, 1, 2), (5, 1, 3), (8, 2, 4), (9, 2, 5), (12, 3, 6)] == [
        (row["line"], row["header"], row["sample"]) for row in samples(VMSTAT)
    ]


def test_an_old_vmstat_has_no_steal():
    """16 columns."""
    [row] = samples(OLD_VMSTAT)

    assert (19, 29, 1) == (len(row), row["cs"], row["wa"])


def test_a_new_vmstat_has_guests_and_a_time():
    """18 columns, and with -t when the sample was taken."""
    [row] = samples(NEW_VMSTAT)

    assert (2, 0, "2026-03-14 09:26:53") == (row["st"], row["gu"], row["time"])


def test_wide_columns_and_active_memory():
    """-w and -a: the same samples under other headers."""
    [row] = samples(WIDE_VMSTAT)

    assert (2, 1, 212500, 844216, 6, 7, 2) == tuple(
        row[name] for name in ("r", "b", "inact", "active", "cs", "us", "st")
    )


@pytest.mark.parametrize("kind", sorted(VMSTATS))
def test_a_file_is_recognised_by_its_header(kind: str):
    """Whatever its name; iostat's output is not."""
    assert vmstat.recognises(TextFile("notes", VMSTATS[kind]))
    assert not vmstat.recognises(TextFile("sb.vm.x", UBUNTU_22))
    assert [] == told(read(VMSTATS[kind]))


def test_a_page_about_vmstat_is_none_of_its_outputs():
    """Samples among more lines of prose."""
    prose = "Look at r: more than there are CPUs means that some wait.\n"
    page = f"{prose * 12}\n{VMSTAT}\n{prose}"

    assert not vmstat.recognises(TextFile("README", page))
    assert vmstat.recognises(TextFile("o.vm", f"{prose * 4}\n{VMSTAT}"))


def test_a_file_that_was_cut_within_a_line():
    """A number at the very end may lack digits: the line is told, the rest is read."""
    parsed = read(VMSTAT[:-2])

    assert [(12, "the file ends within this line: not read")] == told(parsed)
    assert 5 == parsed.series["vmstat"].num_rows


def test_rows_short_of_columns_or_of_numbers_keep_their_place():
    """They are told and not read; the samples after them keep their numbers."""
    text = VMSTAT.replace("43  0 104424 4575416", "43  0 4575416")
    parsed = read(text.replace("31  17", "31  x7").replace("52 31 17", "52 3l 17"))

    assert [(4, BAD_ROW), (5, BAD_ROW)] == told(parsed)
    assert [1, 4, 5, 6] == parsed.series["vmstat"]["sample"].to_pylist()


def test_rows_without_a_header_are_not_read():
    """Which column is which would be a guess."""
    parsed = read(VMSTAT.split("\n", 2)[2])

    assert [(1, BAD_ROW), (2, BAD_ROW), (3, BAD_ROW)] == told(parsed)
    assert [6, 7, 10] == parsed.series["vmstat"]["line"].to_pylist()


def test_a_damaged_header_hides_the_rows_below_it_only():
    """Told once, with its line: the next header counts again."""
    lines = VMSTAT.splitlines(keepends=True)
    lines[6] = lines[6].replace("us sy", "us  y")
    parsed = read("".join(lines))

    assert [(7, BAD_HEADER)] == told(parsed)
    assert [3, 4, 5, 12] == parsed.series["vmstat"]["line"].to_pylist()


def test_a_header_too_soon_is_of_another_run():
    """21 samples below each header, then 2, then another run's: its first is told."""
    header, row = VMSTAT.splitlines(keepends=True)[:2], VMSTAT.splitlines(True)[3]
    full = "".join([*header, *[row] * 21])
    begun = "".join([*header, row, row])
    parsed = read(full + full + begun + full)

    assert [
        (51, "another run begins, or samples are lost: the next one may be since boot")
    ] == told(parsed)
    assert 21 * 3 + 2 == parsed.series["vmstat"].num_rows


def test_a_damaged_first_line_is_no_sample():
    """The sample since boot keeps its number, 1."""
    parsed = read(VMSTAT.replace("procs", "prXcs", 1))

    assert [(1, BAD_ROW)] == told(parsed)
    assert [(3, 1), (4, 2)] == [
        (row["line"], row["sample"])
        for row in parsed.series["vmstat"].slice(0, 2).to_pylist()
    ]


def test_shares_that_are_no_whole_are_told_and_read():
    """39 + 41 + 20 is a whole; 99 + 41 + 20 is damage or an odd machine."""
    parsed = read(VMSTAT.replace("150000 39 41", "150000 99 41"))
    text = "us, sy, id, wa and st are not 100% together: read as printed"

    assert [(4, text)] == told(parsed)
    assert 99 == parsed.series["vmstat"]["us"][1].as_py()


def test_a_file_without_a_known_header_says_so():
    """Forced to be read as vmstat, it gives a reason and no samples."""
    parsed = read("something else\n")

    assert [(1, BAD_ROW), (0, "no sample of vmstat in known columns")] == told(parsed)


@pytest.mark.parametrize("kind", sorted(VMSTATS))
def test_blocks_give_what_the_whole_file_gives(kind: str):
    """A large file comes in pieces that may begin between the two lines of a header."""
    lines = VMSTATS[kind].splitlines(keepends=True)
    whole = read(VMSTATS[kind])
    for size in range(1, len(lines)):
        pieces = ["".join(lines[n : n + size]) for n in range(0, len(lines), size)]
        file = TextFile("x", VMSTATS[kind], reader=reader(pieces))

        assert whole == merged(vmstat.stream(file))
