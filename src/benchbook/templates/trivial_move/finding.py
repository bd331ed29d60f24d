"""When compaction moves a file and when it writes it again, in sentences."""

from __future__ import annotations

from collections.abc import Callable

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data, tally
from benchbook.views.lsm import TreeMoves
from benchmath.lsm.moves import AGREE, DIFFER, LEFT_OUT, TOO_SMALL
from benchmath.prose import counted, interval, listed, number

Said = tuple[str, list[Claim]]
_UNTOLD = (
    (LEFT_OUT, "they leave out {n}, where files only passed through"),
    (TOO_SMALL, "on {n} a run moved or wrote less than they print"),
    (DIFFER, "about {n} they say otherwise"),
)


@names_as_data
def moves_finding(tree: TreeMoves) -> Finding:
    """What is written per byte and moved in each case, by which rule, and who says so."""
    if tree.levels.empty:
        return Finding("No run has a LOG with flushes and compactions: nothing to tell.")
    parts = [
        _answer(tree),
        _rule(tree),
        _growth(tree),
        _published(tree),
        _witnesses(tree),
    ]
    frames = {
        "levels": tree.levels, "costs": tree.costs, "compactions": tree.compactions,
        "expected": tree.expected, "arrivals": tree.arrivals,
    }  # fmt: skip
    claims = [claim for _, mine in parts for claim in mine]
    return Finding(" ".join(text for text, _ in parts if text), claims, frames)


def _answer(tree: TreeMoves) -> Said:
    """The rule, if it is one, with the share moved and the bytes written in each case."""
    cases = list(dict.fromkeys(tree.costs["case"]))
    moved = [
        _amount(tree.costs, case, "moved_pct", "{:.0f}".format, "%") for case in cases
    ]
    written = [_amount(tree.costs, case, "w_amp", "{:.2f}".format) for case in cases]
    claims = [claim for _, mine in (*moved, *written) for claim in mine]
    lead = "With keys in order, of the bytes that get below L0 compaction moves"
    if _obeyed(tree.compactions):
        lead = (
            "With keys in order **compaction moves a file down, and writes it only where "
            "compression begins**: of the bytes that get below L0 it moves"
        )
    shares = [
        f"{amount} ({case})" for (amount, _), case in zip(moved, cases, strict=True)
    ]
    text = f"{lead} {listed([s for s in shares if s[0] != ' '] or ['none'])}."
    amounts = [amount for amount, _ in written if amount]
    if len(amounts) == len(cases):
        order = " in this order" if len(cases) > 1 else ""
        text += f" For a byte of keys and values RocksDB writes {listed(amounts)} bytes"
        text += f"{order}, L0 included"
        text += (
            " (brackets: lowest and highest run)." if tree.costs["n"].max() > 1 else "."
        )
    return text, claims


def _amount(
    costs: pd.DataFrame,
    case: str,
    name: str,
    show: Callable[[float], str],
    unit: str = "",
) -> Said:
    rows = {"case": case, "quantity": name}
    row = costs[(costs["case"] == case) & (costs["quantity"] == name)].iloc[0]
    if pd.isna(row["value"]):
        return "", []
    low, high = float(row["low"]), float(row["high"])
    text = f"{show(row['value'])}{unit}"
    if show(low) != show(high):
        text += f" {interval(low, high, show)}"
    claim = Claim(
        case, "is", row["value"], low, high, unit or "ratio", frame="costs", rows=rows,
        column="value",
    )  # fmt: skip
    return text, [claim]


def _obeyed(compactions: pd.DataFrame) -> bool:
    """Did every compaction of every case write to the place where compression begins?"""
    return bool(len(compactions)) and bool(compactions["at_place"].all())


def _rule(tree: TreeMoves) -> Said:
    """Where compactions wrote, counted from the top of the tree."""
    frame = tree.compactions
    if frame.empty:
        return "No file was written by a compaction.", []
    obeyed, where = _obeyed(frame), {"at_place": "True"}
    word = "all" if obeyed else "" if frame["at_place"].any() else "none"
    claims = [tally(frame, "compactions", where, quantifier=word)]
    levels = sorted({int(n) for n in frame["begins"].dropna()})
    claims += [Claim("level", "given", n) for n in (*levels, 1)]
    count, of = claims[0].count, claims[0].of
    if not levels:
        text = (
            f"No level is compressed; {counted(int(of or 0), 'compaction')} wrote files."
        )
        return text, claims
    begins = f"level{'s' * (len(levels) > 1)} {listed([str(n) for n in levels])}"
    many = f"All of {of:,} compactions" if obeyed else f"{count:,} of {of:,} compactions"
    if of == 1:
        many = "The one compaction" if obeyed else "No compaction"
    text = (
        f"{many} wrote to the level where compression begins ({begins}, "
        "where 1 is the one nearest to L0 that had got a file by then)."
    )
    return text, claims


def _growth(tree: TreeMoves) -> Said:
    """How the tree of dynamic levels grew, and where it was written to therefore."""
    said, claims = [], []
    dynamic = set(tree.cases.loc[tree.cases["dynamic"].astype(bool), "case"])
    for case, own in tree.compactions.groupby("case", sort=False):
        first = tree.arrivals[
            (tree.arrivals["case"] == case) & (tree.arrivals["level"] > 0)
        ]
        if case not in dynamic or len(first) < 2:
            continue
        rows = first.to_dict("records")
        times = [f"L{row['level']} after {number(row['first_s'])} s" for row in rows]
        claims += [
            Claim(
                f"{case} L{row['level']}", "is", row["first_s"], frame="arrivals",
                rows={"case": str(case), "level": str(row["level"])}, column="first_s",
            )
            for row in rows
        ]  # fmt: skip
        tops = own.drop_duplicates(["top", "level"]).sort_values("top", ascending=False)
        written = [
            f"L{row.level} while L{row.top} was on top" for row in tops.itertuples()
        ]
        said.append(
            f"{_capital(str(case))}: files first got to {listed(times)}, so compactions "
            f"wrote {listed(written)}."
        )
    return " ".join(said), claims


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _published(tree: TreeMoves) -> Said:
    """How many of the published expectations hold, and which do not."""
    frame = tree.expected
    n, holds = len(frame), int(frame["holds"].sum())
    if not n:
        return "", []
    claim = tally(
        frame, "expected", {"holds": "True"}, quantifier="" if holds else "none"
    )
    if holds == n:
        claim = tally(frame, "expected", {"holds": "True"}, quantifier="all")
        every = f"All of {n} published expectations hold"
        one = "The one published expectation holds"
        return f"{one if n == 1 else every} here.", [claim]
    lost = [
        f"{row['case']}: {row['expected']} (found: {row['found']})"
        for row in frame[~frame["holds"].astype(bool)].to_dict("records")
    ]
    text = f"Of {counted(n, 'published expectation')} {holds or 'none'} "
    text += f"{'hold' if holds > 1 else 'holds'} here. Not so: "
    text += f"{'; '.join(lost)}."
    return text, [claim]


def _witnesses(tree: TreeMoves) -> Said:
    """On how many levels LOG and compaction tables say the same."""
    levels = tree.levels
    claims = [tally(levels, "levels", {"witnesses": AGREE})]
    text = (
        f"The compaction tables say the same as the LOG about {claims[0].count} of "
        f"{counted(int(claims[0].of or 0), 'level')}"
    )
    for word, says in _UNTOLD:
        claim = tally(levels, "levels", {"witnesses": word})
        if claim.count:
            text += f"; {says.format(n=claim.count)}"
            claims.append(claim)
    return f"{text}.", claims
