"""Values of runs that took turns, without what the sessions differ by."""

import numpy as np
import pandas as pd

from benchmath.frames import select


def without_sessions(
    metric: pd.DataFrame, sessions: pd.Series, name: str = "throughput"
) -> pd.DataFrame:
    """Rows of one metric whose values lack what all arms of their session have in common.

    ``sessions`` has the session of each run_id that took turns. A detector that takes
    runs as independent would count a good or bad minute of the machine, which all arms of
    a session share, as noise of each. Each value is divided by the geometric
    mean over the arms of its session and multiplied by that over all sessions (the
    residuals of a two-way layout without interaction, on logarithms), where every session
    of the step has the same arms and no value is 0; elsewhere it stays as it is.
    """
    rows = select(metric, name)
    session = rows["run_id"].map(sessions).astype(object).fillna("").to_numpy()
    rows = rows.assign(_session=session)
    parts = [
        _centred(part) for _, part in rows.groupby(["step", "op", "clock"], sort=False)
    ]
    values = pd.concat(parts) if parts else rows["value"]
    return rows.assign(value=values).drop(columns="_session")


def _centred(rows: pd.DataFrame) -> pd.Series:
    values = rows["value"].astype(float)
    counts = rows["_session"].value_counts()
    if "" in counts.index or counts.nunique() != 1 or (values <= 0).any():
        return values
    logs = np.log(values)
    return np.exp(logs - logs.groupby(rows["_session"]).transform("mean") + logs.mean())
