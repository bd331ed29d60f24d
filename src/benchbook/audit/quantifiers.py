"""Words that count, compare or give a cause, and the claims that must stand behind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchbook.finding import Claim

# A word, and the quantifier of the claim that must bear it out.
_WORDS = (
    (r"\b(?:all|every|each) (?:of (?:the )?)?(?P<of>\d[\d,]*)", "all"),
    (r"\b(?:all|every|each) (?:of (?!\d|the \d)|test|step|comparison|build)", "all"),
    # Not a setting of that name, which is quoted, or which something is compared to.
    (
        r"(?<![=`])(?<!of )(?<!to )(?<!than )\bnone\b"
        r"|\bno (?:step|test|comparison|build)\b",
        "none",
    ),
    (r"\bmost of\b", "most"),
    (r"\bonly (?:one|step|test)", "only"),
)
_CAUSE = re.compile(r"\b(?:because of|owing to|due to|caused by|thanks to)\b", re.I)
# `slower than 5.5 in 6 of 9 tests`, `the other 3 are undecided`: which verdict how often.
_MANY = r"(?:all )?(\d+|both|the one)\b"
_COUNTED = (
    re.compile(rf"\b(faster|slower|better|worse)(?: than [^;]*?)? in {_MANY}"),
    re.compile(rf"\b(different)(?: from [^;]*?)? in {_MANY}"),
    re.compile(rf"\b(equivalent) to [^;]*? in {_MANY}"),
)
_REST = re.compile(
    r"\b(\d+|one|both|it) (?:is|are|has|have) "
    r"(undecided|not significant|equivalent|no interval)"
)
_VERDICT = {"faster": "improved", "better": "improved", "slower": "regressed",
            "worse": "regressed", "different": "changed"}  # fmt: skip
_COUNT = {"it": 1, "one": 1, "the one": 1, "both": 2}


def unborne(text: str, claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    """What a sentence says by a word that its claims do not, and what they say."""
    for pattern, quantifier in _WORDS:
        words = list(re.finditer(pattern, text, re.I))
        for word in words:
            of = word.groupdict().get("of")
            if not any(_bears(claim, quantifier, of) for claim in claims):
                yield repr(word[0]), f"no claim of {quantifier}"
                break
        else:
            borne = sum(claim.quantifier == quantifier for claim in claims)
            if len(words) > borne:
                claimed = f"{borne} claim{'s' * (borne > 1)} of {quantifier}"
                yield f"{len(words)} times {words[-1][0]!r}", claimed
    cause = _CAUSE.search(text)
    if cause and not any(claim.relation == "cause" for claim in claims):
        yield repr(cause[0]), "nothing that was varied alone"
    yield from _counted(text, claims)


def _bears(claim: Claim, quantifier: str, of: str | None) -> bool:
    """Is it a claim of the quantifier, of as many as the sentence says, if it does?"""
    many = int(of.replace(",", "")) if of else claim.of
    return claim.quantifier == quantifier and claim.of == many


def _counted(text: str, claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    """Each count of a verdict is that of a claim of the verdict."""
    tallies = [c for c in claims if c.relation == "count" and "verdict" in c.where]
    if not tallies:
        return
    for words, verdict, count in _counts_said(text):
        counts = {c.count for c in tallies if c.where["verdict"] == verdict}
        if count not in counts:
            claimed = ", ".join(map(str, sorted(c for c in counts if c is not None)))
            yield repr(words), f"{verdict} in {claimed or 0}"


def _counts_said(text: str) -> Iterator[tuple[str, str, int]]:
    """The words, the verdict and the count of each count that a text has."""
    pairs = [(m, m[1], m[2]) for said in _COUNTED for m in said.finditer(text)]
    pairs += [(m, m[2], m[1]) for m in _REST.finditer(text)]
    for match, word, many in pairs:
        count = _COUNT[many] if many in _COUNT else int(many)
        yield match[0], _VERDICT.get(word, word), count
