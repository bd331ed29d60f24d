"""Texts as the blocks of a large file."""

from collections.abc import Callable, Iterable, Iterator

from benchformats.parsed import Block


def reader(texts: Iterable[str]) -> Callable[[], Iterator[Block]]:
    """What a TextFile reads its blocks by; each text is whole lines."""
    return lambda: blocks(texts)


def blocks(texts: Iterable[str]) -> Iterator[Block]:
    """One block per text."""
    first = 1
    for text in texts:
        yield Block(first, text.encode(errors="replace"))
        first += text.count("\n")
