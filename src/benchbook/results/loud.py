"""Steps of single sessions that do not count, because others took too much meanwhile."""

from dataclasses import fields, replace

import pandas as pd

from benchbook.results.results import Results
from benchmath.hazards.premises import OTHERS_LIMIT, UNRATED
from benchmath.turns.quiet import too_loud


def without_loud_steps(results: Results) -> Results:
    """``results`` where such a step is in no frame but ``loud``, which says what it was.

    Sessions are many, and a loud minute in one need not cost all of its steps. A study
    that says why loud runs count (``noisy``) keeps them; so does one that ended when it
    was decided (``until``): its looks were at all that was measured.
    """
    study, turns = results.study, results.turns
    if turns.empty or study.noisy or study.until:
        return results
    cells = dict(zip(results.runs["run_id"], results.runs["cell_id"], strict=True))
    loud = too_loud(turns[~turns["step"].isin(UNRATED)], cells, OTHERS_LIMIT)
    if loud.empty:
        return results
    runs = turns[["session", "run_id"]].drop_duplicates().merge(loud, on="session")
    gone = pd.MultiIndex.from_frame(runs[["run_id", "step"]])
    rest = {}
    for one in fields(results):
        frame = getattr(results, one.name)
        if isinstance(frame, pd.DataFrame) and {"run_id", "step"} <= {*frame.columns}:
            here = pd.MultiIndex.from_frame(frame[["run_id", "step"]])
            rest[one.name] = frame[~here.isin(gone)].reset_index(drop=True)
    return replace(results, loud=loud, **rest)
