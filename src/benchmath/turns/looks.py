"""Looks at comparisons while loads are added, and the ratios of those that stopped."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchmath.frames import require
from benchmath.intervals import LEVEL, student_p, t_quantile
from benchmath.turns.estimate import TurnRatioFrame, keys_of, ratios_of
from benchmath.turns.loads import FEWEST
from benchmath.turns.rounds import paired_rounds
from benchmath.turns.sessions import THROUGHPUT, session_ratios


def looks_at(
    turns: pd.DataFrame,
    runs: pd.DataFrame,
    base: Mapping[str, str],
    shares: Mapping[int, float],
    dimensions: Sequence[str] | None = None,
) -> pd.DataFrame:
    """Ratios by the clock after each trial, of what has three loads or more by then.

    ``runs`` has trial besides the dimensions, ``shares`` the share of the budget that was
    used when all sessions of a trial had ended. A look knows all sessions up to its trial
    (``turn_ratios``); what had no further load by then is not looked at again.

    The frame that ``decisions`` takes, and trial, sessions. rounds, its measure of
    information, counts loads: what these differ by is most of the error.
    """
    require(runs, ("run_id", "trial"))
    keys = keys_of(runs, base, dimensions)
    sessions = session_ratios(paired_rounds(turns, runs, base, keys[:-2]), keys)
    sessions = sessions[sessions["measure"] == THROUGHPUT]
    trials = turns[["run_id", "session"]].drop_duplicates().merge(runs, on="run_id")
    trial = sessions["session"].map(trials.groupby("session")["trial"].min())
    frames = []
    for number in sorted(trial.unique()):
        ratios = ratios_of(sessions[trial <= number], keys, base)
        known = ratios[ratios["sessions"] >= FEWEST]
        frames.append(known.assign(trial=number, share=shares[number]))
    columns = [*keys, "trial", "share", "sessions", "relative", "se", "df"]
    if not frames:
        return pd.DataFrame(columns=[*columns, "rounds"])
    looks = pd.concat(frames, ignore_index=True).drop_duplicates([*keys, "sessions"])
    return looks[columns].assign(rounds=looks["sessions"])


def as_decided(
    ratios: TurnRatioFrame,
    decided: pd.DataFrame,
    keys: Sequence[str],
    level: float = LEVEL,
) -> TurnRatioFrame:
    """The ratios by the clock with the intervals that ``decided`` says to report.

    ``decided`` is the frame of ``decisions`` by ``keys``, and stopped, a sentence. Of
    each comparison with a look: relative and df are those of the look that decided it, or
    of the last; se is that whose usual interval is as wide as the one of all looks;
    sessions are the loads that it saw. All others stay.
    """
    require(decided, (*keys, "looks", "relative", "high", "df", "rounds", "stopped"))
    seen = decided[decided["looks"] > 0]
    rows = ratios[list(keys)].merge(seen, on=list(keys), how="left", validate="m:1")
    ratio, high, df = (rows[c].to_numpy(dtype=float) for c in ("relative", "high", "df"))
    of_clock = (ratios["measure"] == THROUGHPUT).to_numpy() & np.isfinite(high)
    half = np.log(high / ratio)
    se = half / t_quantile((1 + level) / 2, df)
    low = ratio * np.exp(-half)
    new = {
        "relative": ratio, "low": low, "high": high, "se": se, "df": df,
        "p": student_p(ratio, se, df), "sessions": rows["rounds"].to_numpy(dtype=float),
    }  # fmt: skip
    replaced = {c: np.where(of_clock, v, ratios[c]) for c, v in new.items()}
    replaced["sessions"] = replaced["sessions"].astype(int)
    stopped = np.where(of_clock, rows["stopped"].to_numpy(), ratios["stopped"])
    return ratios.assign(**replaced, stopped=stopped)
