"""What a post of published figures finds, as sentences.

Frames in, Markdown out; every number is a count of rows of a table beside it.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data, tally
from benchmath.frames import require
from benchmath.prose import counted, listed
from benchmath.published import doubtful, without_ratio

NO_INTERVAL = (
    "Ratios of the printed figures, rounded half up. One published figure a cell has no "
    "interval: a ratio near 1.00 says nothing about a difference."
)
_VERDICTS = {
    "holds": ("holds", "hold"),
    "differs": ("differs", "differ"),
    "cannot be checked": ("cannot be checked", "cannot be checked"),
}


@names_as_data
def published_finding(
    figures: pd.DataFrame,
    ratios: pd.DataFrame,
    checks: pd.DataFrame,
    claims: pd.DataFrame,
    base: Mapping[str, str],
) -> Finding:
    """How many figures, relations and claims there are, and how many do not follow.

    Takes ``published_figures``, ``published_ratios``, ``ratio_checks``,
    ``checked_claims`` and the study's base.
    """
    require(claims, ("verdict",))
    wrong = doubtful(figures)
    computed = int(ratios["relative"].notna().sum())
    parts = [f"**{counted(len(figures), 'published figure')}**"]
    if computed:
        parts.append(f"{counted(computed, 'ratio')} recomputed from them")
    text = f"{listed(parts)}{_of_published(checks)}."
    if computed:
        text += _of_base(*without_ratio(figures, ratios, base))
    text += f" {_of_raw(len(wrong))}"
    if len(claims):
        of = f"Of {len(claims)} claims" if len(claims) > 1 else "The one claim"
        text += f" {of} {_verdicts(claims)}."
    frames = {"figures": figures, "ratios": ratios, "checks": checks, "claims": claims}
    said = [Claim(name, "rows", count=len(f), frame=name) for name, f in frames.items()]
    said.append(
        Claim("ratios", "present", count=computed, frame="ratios", column="relative")
    )
    if len(checks):
        said.append(tally(checks, "checks", {"follows": "True"}, subject="equal"))
    said += [tally(claims, "claims", {"verdict": v}, subject=v) for v in _VERDICTS]
    if computed:
        lost = without_ratio(figures, ratios, base)
        said += [Claim("without a ratio", "given", n) for n in (*lost, sum(lost))]
    said.append(Claim("doubtful", "given", len(wrong)))
    return Finding(text, said, frames)


def _of_published(checks: pd.DataFrame) -> str:
    """How many of the ratios that were published too are those of the figures."""
    if checks.empty:
        return ""
    same = int(checks["follows"].sum())
    if len(checks) == 1:
        verb = "is equal" if same else "differs"
        return f" (the one that was published too {verb})"
    are = "is" if same == 1 else "are"
    return f" (of the {len(checks)} that were published too {same} {are} equal)"


def _of_base(absent: int, zero: int) -> str:
    """How many figures have no ratio, and why."""
    if not absent and not zero:
        return ""
    whose = "its" if absent + zero == 1 else "their"
    why = f"{whose} base was not published" if absent else f"{whose} base is 0"
    if absent and zero:
        why = f"the base of {absent} was not published, that of {zero} is 0"
    verb = "has" if absent + zero == 1 else "have"
    return f" {counted(absent + zero, 'figure')} {verb} no ratio: {why}."


def _of_raw(wrong: int) -> str:
    if not wrong:
        return "No figure is known to differ from the source's raw data."
    verb = "figure does" if wrong == 1 else "figures do"
    return f"**{wrong}** {verb} not follow from the source's raw data."


def _verdicts(claims: pd.DataFrame) -> str:
    counts = claims["verdict"].value_counts()
    if len(claims) == 1:
        return _VERDICTS[str(counts.index[0])][0]
    parts = [
        f"{counts[verdict]} {words[int(counts[verdict] > 1)]}"
        for verdict, words in _VERDICTS.items()
        if verdict in counts
    ]
    return listed(parts)
