"""What a post of published figures finds, as sentences.

Frames in, Markdown out; every number is a count of rows of a table beside it.
"""

from __future__ import annotations

from collections.abc import Mapping

import pandas as pd

from benchbook.finding import Draft, Finding, names_as_data
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
    said = Draft(figures=figures, ratios=ratios, checks=checks, claims=claims)
    for name, frame in said.frames.items():
        said.claim(name, "rows", count=len(frame), frame=name)
    computed = int(ratios["relative"].notna().sum())
    said.claim("ratios", "present", count=computed, frame="ratios", column="relative")
    parts = [f"**{counted(len(figures), 'published figure')}**"]
    if computed:
        parts.append(f"{counted(computed, 'ratio')} recomputed from them")
    text = f"{listed(parts)}{_of_published(said, checks)}."
    if computed:
        text += _of_base(said, *without_ratio(figures, ratios, base))
    text += f" {_of_raw(said, len(doubtful(figures)))}"
    counts = {v: said.count("claims", {"verdict": v}, None, v) for v in _VERDICTS}
    says = [(n, *_VERDICTS[v]) for v, n in counts.items() if n]
    if len(claims) == 1:
        text += f" The one claim {says[0][1]}."
    elif says:
        text += f" Of {len(claims)} claims {listed([counted(*one) for one in says])}."
    return said.finding(text)


def _of_published(said: Draft, checks: pd.DataFrame) -> str:
    """How many of the ratios that were published too are those of the figures."""
    if checks.empty:
        return ""
    same = said.count("checks", {"follows": "True"}, None, "equal")
    if len(checks) == 1:
        verb = "is equal" if same else "differs"
        return f" (the one that was published too {verb})"
    are = counted(same, "is", "are")
    return f" (of the {len(checks)} that were published too {are} equal)"


def _of_base(said: Draft, absent: int, zero: int) -> str:
    """How many figures have no ratio, and why."""
    said.given("without a ratio", absent, zero, absent + zero)
    if not absent and not zero:
        return ""
    whose, verb = ("its", "has") if absent + zero == 1 else ("their", "have")
    why = f"{whose} base was not published" if absent else f"{whose} base is 0"
    if absent and zero:
        why = f"the base of {absent} was not published, that of {zero} is 0"
    return f" {counted(absent + zero, 'figure')} {verb} no ratio: {why}."


def _of_raw(said: Draft, wrong: int) -> str:
    said.given("doubtful", wrong)
    if not wrong:
        return "No figure is known to differ from the source's raw data."
    verb = "figure does" if wrong == 1 else "figures do"
    return f"**{wrong}** {verb} not follow from the source's raw data."
