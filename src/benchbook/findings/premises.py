"""Premises that do not hold, as the first sentences of a finding.

Every number in them is a cell of the table of ``results.premises.premise_facts``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from benchbook.analysis.hazards.premises import (
    ALONE,
    CACHED,
    CLOCK,
    LARGER,
    LONG,
    PACED,
    READS,
    Evidence,
    Premise,
)
from benchbook.finding import Claim, Finding
from benchbook.prose import counted, listed, number
from benchbook.results.premises import premises_checked
from benchbook.results.results import Results

MOST_STEPS = 3
NOT_ANSWERED = "**The question is not answered as it is asked**"
MEASURED = "What was measured all the same:"
_OF_THE_QUESTION = frozenset({LARGER, READS, CACHED})
_Says = Callable[[Sequence[Evidence]], str]


def on_premises(results: Results, finding: Finding) -> Finding:
    """The finding, behind what it presumes and the runs do not have."""
    return behind(premises_checked(results), finding)


def behind(premises: Sequence[Premise], finding: Finding) -> Finding:
    """A finding behind the sentences of its unmet premises, the question's first."""
    unmet = [premise for premise in premises if premise.met is False]
    asked = [sentence(p) for p in unmet if p.name in _OF_THE_QUESTION]
    limits = [sentence(p) for p in unmet if p.name not in _OF_THE_QUESTION]
    head = [f"{NOT_ANSWERED}: {'; '.join(asked)}."] if asked else []
    head += [f"**Mind that** {'; '.join(limits)}."] if limits else []
    text = " ".join([*head, *[MEASURED] * bool(asked), str(finding.data)])
    rows = [{"premise": p.name, **vars(e)} for p in unmet for e in p.evidence]
    frames = finding.frames | {"premises": pd.DataFrame(rows)} if rows else finding.frames
    return Finding(text, (*finding.claims, *_claims(unmet, rows)), frames)


def _claims(unmet: Sequence[Premise], rows: Sequence[Mapping[str, Any]]) -> list[Claim]:
    """What is short of which limit, and in how many steps."""
    claims = [
        Claim(
            f"{row['cell']} {row['step']}".strip(), "is", row[column], frame="premises",
            rows={k: str(row[k]) for k in ("premise", "cell", "step")}, column=column,
        )
        for row in rows for column in ("value", "limit")
    ]  # fmt: skip
    for premise in unmet:
        for cell in dict.fromkeys(e.cell for e in premise.evidence):
            steps = {e.step for e in premise.evidence if e.cell == cell}
            n = sum(e.cell == cell for e in premise.evidence)
            claims.append(Claim(premise.name, "given", count=n))
            claims.append(Claim(premise.name, "given", max(len(steps) - MOST_STEPS, 0)))
    return claims


def sentence(premise: Premise) -> str:
    """What speaks against an unmet premise, without its full stop."""
    says = _SAYS[premise.name]
    cells = dict.fromkeys(e.cell for e in premise.evidence)
    return "; ".join(says([e for e in premise.evidence if e.cell == c]) for c in cells)


def _larger(found: Sequence[Evidence]) -> str:
    database = f"the database of {found[0].cell}" if found[0].cell else "the database"
    return (
        f"{database} is not larger than memory, {_span(found)} MB after {_steps(found)} "
        f"where there are {number(found[0].limit)} MB"
    )


def _reads(found: Sequence[Evidence]) -> str:
    who = found[0].cell or "the database"
    return f"{who} hardly reads, {_read(found)}"


def _cached(found: Sequence[Evidence]) -> str:
    who = found[0].cell or "the database"
    return f"{who} is not cached, it reads {_read(found)}"


def _read(found: Sequence[Evidence]) -> str:
    return f"{_span(found)} KB per operation in {_steps(found)}"


def _short(found: Sequence[Evidence]) -> str:
    shortest = min(found, key=lambda e: e.value)
    took = f"{number(shortest.value)} s at the shortest in {shortest.step}"
    limit = number(found[0].limit)
    if len(found) == 1:
        return f"{shortest.step} ran for {number(shortest.value)} s, less than {limit} s"
    return f"{counted(len(found), 'step')} ran for less than {limit} s, {took}"


def _paced(found: Sequence[Evidence]) -> str:
    of = f" of {found[0].cell}" if found[0].cell else ""
    span = _span([_percent(e) for e in found])
    return f"the writers{of} reached {span}% of their rate in {_steps(found)}"


def _others(found: Sequence[Evidence]) -> str:
    return (
        f"others than server and client took {_span(found)}% of the busy CPU time in a "
        f"run of {_steps(found)}"
    )


def _clock(found: Sequence[Evidence]) -> str:
    most = max(found, key=lambda e: e.value)
    return (
        f"the clock is odd, {most.step} used {number(most.value)} s of CPU in each of "
        f"its seconds where {number(most.limit)} can be"
    )


_SAYS: Mapping[str, _Says] = {
    LARGER: _larger, READS: _reads, CACHED: _cached, LONG: _short, PACED: _paced,
    ALONE: _others, CLOCK: _clock,
}  # fmt: skip


def _percent(found: Evidence) -> Evidence:
    return Evidence(found.cell, found.step, 100 * found.value, 100 * found.limit, "%")


def _span(found: Sequence[Evidence]) -> str:
    """`366 to 370`; one number where both ends read alike."""
    low, high = (number(pick(e.value for e in found)) for pick in (min, max))
    return low if low == high else f"{low} to {high}"


def _steps(found: Sequence[Evidence]) -> str:
    names = list(dict.fromkeys(e.step for e in found))
    more = len(names) - MOST_STEPS
    rest = [counted(more, "more step", "more steps")] if more > 0 else []
    return listed([*names[:MOST_STEPS], *rest])
