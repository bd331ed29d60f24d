"""Verdicts, noise floors and changepoints as sentences.

Frames in, Markdown out; every number in a sentence is a cell of a table beside it.
"""

from __future__ import annotations

import pandas as pd
from IPython.display import Markdown

from benchbook.analysis.ratios.families import family
from benchbook.findings.causes import clause
from benchbook.prose import counted, interval, listed, rest_in_table, with_interval

NO_BASE = "No cell has a base to be compared with: nothing can be said yet."
_SIDES = (("improved", "better", "idxmax"), ("regressed", "worse", "idxmin"))


def verdict_finding(
    judged: pd.DataFrame, changed: pd.DataFrame | None = None, most: int = 4
) -> Markdown:
    """For each compared value: how many steps got which verdict, and the extremes.

    ``judged`` is the frame of ``analysis.verdicts``, ``changed`` that of
    ``costs.causes.differences``: what else changed is said of each value. At most
    ``most`` values get a sentence of their own, those that differ most. The last sentence
    is about all comparisons together: how many are significant, and how many of these may
    be false.
    """
    rows = judged[judged["relative"].notna()]
    if rows.empty:
        return Markdown(
            "No cell has a base to be compared with: nothing can be said yet."
        )
    groups = [group for _, group in rows.groupby("me", sort=False)]
    groups.sort(key=lambda g: -float((g["relative"] - 1).abs().max()))
    sentences = [_sentence(group, changed) for group in groups[:most]]
    if len(groups) > most:
        sentences.append(rest_in_table(len(groups) - most))
    return Markdown(" ".join([*sentences, family(rows).text]))


def aa_finding(judged: pd.DataFrame) -> Markdown:
    """How many comparisons of a thing with itself were called a change.

    ``judged`` holds every A/A arm against `main`: each improved or regressed is false.
    """
    known = judged[judged["verdict"] != "no interval"]
    if known.empty:
        return Markdown(
            "There are no A/A runs with repeats yet: `benchbook calibrate` makes them."
        )
    count = known["verdict"].value_counts()
    false = known[known["verdict"].isin(["improved", "regressed", "changed"])]
    excluding = int(known["detected"].fillna(False).astype(bool).sum())
    widest = known.loc[(known["high"] / known["low"]).idxmax()]
    text = (
        f"Of {counted(len(known), 'comparison')} of a build with itself, "
        f"**{len(false)}** got a false verdict of change; "
        f"{int(count.get('equivalent', 0))} are equivalent within "
        f"{known['margin'].iloc[0]:.0%} and {int(count.get('undecided', 0))} undecided. "
        f"{excluding} intervals miss the true ratio of 1, where 5% of them "
        f"({0.05 * len(known):.1f}) are expected to. The widest is {widest['step']} "
        f"({widest['me']}): {interval(widest['low'], widest['high'])}."
    )
    return Markdown(text)


def changes_finding(
    boundaries: pd.DataFrame, changed: pd.DataFrame | None = None, most: int = 3
) -> Markdown:
    """The boundaries between versions that moved most steps, as sentences.

    ``changed`` has what else changed there, me being `after→at`.
    """
    if boundaries.empty:
        return Markdown("Between no two neighbouring versions is a change of level sure.")
    ranked = boundaries.sort_values("hit", ascending=False, kind="stable")
    parts = [
        f"**{row['sentence']}**" + clause(changed, f"{row['after']}→{row['at']}")
        for row in ranked.head(most).to_dict("records")
    ]
    rest = len(ranked) - most
    more = f" {counted(rest, 'further boundary', 'further boundaries')} moved fewer."
    return Markdown("; ".join(parts) + "." + (more if rest > 0 else ""))


def planning_finding(needed: pd.DataFrame, effect: float) -> Markdown:
    """Runs per side that find a difference of ``effect``: least, median and most steps.

    ``needed`` is the frame of ``analysis.runs_table`` with a column for the effect.
    """
    column = f"{100 * effect:g}%"
    known = needed.dropna(subset=[column]).sort_values(column, kind="stable")
    if known.empty:
        return Markdown(f"No number of runs finds a difference of {column} here.")
    first, last = known.iloc[0], known.iloc[-1]
    text = (
        f"A difference of {column} is found with 80% probability by **{first[column]}** "
        f"runs a side in the quietest step ({first['step']}, CoV {first['cov']:.1%}) and "
        f"by **{last[column]}** in the noisiest ({last['step']}, CoV {last['cov']:.1%})."
    )
    never = len(needed) - len(known)
    if never:
        text += f" In {counted(never, 'step')} no number of runs finds it."
    return Markdown(text)


def _sentence(group: pd.DataFrame, changed: pd.DataFrame | None) -> str:
    me, base = group["me"].iloc[0], group["base"].iloc[0]
    parts = []
    for verdict, word, pick in _SIDES:
        side = group[group["verdict"] == verdict]
        if not side.empty:
            extreme = side.loc[getattr(side["relative"], pick)()]
            parts.append(f"{word} in {len(side)} (most in {_value(extreme)})")
    parts += _counts(group)
    also = clause(changed, str(me))
    tests = counted(len(group), "test")
    return f"Against {base}, **{me}**{also} is, of {tests}, {listed(parts)}."


def _counts(group: pd.DataFrame) -> list[str]:
    count = group["verdict"].value_counts()
    margin = group["margin"].iloc[0]
    words = {
        "changed": "changed in {}",
        "equivalent": f"equivalent within {margin:.0%} in {{}}",
        "undecided": f"undecided in {{}}{_more_runs(group)}",
        "no interval": "without an interval in {}",
    }
    return [text.format(count[v]) for v, text in words.items() if count.get(v, 0)]


def _more_runs(group: pd.DataFrame) -> str:
    """How many further runs per side the undecided ones need, if their runs are few."""
    more = group.loc[group["verdict"] == "undecided", "further_runs"].dropna()
    few = more[more > 0]
    if more.empty:
        return ""
    if few.empty:
        return " (the interval holds the margin)"
    low, high = int(few.min()), int(few.max())
    span = f"{low}" if low == high else f"{low} to {high}"
    return f" ({span} more runs per side would tell 1 from the margin)"


def _value(row: pd.Series) -> str:
    ratio = with_interval(f"{row['relative']:.2f}", row["low"], row["high"])
    return f"{row['step']}: {ratio}"


def old_to_new_finding(
    judged: pd.DataFrame,
    found: pd.DataFrame,
    changed: pd.DataFrame | None = None,
    last: str = "",
) -> Markdown:
    """The newest version against the base, then the boundaries that moved most steps.

    ``judged`` in the order of the versions; ``last`` names another than the newest.
    """
    known = judged[judged["relative"].notna()]
    if known.empty:
        return verdict_finding(known)
    newest = last or str(known["me"].iloc[-1])
    first = verdict_finding(known[known["me"] == newest], changed).data
    return Markdown(f"{first} {changes_finding(found, changed).data}")
