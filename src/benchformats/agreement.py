"""Whether the figures that a tool prints of one run agree with each other.

A format says what must hold as a table of laws. A figure is known to its last printed
digit, so each is a span, and two sides agree where their spans overlap. What a total
alone cannot show (every count times ten) its rate, histogram and interval lines do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from benchformats.parsed import Problem

# Of an interval line of a whole second, which lasts a little longer; and how much faster
# than in its fastest one a run may have been in seconds of which no line is there.
_LONGER = 0.1
_FASTER = 3.0


@dataclass(frozen=True)
class Span:
    """What a printed number may have been before it was rounded."""

    low: float
    high: float

    def __add__(self, other: Span) -> Span:
        return Span(self.low + other.low, self.high + other.high)

    def __mul__(self, other: Span) -> Span:
        return Span(self.low * other.low, self.high * other.high)

    def widened(self, share: float) -> Span:
        """By that share of itself, and by what doubles lose."""
        share += 1e-9
        return Span(self.low * (1 - share), self.high * (1 + share))


@dataclass(frozen=True)
class Law:
    """Two sides that are equal: sums of products of figures and numbers.

    ``slack`` is the share by which they may differ beside their digits. A law is held
    where all of its figures are there.
    """

    left: str
    right: str
    slack: float = 0.0

    @property
    def names(self) -> set[str]:
        """The figures of both sides."""
        words = f"{self.left} {self.right}".split()
        return {word for word in words if word[0].isalpha()}


class Contradiction(Problem):
    """Two figures of a run that cannot both be right: none of it is read."""


def printed(value: float, unit: float = 0.0) -> Span:
    """A figure and the unit of its last digit; 0: it is a count.

    A whole unit each way: some tools round to it, some cut what is behind it.
    """
    return Span(max(0.0, value - unit), value + unit)


def spans(figures: Mapping[str, float], units: Mapping[str, float]) -> dict[str, Span]:
    """Figures with the units of their last digits; what has none is a count."""
    return {name: printed(value, units.get(name, 0.0)) for name, value in figures.items()}


def broken(
    laws: Iterable[Law], known: Mapping[str, Span], line: int = 0
) -> Contradiction | None:
    """The first law that does not hold of the run that begins at that line."""
    for law in laws:
        if not law.names <= known.keys():
            continue
        left, right = _value(law.left, known), _value(law.right, known)
        mine, theirs = left.widened(law.slack), right.widened(law.slack)
        if mine.low > theirs.high or theirs.low > mine.high:
            text = f"{law.left} = {_said(left)}, but {law.right} = {_said(right)}"
            return Contradiction(line, f"{text}: not believed")
    return None


def of_intervals(ends: Sequence[float], rates: Sequence[float], elapsed: float) -> Span:
    """What a run of ``elapsed`` seconds did, by lines that say its rate since the last.

    Tools lose the line of the last second, and print none of the moment after it.
    """
    lengths = [end - begin for begin, end in pairwise((0.0, *ends))]
    told = math.fsum(r * s for r, s in zip(rates, lengths, strict=True))
    left = max(0.0, elapsed - ends[-1])
    return Span(
        told * (1 - _LONGER), (told + _FASTER * max(rates) * left) * (1 + _LONGER)
    )


def _value(side: str, known: Mapping[str, Span]) -> Span:
    total = Span(0.0, 0.0)
    for term in side.split(" + "):
        product = Span(1.0, 1.0)
        for word in term.split(" * "):
            product *= known[word] if word in known else printed(float(word))
        total += product
    return total


def _said(span: Span) -> str:
    low, middle, high = (
        f"{value:,.0f}" if value >= 1000 else f"{value:.5g}"
        for value in (span.low, (span.low + span.high) / 2, span.high)
    )
    return middle if span.high <= span.low * 1.1 else f"{low} to {high}"
