"""What agrees with published figures and what does not, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from benchbook.finding import Draft, Finding, Row, Said, chosen, names_as_data
from benchbook.tables.beside import beside_table
from benchmath.prose import counted, listed, rest_in_table
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
_FURTHER = (
    (HERE, "differs from the base here only", "differ from the base here only"),
    (THERE, "differs from the base there only", "differ from the base there only"),
    (OPEN, "is open here", "are open here"),
)


def beside_section(compared: Sequence[Compared]) -> list[Any]:
    """Sentences and a table for each published table, below a heading of the page."""
    shown: list[Any] = []
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
    said, sentences = Draft(beside=compared.rows, judged=compared.judged, ranks=ranks), []
    for pair in pairs[:MOST]:
        first, of = pair.iloc[0], counted(len(pair), noun, plural)
        text = f"{_subject(first)}: of {of} {_ways(said, pair)}."
        sentences.append(text + _correlation(said, ranks, first))
        for row in pair.to_dict("records") if compared.grouped else ():
            for column in ("relative", "low", "high"):  # each a median of its tests
                said.claim(f"{row['me']} {row['step']}", "median", row[column],
                           unit="ratio", frame="judged", column=column,
                           rows={"me": row["me"], "group": row["step"]})  # fmt: skip
    hidden = len(pairs) - MOST
    if hidden > 0:
        sentences.append(rest_in_table(hidden))
        said.claim("others", "given", count=hidden)
    return said.finding(" ".join(sentences))


def _subject(row: Row) -> str:
    here, there = (f" with {row[k]}" if row.get(k) else "" for k in ("here", "there"))
    return (
        f"**{row['me']}** against {row['base']}{here}, beside {row['theirs']} against "
        f"{row['theirs_base']}{there} on {row['published_on']} ({row['source']})"
    )


def _ways(said: Draft, pair: pd.DataFrame) -> str:
    """How many rows go which way."""
    rows, ways = _of_pair(pair.iloc[0]), set(pair["agrees"])

    def go(*names: str) -> int:
        n = int(pair["agrees"].isin(names).sum())
        said.claim(rows["me"], "agrees", count=n, of=len(pair), frame="beside", rows=rows,
                   where={"agrees": ", ".join(names)})  # fmt: skip
        return n

    parts = [f"{counted(go(*SAME_WAY), 'goes', 'go')} the same way"]
    if INSIDE in ways:
        parts[0] += f" (the published ratio of {go(INSIDE)} lies in our interval)"
    if OPPOSITE in ways:
        against = pair[pair["agrees"] == OPPOSITE]
        row = against.loc[against["apart"].idxmax()]
        where = rows | {"agrees": OPPOSITE}
        one: dict[str, Any] = {
            "keys": (*rows, "step"),
            "subject": f"{row['me']} {row['step']}",
        }
        here = said.ratio("beside", row, **one)
        there = said.value("beside", row, "published", "{:.2f}".format, "ratio", ends=(),
                           **one)  # fmt: skip
        said.value(
            "beside", row, "apart", relation="largest", where=where, ends=(), **one
        )
        parts.append(
            f"{go(OPPOSITE)} the opposite way (farthest apart {row['step']}: {here} "
            f"here, {there} there)"
        )
    further = (v for v in _FURTHER if v[0] in ways)
    parts += [counted(go(name), one, several) for name, one, several in further]
    return listed(parts)


def _of_pair(row: Row) -> dict[str, str]:
    return {k: str(row[k]) for k in ("me", "published_on")}


def _correlation(said: Draft, ranks: pd.DataFrame, pair: Row) -> str:
    rows = _of_pair(pair)
    mine = chosen(ranks, rows)
    if mine.empty:
        return ""
    n, r = mine.iloc[0]["n"], mine.iloc[0]["correlation"]
    said.claim(rows["me"], "rank correlation", r, count=int(n), frame="beside", rows=rows)
    shown = f"{r:.2f}".replace("-", "−")
    return f" Spearman's rank correlation of the {n} ratios is {shown}."
