"""Files of any size and state as text: gz taken off, damage told, nothing guessed.

What is no text has a reason instead. A file is read once for its sha256, once for its
text: of one larger than LARGE, in blocks as its format asks for them.
"""

from __future__ import annotations

import codecs
import hashlib
import os
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import TypeVar

import numpy as np

from benchbook.formats.gzfile import DAMAGED, GZ, Damage, unpacked
from benchbook.formats.parsed import LARGE, Problem, TextFile

Piece = TypeVar("Piece", bytes, str)
BLOCK = 8 * 2**20  # bytes of a block, or a little more
HEAD = 2**16  # characters of a large file that recognises() sees
MANY = 100  # problems of one kind that are told line by line

_KINDS = (
    (b"\x89PNG", "picture (PNG)"), (b"\xff\xd8\xff", "picture (JPEG)"),
    (b"GIF8", "picture (GIF)"), (b"%PDF", "PDF"), (b"PK\x03\x04", "archive (zip)"),
    (b"\xfd7zXZ", "archive (xz)"), (b"BZh", "archive (bzip2)"),
    (b"\x28\xb5\x2f\xfd", "archive (zstd)"), (b"\x7fELF", "program"),
    (b"PAR1", "Parquet"), (b"PERFILE2", "perf.data"), (b"SQLite format 3", "SQLite"),
)  # fmt: skip
_END = 10  # "\n"
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_CONTROL = bytes(set(range(1, 32)) - set(b"\t\n\v\f\r\x1b\b"))
_NUL_LINE = re.compile(r"^[^\n]*\x00[^\n]*$", re.MULTILINE)


class Problems:
    """What is wrong with one file, told once however often its blocks are read."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, str], Problem] = {}
        self._lines: dict[str, set[int]] = {}

    def tell(self, line: int, text: str) -> None:
        lines = self._lines.setdefault(text, set())
        if len(lines) < MANY or line in lines:
            lines.add(line)
            self._found[line, text] = Problem(line, text)
        else:
            more = f"{text}: in more than {MANY} lines"
            self._found[0, more] = Problem(0, more)

    def all(self) -> list[Problem]:
        """In order of line."""
        return [self._found[key] for key in sorted(self._found)]


@dataclass(frozen=True)
class Opened:
    """A file as text, or why there is none; ``problems`` fills as blocks are read."""

    file: TextFile | None
    reason: str
    problems: Problems


def fingerprint(path: Path) -> tuple[str, int]:
    """sha256 and size in bytes of the file as it lies on disk."""
    with path.open("rb") as raw:
        return hashlib.file_digest(raw, "sha256").hexdigest(), raw.tell()


def open_text(path: Path, name: str, known: tuple[str, int] | None = None) -> Opened:
    """The file at ``path``, whose path below the imported folder is ``name``.

    ``known`` is its fingerprint, where that was taken already. Raises OSError where it
    cannot be read.
    """
    problems = Problems()
    reason = _no_text(path)
    if reason:
        return Opened(None, reason, problems)
    with ThreadPoolExecutor(1) as thread:
        facts = thread.submit(lambda: known or fingerprint(path))
        texts, length = [], 0
        pieces = _texts(path, problems)
        for text in pieces:
            texts.append(text)
            length += len(text)
            if length > LARGE:
                break
        sha256, size = facts.result()
    short = name.removesuffix(".gz")
    if length <= LARGE:
        return Opened(TextFile(short, "".join(texts), sha256, size), "", problems)
    start = texts[0][:HEAD].rpartition("\n")[0] + "\n"
    begun = _ahead(_grouped(chain(texts, pieces)))
    reader = _continued(begun, lambda: _ahead(_grouped(_texts(path, problems))))
    return Opened(TextFile(short, start, sha256, size, reader), "", problems)


def _continued(
    begun: Iterator[str], again: Callable[[], Iterator[str]]
) -> Callable[[], Iterator[str]]:
    """A reader that goes on where its file was left, then begins it again each time."""
    left = [begun]
    return lambda: left.pop() if left else again()


def _grouped(texts: Iterator[str]) -> Iterator[str]:
    """The texts in pieces of about BLOCK: each piece costs a format some time."""
    held: list[str] = []
    length = 0
    for text in texts:
        if held and length + len(text) > BLOCK:
            yield "".join(held)
            held, length = [], 0
        held.append(text)
        length += len(text)
    yield "".join(held)


def read_whole(file: TextFile) -> TextFile:
    """A large file with all of its text, for a format that cannot stream."""
    if file.reader is None:
        return file
    return TextFile(file.path, "".join(file.reader()), file.sha256, file.size)


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
            return kind
    if head.startswith(_UTF16):
        return ""
    control = len(head) - len(head.translate(None, _CONTROL))
    damaged = head.decode(errors="replace").count("\ufffd")
    nul = head.count(b"\0")  # a crash leaves runs of them in text too
    return "binary" if control + damaged > len(head) / 10 or nul > len(head) / 2 else ""


def _first_unpacked(path: Path) -> bytes:
    try:
        return next(filter(None, unpacked(path, HEAD)), b"")
    except Damage:
        return b""


def _texts(path: Path, problems: Problems) -> Iterator[str]:
    """The file's text in pieces of whole lines; what is wrong goes to ``problems``."""
    first, rest = 1, b""
    try:
        for chunk in _utf8(path, problems):
            data = rest + chunk if rest else chunk
            end = data.rfind(b"\n") + 1
            rest = data[end:]
            if end:
                whole = data[:end]
                yield _text(whole, first, problems)
                first += int(np.count_nonzero(np.frombuffer(whole, np.uint8) == _END))
            elif len(rest) > LARGE:
                problems.tell(first, "a line of more than 32 MiB: not read from here on")
                return
    except Damage as damage:  # the last line may be a part of one: not read
        problems.tell(first, f"{damage}: not read from here on")
        return
    if rest:
        yield _text(rest, first, problems)


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
    with path.open("rb") as raw:
        if raw.read(len(GZ)) != GZ:
            size = raw.seek(0, os.SEEK_END)
            raw.seek(0)
            while chunk := raw.read(size if size <= LARGE else BLOCK):
                yield chunk
            return
    yield from _ahead(unpacked(path))


def _ahead(pieces: Iterator[Piece]) -> Iterator[Piece]:
    """The pieces, each made while the one before it is used."""
    with ThreadPoolExecutor(1) as thread:
        coming = thread.submit(next, pieces, None)
        while (piece := coming.result()) is not None:
            coming = thread.submit(next, pieces, None)
            yield piece


def _text(data: bytes, first: int, problems: Problems) -> str:
    """Whole lines as text; one with NUL bytes is emptied: a number may be cut there."""
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        text = data.decode(errors="replace")
        for number, line in enumerate(data.split(b"\n"), first):
            if not line.isascii() and "\ufffd" in line.decode(errors="replace"):
                problems.tell(number, "bytes that are not UTF-8")
    if "\x00" in text:
        for found in _NUL_LINE.finditer(text):
            number = first + text.count("\n", 0, found.start())
            problems.tell(number, "NUL bytes: line not read")
        text = _NUL_LINE.sub("", text)
    return text
