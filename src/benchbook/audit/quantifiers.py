"""Words that count, compare or give a cause, and the claims that must stand behind."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from benchbook.finding import Claim

# A word, and the quantifier of the claim that must bear it out.
_WORDS = (
    (r"\b(?:all|every|each) (?:of|\d+|test|step|comparison|build)", "all"),
    (r"\bnone\b|\bno (?:step|test|comparison|build)\b", "none"),
    (r"\bmost of\b", "most"),
    (r"\bonly (?:one|step|test)", "only"),
)
_CAUSE = re.compile(r"\b(?:because of|owing to|due to|caused by|thanks to)\b", re.I)
# `worse in 6`, `equivalent within 2% in 3`: how many got which verdict.
_COUNTED = re.compile(
    r"\b(better|worse|changed|not significantly different|equivalent within \d+%|"
    r"undecided|without an interval) in (\d+)"
)
_VERDICT = {"better": "improved", "worse": "regressed", "changed": "changed",
            "equivalent": "equivalent", "undecided": "undecided",
            "not": "not significant", "without": "no interval"}  # fmt: skip


def unborne(text: str, claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    """What a sentence says by a word that its claims do not, and what they say."""
    for pattern, quantifier in _WORDS:
        word = re.search(pattern, text, re.I)
        if word and all(claim.quantifier != quantifier for claim in claims):
            yield repr(word[0]), f"no claim of {quantifier}"
    cause = _CAUSE.search(text)
    if cause and not any(claim.relation == "cause" for claim in claims):
        yield repr(cause[0]), "nothing that was varied alone"
    yield from _counted(text, claims)


def _counted(text: str, claims: Sequence[Claim]) -> Iterator[tuple[str, str]]:
    """Each count of a verdict is that of a claim of the verdict."""
    told = [c for c in claims if c.relation == "count" and "verdict" in c.where]
    for match in _COUNTED.finditer(text) if told else ():
        verdict = _VERDICT[match[1].split()[0]]
        counts = {c.count for c in told if c.where["verdict"] == verdict}
        if int(match[2]) not in counts:
            given = ", ".join(map(str, sorted(c for c in counts if c is not None)))
            yield repr(match[0]), f"{verdict} in {given or 0}"
