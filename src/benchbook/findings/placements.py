"""Whether an answer turns with where client and server run, as sentences."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, names_as_data
from benchmath.prose import counted, listed
from benchmath.ratios.placements import placements_of, turned

MOST = 3  # comparisons that are named
WORDS = {
    "split": "client and server on CPUs of their own",
    "same": "client and engine on one CPU",
    "none": "client and engine wherever the scheduler has them",
}


@names_as_data
def placement_finding(judged: pd.DataFrame) -> Finding:
    """In which comparisons another placement gives another verdict, and its ratio there.

    ``judged`` is the frame of ``Results.judged``. Nothing is said where all was measured
    in one placement.
    """
    placements = placements_of(judged)
    if len(placements) < 2:
        return Finding("")
    pairs = turned(judged)
    said = Draft(placements=judged, turned=pairs)
    first = WORDS.get(placements[0], f"the placement {placements[0]}")
    parts = [f"This is of {first} (`{placements[0]}`)."]
    for other, rows in pairs.groupby("placement", sort=False):
        turns = rows[rows["turned"]]
        of = len(rows)
        n = said.count("turned", {"turned": "True"}, {"placement": str(other)},
                       str(other), "all", "none")  # fmt: skip
        where = WORDS.get(str(other), f"the placement {other}")
        text = f"With {where} (`{other}`) the verdict turns in {n or 'none'} of "
        text += counted(of, "comparison")
        alone = said.count("turned", {"one_sided": "True"}, {"placement": str(other)},
                           f"{other} decided in one", "none")  # fmt: skip
        text += f", and {alone or 'none'} {'is' if alone < 2 else 'are'} decided in one "
        text += "alone"
        named = [_named(said, judged, row) for _, row in turns.head(MOST).iterrows()]
        if rest := n - len(named):
            said.given(f"{other}: more", rest)
            named.append(f"{rest} more")
        parts.append(f"{text}: {listed(named)}." if named else f"{text}.")
    return said.finding(" ".join(parts))


def _named(said: Draft, judged: pd.DataFrame, pair: pd.Series) -> str:
    """`l.i0 of 18.6 (1.20 [1.11, 1.30], there 0.94 [0.90, 0.98])`."""
    here, there = (judged.loc[pair[side]] for side in ("here", "there"))
    ratios = [said.ratio("placements", row) for row in (here, there)]
    return f"{pair['test']} of {pair['me']} ({ratios[0]}, there {ratios[1]})"
