"""Files of any size and state as text: gz taken off, damage told, nothing guessed.

What is no text has a reason instead. A file is read once for its sha256, once for its
text: of one larger than SMALL, in blocks as its format asks for them.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import cached_property
from io import BufferedReader
from itertools import chain
from pathlib import Path
from typing import Any, TypeVar
from zipfile import BadZipFile, ZipFile

from zlib_ng import zlib_ng

from benchformats.parsed import SMALL, Block, Problem, TextFile

GZ = b"\x1f\x8b"
DAMAGED = "damaged gz"
_READ = 2**18  # bytes of packed data at a time
PIECE = 2**20  # most bytes that one step unpacks to
_Refused: type[Exception] = zlib_ng.error  # type: ignore[assignment]  # of its stubs


class Damage(Exception):
    """The rest of a gz file cannot be unpacked."""


def unpacked(path: Path, most: int = PIECE) -> Iterator[bytes]:
    """The file's contents in pieces of at most so many bytes.

    Raises Damage after the last bytes that can be had.
    """
    unpacker: Any = zlib_ng.decompressobj(31)
    with path.open("rb") as raw:
        packed = raw.read(_READ)
        while packed:
            if unpacker.eof:  # another member, or padding
                packed = packed.lstrip(b"\0") or raw.read(_READ)
                if not packed or packed.startswith(b"\0"):
                    continue
                if not packed.startswith(GZ[: len(packed)]):
                    raise Damage(f"{DAMAGED} (something else follows)")
                unpacker = zlib_ng.decompressobj(31)
            saved = unpacker.copy()
            try:
                yield unpacker.decompress(packed, most)
            except _Refused:
                yield from _bytewise(saved, packed)
                raise Damage(DAMAGED) from None
            packed = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
            packed = packed or raw.read(_READ)
    if not unpacker.eof:
        raise Damage(f"{DAMAGED} (it ends early)")


def _bytewise(unpacker: Any, packed: bytes) -> Iterator[bytes]:
    """What precedes the damage in a piece that zlib-ng refused as a whole."""
    try:
        for position in range(len(packed)):
            yield unpacker.decompress(packed[position : position + 1])
    except _Refused:
        return


Piece = TypeVar("Piece")


def ahead(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The pieces, each made while the one before it is used; none may be None.

    Worth its thread where making them leaves Python to others, as reading does.
    """
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, pieces, None)
        while (piece := coming.result()) is not None:
            coming = thread.submit(next, pieces, None)
            yield piece


BLOCK = 8 * 2**20  # bytes of a block, or a little more
LONGEST = 32 * 2**20  # bytes of a line, about; and of a beginning that is looked into
HEAD = 2**16  # bytes that tell whether a file is text
MANY = 100  # problems of one kind that are told line by line

_ZIP = b"PK\x03\x04"
_KINDS = (
    (b"\x89PNG", "picture (PNG)"), (b"\xff\xd8\xff", "picture (JPEG)"),
    (b"GIF8", "picture (GIF)"), (b"%PDF", "PDF"), (_ZIP, "archive (zip)"),
    (b"\xfd7zXZ", "archive (xz)"), (b"BZh", "archive (bzip2)"),
    (b"\x28\xb5\x2f\xfd", "archive (zstd)"), (b"\x7fELF", "program"),
    (b"PAR1", "Parquet"), (b"PERFILE2", "perf.data"), (b"SQLite format 3", "SQLite"),
    (b"\xd0\xcf\x11\xe0", "a document of an old Office: save it as CSV and import that"),
)  # fmt: skip
_PACKED = {  # what an archive is that has such a member
    "xl/workbook.xml": "a workbook of Excel: save it as CSV and import that",
    "xl/workbook.bin": "a workbook of Excel: save it as CSV and import that",
    "content.xml": "a document of LibreOffice: save it as CSV and import that",
}
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL = bytes(set(range(1, 32)) - set(b"\t\n\v\f\r\x1b\b"))
_NUL_LINE = re.compile(rb"^[^\n]*\x00[^\n]*$", re.MULTILINE)


class Problems:
    """What is wrong with one file, told once however often its blocks are read."""

    def __init__(self) -> None:
        self._problems: dict[tuple[int, str], Problem] = {}
        self._lines: dict[str, set[int]] = {}

    def tell(self, line: int, text: str) -> None:
        lines = self._lines.setdefault(text, set())
        if len(lines) < MANY or line in lines:
            lines.add(line)
            self._problems[line, text] = Problem(line, text)
        else:
            more = f"{text}: in more than {MANY} lines"
            self._problems[0, more] = Problem(0, more)

    def all(self) -> list[Problem]:
        """In order of line."""
        return [self._problems[key] for key in sorted(self._problems)]


@dataclass(frozen=True)
class Opened:
    """A file as text, or why there is none; ``problems`` fills as blocks are read."""

    file: TextFile | None
    reason: str
    problems: Problems
    take_fingerprint: Callable[[], tuple[str, int]] = lambda: ("", 0)

    @cached_property
    def fingerprint(self) -> tuple[str, int]:
        """sha256 and size in bytes; of a large file they may still be on their way.

        Raises OSError where it could not be read once more.
        """
        return self.take_fingerprint()


def fingerprint(path: Path) -> tuple[str, int]:
    """sha256 and size in bytes of the file as it lies on disk."""
    with path.open("rb") as raw:
        return hashlib.file_digest(raw, "sha256").hexdigest(), raw.tell()


def open_text(path: Path, name: str, earlier: tuple[str, int] | None = None) -> Opened:
    """The file at ``path``, whose path below the imported folder is ``name``.

    ``earlier`` is its fingerprint, where that was taken already. Raises OSError where it
    cannot be read.
    """
    problems = Problems()
    reason = _no_text(path)
    if reason:
        return Opened(None, reason, problems)
    take_fingerprint = _fingerprint_later(path, earlier)
    blocks = _blocks(path, problems)
    short = name.removesuffix(".gz")
    held: list[Block] = []
    for block in blocks:
        held.append(block)
        if sum(len(one.data) for one in held) > SMALL:
            break
    else:
        whole = "".join(one.text for one in held)
        return Opened(TextFile(short, whole), "", problems, take_fingerprint)
    begun = ahead(chain(held, blocks))
    reader = _continued(begun, lambda: ahead(_blocks(path, problems)))
    file = TextFile(short, _beginning(held), reader)
    return Opened(file, "", problems, take_fingerprint)


def with_more(file: TextFile) -> TextFile:
    """A large file with a longer beginning."""
    data = b""
    for block in file.blocks():
        data += block.data
        if len(data) > LONGEST:
            break
    return replace(file, text=data.decode())


def read_whole(file: TextFile) -> TextFile:
    """A large file with all of its text, for a format that cannot stream."""
    if file.reader is None:
        return file
    return TextFile(file.path, "".join(block.text for block in file.blocks()))


def _fingerprint_later(
    path: Path, earlier: tuple[str, int] | None
) -> Callable[[], tuple[str, int]]:
    """The fingerprint when it is asked for; that of a large file is begun at once."""
    if earlier or path.stat().st_size <= SMALL:
        facts = earlier or fingerprint(path)
        return lambda: facts
    thread = ThreadPoolExecutor(1)
    coming = thread.submit(fingerprint, path)
    thread.shutdown(wait=False)
    return coming.result


def _beginning(blocks: list[Block]) -> str:
    """Whole lines, about SMALL bytes of them; all there are of a longer line."""
    data = b"".join(block.data for block in blocks)
    return data[: data.rfind(b"\n", 0, SMALL) + 1 or len(data)].decode()


def _continued(
    begun: Iterator[Block], again: Callable[[], Iterator[Block]]
) -> Callable[[], Iterator[Block]]:
    """A reader that goes on where its file was left, then begins it again each time."""
    left = [begun]
    return lambda: left.pop() if left else again()


def _no_text(path: Path) -> str:
    """Why a file that begins like this is not text; '' where it is."""
    with path.open("rb") as raw:
        head = raw.read(HEAD)
    if not head:
        return "empty"
    if head.startswith(GZ):
        head = _first_unpacked(path)
        if not head:
            return DAMAGED
    for magic, kind in _KINDS:
        if head.startswith(magic):
            return (_document(path) if magic == _ZIP else "") or kind
    if head.startswith(_UTF16):
        return ""
    control = len(head) - len(head.translate(None, _CONTROL))
    damaged = head.decode(errors="replace").count("\ufffd")
    nul = head.count(b"\0")  # a crash leaves runs of them in text too
    return "binary" if control + damaged > len(head) / 10 or nul > len(head) / 2 else ""


def _document(path: Path) -> str:
    """What document a zip archive is; '' where it is none."""
    try:
        with ZipFile(path) as archive:
            members = archive.namelist()
    # The last is what ZipFile raises for a packing that it does not know.
    except (BadZipFile, OSError, ValueError, NotImplementedError):
        return ""
    return next((kind for name, kind in _PACKED.items() if name in members), "")


def _first_unpacked(path: Path) -> bytes:
    try:
        return next(filter(None, unpacked(path, HEAD)), b"")
    except Damage:
        return b""


def _blocks(path: Path, problems: Problems) -> Iterator[Block]:
    """The file's text in blocks; what is wrong goes to ``problems``."""
    first, rest = 1, b""
    try:
        for chunk in _utf8(path, problems):
            data = rest + chunk if rest else chunk
            end = data.rfind(b"\n") + 1
            rest = data[end:]
            if end:
                block = Block(first, _checked(data[:end], first, problems))
                first += len(block.lines)
                yield block
            elif len(rest) > LONGEST:
                problems.tell(first, "a line of more than 32 MiB: not read from here on")
                return
    except Damage as damage:  # the last line may be a part of one: not read
        problems.tell(first, f"{damage}: not read from here on")
        return
    if rest:
        yield Block(first, _checked(rest, first, problems))


def _utf8(path: Path, problems: Problems) -> Iterator[bytes]:
    """The file's bytes as UTF-8 without BOM."""
    chunks = _unpacked_chunks(path)
    head = next(chunks, b"")
    if head.startswith(_UTF16):
        problems.tell(0, "UTF-16, read as such")
        decoder = codecs.getincrementaldecoder("utf-16")("replace")
        yield decoder.decode(head).encode()
        for chunk in chunks:
            yield decoder.decode(chunk).encode()
        return
    yield head.removeprefix(codecs.BOM_UTF8)
    yield from chunks


def _unpacked_chunks(path: Path) -> Iterator[bytes]:
    """BLOCK bytes and the rest of their last line; of gz about so many."""
    with path.open("rb") as raw:
        if raw.read(len(GZ)) != GZ:
            yield from _whole_lines(raw)
            return
    yield from _grouped(ahead(unpacked(path)))


def _whole_lines(raw: BufferedReader) -> Iterator[bytes]:
    """The end of a line is looked for first: to join it later would copy the block."""
    start = 0
    while True:
        raw.seek(start + BLOCK)
        size = BLOCK + len(raw.readline(LONGEST))
        raw.seek(start)
        chunk = raw.read(size)
        if not chunk:
            return
        start += len(chunk)
        yield chunk


def _grouped(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Pieces of about BLOCK bytes: each costs a format some time.

    What precedes damage is handed out before it is told.
    """
    held: list[bytes] = []
    length = 0
    try:
        for piece in pieces:
            held.append(piece)
            length += len(piece)
            if length > BLOCK:
                yield b"".join(held)
                held, length = [], 0
    except Damage:
        yield b"".join(held)
        raise
    yield b"".join(held)


def _checked(data: bytes, first: int, problems: Problems) -> bytes:
    """Whole lines in UTF-8; one with NUL bytes is emptied: a number may be cut there."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    if not data.isascii():
        data = _valid(data, first, problems)
    if b"\x00" in data:
        for match in _NUL_LINE.finditer(data):
            number = first + data.count(b"\n", 0, match.start())
            problems.tell(number, "NUL bytes: line not read")
        data = _NUL_LINE.sub(b"", data)
    return data


def _valid(data: bytes, first: int, problems: Problems) -> bytes:
    """The same where it is UTF-8, else with U+FFFD for what is not."""
    try:
        data.decode()
    except UnicodeDecodeError:
        text = data.decode(errors="replace")
        for number, line in enumerate(data.split(b"\n"), first):
            if not line.isascii() and "\ufffd" in line.decode(errors="replace"):
                problems.tell(number, "bytes that are not UTF-8")
        return text.encode()
    return data
