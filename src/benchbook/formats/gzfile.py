"""Unpacking gz so that what comes before damage is still read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zlib_ng import zlib_ng

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
