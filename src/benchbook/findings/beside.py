"""What agrees with published figures and what does not, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from benchbook.finding import Claim, Finding, Said, names_as_data
from benchbook.tables.beside import beside_table
from benchmath.prose import counted, listed, ratio_format, rest_in_table, with_interval
from benchmath.ratios.beside import (
    HERE,
    INSIDE,
    OPEN,
    OPPOSITE,
    SAME_WAY,
    THERE,
    Compared,
    rank_correlations,
)

MOST = 3  # comparisons that get a sentence
_HEAD = (
    "## Beside published figures\n\nTheirs are of another machine, with other rows, "
    "settings and durations, of the versions that are named, which need not be ours. "
    "Each is of one run and has no interval, so our interval decides."
)
_FURTHER = (
    (HERE, "differs from the base here only", "differ from the base here only"),
    (THERE, "differs from the base there only", "differ from the base there only"),
    (OPEN, "is open here", "are open here"),
)


def beside_section(compared: Sequence[Compared]) -> list[Any]:
    """A heading, then sentences and a table for each published table; or nothing."""
    if not compared:
        return []
    shown: list[Any] = [Said(_HEAD)]
    for one in compared:
        notes = [_note(one.table, one.note)] if one.note else []
        shown += [*notes, beside_finding(one), beside_table(one)]
    return shown


@names_as_data
def _note(table: str, note: str) -> Said:
    return Said(f"{table}: {note}")


@names_as_data
def beside_finding(compared: Compared) -> Finding:
    """How many tests go the same way as published, the opposite way, and are open.

    Of the first comparisons; with the test that is farthest from what was published, and
    the rank correlation where there are enough tests.
    """
    ranks = rank_correlations(compared.rows)
    pairs = [
        pair for _, pair in compared.rows.groupby(["me", "published_on"], sort=False)
    ]
    noun = "group of tests" if compared.grouped else "test"
    plural = "groups of tests" if compared.grouped else ""
    sentences, claims = [], []
    for pair in pairs[:MOST]:
        first = pair.iloc[0]
        of_pair = {k: str(first[k]) for k in ("me", "published_on")}
        parts, claimed = _ways(pair, of_pair)
        rest, more = _correlation(ranks, of_pair)
        sentences.append(
            f"{_subject(first)}: of {counted(len(pair), noun, plural)} {parts}.{rest}"
        )
        claims += [*claimed, *more]
        claims += _medians(pair) if compared.grouped else []
    hidden = len(pairs) - MOST
    if hidden > 0:
        sentences.append(rest_in_table(hidden))
        claims.append(Claim("others", "given", count=hidden))
    frames = {"beside": compared.rows, "judged": compared.judged, "ranks": ranks}
    return Finding(" ".join(sentences), claims, frames)


def _subject(row: pd.Series) -> str:
    return (
        f"**{row['me']}** against {row['base']}{_which(row, 'here')}, beside "
        f"{row['theirs']} against {row['theirs_base']}{_which(row, 'there')} on "
        f"{row['published_on']} ({row['source']})"
    )


def _which(row: pd.Series, side: str) -> str:
    return f" with {row[side]}" if row.get(side) else ""


def _ways(pair: pd.DataFrame, rows: dict[str, str]) -> tuple[str, list[Claim]]:
    """How many rows go which way, in words and as claims."""
    same = pair["agrees"].isin(SAME_WAY)
    parts = [f"{same.sum()} {'goes' if same.sum() == 1 else 'go'} the same way"]
    claims = [_tally(pair, rows, *SAME_WAY)]
    if n := int((pair["agrees"] == INSIDE).sum()):
        parts[0] += f" (the published ratio of {n} lies in our interval)"
        claims.append(_tally(pair, rows, INSIDE))
    against = pair[pair["agrees"] == OPPOSITE]
    if len(against):
        row = against.loc[against["apart"].idxmax()]
        show = ratio_format(row["low"], row["high"])
        here = with_interval(show(row["relative"]), row["low"], row["high"], show)
        parts.append(
            f"{len(against)} the opposite way (farthest apart {row['step']}: {here} "
            f"here, {row['published']:.2f} there)"
        )
        claims += [_tally(pair, rows, OPPOSITE), *_farthest(row, rows)]
    for name, one, several in _FURTHER:
        if n := int((pair["agrees"] == name).sum()):
            parts.append(f"{n} {one if n == 1 else several}")
            claims.append(_tally(pair, rows, name))
    return listed(parts), claims


def _tally(pair: pd.DataFrame, rows: dict[str, str], *names: str) -> Claim:
    return Claim(
        rows["me"], "agrees", count=int(pair["agrees"].isin(names).sum()), of=len(pair),
        frame="beside", rows=rows, where={"agrees": ", ".join(names)},
    )  # fmt: skip


def _farthest(row: pd.Series, rows: dict[str, str]) -> list[Claim]:
    """The row's ratio and theirs, and that no other opposite one is farther apart."""
    own = rows | {"step": str(row["step"])}
    opposite = rows | {"agrees": OPPOSITE}
    subject = f"{row['me']} {row['step']}"
    return [
        Claim(subject, "is", row["relative"], row["low"], row["high"], "ratio",
              frame="beside", rows=own, column="relative"),
        Claim(subject, "is", row["published"], unit="ratio", frame="beside", rows=own,
              column="published"),
        Claim(subject, "largest", row["apart"], frame="beside", rows=own,
              column="apart", where=opposite),
    ]  # fmt: skip


def _correlation(ranks: pd.DataFrame, rows: dict[str, str]) -> tuple[str, list[Claim]]:
    mine = (ranks["me"] == rows["me"]) & (ranks["published_on"] == rows["published_on"])
    if not mine.any():
        return "", []
    row = ranks[mine].iloc[0]
    shown = f"{row['correlation']:.2f}".replace("-", "−")
    text = f" Spearman's rank correlation of the {row['n']} ratios is {shown}."
    claim = Claim(
        rows["me"], "rank correlation", row["correlation"], count=int(row["n"]),
        frame="beside", rows=rows,
    )  # fmt: skip
    return text, [claim]


def _medians(pair: pd.DataFrame) -> list[Claim]:
    """Each of our medians and its ends, of the tests that they are of."""
    return [
        Claim(f"{row['me']} {row['step']}", "median", row[column], unit="ratio",
              frame="judged", rows={"me": row["me"], "group": row["step"]},
              column=column)
        for row in pair.to_dict("records")
        for column in ("relative", "low", "high")
    ]  # fmt: skip
