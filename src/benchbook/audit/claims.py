"""What sentences claim, derived again from their frames by plain arithmetic.

Nothing here is shared with the code that made the sentences: a claim names a frame, rows
and a column, and each relation says how the number follows from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import pandas as pd

from benchbook.audit.contradiction import Contradiction
from benchbook.finding import Claim, Number

_CLOSE = 1e-6
ALPHA = 0.05
CHANGES = ("improved", "regressed", "changed")
Frames = Mapping[str, pd.DataFrame]


def claim_contradictions(
    where: str, claims: Sequence[Claim], frames: Frames
) -> list[Contradiction]:
    """Claims that their frames do not bear out, or that contradict themselves."""
    return [
        Contradiction(where, f"{_said(claim)}", gives)
        for claim in claims
        for gives in (*_impossible(claim), *_derived(claim, frames))
    ]


def insignificant_changes(where: str, claims: Sequence[Claim]) -> list[Contradiction]:
    """A change announced in one sentence that the next one calls not significant."""
    family = [c for c in claims if c.relation == "significant"]
    if not family or any(c.count for c in family):
        return []
    return [
        Contradiction(where, f"{c.subject} in {c.count} of {c.of}", "none significant")
        for c in claims
        if c.relation == "count" and c.where.get("verdict") in CHANGES and c.count
    ]


def _said(claim: Claim) -> str:
    parts = [claim.subject, claim.relation]
    parts += [f"{k}={v}" for k, v in claim.where.items()]
    if claim.value is not None:
        parts.append(f"{claim.value} [{claim.low}, {claim.high}] {claim.unit}")
    if claim.count is not None:
        parts.append(f"{claim.count} of {claim.of}")
    return " ".join(p for p in parts if p).replace(" [None, None]", "")


def _impossible(claim: Claim) -> Iterator[str]:
    low, high = claim.low, claim.high
    if _number(low) and _number(high) and float(low or 0) > float(high or 0):
        yield f"an interval that ends before it begins, {low} to {high}"
    if claim.count is not None and claim.of is not None and claim.count > claim.of:
        yield f"{claim.count} of only {claim.of}"
    holds = QUANTIFIERS.get(claim.quantifier)
    if claim.quantifier and (holds is None or not holds(claim)):
        amount = f"{claim.count} of {claim.of}" if claim.value is None else claim.value
        yield f"not {claim.quantifier}: {amount}"
    if claim.relation not in RELATIONS:
        yield f"no relation {claim.relation!r}"


def _derived(claim: Claim, frames: Frames) -> Iterator[str]:
    relation = RELATIONS.get(claim.relation)
    if relation is None or not claim.frame:
        return
    if claim.frame not in frames:
        yield f"no frame {claim.frame!r}"
        return
    frame = frames[claim.frame]
    names = {*claim.rows, *claim.where, *([claim.column] if claim.column else [])}
    lost = sorted(names - {str(c) for c in frame.columns})
    if lost:
        yield f"no column {', '.join(lost)} in {claim.frame}"
        return
    yield from relation(claim, frame)


def _rows(frame: pd.DataFrame, values: Mapping[str, str]) -> pd.DataFrame:
    matching = [
        all(str(row[k]) == v for k, v in values.items()) for _, row in frame.iterrows()
    ]
    return frame[matching]


def _number(value: object) -> bool:
    return isinstance(value, int | float)


def _same(said: Number, derived: object) -> bool:
    if said is None or pd.isna(derived):
        return said is None and bool(pd.isna(derived))
    if not _number(said):
        return str(said) == str(derived)
    size = max(abs(float(said)), abs(float(derived)), 1e-12)  # type: ignore[arg-type]
    return abs(float(said) - float(derived)) <= _CLOSE * size  # type: ignore[arg-type]


def _is(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    rows = _rows(frame, claim.rows)
    if rows.empty:
        yield f"no row {dict(claim.rows)} in {claim.frame}"
        return
    if not any(_same(claim.value, v) for v in rows[claim.column]):
        yield f"{claim.column} {', '.join(map(str, rows[claim.column].head(3)))}"
    bounds = ("whole_low", "whole_high") if claim.column == "whole" else ("low", "high")
    for said, name in zip((claim.low, claim.high), bounds, strict=True):
        if (
            said is not None
            and name in rows
            and not any(_same(said, v) for v in rows[name])
        ):
            yield f"{name} {', '.join(map(str, rows[name].head(3)))}"
    hit = [c for c in ("hit",) if claim.count is not None and c in rows]
    if hit and int(rows["hit"].iloc[0]) != claim.count:
        yield f"{int(rows['hit'].iloc[0])} tests"
    if hit and int(rows["of"].iloc[0]) != claim.of:
        yield f"of {int(rows['of'].iloc[0])} tests"


def _extreme(pick: Callable[[list[float]], float], size: bool = False) -> Relation:
    def check(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
        amounts = _rows(frame, claim.where)[claim.column].dropna()
        values = [abs(float(v)) if size else float(v) for v in amounts]
        if claim.column == "further_runs":
            values = [v for v in values if v > 0]
        if not values or not _same(claim.value, pick(values)):
            yield f"{pick(values) if values else 'nothing'} as the extreme"
        if claim.rows:
            yield from _is(claim, frame)

    return check


def _count(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    group = _rows(frame, claim.rows)
    yield from _counts(claim, len(_rows(group, claim.where)), len(group))


def _counts(claim: Claim, count: int, of: int) -> Iterator[str]:
    if claim.count != count or (claim.of is not None and claim.of != of):
        yield f"{count} of {of}"


def _significant(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """Benjamini-Hochberg: the largest k whose k smallest p are all at most k/m alpha."""
    p = sorted(float(v) for v in frame["p"].dropna())
    limits = [ALPHA * k / len(p) for k in range(1, len(p) + 1)]
    passed = [v for v, limit in zip(p, limits, strict=True) if v <= limit]
    own = [float(v) for v in _rows(frame, claim.rows)["p"].dropna()]
    flagged = sum(v <= max(passed, default=-1.0) for v in own)
    yield from _counts(claim, flagged, len(own))
    if not _same(claim.value, ALPHA * flagged):
        yield f"{ALPHA * flagged:g} expected to be false"


def _changed(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    verdicts = [verdict_of(row) for _, row in frame.iterrows()]
    changed = [v for v in verdicts if v in CHANGES]
    yield from _counts(claim, len(changed), len(frame))


def _excludes(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    sure = [r for _, r in frame.iterrows() if r["low"] > 1 or r["high"] < 1]
    yield from _counts(claim, len(sure), len(frame))


def _begins(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    group = _rows(frame, claim.rows)
    start = claim.where[claim.column]
    count = sum(str(v).startswith(start) for v in group[claim.column])
    yield from _counts(claim, count, len(group))


def _above(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    group = _rows(frame, claim.rows)
    yield from _counts(claim, sum(v > 0 for v in group[claim.column]), len(group))


def _median(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    values = sorted(float(v) for v in _rows(frame, claim.rows)[claim.column].dropna())
    n = len(values)
    middle = (values[(n - 1) // 2] + values[n // 2]) / 2 if n else float("nan")
    if not _same(claim.value, int(middle) if claim.column == "n" else middle):
        yield f"a median of {middle:g}"


def _rest(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    if claim.of is not None and claim.of != len(frame) and not claim.rows:
        yield f"{len(frame)} rows"


def _rest_of_me(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    if claim.of != len(set(frame["me"])):
        yield f"{len(set(frame['me']))} compared"


def _size(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    if claim.count != len(frame):
        yield f"{len(frame)} rows"


def _present(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    yield from _counts(
        claim, sum(not pd.isna(v) for v in frame[claim.column]), len(frame)
    )


def _missing(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    yield from _counts(claim, sum(pd.isna(v) for v in frame[claim.column]), len(frame))


def _widest(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    widest = max(r["high"] / r["low"] for _, r in frame.iterrows())
    if not _same(float(claim.high or 0) / float(claim.low or 1), widest):
        yield f"{widest:.3g} as the widest"
    yield from _is(claim, frame)


def _none(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    if len(frame):
        yield f"{len(frame)} of them"


def _given(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """A setting of the study: the frame's column holds it in every row, as a share."""
    if claim.column and claim.value is not None:
        values = {float(v) for v in frame[claim.column]}
        if not any(_same(claim.value, 100 * v) for v in values):
            yield f"{', '.join(map(str, values))}"


def _share(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """``count`` rows, the first that are detected, make ``value`` of the whole."""
    rows = _rows(frame, {**claim.rows, "detected": "True"})
    share = sum(rows[claim.column].iloc[: claim.count]) / rows["whole"].iloc[0]
    if not _same(claim.value, share):
        yield f"{100 * share:.0f}% of it"


def _cause(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """``frame`` has a row per side and a column per thing that may differ: one does."""
    differ = [str(c) for c in frame.columns if len(set(frame[c].astype(str))) > 1]
    if differ != [claim.column]:
        yield f"{', '.join(differ) or 'nothing'} differs between the sides"


def _premise(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """The amount lies between ``low`` and ``high`` in each of the rows."""
    for value in _rows(frame, claim.rows)[claim.column]:
        low, high = claim.low, claim.high
        below = low is not None and value < float(low)
        if below or (high is not None and value > float(high)):
            yield f"{claim.column} {value:g}"


def _gain(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """How many are surely faster, by more than ``value`` percent."""
    rows = _rows(frame, claim.rows)
    limit = 1 + float(claim.value or 0) / 100
    gains = [r for _, r in rows.iterrows() if r["low"] > 1 and r["relative"] > limit]
    yield from _counts(claim, len(gains), len(rows))


def _lacks(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    lost = _rows(frame, {"within": "True", "listed": "False"})
    names = {f"{row.machine} dop {row.dop}" for row in lost.itertuples()}
    if claim.subject not in names:
        yield f"a list without {', '.join(sorted(names))}"


def _half(claim: Claim) -> bool:
    if claim.value is not None:  # the share that ``count`` of them make
        return float(claim.value) > 0.5
    return 2 * (claim.count or 0) > (claim.of or 0)


QUANTIFIERS: dict[str, Callable[[Claim], bool]] = {
    "all": lambda claim: bool(claim.count) and claim.count == claim.of,
    "most": _half,
    "none": lambda claim: claim.count == 0,
    "only": lambda claim: claim.count == 1,
}
_FAR = 0.1


def _against(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """A version said to be far from the base, with no change placed before it."""
    rows = _rows(frame, claim.rows)
    far = (rows["high"] < 1 - _FAR) | (rows["low"] > 1 + _FAR)
    if rows.empty or not far.any():
        yield "no interval so far from the base"


def _agrees(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """How many ratios go with the published ones as said, of those of the figures."""
    rows = _rows(frame, claim.rows)
    for _, row in rows.iterrows():
        ratio = row["figure"] / row["figure_base"]
        if not _same(row["published"], ratio):
            yield f"{row['step']} of {ratio:.4g} there, not {row['published']:.4g}"
        if row["agrees"] != agreement_of(row):
            yield f"{row['step']} {agreement_of(row)}, not {row['agrees']}"
    ways = [agreement_of(row) for _, row in rows.iterrows()]
    said = claim.where["agrees"].split(", ")
    yield from _counts(claim, sum(way in said for way in ways), len(rows))


def agreement_of(row: pd.Series) -> str:
    """How a ratio goes with the published one, by its interval and the margin."""
    verdict, theirs, margin = verdict_of(row), row["published"], row["margin"]
    if verdict in ("undecided", "no interval"):
        return "open"
    if verdict in CHANGES and row["q"] > ALPHA:
        return "open"
    if row["low"] <= theirs <= row["high"]:
        return "inside"
    here = 0 if verdict == "equivalent" else 1 if row["relative"] > 1 else -1
    there = 1 if theirs > 1 + margin else -1 if theirs < 1 - margin else 0
    if here == there:
        return "same side"
    return "opposite" if here and there else "only here" if here else "only there"


def _rank_correlation(claim: Claim, frame: pd.DataFrame) -> Iterator[str]:
    """Pearson's of the ranks, ties sharing theirs."""
    rows = _rows(frame, claim.rows)
    pairs = [_ranks(list(rows[c].astype(float))) for c in ("relative", "published")]
    n = len(rows)
    if claim.count != n:
        yield f"{n} tests"
    x, y = ([rank - (n + 1) / 2 for rank in ranks] for ranks in pairs)
    dots = [sum(a * b for a, b in zip(*two, strict=True)) for two in
            ((x, y), (x, x), (y, y))]  # fmt: skip
    correlation = dots[0] / (dots[1] * dots[2]) ** 0.5
    if not _same(claim.value, correlation):
        yield f"a rank correlation of {correlation:.3g}"


def _ranks(values: Sequence[float]) -> list[float]:
    return [
        sum(other < value for other in values)
        + (1 + sum(other == value for other in values)) / 2
        for value in values
    ]


Relation = Callable[[Claim, pd.DataFrame], Iterator[str]]
RELATIONS: dict[str, Relation] = {
    "is": _is,
    "largest": _extreme(max),
    "smallest": _extreme(min),
    "largest size": _extreme(max, size=True),
    "count": _count,
    "significant": _significant,
    "changed": _changed,
    "excludes 1": _excludes,
    "begins with": _begins,
    "above 0": _above,
    "median": _median,
    "rest": _rest,
    "rest of me": _rest_of_me,
    "rows": _size,
    "present": _present,
    "missing": _missing,
    "widest": _widest,
    "none": _none,
    "given": _given,
    "lacks": _lacks,
    "share": _share,
    "gain more than": _gain,
    "against": _against,
    "cause": _cause,
    "premise": _premise,
    "agrees": _agrees,
    "rank correlation": _rank_correlation,
}


def verdict_of(row: pd.Series) -> str:
    """The verdict of a ratio by its interval and margin, as METHODS.md defines it."""
    ratio, low, high, margin = (row[c] for c in ("relative", "low", "high", "margin"))
    if pd.isna(ratio) or pd.isna(low) or pd.isna(high):
        return "no interval"
    if 1 - margin <= low and high <= 1 + margin:
        return "equivalent"
    if not (low > 1 or high < 1) or 1 - margin <= ratio <= 1 + margin:
        return "undecided"
    if row["direction"] not in ("higher", "lower"):
        return "changed"
    return "improved" if (ratio > 1) == (row["direction"] == "higher") else "regressed"
