"""Findings as sentences: every number in them is a cell of a table beside them.

Frames in, Markdown out.  "No detectable difference" is a finding too.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
from IPython.display import Markdown

from benchbook.analysis.frames import label


def relative_finding(
    relative: pd.DataFrame, within: Sequence[str] = (), most: int = 4
) -> Markdown:
    """What each compared value did against the base, with its largest changes.

    ``relative`` is the frame of ``analysis.relative``; ``within`` names further
    dimensions that a step needs to be told apart by (block_size).  At most ``most``
    values get a sentence, those that differ most.
    """
    rows = relative[relative["relative"].notna()]
    if rows.empty:
        return Markdown(
            "No cell has a base to be compared with: nothing can be said yet."
        )
    groups = [group for _, group in rows.groupby("me", sort=False)]
    groups.sort(key=lambda g: -float((g["relative"] - 1).abs().max()))
    sentences = [_sentence(group, within) for group in groups[:most]]
    if len(groups) > most:
        sentences.append(f"The other {len(groups) - most} are in the table.")
    return Markdown(" ".join(sentences))


def _sentence(group: pd.DataFrame, within: Sequence[str]) -> str:
    me, base = group["me"].iloc[0], group["base"].iloc[0]
    known = group[group["detected"].fillna(False).astype(bool)]
    head = f"Against {base}, **{me}**"
    if known.empty:
        return f"{head} shows no detectable difference in {_counted(len(group), 'test')}."
    parts = []
    for better, word, pick in ((True, "faster", "idxmax"), (False, "slower", "idxmin")):
        side = known[known["better"] == better]
        if not side.empty:
            extreme = side.loc[getattr(side["relative"], pick)()]
            parts.append(f"{word} in {len(side)} ({_value(extreme, within)})")
    rest = len(group) - len(known)
    if rest:
        parts.append(f"without a detectable difference in {rest}")
    return f"{head} is, of {_counted(len(group), 'test')}, {_listed(parts)}."


def _value(row: pd.Series, within: Sequence[str]) -> str:
    where = " ".join([str(row["step"]), *(f"{d} {row[d]}" for d in within)])
    interval = f" [{row['low']:.2f}, {row['high']:.2f}]" if pd.notna(row["low"]) else ""
    return f"most in {where}: {row['relative']:.2f}{interval}"


def variation_finding(cov: pd.DataFrame, by: Sequence[str]) -> Markdown:
    """How much results vary: how many cells are surely under the limit, and the worst.

    ``cov`` is the frame of ``analysis.coefficient_of_variation``; ``by`` names the
    columns that are compared (placement).
    """
    known = cov[cov["cov"].notna()]
    if known.empty:
        return Markdown("No cell has two trials yet: nothing can be said of variation.")
    parts = []
    for labels, group in known.groupby(list(by), sort=False):
        under = int(group["verdict"].str.startswith("under").sum())
        over = int(group["verdict"].str.startswith("over").sum())
        worst = group.loc[group["cov"].idxmax()]
        parts.append(
            f"**{' '.join(map(str, labels))}**: of {_counted(len(group), 'test')}, "
            f"{under} surely vary by less than {worst['limit']:.0%}, {over} surely by "
            f"more, {len(group) - under - over} cannot be told with so few trials; the "
            f"median CoV is {group['cov'].median():.1%}, the largest {worst['cov']:.1%} "
            f"[{worst['low']:.1%}, {worst['high']:.1%}] ({worst['step']})"
        )
    return Markdown("; ".join(parts) + ".")


def drift_finding(drift: pd.DataFrame) -> Markdown:
    """Whether throughput moved with the position of the run in the study."""
    moved = drift[drift["detected"].fillna(False).astype(bool)]
    if moved.empty:
        return Markdown(
            f"No step of {len(drift)} shows a trend over the position of its runs."
        )
    worst = moved.loc[moved["change_pct"].abs().idxmax()]
    return Markdown(
        f"{len(moved)} of {_counted(len(drift), 'step')} drifted with the position of "
        f"the run, {worst['step']} most: {worst['change_pct']:+.1f}% from first to last."
    )


def instructions_finding(instructions: pd.DataFrame) -> Markdown:
    """How the fast and the slow builds of a checksum differ in their instructions.

    ``instructions`` has one row per build with the columns build, crc32, pclmul and
    vector (counts in the disassembled functions).
    """
    if instructions.empty:
        return Markdown("No build of these runs carries its disassembly.")
    without = instructions[instructions[["crc32", "pclmul"]].sum(axis="columns") == 0]
    using = len(instructions) - len(without)
    text = f"{using} of {_counted(len(instructions), 'build')} use the CRC instructions"
    if len(without):
        names = ", ".join(label(without, ["build"]))
        text += f"; without any, and so with a table: {names}"
    return Markdown(text + ".")


def _counted(n: int, noun: str) -> str:
    return f"{n} {noun}{'s' * (n != 1)}"


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts[:-1]) + (" and " if len(parts) > 1 else "") + parts[-1]
