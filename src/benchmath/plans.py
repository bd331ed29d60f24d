"""Plans of statements: those that are not the base's, and what they do otherwise.

A plan is the text by which an engine says how it would do a statement. Plans explain more
regressions than anything else: an index that is gone, or no longer chosen.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import pandas as pd

from benchmath.frames import (
    check_base,
    dimensions_of,
    label,
    name_of,
    require,
    tied_labels,
)
from benchmath.hazard import Hazard

COLUMNS = ("me", "where", "step", "statement", "what", "base_plan", "plan")
OR = "\n-- or --\n"  # between several plans of one side
WHOLE = "whole table"
MOST_CHARACTERS = 60  # of a line of a plan in a sentence
_INDEX = re.compile(
    r"\busing (?:covering |automatic )*index (?P<sqlite>\w+)"
    r"|\busing (?P<key>(?:integer )?primary key)"
    r"|\bindex scan on (?P<bitmap>\w+)"
    r"|\b(?:index|scan|lookup|search|range)\b[^\n]*? using "
    r"(?!(?:covering|automatic|index|integer|primary)\b)(?P<using>\w+)"
    r"|\bkey[:=]\s*(?P<column>\w+)",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\bseq(?:uential)?[ _]scan\b|^\W*scan(?: table)? \w+\s*$|\btable scan\b"
    r"|\btype[:=]\s*all\b",
    re.IGNORECASE | re.MULTILINE,
)
# What a statement makes for itself, such as the list of an IN: no table of the database.
_MADE = re.compile(r"\b(?:table[:=]\s*|on )<", re.IGNORECASE)
# SQLite until 3.25 says that it makes the list of an IN, later ones do so unsaid.
_UNSAID = re.compile(r"^\W*EXECUTE LIST SUBQUERY \d+\s*$", re.IGNORECASE)
_OLDER_WORDS = re.compile(r"\b(SEARCH|SCAN) TABLE ")  # of SQLite before 3.36
_NOT_USED = {"null", "none", "temporary", "where", "filesort", "index", "join"} | {
    "condition"  # MySQL: Using index condition
}


@dataclass(frozen=True)
class Access:
    """How a plan gets at rows: which indexes it names, whether it reads a table whole,
    and whether it makes one for the statement, such as the list of an IN."""

    indexes: tuple[str, ...] = ()
    whole: bool = False
    made: bool = False

    def __str__(self) -> str:
        """`index k_1 and whole table`; nothing where the plan says neither."""
        names = [f"index {name}" for name in self.indexes]
        return " and ".join([*names, *([WHOLE] if self.whole else [])])


def access_of(plan: str) -> Access:
    """What the plan of any engine says of indexes and whole tables."""
    names: dict[str, None] = {}
    lines = plan.splitlines()
    own = "\n".join(line for line in lines if not _MADE.search(line))
    for match in _INDEX.finditer(plan):
        name = next(text for text in match.groups() if text)
        if name.lower() not in _NOT_USED:
            names["PRIMARY" if "primary key" in name.lower() else name] = None
    return Access(tuple(names), bool(_WHOLE.search(own)), bool(_MADE.search(plan)))


def normal(plan: str) -> str:
    """A plan as it is compared: without what only the wording of a version is."""
    lines = [line.rstrip() for line in _OLDER_WORDS.sub(r"\1 ", plan).splitlines()]
    said = (line for line in lines if line.strip() and not _UNSAID.match(line))
    return "\n".join(said)


def changed_plans(
    statements: pd.DataFrame, runs: pd.DataFrame, base: Mapping[str, str]
) -> pd.DataFrame:
    """One row per me, step and statement whose plan is not the base's.

    ``statements`` needs run_id, step, name and plan, ``runs`` the base's dimensions.
    Sides are alike in all that the base does not name, and of one engine: plans of two
    engines have nothing in common. ``where`` says which of several such pairs, whose
    dimensions are the columns behind the others; ``what`` what differs about the plan.
    """
    if statements.empty or runs.empty:
        return pd.DataFrame(columns=list(COLUMNS))
    require(statements, ("run_id", "step", "name", "plan"))
    known = statements[statements["plan"].notna()]
    dims = dimensions_of(runs)
    tied = tied_labels(runs, base, dims)
    within = [d for d in dims if d not in base and (d == "engine" or d not in tied)]
    is_base = check_base(runs, base)
    me = pd.Series("", index=runs.index, dtype=object)
    me[~is_base] = label(runs[~is_base], list(base))
    sides = runs[["run_id", *within]].assign(me=me)
    telling = [d for d in within if runs[d].nunique(dropna=False) > 1]
    if "engine" in base:
        sides = sides.assign(engine=runs["engine"])
        within = [*within, "engine"]
    plans = known[["run_id", "step", "name", "plan"]].merge(sides, on="run_id")
    rows: list[tuple[object, ...]] = []
    for _, part in plans.groupby([*within, "step", "name"], sort=False, dropna=False):
        pair = {d: part[d].iloc[0] for d in telling}
        rows += ((*row, *pair.values()) for row in _of_statement(part, name_of(pair)))
    return pd.DataFrame(rows, columns=[*COLUMNS, *telling])


def _of_statement(part: pd.DataFrame, where: str) -> Iterator[tuple[str, ...]]:
    """The changed plans of one step and statement, of each me."""
    theirs = _distinct(part.loc[part["me"] == "", "plan"])
    if not theirs:
        return
    step, name = str(part["step"].iloc[0]), str(part["name"].iloc[0])
    for me, mine in part[part["me"] != ""].groupby("me", sort=False):
        plans = _distinct(mine["plan"])
        if set(plans) != set(theirs):
            what = _told(theirs, list(map(normal, mine["plan"])))
            yield str(me), where, step, name, what, OR.join(theirs), OR.join(plans)


def _told(theirs: Sequence[str], mine: Sequence[str]) -> str:
    """The difference of one's plans; of one that is seen at times only, how often."""
    new = [plan for plan in mine if plan not in theirs]
    if not new:
        gone = next(plan for plan in theirs if plan not in mine)
        return f"never the base's other plan ({difference(mine[0], gone)})"
    what = difference(theirs[0], new[0])
    return (
        what if len(new) == len(mine) else f"in {len(new)} of {len(mine)} samples {what}"
    )


def _distinct(plans: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(map(normal, plans)))


def difference(base_plan: str, plan: str) -> str:
    """What a plan does otherwise than the base's, in words."""
    before, after = access_of(base_plan), access_of(plan)
    lost = [name for name in before.indexes if name not in after.indexes]
    gained = [name for name in after.indexes if name not in before.indexes]
    words = []
    if lost and gained:
        words.append(f"index {_and(gained)} in place of {_and(lost)}")
    elif lost:
        words.append(f"index {_and(lost)} no longer used")
    elif gained:
        words.append(f"index {_and(gained)} used")
    if after.whole and not before.whole:
        words.append("reads the whole table")
    elif before.whole and not after.whole:
        words.append("no longer reads the whole table")
    if after.made != before.made:
        verb = "makes" if after.made else "no longer makes"
        words.append(f"{verb} a table for the statement")
    if words:
        return ", ".join(words)
    theirs, mine = _first_difference(base_plan, plan)
    return f"{mine} in place of {theirs}"


def _and(names: Iterable[str]) -> str:
    return " and ".join(names)


def _first_difference(base_plan: str, plan: str) -> tuple[str, str]:
    """The first lines that are not the same; of long ones the words that are not."""
    lines = zip_longest(base_plan.splitlines(), plan.splitlines(), fillvalue="")
    pairs = ((a.split(), b.split()) for a, b in lines)
    theirs, mine = next((a, b) for a, b in pairs if a != b)
    if max(len(" ".join(words)) for words in (theirs, mine)) <= MOST_CHARACTERS:
        return _brief(theirs), _brief(mine)
    first = _alike(theirs, mine)
    theirs, mine = theirs[first:], mine[first:]
    last = _alike(theirs[::-1], mine[::-1])
    return _brief(theirs[: len(theirs) - last]), _brief(mine[: len(mine) - last])


def _alike(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((i for i, (a, b) in pairs if a != b), min(len(one), len(other)))


def _brief(words: Sequence[str]) -> str:
    line = " ".join(words)
    short = line if len(line) <= MOST_CHARACTERS else f"{line[: MOST_CHARACTERS - 1]}…"
    return f"`{short}`" if line else "nothing"


def as_causes(changes: pd.DataFrame) -> Iterator[tuple[str, str, str, str]]:
    """me, statement, base and value of each changed plan, once where steps share it.

    base and value are the ways to the rows; both are empty where these are the same.
    """
    told = set()
    for row in changes.itertuples(index=False):
        sides = str(access_of(row.base_plan)), str(access_of(row.plan))
        same = sides[0] == sides[1]
        base, value = ("" if same else side or "no index" for side in sides)
        cause = str(row.me), str(row.statement), base, value
        if cause not in told:
            told.add(cause)
            yield cause


def hazards_of_plans(changes: pd.DataFrame) -> list[Hazard]:
    """One hazard per me, step and setting, on all numbers that a changed plan touches."""
    apart = ["me", "step", *(c for c in changes.columns if c not in COLUMNS)]
    return [
        Hazard(
            "changed plan",
            "another plan: "
            + "; ".join(
                f"{name}, {what}"
                for name, what in dict.fromkeys(
                    zip(part["statement"], part["what"], strict=True)
                )
            ),
            dict(zip(apart, map(str, of), strict=True)),
        )
        for of, part in changes.groupby(apart, sort=False, dropna=False)
    ]
