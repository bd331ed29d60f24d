"""Verdicts, noise floors and changepoints as sentences.

Frames in, Markdown out; every number in a sentence is a cell of a table beside it.
"""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, Row, names_as_data, together
from benchbook.findings.causes import beside, clause, in_words
from benchbook.findings.verdict_sentences import (
    group_sentence,
    is_decided,
    of_family,
    undecided_sentence,
    with_verdicts,
)
from benchmath.changes.boundaries import percent_text, unplaced
from benchmath.changes.shift import WITH_OTHERS
from benchmath.prose import counted, interval, listed, rest_in_table
from benchmath.ratios.verdicts import Family, family, tests_of

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
    rows = with_verdicts(judged)
    if rows.empty:
        return Finding(NO_BASE)
    groups = [group for _, group in rows.groupby("me", sort=False)]
    groups.sort(key=lambda g: -float((g["relative"] - 1).abs().max()))
    decided = [group for group in groups if is_decided(group)]
    alike = [group for group in groups if not is_decided(group)]
    every = family(rows) if among is None else family(among, among=" of all versions")
    said = Draft(judged=rows, family=rows if among is None else among)
    sentences = [
        group_sentence(said, group, in_words(changed, str(group["me"].iloc[0])))
        for group in decided[:most]
    ]
    if alike:
        sentences.append(undecided_sentence(said, alike, most))
    if len(decided) > most:
        sentences.append(rest_in_table(len(decided) - most))
    for some in (decided, alike):
        if len(some) > most:
            said.claim("others", "rest of me", count=len(some) - most, of=len(groups),
                       frame="judged")  # fmt: skip
    sentences.append(all_sentence(said, every))
    return beside(said.finding(" ".join(sentences)), changed)


def all_sentence(said: Draft, every: Family) -> str:
    """``of_family`` of what was judged, and the margin of its verdicts."""
    margin = said.frames["judged"]["margin"].iloc[0]
    said.share("margin", margin, frame="judged", column="margin")
    return of_family(said, every)


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
    said, of = Draft(judged=compared), len(compared)
    same, open_, *changes = (
        said.count("judged", {"verdict": verdict}, None, verdict)
        for verdict in ("equivalent", "undecided", "improved", "regressed", "changed")
    )
    false = sum(changes)
    said.claim("false", "changed", count=false, of=of, frame="judged",
               quantifier="" if false else "none")  # fmt: skip
    excluding = int(compared["detected"].fillna(False).astype(bool).sum())
    by_chance = 0.05 * of
    said.claim("interval", "excludes 1", by_chance, count=excluding, of=of,
               frame="judged")  # fmt: skip
    widest = compared.loc[(compared["high"] / compared["low"]).idxmax()]
    said.ratio("judged", widest, relation="widest")
    test = tests_of(compared)[widest.name]
    margin = said.share("margin", compared["margin"].iloc[0], frame="judged",
                        column="margin")  # fmt: skip
    exclude = f"{counted(excluding, 'interval') if excluding else 'No interval'} "
    exclude += "exclude" if excluding > 1 else "excludes"
    return said.finding(
        f"Of {counted(of, 'comparison')} of a build with itself, **{false or 'none'}** "
        f"{'were' if false > 1 else 'was'} falsely called a change; "
        f"{counted(same, 'is', 'are')} equivalent within {margin} and {open_} undecided. "
        f"{exclude} the true ratio of {said.given('no difference', 1, unit='ratio')}; "
        f"{said.given('by chance', 5, unit='%')}% of them ({by_chance:.1f}) are expected "
        f"to. The widest interval is that of {test} ({widest['me']}): "
        f"{interval(widest['low'], widest['high'])}."
    )


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
    said, rest = Draft(boundaries=boundaries), len(ranked) - most
    parts = [
        f"**{row['boundary']}** {_levels(said, row)}"
        + clause(changed, f"{row['after']}→{row['at']}")
        for row in ranked.head(most).to_dict("records")
    ]
    text = f"The level changes at {'; at '.join(parts)}."
    if rest > 0:
        said.claim("further", "rest", count=rest, of=len(ranked), frame="boundaries")
        are = "is" if rest == 1 else "are"
        text += f" {counted(rest, 'further change')} {are} in the table."
    return beside(said.finding(text), changed)


def _levels(said: Draft, row: Row) -> str:
    """`in 5 of 6 tests (2 down and 3 up, 1 found only ...), median −47%`."""
    hit, of, shared, up, down, median = (
        said.value("boundaries", row, column, percent_text if column == "median" else str,
                   "%", keys=("boundary",), ends=())
        for column in ("hit", "of", "shared", "up", "down", "median")
    )  # fmt: skip
    notes = [f"{down} down and {up} up"] * bool(row["up"] and row["down"])
    notes += [f"{shared} {WITH_OTHERS}"] * bool(row["shared"])
    beside = f" ({', '.join(notes)})" if notes else ""
    return f"in {hit} of {counted(int(of), 'test')}{beside}, median {median}"


@names_as_data
def planning_finding(needed: pd.DataFrame, effect: float) -> Finding:
    """Runs per side that find a difference of ``effect``: least, median and most steps.

    ``needed`` is the frame of ``runs_table`` with a column for the effect.
    """
    column, said = f"{100 * effect:g}%", Draft(needed=needed)
    said.share("asked", effect)
    reachable = needed.dropna(subset=[column]).sort_values(column, kind="stable")
    if reachable.empty:
        return said.finding(f"No number of runs detects a difference of {column} here.")
    runs, where = [], []
    for relation, place in (("smallest", 0), ("largest", -1)):
        row = reachable.iloc[place]
        runs.append(said.value("needed", row, column, "**{}**".format, "runs",
                               keys=("step",), relation=relation, ends=()))  # fmt: skip
        cov = said.value("needed", row, "cov", "{:.1%}".format, "%")
        where.append(f"({row['step']}, CoV {cov})")
    text = (
        f"Detecting a difference of {column} with {said.share('power', 0.8)} power takes "
        f"{runs[0]} runs per side in the {'quietest' if len(needed) > 1 else 'only'} "
        f"step {where[0]}"
    )
    if len(reachable) > 1:
        text += f" and {runs[1]} in the noisiest {where[1]}"
    text += "."
    never = len(needed) - len(reachable)
    said.claim("never", "missing", count=never, of=len(needed), frame="needed",
               column=column)  # fmt: skip
    if never:
        text += f" In {counted(never, 'step')} no number of runs detects it."
    return said.finding(text)


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
    return together([first, then, _unplaced_finding(compared, boundaries)])


def _unplaced_finding(judged: pd.DataFrame, boundaries: pd.DataFrame) -> Finding:
    """What ratios say and changepoints do not: of each step the newest such version."""
    if "version" not in judged.columns or "q" not in judged.columns:
        return Finding("")
    far = unplaced(judged, boundaries)
    if far.empty:
        return Finding("")
    said, keys, show = Draft(compared=judged), ("step", "version"), "{:.2f}".format
    parts = [
        f"{row['step']} ({row['version']}: {said.ratio('compared', row, show)})"
        for row in far.drop_duplicates("step", keep="last").to_dict("records")
    ]
    for row in far.astype({key: str for key in keys}).to_dict("records"):
        said.claim(f"{row['step']} {row['version']}", "against", frame="compared",
                   rows={key: row[key] for key in keys})  # fmt: skip
    return said.finding(
        f"Far from {judged['base'].iloc[0]} with no change of level detected on the way: "
        f"{listed(parts)}."
    )
