"""What the sessions of a server were doing when they were looked at, once a second."""

import pandas as pd

from benchmath.frames import Kind, require, with_dimensions

_WAITS = Kind(
    "wait_shares", {"state": "", "sessions": "mean", "share": "%", "looks": "count"}
)


def wait_shares(waits: pd.DataFrame, runs: pd.DataFrame, by: str) -> pd.DataFrame:
    """Sessions in each state, on average over the looks of a step.

    ``waits`` has run_id, step, t_ns, state, sessions. Columns: step, ``by``, state,
    sessions (mean over all looks, 0 where a look does not name the state), share (percent
    of all sessions seen in the step), looks. Most first within a step and ``by``.
    """
    if waits.empty:
        return pd.DataFrame(columns=["step", by, *_WAITS.columns])
    require(waits, ("run_id", "step", "t_ns", "state", "sessions"))
    named = with_dimensions(waits, runs, [by])
    keys = ["step", by]
    looks = named.drop_duplicates(["run_id", "t_ns"]).groupby(keys, sort=False).size()
    sums = named.groupby([*keys, "state"], sort=False)["sessions"].sum().reset_index()
    sums = sums.join(looks.rename("looks"), on=keys)
    whole = sums.groupby(keys)["sessions"].transform("sum")
    shares = sums.assign(
        share=100 * sums["sessions"] / whole, sessions=sums["sessions"] / sums["looks"]
    )
    order = {key: n for n, key in enumerate(looks.index)}
    place = [order[key] for key in zip(shares["step"], shares[by], strict=True)]
    sorted_rows = shares.assign(place=place).sort_values(
        ["place", "sessions"], ascending=[True, False], kind="stable"
    )
    return _WAITS.of(sorted_rows.reset_index(drop=True), keys)
