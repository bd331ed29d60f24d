"""Verdicts, noise floors and changepoints as sentences.

Frames in, Markdown out; every number in a sentence is a cell of a table beside it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import Any

import pandas as pd

from benchbook.finding import Claim, Finding, amount, names_as_data, tally
from benchbook.findings.causes import beside, clause, in_words
from benchbook.findings.verdict_sentences import (
    announced,
    claims_of_group,
    decided_sentence,
    is_decided,
    undecided_sentence,
)
from benchmath.changes.boundaries import percent_text, unplaced
from benchmath.changes.shift import WITH_OTHERS
from benchmath.prose import counted, interval, listed, rest_in_table
from benchmath.ratios.verdicts import Family, family

NO_BOUNDARY = "No change of level was detected between neighbouring versions."
NO_BASE = "No cell has a base to be compared with: nothing can be said yet."


@names_as_data
def verdict_finding(
    judged: pd.DataFrame,
    changed: pd.DataFrame | None = None,
    most: int = 3,
    among: pd.DataFrame | None = None,
) -> Finding:
    """In how many tests each compared value is faster or slower, and the extremes.

    ``judged`` is the frame of ``verdicts``, ``changed`` that of
    ``costs.causes.differences``: what else changed is said of each value. At most
    ``most`` values get a sentence of their own, those that differ most; what differs in
    no test shares one. The last sentence is about the comparisons among which q was
    adjusted, ``among`` where these are more than ``judged``: how many are significant,
    and how many of these may be false.
    """
    rows = judged[judged["relative"].notna()]
    if rows.empty:
        return Finding(NO_BASE)
    rows = rows.assign(verdict=announced(rows))
    groups = [group for _, group in rows.groupby("me", sort=False)]
    groups.sort(key=lambda g: -float((g["relative"] - 1).abs().max()))
    decided = [group for group in groups if is_decided(group)]
    alike = [group for group in groups if not is_decided(group)]
    sentences = [
        decided_sentence(group, in_words(changed, str(group["me"].iloc[0])))
        for group in decided[:most]
    ]
    if alike:
        sentences.append(undecided_sentence(alike, most))
    if len(decided) > most:
        sentences.append(rest_in_table(len(decided) - most))
    every = family(rows) if among is None else family(among, among=" of all versions")
    claims = [
        claim
        for group in (*decided[:most], *alike)
        for claim in claims_of_group(rows, group)
    ]
    hidden = [max(len(some) - most, 0) for some in (decided, alike)]
    claims += [
        Claim("others", "rest of me", count=n, of=len(groups), frame="judged")
        for n in hidden
        if n
    ]
    frames = {"judged": rows, "family": rows if among is None else among}
    text = " ".join([*sentences, every.text])
    return beside(Finding(text, [*claims, *claims_of_all(rows, every)], frames), changed)


@names_as_data
def aa_finding(judged: pd.DataFrame) -> Finding:
    """How many comparisons of a thing with itself were called a change.

    ``judged`` holds every A/A arm against `main`: each improved or regressed is false.
    """
    compared = judged[judged["verdict"] != "no interval"]
    if compared.empty:
        return Finding(
            "There are no A/A runs with repeats yet: `benchbook calibrate` makes them."
        )
    count = compared["verdict"].value_counts()
    false = compared[compared["verdict"].isin(["improved", "regressed", "changed"])]
    excluding = int(compared["detected"].fillna(False).astype(bool).sum())
    widest = compared.loc[(compared["high"] / compared["low"]).idxmax()]
    same, open_ = (int(count.get(name, 0)) for name in ("equivalent", "undecided"))
    called = f"**{len(false) or 'none'}** {'were' if len(false) > 1 else 'was'}"
    exclude = f"{counted(excluding, 'interval') if excluding else 'No interval'} "
    exclude += "exclude" if excluding > 1 else "excludes"
    text = (
        f"Of {counted(len(compared), 'comparison')} of a build with itself, {called} "
        f"falsely called a change; {same} {'is' if same == 1 else 'are'} equivalent "
        f"within {compared['margin'].iloc[0]:.0%} and {open_} undecided. {exclude} the "
        f"true ratio of 1; 5% of them ({0.05 * len(compared):.1f}) are expected to. The "
        f"widest interval is that of {widest['step']} ({widest['me']}): "
        f"{interval(widest['low'], widest['high'])}."
    )
    return Finding(text, _aa_claims(compared, false, excluding), {"judged": compared})


@names_as_data
def changes_finding(
    boundaries: pd.DataFrame, changed: pd.DataFrame | None = None, most: int = 3
) -> Finding:
    """The boundaries between versions that moved most steps, as sentences.

    ``changed`` has what else changed there, me being `after→at`.
    """
    if boundaries.empty:
        return Finding(NO_BOUNDARY)
    ranked = boundaries.sort_values("hit", ascending=False, kind="stable")
    parts = [
        f"**{row['boundary']}** {_levels(row)}"
        + clause(changed, f"{row['after']}→{row['at']}")
        for row in ranked.head(most).to_dict("records")
    ]
    rest = len(ranked) - most
    more = (
        f" {counted(rest, 'further change', 'further changes')} "
        f"{'is' if rest == 1 else 'are'} in the table."
    )
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
    said = f"The level changes at {'; at '.join(parts)}." + (more if rest > 0 else "")
    return beside(Finding(said, claims, {"boundaries": boundaries}), changed)


def _levels(row: Mapping[Hashable, Any]) -> str:
    """`in 5 of 6 tests (2 down and 3 up, 1 found only ...), median −47%`."""
    notes = [f"{row['down']} down and {row['up']} up"] * bool(row["up"] and row["down"])
    notes += [f"{row['shared']} {WITH_OTHERS}"] * bool(row["shared"])
    beside = f" ({', '.join(notes)})" if notes else ""
    tests = counted(int(row["of"]), "test")
    return f"in {row['hit']} of {tests}{beside}, median {percent_text(row['median'])}"


@names_as_data
def planning_finding(needed: pd.DataFrame, effect: float) -> Finding:
    """Runs per side that find a difference of ``effect``: least, median and most steps.

    ``needed`` is the frame of ``runs_table`` with a column for the effect.
    """
    column = f"{100 * effect:g}%"
    reachable = needed.dropna(subset=[column]).sort_values(column, kind="stable")
    if reachable.empty:
        asked = Claim("asked", "given", 100 * effect, unit="%")
        return Finding(
            f"No number of runs detects a difference of {column} here.", [asked]
        )
    first, last = reachable.iloc[0], reachable.iloc[-1]
    where = [f"({row['step']}, CoV {row['cov']:.1%})" for row in (first, last)]
    text = (
        f"Detecting a difference of {column} with 80% power takes **{first[column]}** "
        f"runs per side in the {'quietest' if len(needed) > 1 else 'only'} step "
        f"{where[0]}"
    )
    if len(reachable) > 1:
        text += f" and **{last[column]}** in the noisiest {where[1]}"
    text += "."
    never = len(needed) - len(reachable)
    if never:
        text += f" In {counted(never, 'step')} no number of runs detects it."
    claims = [
        Claim(
            str(row["step"]), relation, row[column], unit="runs", frame="needed",
            rows={"step": str(row["step"])}, column=column,
        )
        for row, relation in ((first, "smallest"), (last, "largest"))
    ]  # fmt: skip
    claims += [amount(reachable, row, "cov", "needed", unit="%") for row in (first, last)]
    claims.append(Claim("never", "missing", count=never, of=len(needed), frame="needed",
                        column=column))  # fmt: skip
    claims.append(Claim("asked", "given", 100 * effect, unit="%"))
    claims.append(Claim("power", "given", 80, unit="%"))
    return Finding(text, claims, {"needed": needed})


def claims_of_all(rows: pd.DataFrame, every: Family) -> list[Claim]:
    """The margin, and what the last sentence says of all comparisons."""
    return [
        Claim("margin", "given", 100 * float(rows["margin"].iloc[0]), unit="%",
              frame="judged", column="margin"),
        Claim(f"all{every.among}", "significant", every.expected_false,
              count=every.flagged, of=every.tests, frame="family",
              quantifier="" if every.flagged else "none"),
        Claim("all", "given", 100 * every.alpha, unit="%"),
        Claim("no difference", "given", 1, unit="ratio"),
    ]  # fmt: skip


def _aa_claims(
    compared: pd.DataFrame, false: pd.DataFrame, excluding: int
) -> list[Claim]:
    count = [
        tally(compared, "judged", {"verdict": verdict}, subject=verdict)
        for verdict in ("equivalent", "undecided", "improved", "regressed", "changed")
    ]
    widest = compared.loc[(compared["high"] / compared["low"]).idxmax()]
    return [
        *count,
        Claim("false", "changed", count=len(false), of=len(compared), frame="judged",
              quantifier="" if len(false) else "none"),
        Claim("interval", "excludes 1", 0.05 * len(compared), count=excluding,
              of=len(compared), frame="judged"),
        amount(compared, widest, "relative", "judged", "widest"),
        Claim("margin", "given", 100 * float(compared["margin"].iloc[0]), unit="%",
              frame="judged", column="margin"),
        Claim("by chance", "given", 5, unit="%"),
        Claim("no difference", "given", 1, unit="ratio"),
    ]  # fmt: skip


@names_as_data
def old_to_new_finding(
    judged: pd.DataFrame,
    boundaries: pd.DataFrame,
    changed: pd.DataFrame | None = None,
) -> Finding:
    """The newest version against the base, then the boundaries that moved most steps.

    ``judged`` in the order of the versions.
    """
    compared = judged[judged["relative"].notna()]
    if compared.empty:
        return verdict_finding(compared)
    newest = str(compared["me"].iloc[-1])
    of_newest = compared[compared["me"] == newest]
    first = verdict_finding(of_newest, changed, among=compared)
    then = changes_finding(boundaries, changed)
    last = _unplaced_finding(compared, boundaries)
    parts = [first, then, *([last] if last.claims else [])]
    return Finding(
        " ".join(str(part.data) for part in parts),
        [claim for part in parts for claim in part.claims],
        first.frames | then.frames | last.frames,
    )


def _unplaced_finding(judged: pd.DataFrame, boundaries: pd.DataFrame) -> Finding:
    """What ratios say and changepoints do not: of each step the newest such version."""
    if "version" not in judged.columns or "q" not in judged.columns:
        return Finding("")
    far = unplaced(judged, boundaries)
    if far.empty:
        return Finding("")
    newest = far.drop_duplicates("step", keep="last")
    said, claims = [], []
    for row in newest.to_dict("records"):
        ratio = interval(row["low"], row["high"])
        said.append(f"{row['step']} ({row['version']}: {row['relative']:.2f} {ratio})")
        claims.append(amount(judged, row, "relative", "compared"))
    claims += [
        Claim(f"{row['step']} {row['version']}", "against", frame="compared",
              rows={"step": str(row["step"]), "version": str(row["version"])})
        for row in far.to_dict("records")
    ]  # fmt: skip
    text = (
        f"Far from {judged['base'].iloc[0]} with no change of level detected on the way: "
        f"{listed(said)}."
    )
    return Finding(text, claims, {"compared": judged})
