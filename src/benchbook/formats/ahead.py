"""Pieces of a file that are made while those before them are used."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

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
