"""What an audit returns: where a page says one thing and the data give another."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Contradiction:
    """One place of a page or of its evidence that does not follow."""

    where: str
    says: str
    gives: str

    def __str__(self) -> str:
        return f"{self.where}: says {self.says}; the data give {self.gives}"


@dataclass(frozen=True)
class Audit:
    """What was looked at, what does not follow, and what is hard to read."""

    contradictions: tuple[Contradiction, ...]
    long: tuple[str, ...] = ()  # hand-written sentences; they are not false
    sentences: int = 0
    numbers: int = 0
    claims: int = 0

    def __str__(self) -> str:
        return (
            f"{self.sentences} sentences, {self.numbers} numbers, "
            f"{self.claims} claims audited"
        )


def summed(audits: Iterable[Audit]) -> Audit:
    """Several posts as one."""
    every = list(audits)
    return Audit(
        tuple(c for one in every for c in one.contradictions),
        tuple(text for one in every for text in one.long),
        sum(one.sentences for one in every),
        sum(one.numbers for one in every),
        sum(one.claims for one in every),
    )
