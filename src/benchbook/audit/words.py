"""The numbers of a text, and those of them that nothing stands behind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from benchbook.escaped import plain_text, printable
from benchbook.finding import Claim

_NUMBER = re.compile(
    r"(?<![\w.\-])[-+−]?\d+(?:,\d{3})*(?:\.\d+)?(?:e[-+]?\d+)?(?![\w.]*\w)"
)
# Of a name in a text: 16 is none in 16,108,408.
_BEGIN, _END = r"(?<![\w.])(?<!\d,)", r"(?!\w|\.\w|,\d{3}(?!\d))"
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ASIDE = re.compile(r"^:{3,} *\{?[^\n]*\.opinion.*?^:{3,} *$", re.DOTALL | re.MULTILINE)
_NO_PROSE = re.compile(r"\s*(?:#+ |:{3,}|\|[-:| ]+\|?\s*$)")
_BLOCK_END = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)]) )")
_SENTENCE_END = re.compile(r"(?<!e\.g\.)(?<!i\.e\.)(?:(?<=[.!?])|(?<=[.!?]\)))\s+")
_CODE = re.compile(r"`[^`]*`|<code>.*?</code>|\]\([^)]*\)")


@dataclass(frozen=True)
class Shown:
    """A number as a text shows it, with what follows: what it may stand for."""

    text: str
    after: str = field(default="", compare=False)

    @property
    def value(self) -> float:
        return float(self.text.replace(",", "").replace("−", "-"))

    @property
    def half(self) -> float:
        """Half a unit of the last digit."""
        digits, _, power = self.text.lstrip("-+−").partition("e")
        decimals = len(digits.partition(".")[2])
        return float(0.5 * 10.0 ** (int(power or 0) - decimals))

    def stands_for(self, amount: float) -> bool:
        """Is it the amount, or the amount of a ratio in percent, rounded?"""
        forms = (amount, 100 * amount, 100 * (amount - 1))
        return any(map(self.rounds, forms))

    def rounds(self, amount: float) -> bool:
        """Is it the amount, rounded to its own digits?"""
        tolerance = self.half * (1 + 1e-6) + 1e-9
        return abs(abs(amount) - abs(self.value)) <= tolerance


def numbers_of(text: str, names: Iterable[str] = ()) -> list[Shown]:
    """The numbers of a text that are no part of a name."""
    bare = plain_text(_CODE.sub(" ", text))
    seen = {printable(name) for name in names if re.search(r"\d", name)}
    for name in sorted(seen, key=len, reverse=True):
        bare = re.sub(rf"{_BEGIN}{re.escape(name)}{_END}", " ", bare)
    return [Shown(m[0], bare[m.end() :].lstrip()) for m in _NUMBER.finditer(bare)]


def amounts(claims: Iterable[Claim]) -> Iterator[float]:
    """Every number that claims hold."""
    for claim in claims:
        for value in (claim.value, claim.low, claim.high, claim.count, claim.of):
            if isinstance(value, int | float):
                yield float(value)


def unclaimed(text: str, claims: Iterable[Claim], names: Iterable[str]) -> list[str]:
    """Numbers of a sentence that no claim holds, as they are shown."""
    held = set(amounts(claims))
    return [
        figure.text for figure in numbers_of(text, names)
        if not any(figure.stands_for(amount) for amount in held)
    ]  # fmt: skip


def blocks_of(markdown: str) -> list[str]:
    """Paragraphs, items of lists and rows of tables; a table goes with what it follows.

    Without headings, comments, and what stands in a block marked `{.opinion}`.
    """
    text = _ASIDE.sub("", _COMMENT.sub("", markdown))
    lines = [line for line in text.splitlines() if not _NO_PROSE.match(line)]
    bare = re.sub(r"\n\s*\n(?=\s*\|)", "\n", "\n".join(lines))
    return [" ".join(b.split()) for b in _BLOCK_END.split(bare) if b.strip()]


def sentences(block: str) -> list[str]:
    """The sentences of a paragraph; `e.g.` and the like end none."""
    return [one for one in _SENTENCE_END.split(block) if one.strip()]
