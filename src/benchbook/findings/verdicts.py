"""Verdicts, noise floors and changepoints as sentences.

Frames in, Markdown out; every number in a sentence is a cell of a table beside it.
"""

from __future__ import annotations

import pandas as pd

from benchbook.analysis.ratios.families import family
from benchbook.analysis.ratios.power import ALPHA
from benchbook.analysis.ratios.verdicts import CHANGES
from benchbook.finding import Claim, Finding, amount, tally
from benchbook.findings.causes import beside, clause
from benchbook.prose import counted, interval, listed, rest_in_table, with_interval

NO_BASE = "No cell has a base to be compared with: nothing can be said yet."
NOT_SIGNIFICANT = "not significant"
_SIDES = (("improved", "better", "idxmax"), ("regressed", "worse", "idxmin"))


def verdict_finding(
    judged: pd.DataFrame, changed: pd.DataFrame | None = None, most: int = 4
) -> Finding:
    """For each compared value: how many steps got which verdict, and the extremes.

    ``judged`` is the frame of ``analysis.verdicts``, ``changed`` that of
    ``costs.causes.differences``: what else changed is said of each value. At most
    ``most`` values get a sentence of their own, those that differ most. The last sentence
    is about all comparisons together: how many are significant, and how many of these may
    be false.
    """
    rows = judged[judged["relative"].notna()]
    if rows.empty:
        return Finding("No cell has a base to be compared with: nothing can be said yet.")
    rows = rows.assign(verdict=_announced(rows))
    groups = [group for _, group in rows.groupby("me", sort=False)]
    groups.sort(key=lambda g: -float((g["relative"] - 1).abs().max()))
    sentences = [_sentence(group, changed) for group in groups[:most]]
    if len(groups) > most:
        sentences.append(rest_in_table(len(groups) - most))
    text = " ".join([*sentences, family(rows).text])
    frames = {"judged": rows, "family": rows}
    said = Finding(text, _claims(groups[:most], len(groups), rows), frames)
    return beside(said, changed)


def _announced(rows: pd.DataFrame) -> pd.Series:
    """The verdicts, but of no change that Benjamini-Hochberg would take back."""
    withdrawn = rows["verdict"].isin(CHANGES) & (rows["q"] > ALPHA)
    return rows["verdict"].mask(withdrawn, NOT_SIGNIFICANT)


def aa_finding(judged: pd.DataFrame) -> Finding:
    """How many comparisons of a thing with itself were called a change.

    ``judged`` holds every A/A arm against `main`: each improved or regressed is false.
    """
    known = judged[judged["verdict"] != "no interval"]
    if known.empty:
        return Finding(
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
    return Finding(text, _aa_claims(known, false, excluding), {"judged": known})


def changes_finding(
    boundaries: pd.DataFrame, changed: pd.DataFrame | None = None, most: int = 3
) -> Finding:
    """The boundaries between versions that moved most steps, as sentences.

    ``changed`` has what else changed there, me being `after→at`.
    """
    if boundaries.empty:
        return Finding("Between no two neighbouring versions is a change of level sure.")
    ranked = boundaries.sort_values("hit", ascending=False, kind="stable")
    parts = [
        f"**{row['sentence']}**" + clause(changed, f"{row['after']}→{row['at']}")
        for row in ranked.head(most).to_dict("records")
    ]
    rest = len(ranked) - most
    more = f" {counted(rest, 'further boundary', 'further boundaries')} moved fewer."
    claims = [
        Claim(
            str(row["boundary"]), "is", row[column], unit="%", frame="boundaries",
            rows={"boundary": str(row["boundary"])}, column=column,
        )
        for row in ranked.head(most).to_dict("records")
        for column in ("median", "hit", "of", "shared", "up", "down")
        if column in row and "boundary" in row
    ]  # fmt: skip
    if rest > 0:
        claims.append(Claim("further", "rest", count=rest, of=len(ranked),
                            frame="boundaries"))  # fmt: skip
    said = "; ".join(parts) + "." + (more if rest > 0 else "")
    return beside(Finding(said, claims, {"boundaries": boundaries}), changed)


def planning_finding(needed: pd.DataFrame, effect: float) -> Finding:
    """Runs per side that find a difference of ``effect``: least, median and most steps.

    ``needed`` is the frame of ``analysis.runs_table`` with a column for the effect.
    """
    column = f"{100 * effect:g}%"
    known = needed.dropna(subset=[column]).sort_values(column, kind="stable")
    if known.empty:
        return Finding(f"No number of runs finds a difference of {column} here.")
    first, last = known.iloc[0], known.iloc[-1]
    text = (
        f"A difference of {column} is found with 80% probability by **{first[column]}** "
        f"runs a side in the quietest step ({first['step']}, CoV {first['cov']:.1%}) and "
        f"by **{last[column]}** in the noisiest ({last['step']}, CoV {last['cov']:.1%})."
    )
    never = len(needed) - len(known)
    if never:
        text += f" In {counted(never, 'step')} no number of runs finds it."
    claims = [
        Claim(
            str(row["step"]), relation, row[column], unit="runs", frame="needed",
            rows={"step": str(row["step"])}, column=column,
        )
        for row, relation in ((first, "smallest"), (last, "largest"))
    ]  # fmt: skip
    claims += [amount(known, row, "cov", "needed", unit="%") for row in (first, last)]
    claims.append(Claim("never", "missing", count=never, of=len(needed), frame="needed",
                        column=column))  # fmt: skip
    claims.append(Claim("asked", "given", 100 * effect, unit="%"))
    claims.append(Claim("power", "given", 80, unit="%"))
    return Finding(text, claims, {"needed": needed})


def _claims(groups: list[pd.DataFrame], of: int, rows: pd.DataFrame) -> list[Claim]:
    """What each sentence says of its group, then what the last says of all."""
    claims = []
    for group in groups:
        me = str(group["me"].iloc[0])
        for verdict in dict.fromkeys(group["verdict"]):
            where, subject = {"verdict": str(verdict)}, f"{me} {verdict}"
            claims.append(tally(rows, "judged", where, {"me": me}, subject))
        for verdict, _, pick in _SIDES:
            side = group[group["verdict"] == verdict]
            if len(side):
                extreme = side.loc[getattr(side["relative"], pick)()]
                relation = "largest" if pick == "idxmax" else "smallest"
                where = {"me": me, "verdict": verdict}
                said = amount(rows, extreme, "relative", "judged", relation, where=where)
                claims.append(said)
        further = group.loc[group["verdict"] == "undecided", "further_runs"].dropna()
        few = further[further > 0]
        for relation, runs in (("smallest", few.min()), ("largest", few.max())):
            if len(few):
                claims.append(Claim(
                    f"{me} further runs", relation, int(runs), unit="runs",
                    frame="judged", column="further_runs",
                    where={"me": me, "verdict": "undecided"},
                ))  # fmt: skip
    if of > len(groups):
        claims.append(Claim("others", "rest of me", count=of - len(groups), of=of,
                            frame="judged"))  # fmt: skip
    claims.append(Claim("margin", "given", 100 * float(rows["margin"].iloc[0]), unit="%",
                        frame="judged", column="margin"))  # fmt: skip
    every = family(rows)
    one = {"me": str(rows["me"].iloc[0])} if of == 1 else {}
    claims.append(
        Claim("all", "significant", every.expected_false, count=every.flagged,
              of=every.tests, frame="family", rows=one,
              quantifier="" if every.flagged else "none")
    )  # fmt: skip
    claims.append(Claim("all", "given", 100 * every.alpha, unit="%"))
    return claims


def _aa_claims(known: pd.DataFrame, false: pd.DataFrame, excluding: int) -> list[Claim]:
    count = [
        tally(known, "judged", {"verdict": verdict}, subject=verdict)
        for verdict in ("equivalent", "undecided", "improved", "regressed", "changed")
    ]
    widest = known.loc[(known["high"] / known["low"]).idxmax()]
    return [
        *count,
        Claim("false", "changed", count=len(false), of=len(known), frame="judged"),
        Claim("interval", "excludes 1", 0.05 * len(known), count=excluding,
              of=len(known), frame="judged"),
        amount(known, widest, "relative", "judged", "widest"),
        Claim("margin", "given", 100 * float(known["margin"].iloc[0]), unit="%",
              frame="judged", column="margin"),
        Claim("by chance", "given", 5, unit="%"),
    ]  # fmt: skip


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
        NOT_SIGNIFICANT: "not significantly different in {}",
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
) -> Finding:
    """The newest version against the base, then the boundaries that moved most steps.

    ``judged`` in the order of the versions; ``last`` names another than the newest.
    """
    known = judged[judged["relative"].notna()]
    if known.empty:
        return verdict_finding(known)
    newest = last or str(known["me"].iloc[-1])
    first = verdict_finding(known[known["me"] == newest], changed)
    then = changes_finding(found, changed)
    return Finding(
        f"{first.data} {then.data}",
        first.claims + then.claims,
        first.frames | {"family": known} | then.frames,
    )
