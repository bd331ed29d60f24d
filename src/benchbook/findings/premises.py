"""Premises that do not hold, as sentences before and after a finding.

Every number in them is a cell of the table of ``views.premises.premise_facts``.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from benchbook.finding import Draft, Finding, names_as_data, span, together
from benchbook.findings.placements import placement_finding
from benchbook.results.results import Results
from benchbook.results.unusual import unusual
from benchbook.views.premises import premises_checked
from benchmath.hazards.premises import (
    ALONE,
    CACHED,
    CLOCK,
    LARGER,
    LONG,
    PACE,
    PACED,
    READS,
    TOGETHER,
    Evidence,
    Premise,
)
from benchmath.prose import counted, listed, number

MOST_STEPS = 3
NOT_ANSWERED = "**The question is not answered as asked**"
LOOK_FIRST = "**Look at this first**"
MEASURED = "What was measured:"
BESIDE_LOAD = "**Measured beside other load**"
_OF_THE_QUESTION = frozenset({LARGER, READS, CACHED})
_OF_RUNS = frozenset({TOGETHER, PACE})  # not of steps: one sentence says it of all


def on_premises(results: Results, finding: Finding) -> Finding:
    """The finding, whether it turns with placement, and what its runs do not have.

    First comes what is so slow that no percentage of it means much yet.
    """
    first = [hazard.text for hazard in unusual(results)]
    if results.elsewhere is not None:
        everywhere = placement_finding(results.elsewhere.judged())
        finding = together([finding, everywhere], "\n\n")
    return behind(premises_checked(results), finding, first, results.study.noisy)


@names_as_data
def behind(
    premises: Sequence[Premise],
    finding: Finding,
    first: Sequence[str] = (),
    noisy: str = "",
) -> Finding:
    """A finding behind its unmet premises; what only limits the runs comes after it.

    That others used the machine comes before anything else, with ``noisy``, the reason
    why it is shown all the same.
    """
    unmet = [premise for premise in premises if premise.met is False]
    questions = [sentence(p) for p in unmet if p.name in _OF_THE_QUESTION]
    limits = [
        sentence(p) for p in unmet if p.name not in _OF_THE_QUESTION and p.name != ALONE
    ]
    loud = [f"{BESIDE_LOAD}: {sentence(p)}." for p in unmet if p.name == ALONE]
    if loud and noisy:
        loud.append(noisy.rstrip(".") + ".")
    head = [f"{NOT_ANSWERED}: {'; '.join(questions)}."] if questions else []
    caveats = [f"**Caveat**: {'; '.join(limits)}."] if limits else []
    head += [MEASURED] * bool(questions)
    answer = " ".join([*head, str(finding.data)])
    before = [f"{LOOK_FIRST}: {'; '.join(first)}."] if first else []
    before += [" ".join(loud)] if loud else []
    text = "\n\n".join([*before, answer, *caveats])
    said = Draft(**finding.frames)
    said.claims += finding.claims
    rows = [{"premise": p.name, **vars(e)} for p in unmet for e in p.evidence]
    if rows:
        said.frames["premises"] = pd.DataFrame(rows)
    for row in rows:
        for column in ("value", "limit"):
            subject = f"{row['cell']} {row['step']}".strip()
            said.value("premises", row, column, keys=("premise", "cell", "step"),
                       subject=subject, ends=())  # fmt: skip
    for premise in unmet:
        for evidence in _cells(premise):
            steps = {e.step for e in evidence}
            said.claim(premise.name, "given", count=len(evidence))
            said.given(premise.name, max(len(steps) - MOST_STEPS, 0))
    return said.finding(text)


def sentence(premise: Premise) -> str:
    """What speaks against an unmet premise, without its full stop.

    Cells of which the same is said are named together.
    """
    cells: dict[str, list[Sequence[Evidence]]] = {}
    for evidence in _cells(premise):
        alone = "" if "{of}" in _SAYS[premise.name] else _names([evidence])
        cells.setdefault(_said(premise.name, evidence, alone), []).append(evidence)
    return "; ".join(
        _said(premise.name, same[0], _names(same)) for same in cells.values()
    )


def _names(cells: Sequence[Sequence[Evidence]]) -> str:
    return listed([*dict.fromkeys(e.cell for of_one in cells for e in of_one)])


def _cells(premise: Premise) -> list[list[Evidence]]:
    if premise.name in _OF_RUNS:
        return [list(premise.evidence)]
    cells = dict.fromkeys(e.cell for e in premise.evidence)
    return [[e for e in premise.evidence if e.cell == cell] for cell in cells]


_ONE_SHORT = "{least.step} ran for {shortest} s, less than {limit} s"
_SAYS = {
    LARGER: "the database{of} is not larger than memory: {values} MB after {steps}, of "
            "{limit} MB",
    READS: "{who} hardly reads: {values} KB per operation in {steps}",
    CACHED: "{who} is not cached: it reads {values} KB per operation in {steps}",
    LONG: "{n} ran for less than {limit} s, {least.step} for {shortest} s",
    PACED: "the writers{of} reached {percent}% of their rate in {steps}",
    ALONE: "others than client and server took {values}% of the busy CPU time of runs of "
           "{steps}",
    CLOCK: "the clock is unreliable: {most.step} used {longest} s of CPU per second, of "
           "at most {limit_of_most} s",
    TOGETHER: "{values} h lie between the runs of {who} and some of those compared with "
              "them",
    PACE: "the machine was slower for the runs of {who}: a fixed piece of work took "
          "{values}% longer than for some of those compared with them",
}  # fmt: skip


def _said(name: str, evidence: Sequence[Evidence], cell: str) -> str:
    """What the evidence of one cell says; ``cell``: what the cell is called."""
    words = _ONE_SHORT if name == LONG and len(evidence) == 1 else _SAYS[name]
    values = [e.value for e in evidence]
    least, most = (pick(evidence, key=lambda e: e.value) for pick in (min, max))
    return words.format(
        who=cell or "the database", of=f" of {cell}" if cell else "", least=least,
        most=most, shortest=number(least.value), longest=number(most.value),
        limit=number(evidence[0].limit), limit_of_most=number(most.limit),
        values=span(values, number), percent=span([100 * v for v in values], number),
        n=counted(len(evidence), "step"), steps=_steps(evidence),
    )  # fmt: skip


def _steps(evidence: Sequence[Evidence]) -> str:
    names = list(dict.fromkeys(e.step for e in evidence))
    more = len(names) - MOST_STEPS
    rest = [counted(more, "more step")] if more > 0 else []
    return listed([*names[:MOST_STEPS], *rest])
