"""Ways to damage a text file, as Hypothesis draws them."""

from __future__ import annotations

import re

from hypothesis import strategies as st


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """The text cut short, with bytes changed, or with its lines in another order."""
    for _ in range(draw(st.integers(1, 3))):
        text = _DAMAGES[draw(st.sampled_from(sorted(_DAMAGES)))](draw, text)
    return text


def _cut(draw: st.DrawFn, text: str) -> str:
    return text[: draw(st.integers(0, len(text)))]


def _headless(draw: st.DrawFn, text: str) -> str:
    return text[draw(st.integers(0, len(text))) :]


def _flipped(draw: st.DrawFn, text: str) -> str:
    data = bytearray(text.encode())
    for _ in range(draw(st.integers(1, 8)) if data else 0):
        data[draw(st.integers(0, len(data) - 1))] = draw(st.integers(0, 255))
    return data.decode(errors="replace").replace("\r\n", "\n")


def _shuffled(draw: st.DrawFn, text: str) -> str:
    return "".join(draw(st.permutations(text.splitlines(keepends=True))))


def _lines_lost(draw: st.DrawFn, text: str) -> str:
    lines = text.splitlines(keepends=True)
    keep = draw(st.lists(st.booleans(), min_size=len(lines), max_size=len(lines)))
    return "".join(line for line, kept in zip(lines, keep, strict=True) if kept)


def _cells_lost(draw: st.DrawFn, text: str) -> str:
    cells = re.split(r"([\t ,]+)", text)
    if len(cells) > 2:
        at = draw(st.integers(0, len(cells) - 2))
        cells[at : at + draw(st.integers(1, 3))] = []
    return "".join(cells)


_DAMAGES = {
    "cut": _cut,
    "headless": _headless,
    "flipped": _flipped,
    "shuffled": _shuffled,
    "lines": _lines_lost,
    "cells": _cells_lost,
}
