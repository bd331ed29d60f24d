"""Files of any size and state as text: what is damaged is told, nothing is made up."""

from __future__ import annotations

import gzip
import hashlib
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchformats.metric_names import metric_name
from benchformats.parsed import Block, Parsed, TextFile, merged
from benchformats.text import file as textfile
from benchformats.text.file import Opened, open_text, read_whole

pytestmark = pytest.mark.unit


@pytest.fixture
def opened(tmp_path: Path):
    """A function that writes bytes and opens them."""

    def write(data: bytes, name: str = "sb.o.scan") -> Opened:
        path = tmp_path / name
        path.write_bytes(data)
        return open_text(path, f"x/{name}")

    return write


def told(opened: Opened) -> list[tuple[int, str]]:
    return [(p.line, p.text) for p in opened.problems.all()]


def test_text_with_its_sha256(opened):
    """Text, its path below the folder, size and hash of the bytes on disk."""
    found = opened(b"a\nb\n")

    sha256 = hashlib.sha256(b"a\nb\n").hexdigest()
    assert TextFile("x/sb.o.scan", "a\nb\n") == found.file
    assert (sha256, 4) == found.fingerprint


def test_gz_is_taken_off(opened):
    """A packed file is its text; its name loses .gz, hash and size are the file's own."""
    packed = gzip.compress(b"a\nb\n", mtime=0)
    found = opened(packed, "sb.o.scan.gz")

    assert ("x/sb.o.scan", "a\nb\n", len(packed)) == (
        found.file.path, found.file.text, found.fingerprint[1],
    )  # fmt: skip


def test_members_and_padding_of_gz(opened):
    """Several members one after the other, and zeros at the end, are one text."""
    found = opened(gzip.compress(b"a\n", mtime=0) + gzip.compress(b"b\n") + b"\0" * 100)

    assert ("a\nb\n", []) == (found.file.text, told(found))


def test_a_gz_that_ends_early(opened):
    """Whole lines before the end are read, the cut one is not, and the line is told."""
    lines = [b"%d %d\n" % (n, n * 7919 % 10007) for n in range(2000)]
    found = opened(gzip.compress(b"".join(lines))[:-3000])
    count = found.file.text.count("\n")

    assert 0 < count < 2000
    assert b"".join(lines[:count]).decode() == found.file.text
    assert (count + 1, "damaged gz (it ends early): not read from here on") == (
        told(found)[0]
    )


@pytest.mark.slow
def test_a_gz_with_flipped_bits(opened):
    """What is before the damage is read."""
    lines = [b"%d %d\n" % (n, n * 7919 % 10007) for n in range(20000)]
    packed = bytearray(gzip.compress(b"".join(lines)))
    middle = len(packed) // 2
    packed[middle : middle + 64] = bytes(64)
    found = opened(bytes(packed))
    count = found.file.text.count("\n")

    assert count > 5000
    assert "damaged gz: not read from here on" == told(found)[-1][1]
    assert found.file.text.startswith(b"".join(lines[:5000]).decode())


def test_a_gz_followed_by_something_else(opened):
    """The text is read, what follows is told."""
    found = opened(gzip.compress(b"a\n", mtime=0) + b"oops")

    assert ("a\n", "damaged gz (something else follows): not read from here on") == (
        found.file.text, told(found)[0][1],
    )  # fmt: skip


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b"\x89PNG\r\n\x1a\n", "picture (PNG)"),
        (bytes(range(256)) * 8, "binary"),
        (bytes(4096), "binary"),
        (gzip.compress(b"a\n", mtime=0)[:8], "damaged gz"),
        (gzip.compress(bytes(range(256)) * 8), "binary"),
    ],
)
def test_what_is_no_text_has_a_reason(opened, data: bytes, reason: str):
    """Empty, a picture, binary, packed binary, packed and cut before the first byte."""
    found = opened(data)

    assert (None, reason) == (found.file, found.reason)


@pytest.mark.parametrize(
    ("member", "reason"),
    [
        ("xl/workbook.xml", "a workbook of Excel: save it as CSV and import that"),
        ("content.xml", "a document of LibreOffice: save it as CSV and import that"),
        ("a.csv", "archive (zip)"),
    ],
)
def test_a_workbook_says_what_to_do(opened, member: str, reason: str):
    """A zip archive is what its members say; a damaged one is an archive."""
    packed = BytesIO()
    with ZipFile(packed, "w") as archive:
        archive.writestr(member, "x")

    assert reason == opened(packed.getvalue()).reason
    assert "archive (zip)" == opened(packed.getvalue()[:-30]).reason


def test_carriage_returns_end_lines(opened):
    """Line ends of another system are line ends; line numbers stay."""
    assert ["a", "b", ""] == opened(b"a\r\nb\r\n\r\n").file.lines


def test_a_byte_order_mark_is_no_text(opened):
    """UTF-8 with BOM, and UTF-16, which is told."""
    utf16 = opened("a\nb\n".encode("utf-16"))

    assert "a\n" == opened(b"\xef\xbb\xbfa\n").file.text
    assert ("a\nb\n", [(0, "UTF-16, read as such")]) == (utf16.file.text, told(utf16))


def test_lines_that_are_not_utf8(opened):
    """The rest is text; the line is told."""
    found = opened(b"a\n\xe4\nc \xc3\xa4\n" + b"much text" * 9)

    assert ["a", "\ufffd", "c ä"] == found.file.lines[:3]
    assert [(2, "bytes that are not UTF-8")] == told(found)


def test_a_line_with_nul_bytes_is_not_read(opened):
    """After a crash a file may hold zeros in the middle of a number."""
    found = opened(b"qps 10\nqps 12\0\0\0\nqps 14\n")

    assert ["qps 10", "", "qps 14"] == found.file.lines
    assert [(2, "NUL bytes: line not read")] == told(found)


def test_many_problems_are_counted(opened):
    """The first hundred of a kind are told line by line."""
    found = told(opened(b"much text \xff\n" * 1000))

    assert 101 == len(found)
    assert (0, "bytes that are not UTF-8: in more than 100 lines") == found[0]


def test_an_unfinished_last_line(opened):
    """Text that ends within a line says so."""
    assert [True, False] == [opened(b"a\n12").file.cut, opened(b"a\n12\n").file.cut]


def test_a_large_file_comes_in_blocks(opened, monkeypatch):
    """Blocks are whole lines with their numbers; only the beginning is at hand."""
    monkeypatch.setattr(textfile, "SMALL", 20)
    monkeypatch.setattr(textfile, "BLOCK", 50)
    lines = [f"line {n}\n" for n in range(1, 31)]
    found = opened("".join(lines).encode()).file
    blocks = list(found.blocks())

    assert ["line 1", "line 2"] == found.lines
    assert len(blocks) > 3
    assert "".join(lines) == "".join(b.text for b in blocks) == read_whole(found).text
    for block in blocks:
        assert block.text.startswith(f"line {block.first_line}\n")
        assert block.text.endswith("\n")


def test_a_small_file_is_one_block():
    """A test's literal text can be streamed too."""
    assert [Block(1, b"a\nb\n")] == list(TextFile("x", "a\nb\n").blocks())


def test_names_of_columns():
    """Columns of the archives in the vocabulary."""
    assert ["rkb_o", "stall_pct", "pct_util", "p99_99", "i_sec"] == [
        metric_name(c) for c in ("rKB/o", "stall%", "%util", "p99.99", "i_sec")
    ]


def test_blocks_join_to_one_result():
    """Rows, series and problems of several blocks are one result."""
    parts = [Parsed(series={"s": pa.table({"line": [n]})}) for n in (1, 2)]

    assert {"line": [1, 2]} == merged(parts).series["s"].to_pydict()


LINES = st.lists(st.sampled_from([b"a 1\n", b"b\r\n", b"\0", b"\xff", b"x" * 90, b"\n"]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    data=st.one_of(st.binary(), LINES.map(b"".join)),
    packed=st.booleans(),
    cut=st.integers(0, 40),
)
def test_any_file_can_be_opened(opened, data: bytes, packed: bool, cut: int):
    """No bytes fail, packed or not, cut or not; text holds no NUL and no half line."""
    whole = gzip.compress(data, mtime=0) if packed else data
    found = opened(whole[: len(whole) - cut])

    assert (found.file is None) == bool(found.reason)
    if found.file:
        assert "\0" not in found.file.text
        assert found.file.lines == found.file.text.removesuffix("\n").split("\n") or (
            not found.file.text
        )
