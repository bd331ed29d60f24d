"""The answer at the top of a page against the claims of its sentences: same verdicts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchbook.audit.claims import CHANGES
from benchbook.audit.contradiction import Contradiction
from benchbook.finding import Claim

_WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
          "ten", "eleven", "twelve")  # fmt: skip
_DIGITS = {word: str(n) for n, word in enumerate(_WORDS)} | {"thirty": "30"}
_NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(_DIGITS)})\b", re.I)
_VERDICTS = {"faster": "improved", "slower": "regressed"}
# `4 of 6 steps`; `faster than 5.5 in 4`, `slower in all 6`.
_SHARE = re.compile(r"\b(\d+) of (?:the )?(\d+) (?:tests|steps|comparisons)\b")
_SIDE = re.compile(
    r"\b(faster|slower)(?: than (?:[^;,:.]|\.(?=\d))*?)? in (?:all )?(\d+)\b"
)
# `of 30 comparisons only 1 differs significantly`
_DIFFER = re.compile(
    r"(?:\bof (?:the )?(\d+) (?:tests|steps|comparisons)\b(?:[^.;]|\.(?=\d))*?)?"
    r"\b(\d+) (?:of them )?differs?\b"
)
_DECIDES = re.compile(r"\b(?:undecided|not decided|would decide)\b")


def answer_contradictions(
    title: str, answer: str, claims: Sequence[Claim]
) -> Iterator[Contradiction]:
    """Counts and verdicts of an answer that no claim of the page bears out."""
    text = _NUMBER_WORD.sub(lambda word: _DIGITS[word[0].lower()], answer)
    yield from _yes_or_no(title, answer, claims)
    for match in _SIDE.finditer(text):
        counts = _counts(claims, _VERDICTS[match[1]])
        if counts is not None and int(match[2]) not in (counts or {0}):
            claimed = ", ".join(map(str, sorted(counts))) or "0"
            yield Contradiction("description", repr(match[0]), f"{match[1]} in {claimed}")
    yield from _differing(text, claims)
    pairs = {(claim.count, claim.of) for claim in claims}
    for match in _SHARE.finditer(text):
        # That there is none of a kind is no claim of its own: the sides say it.
        if int(match[1]) and (int(match[1]), int(match[2])) not in pairs:
            yield Contradiction("description", repr(match[0]), "no such count")


def _differing(text: str, claims: Sequence[Claim]) -> Iterator[Contradiction]:
    """How many comparisons differ is as many as are significant."""
    significant = [c for c in claims if c.relation == "significant"]
    for match in _DIFFER.finditer(text):
        of = int(match[1]) if match[1] else None
        counts = {c.count or 0 for c in significant if of in (None, c.of)}
        if counts and int(match[2]) not in counts:
            claimed = ", ".join(map(str, sorted(counts)))
            yield Contradiction("description", repr(match[0]), f"{claimed} differ")


def shape_contradictions(answer: str, claims: Sequence[Claim]) -> Iterator[Contradiction]:
    """An answer has a number, and an interval where the finding's numbers have one."""
    if not re.search(r"\d", answer):
        yield Contradiction("description", "no number", "the finding has numbers")
    known = any(claim.low is not None and claim.high is not None for claim in claims)
    if known and "[" not in answer and not _DECIDES.search(answer):
        yield Contradiction("description", "no interval", "the finding has intervals")


def _yes_or_no(
    title: str, answer: str, claims: Sequence[Claim]
) -> Iterator[Contradiction]:
    """`Did it get slower?` is answered yes where something is slower, else no."""
    asked = re.search(r"\b(slower|faster)\b.*\?", title)
    first = re.match(r"(Yes|No)\b", answer)
    counts = _counts(claims, _VERDICTS[asked[1]]) if asked else None
    if not asked or not first or counts is None:
        return
    if (first[1] == "Yes") != any(counts):
        claimed = f"{asked[1]} in {max(counts, default=0)}"
        yield Contradiction("description", repr(first[1]), claimed)


def _counts(claims: Sequence[Claim], verdict: str) -> set[int] | None:
    """How often a verdict is claimed; nothing where no verdict is."""
    tallies = [c for c in claims if c.where.get("verdict") in CHANGES and c.count]
    every = [c for c in claims if c.relation == "count" and "verdict" in c.where]
    if not every:
        return None
    return {int(c.count or 0) for c in tallies if c.where["verdict"] == verdict}
