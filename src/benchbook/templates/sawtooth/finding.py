"""Whether a rate goes up and down, in sentences: period, depth, shape, the tree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from benchbook.finding import Claim, Finding, names_as_data, tally
from benchbook.templates.sawtooth.analysis import Sawtooth
from benchmath.prose import counted, number, with_interval
from benchmath.variation.oscillation import EVEN, LEAST, REVERSED, SAWTOOTH

Said = tuple[str, list[Claim]]
Row = Mapping[str, Any]
_BRACKETS = " (brackets: lowest and highest run)"
MOST = 4  # cases that get sentences of their own
_SHAPES = {
    SAWTOOTH: "a sawtooth that rises fast and falls slowly",
    REVERSED: "a sawtooth that rises slowly and falls fast",
    EVEN: "about as long up as down",
}


@names_as_data
def sawtooth_finding(told: Sawtooth) -> Finding:
    """Each case's period and depth with intervals, or what would find one; stalls."""
    tested = told.cases[told.cases["p"].notna()]
    if tested.empty:
        claim = Claim("seconds", "given", LEAST)
        text = f"Nothing that writes lasts {LEAST} seconds, too short for a period."
        return Finding(text, [claim])
    frames = {
        "cycles": _long(told.cases), "files": _long(told.files), "beside": _beside(told),
        "stalls": told.stalls, "cases": tested,
    }  # fmt: skip
    parts: list[Said] = [_none(tested)] if not tested["found"].any() else []
    first = tested.sort_values("found", ascending=False, kind="stable")
    for row in first.head(MOST).to_dict("records"):
        of_case = (_cycle(row), _stalled(row, told.stalls), _tree(row, told))
        text = " ".join(words for words, _ in of_case if words)
        parts.append((text, [claim for _, mine in of_case for claim in mine]))
    claims = [claim for _, mine in parts for claim in mine]
    claims.append(Claim("interval", "given", 95, unit="%"))
    return Finding(_once("\n\n".join(text for text, _ in parts)), claims, frames)


def _once(text: str) -> str:
    """What brackets are is said where the first ones stand."""
    head, brackets, rest = text.partition(_BRACKETS)
    return head + brackets + rest.replace(_BRACKETS, "")


def _none(tested: pd.DataFrame) -> Said:
    claim = tally(tested, "cases", {"found": "True"}, quantifier="none")
    if claim.of == 1:
        return "**No period is found.**", [claim]
    return f"**No period is found** in any of the {claim.of} cases.", [claim]


def _cycle(row: Row) -> Said:
    """One case: its cycle, or that none is found and how deep one had to be."""
    runs = f"{counted(int(row['n']), 'run')} of {row['seconds']:.0f} s"
    given = [Claim("runs", "is", row["n"], frame="cases", rows=_rows(row), column="n")]
    given.append(
        Claim("s", "is", row["seconds"], frame="cases", rows=_rows(row), column="seconds")
    )
    if not row["found"]:
        least, claims = _amount(row, "findable", "cycles", _percent)
        text = (
            f"**{row['case']}**: {row['step']} has no period ({runs}, p {_p(row['p'])});"
            f" one of {least} of the mean rate from trough to peak would be found about "
            "every second time, a shallower one in longer or more runs."
        )
        return text, [*claims, *given, _p_claim(row)]
    period, claims = _amount(row, "period_s", "cycles", number)
    depth, more = _amount(row, "depth", "cycles", _percent)
    shape = f": {_SHAPES[row['shape']]}" if row["shape"] in _SHAPES else ""
    text = (
        f"**{row['case']}**: the rate of {row['step']} goes up and down with a period of "
        f"{_in_seconds(period)}, by {depth} of its mean ({runs}, p {_p(row['p'])})."
    )
    claims += [*more, *given, _p_claim(row)]
    if not pd.isna(row["rise"]):
        rise, still = _amount(row, "rise", "cycles", _percent)
        text += f" The way up takes {rise} of the period{shape}."
        claims += still
    return text, claims


def _stalled(row: Row, stalls: pd.DataFrame) -> Said:
    own = _chosen(stalls, row)
    if own.empty or pd.isna(own.iloc[0]["value"]):
        return "", []
    one = own.iloc[0]
    if not one["high"] and not one["still_s"]:
        none = Claim("stalled", "is", one["value"], column="value", frame="stalls",
                     rows=_rows(row))  # fmt: skip
        return "RocksDB neither delayed nor stopped its writers.", [none]
    share = with_interval(
        f"{one['value']:.1f}%", one["low"], one["high"], "{:.1f}".format
    )
    claims = [
        Claim(
            "stalled", "is", one["value"], one["low"], one["high"], "%", frame="stalls",
            rows=_rows(row), column="value",
        )
    ]  # fmt: skip
    text = f"RocksDB delayed or stopped its writers for {share} of the step"
    text += f", most often by {one['cause'].replace('_', ' ')}" if one["cause"] else ""
    still = one["still_s"]
    claims.append(
        Claim("still", "is", still, frame="stalls", rows=_rows(row), column="still_s")
    )
    if still:
        text += f"; {still:.0f} s of all runs stood still"
    return f"{text}{_BRACKETS}.", claims


def _tree(row: Row, told: Sawtooth) -> Said:
    """The period of the files of L0, and how the rate goes with them."""
    parts, claims = [], []
    files = _chosen(told.files, row)
    if len(files) and bool(files.iloc[0]["found"]):
        period, mine = _amount(files.iloc[0].to_dict(), "period_s", "files", number)
        parts.append(f"the number of files of L0 has a period of {_in_seconds(period)}")
        claims += mine
    beside = _chosen(told.beside, row)
    if len(beside):
        one = beside.iloc[0].to_dict()
        if not pd.isna(one["ratio"]):
            ratio, mine = _amount(one, "ratio", "beside", "{:.2f}".format)
            parts.append(
                f"seconds in which files of L0 are compacted have {ratio} of the rate of "
                "the others"
            )
            claims += mine
        if not pd.isna(one["correlation"]):
            r, mine = _amount(one, "correlation", "beside", "{:.2f}".format)
            parts.append(f"the ranks of rate and files of L0 correlate by {r}")
            claims += mine
    text = "; ".join(parts)
    return (f"{text[:1].upper()}{text[1:]}." if text else ""), claims


def _amount(row: Row, name: str, frame: str, show: Callable[[float], str]) -> Said:
    stem = name.removesuffix("_s")
    low, high = (row.get(f"{stem}_{end}", float("nan")) for end in ("low", "high"))
    bounds = (None, None) if pd.isna(low) else (float(low), float(high))
    claim = Claim(
        f"{row['case']} {name}", "is", row[name], bounds[0], bounds[1], frame=frame,
        rows={**_rows(row), "quantity": name}, column="value",
    )  # fmt: skip
    return with_interval(show(row[name]), low, high, show), [claim]


def _long(cases: pd.DataFrame) -> pd.DataFrame:
    """A row per case and quantity, with value, low and high."""
    nothing = pd.Series(float("nan"), index=cases.index)
    parts = []
    for name in ("period_s", "depth", "rise", "findable"):
        stem = name.removesuffix("_s")
        ends = [cases.get(f"{stem}_{end}", nothing) for end in ("low", "high")]
        keys = cases[["case", "step"]]
        parts.append(
            keys.assign(quantity=name, value=cases[name], low=ends[0], high=ends[1])
        )
    return pd.concat(parts, ignore_index=True)


def _beside(told: Sawtooth) -> pd.DataFrame:
    parts = [
        told.beside[["case", "step"]].assign(
            quantity=name, value=told.beside[name], low=told.beside[f"{name}_low"],
            high=told.beside[f"{name}_high"],
        )
        for name in ("correlation", "ratio")
    ]  # fmt: skip
    return pd.concat(parts, ignore_index=True)


def _rows(row: Row) -> dict[str, str]:
    return {"case": str(row["case"]), "step": str(row["step"])}


def _chosen(frame: pd.DataFrame, row: Row) -> pd.DataFrame:
    return frame[(frame["case"] == row["case"]) & (frame["step"] == row["step"])]


def _p(p: float) -> str:
    return f"{p:.3f}"


def _p_claim(row: Row) -> Claim:
    return Claim("p", "is", row["p"], frame="cases", rows=_rows(row), column="p")


def _in_seconds(amount: str) -> str:
    """`12.0 s [11.7, 12.4]`"""
    value, space, bounds = amount.partition(" ")
    return f"{value} s{space}{bounds}"


def _percent(share: float) -> str:
    return f"{share:.0%}"
