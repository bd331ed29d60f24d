"""What else changed, as the clause of a sentence that states a gain.

A sentence names a version, or whatever is compared, as one of several things that
changed; which of them made the gain it cannot know.
"""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data
from benchmath.costs.causes import (
    BUILD,
    DURABILITY,
    LOAD,
    MACHINE,
    PLAN,
    SETTING,
    brief,
    confounded,
)

MOST_NAMED = 3
_HEADS = (
    ((PLAN,), "with other plans: ", " in the table of plans"),
    ((SETTING,), "with another config: ", " in the settings table"),
    ((DURABILITY, BUILD, MACHINE, LOAD), "what else changed: ", ""),
)


def clause(changed: pd.DataFrame | None, me: str | None = None) -> str:
    """` (with another config: a 1 → 2, ...)`; nothing where nothing else changed.

    ``changed`` is the frame of ``costs.causes.differences``, of one ``me`` if named.
    """
    words = in_words(changed, me)
    return f" ({words})" if words else ""


def in_words(changed: pd.DataFrame | None, me: str | None = None) -> str:
    """``clause`` without its brackets, for the end of a sentence."""
    if changed is None or changed.empty:
        return ""
    rows = confounded(changed, me)
    parts = [
        head + _named(rows[rows["kind"].isin(kinds)], where)
        for kinds, head, where in _HEADS
        if rows["kind"].isin(kinds).any()
    ]
    return "; ".join(parts)


@names_as_data
def beside(finding: Finding, changed: pd.DataFrame | None) -> Finding:
    """A finding with clauses, and what they are read from."""
    if changed is None or changed.empty:
        return finding
    words = [brief(row) for row in changed.to_dict("records")]
    claims = [
        Claim(str(me), "given", max(int(rows["kind"].isin(kinds).sum()) - MOST_NAMED, 0))
        for me in changed["me"].unique()
        for rows in [confounded(changed, me)]
        for kinds, _, _ in _HEADS
    ]
    frames = finding.frames | {"changed": changed.assign(words=words)}
    return Finding(finding.data, (*finding.claims, *claims), frames)


def _named(rows: pd.DataFrame, where: str) -> str:
    """The first three differences in words, and how many more there are."""
    words = [brief(row) for row in rows.head(MOST_NAMED).to_dict("records")]
    more = len(rows) - len(words)
    return ", ".join(words) + (f" and {more} more{where}" if more else "")
