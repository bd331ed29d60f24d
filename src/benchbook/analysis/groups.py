"""Summaries of relative throughput by group of steps, as the field publishes them."""

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from benchbook.analysis.frames import require

STATISTICS = ("average", "median", "min", "max", "stddev", "geomean")


def group_summary(
    relative: pd.DataFrame,
    groups: Mapping[str, str | None],
    by: Sequence[str] = ("me", "base"),
) -> pd.DataFrame:
    """Average, median, min, max, stddev (n-1) and geometric mean by group.

    ``relative`` needs step, relative and the columns of ``by``. ``groups`` maps every
    step to its group, or to None to leave it out; a step it does not name raises.
    Columns: ``by``, group, n (members with a ratio), missing (names of those without),
    the six statistics, note. A single member has no stddev.
    """
    require(relative, ("step", "relative", *by))
    unknown = [s for s in dict.fromkeys(relative["step"]) if s not in groups]
    if unknown:
        raise ValueError(f"no group is given for step {', '.join(map(str, unknown))}")

    grouped = relative.assign(group=relative["step"].map(groups))
    grouped = grouped[grouped["group"].notna()]
    order = list(dict.fromkeys(g for g in groups.values() if g is not None))
    records = []
    for labels, members in grouped.groupby([*by, "group"], sort=False, dropna=False):
        records.append(dict(zip([*by, "group"], labels, strict=True)) | _row(members))
    columns = [*by, "group", "n", "missing", *STATISTICS, "note"]
    table = pd.DataFrame.from_records(records, columns=columns)
    rank = table["group"].map({name: i for i, name in enumerate(order)})
    first = table.groupby(list(by), sort=False, dropna=False).ngroup()
    return table.assign(first=first, rank=rank).sort_values(
        ["first", "rank"], ignore_index=True
    )[columns]


def _row(members: pd.DataFrame) -> dict[str, object]:
    known = members[members["relative"].notna()]
    missing = [str(s) for s in members.loc[members["relative"].isna(), "step"]]
    values = known["relative"].to_numpy(dtype=float)
    if (values <= 0).any():
        raise ValueError("a relative throughput of 0 has no geometric mean")

    notes = [f"without {', '.join(missing)}"] if missing else []
    if values.size == 1:
        notes.append("1 member: no stddev")
    row = dict.fromkeys(STATISTICS, np.nan)
    if values.size:
        row = {
            "average": values.mean(),
            "median": np.median(values),
            "min": values.min(),
            "max": values.max(),
            "stddev": values.std(ddof=1) if values.size > 1 else np.nan,
            "geomean": np.exp(np.log(values).mean()),
        }
    text = "; ".join(notes)
    return {"n": values.size, "missing": ", ".join(missing), "note": text} | row
