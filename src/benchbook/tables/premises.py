"""What a question presumes, beside what was measured."""

import pandas as pd
from great_tables import GT

from benchbook.tables.look import Column, marked, styled, text
from benchmath.frames import require

NO_RUNS = "This study has no runs, so no premise to check."
_NOTE = (
    "A premise that does not hold has every number against it, another the number "
    "nearest to its limit."
)
_HEADS = {"of": "cell"}
_NUMBERS = ("measured", "limit")


def premises_table(facts: pd.DataFrame, title: str | None = None) -> GT:
    """Takes the frame of ``results.premises.premise_facts``."""
    require(facts, ("presumed", "holds", "of", "step", *_NUMBERS, "unit"))
    names = [c for c in facts.columns if c != "of" or (facts["of"] != "").any()]
    cells = facts[names].map(text)
    cells["holds"] = [marked(v, "worse") if v == "no" else v for v in facts["holds"]]
    columns = [Column(n, _HEADS.get(n, n), "", n in _NUMBERS) for n in names]
    return styled(cells, columns, title, notes=[_NOTE] if len(facts) else [NO_RUNS])
