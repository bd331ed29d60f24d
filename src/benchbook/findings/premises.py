"""Premises that do not hold, as sentences before and after a finding.

Every number in them is a cell of the table of ``results.premises.premise_facts``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data
from benchbook.results.results import Results
from benchbook.results.unusual import unusual
from benchbook.views.premises import premises_checked
from benchmath.hazards.premises import (
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
from benchmath.prose import counted, listed, number

MOST_STEPS = 3
NOT_ANSWERED = "**The question is not answered as asked**"
LOOK_FIRST = "**Look at this first**"
MEASURED = "What was measured:"
_OF_THE_QUESTION = frozenset({LARGER, READS, CACHED})
_Says = Callable[[Sequence[Evidence]], str]


def on_premises(results: Results, finding: Finding) -> Finding:
    """The finding with what it presumes and the runs do not have.

    First comes what is so slow that no percentage of it means much yet.
    """
    first = [hazard.text for hazard in unusual(results)]
    return behind(premises_checked(results), finding, first)


@names_as_data
def behind(
    premises: Sequence[Premise], finding: Finding, first: Sequence[str] = ()
) -> Finding:
    """A finding behind its unmet premises; what only limits the runs comes after it."""
    unmet = [premise for premise in premises if premise.met is False]
    questions = [sentence(p) for p in unmet if p.name in _OF_THE_QUESTION]
    limits = [sentence(p) for p in unmet if p.name not in _OF_THE_QUESTION]
    head = [f"{NOT_ANSWERED}: {'; '.join(questions)}."] if questions else []
    caveats = [f"**Caveat**: {'; '.join(limits)}."] if limits else []
    head += [MEASURED] * bool(questions)
    answer = " ".join([*head, str(finding.data)])
    before = [f"{LOOK_FIRST}: {'; '.join(first)}."] if first else []
    text = "\n\n".join([*before, answer, *caveats])
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


def _larger(evidence: Sequence[Evidence]) -> str:
    database = (
        f"the database of {evidence[0].cell}" if evidence[0].cell else "the database"
    )
    return (
        f"{database} is not larger than memory: {_span(evidence)} MB after "
        f"{_steps(evidence)}, of {number(evidence[0].limit)} MB"
    )


def _reads(evidence: Sequence[Evidence]) -> str:
    who = evidence[0].cell or "the database"
    return f"{who} hardly reads: {_read(evidence)}"


def _cached(evidence: Sequence[Evidence]) -> str:
    who = evidence[0].cell or "the database"
    return f"{who} is not cached: it reads {_read(evidence)}"


def _read(evidence: Sequence[Evidence]) -> str:
    return f"{_span(evidence)} KB per operation in {_steps(evidence)}"


def _short(evidence: Sequence[Evidence]) -> str:
    shortest = min(evidence, key=lambda e: e.value)
    took = f"{shortest.step} for {number(shortest.value)} s"
    limit = number(evidence[0].limit)
    if len(evidence) == 1:
        return f"{shortest.step} ran for {number(shortest.value)} s, less than {limit} s"
    return f"{counted(len(evidence), 'step')} ran for less than {limit} s, {took}"


def _paced(evidence: Sequence[Evidence]) -> str:
    of = f" of {evidence[0].cell}" if evidence[0].cell else ""
    span = _span([_percent(e) for e in evidence])
    return f"the writers{of} reached {span}% of their rate in {_steps(evidence)}"


def _others(evidence: Sequence[Evidence]) -> str:
    return (
        f"other processes took {_span(evidence)}% of the busy CPU time of runs of "
        f"{_steps(evidence)}"
    )


def _clock(evidence: Sequence[Evidence]) -> str:
    most = max(evidence, key=lambda e: e.value)
    return (
        f"the clock is unreliable: {most.step} used {number(most.value)} s of CPU per "
        f"second, of at most {number(most.limit)} s"
    )


_SAYS: Mapping[str, _Says] = {
    LARGER: _larger, READS: _reads, CACHED: _cached, LONG: _short, PACED: _paced,
    ALONE: _others, CLOCK: _clock,
}  # fmt: skip


def _percent(evidence: Evidence) -> Evidence:
    return Evidence(
        evidence.cell, evidence.step, 100 * evidence.value, 100 * evidence.limit, "%"
    )


def _span(evidence: Sequence[Evidence]) -> str:
    """`366 to 370`; one number where both ends read alike."""
    low, high = (number(pick(e.value for e in evidence)) for pick in (min, max))
    return low if low == high else f"{low} to {high}"


def _steps(evidence: Sequence[Evidence]) -> str:
    names = list(dict.fromkeys(e.step for e in evidence))
    more = len(names) - MOST_STEPS
    rest = [counted(more, "more step", "more steps")] if more > 0 else []
    return listed([*names[:MOST_STEPS], *rest])
