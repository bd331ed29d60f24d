"""When compaction moves a file and when it writes it again, in sentences."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, chosen, names_as_data
from benchbook.views.lsm import TreeMoves
from benchmath.lsm.moves import AGREE, DIFFER, LEFT_OUT, TOO_SMALL
from benchmath.prose import Show, counted, listed, number

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
    said = Draft(
        levels=tree.levels, costs=tree.costs, compactions=tree.compactions,
        expected=tree.expected, arrivals=tree.arrivals,
    )  # fmt: skip
    parts = (
        _answer(said, tree), _rule(said, tree), _growth(said, tree),
        _published(said, tree.expected), _witnesses(said, tree.levels),
    )  # fmt: skip
    return said.finding(" ".join(text for text in parts if text))


def _answer(said: Draft, tree: TreeMoves) -> str:
    """The rule, if it is one, with the share moved and the bytes written in each case."""
    cases = list(dict.fromkeys(tree.costs["case"]))
    moved = {c: _amount(said, c, "moved_pct", "{:.0f}".format, "%") for c in cases}
    written = [_amount(said, case, "w_amp", "{:.2f}".format) for case in cases]
    lead = "With keys in order, of the bytes that get below L0 compaction moves"
    if _obeyed(tree.compactions):
        lead = (
            "With keys in order **compaction moves a file down, and writes it only where "
            "compression begins**: of the bytes that get below L0 it moves"
        )
    shares = [f"{amount} ({case})" for case, amount in moved.items() if amount]
    text = f"{lead} {listed(shares or ['none'])}."
    if all(written):
        order = " in this order" if len(cases) > 1 else ""
        runs = " (brackets: lowest and highest run)" * bool(tree.costs["n"].max() > 1)
        text += (
            f" For a byte of keys and values RocksDB writes {listed(written)} bytes"
            f"{order}, L0 included{runs}."
        )
    return text


def _amount(said: Draft, case: str, name: str, show: Show, after: str = "") -> str:
    """A quantity of one case, with its interval where it reads unlike; or nothing."""
    where = {"case": case, "quantity": name}
    row = chosen(said.frames["costs"], where).iloc[0]
    if pd.isna(row["value"]):
        return ""
    alike = show(row["low"]) == show(row["high"])
    return said.value("costs", row, "value", show, after or "ratio", after=after,
                      keys=where, subject=case, interval=not alike)  # fmt: skip


def _obeyed(compactions: pd.DataFrame) -> bool:
    """Did every compaction of every case write to the place where compression begins?"""
    return bool(len(compactions)) and bool(compactions["at_place"].all())


def _rule(said: Draft, tree: TreeMoves) -> str:
    """Where compactions wrote, counted from the top of the tree."""
    frame = tree.compactions
    if frame.empty:
        return "No file was written by a compaction."
    count = said.count("compactions", {"at_place": "True"}, None, "", "all", "none")
    of, obeyed = len(frame), _obeyed(frame)
    levels = sorted({int(n) for n in frame["begins"].dropna()})
    names = said.given("level", *levels)
    said.given("level", 1)
    if not levels:
        return f"No level is compressed; {counted(of, 'compaction')} wrote files."
    many = f"All of {of:,} compactions" if obeyed else f"{count:,} of {of:,} compactions"
    if of == 1:
        many = "The one compaction" if obeyed else "No compaction"
    return (
        f"{many} wrote to the level where compression begins "
        f"(level{'s' * (len(levels) > 1)} {names}, where 1 is the one nearest to L0 that "
        "had got a file by then)."
    )


def _growth(said: Draft, tree: TreeMoves) -> str:
    """How the tree of dynamic levels grew, and where it was written to therefore."""
    parts = []
    dynamic = set(tree.cases.loc[tree.cases["dynamic"].astype(bool), "case"])
    arrived = tree.arrivals[tree.arrivals["level"] > 0]
    for case, own in tree.compactions.groupby("case", sort=False):
        first = arrived[arrived["case"] == case]
        if case not in dynamic or len(first) < 2:
            continue
        times = [
            f"L{row['level']} after "
            + said.value("arrivals", row, "first_s", number, after=" s", ends=(),
                         keys=("case", "level"), subject=f"{case} L{row['level']}")
            for row in first.to_dict("records")
        ]  # fmt: skip
        tops = own.drop_duplicates(["top", "level"]).sort_values("top", ascending=False)
        written = [
            f"L{row.level} while L{row.top} was on top" for row in tops.itertuples()
        ]
        parts.append(
            f"{str(case)[:1].upper()}{str(case)[1:]}: files first got to "
            f"{listed(times)}, so compactions wrote {listed(written)}."
        )
    return " ".join(parts)


def _published(said: Draft, frame: pd.DataFrame) -> str:
    """How many of the published expectations hold, and which do not."""
    n = len(frame)
    if not n:
        return ""
    holds = said.count("expected", {"holds": "True"}, None, "", "all", "none")
    if holds == n:
        every = f"All of {n} published expectations hold"
        return f"{'The one published expectation holds' if n == 1 else every} here."
    lost = [
        f"{row['case']}: {row['expected']} (found: {row['found']})"
        for row in frame[~frame["holds"].astype(bool)].to_dict("records")
    ]
    return (
        f"Of {counted(n, 'published expectation')} {holds or 'none'} "
        f"{'hold' if holds > 1 else 'holds'} here. Not so: {'; '.join(lost)}."
    )


def _witnesses(said: Draft, levels: pd.DataFrame) -> str:
    """On how many levels LOG and compaction tables say the same."""
    same = said.count("levels", {"witnesses": AGREE})
    parts = [
        f"The compaction tables say the same as the LOG about {same} of "
        f"{counted(len(levels), 'level')}"
    ]
    present = set(levels["witnesses"])
    parts += [
        says.format(n=said.count("levels", {"witnesses": word}))
        for word, says in _UNTOLD
        if word in present
    ]
    return f"{'; '.join(parts)}."
