"""What a question presumes, beside what was measured."""

import pandas as pd
from great_tables import GT

from benchbook.tables.look import Column, table, text, warned
from benchmath.frames import require

NO_RUNS = "This study has no runs, so no premise to check."
_NOTE = (
    "A premise that does not hold has every number against it, another the number "
    "nearest to its limit."
)
_HEADS = {"of": "cell"}
_NUMBERS = ("measured", "limit")
_SHOWN = {"holds": lambda word: warned(word, word == "no")}


def premises_table(facts: pd.DataFrame, title: str | None = None) -> GT:
    """Takes the frame of ``views.premises.premise_facts``."""
    require(facts, ("presumed", "holds", "of", "step", *_NUMBERS, "unit"))
    names = [c for c in facts.columns if c != "of" or (facts["of"] != "").any()]
    columns = [
        Column(n, _HEADS.get(n), "", n in _NUMBERS, show=_SHOWN.get(n, text))
        for n in names
    ]
    return table(facts, columns, title, [_NOTE], empty=NO_RUNS)
