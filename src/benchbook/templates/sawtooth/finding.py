"""Whether a rate goes up and down, in sentences: period, depth, shape, the tree."""

from __future__ import annotations

import pandas as pd

from benchbook.finding import Draft, Finding, Row, chosen, names_as_data
from benchbook.templates.sawtooth.analysis import Sawtooth
from benchmath.prose import Show, counted, number
from benchmath.variation.oscillation import EVEN, LEAST, REVERSED, SAWTOOTH

_KEYS = ("case", "step")
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
        said = Draft()
        least = said.given("seconds", LEAST)
        return said.finding(
            f"Nothing that writes lasts {least} seconds, too short for a period."
        )
    names = ("period_s", "depth", "rise", "findable")
    said = Draft(
        cycles=_long(told.cases, *names), files=_long(told.files, *names),
        beside=_long(told.beside, "correlation", "ratio"), stalls=told.stalls,
        cases=tested,
    )  # fmt: skip
    parts = [] if tested["found"].any() else [_none(said)]
    first = tested.sort_values("found", ascending=False, kind="stable")
    for row in first.head(MOST).to_dict("records"):
        of_case = (_cycle(said, row), _stalled(said, row), _tree(said, row, told))
        parts.append(" ".join(text for text in of_case if text))
    said.given("interval", 95, unit="%")
    return said.finding(_once("\n\n".join(parts)))


def _once(text: str) -> str:
    """What brackets are is said where the first ones stand."""
    head, brackets, rest = text.partition(_BRACKETS)
    return head + brackets + rest.replace(_BRACKETS, "")


def _none(said: Draft) -> str:
    said.count("cases", {"found": "True"}, None, "", "none")
    of = len(said.frames["cases"])
    if of == 1:
        return "**No period is found.**"
    return f"**No period is found** in any of the {of} cases."


def _cycle(said: Draft, row: Row) -> str:
    """One case: its cycle, or that none is found and how deep one had to be."""
    runs = _of_case(said, row, "n", lambda n: counted(int(n), "run"), "runs")
    runs += f" of {_of_case(said, row, 'seconds', '{:.0f} s'.format, 's')}"
    runs += f", p {_of_case(said, row, 'p', '{:.3f}'.format, 'p')}"
    if not row["found"]:
        least = _amount(said, row, "findable", "cycles", "{:.0%}".format)
        return (
            f"**{row['case']}**: {row['step']} has no period ({runs}); one of {least} of "
            "the mean rate from trough to peak would be found about every second time, a "
            "shallower one in longer or more runs."
        )
    period = _amount(said, row, "period_s", "cycles", number, " s")
    depth = _amount(said, row, "depth", "cycles", "{:.0%}".format)
    text = (
        f"**{row['case']}**: the rate of {row['step']} goes up and down with a period of "
        f"{period}, by {depth} of its mean ({runs})."
    )
    if not pd.isna(row["rise"]):
        rise = _amount(said, row, "rise", "cycles", "{:.0%}".format)
        shape = f": {_SHAPES[row['shape']]}" if row["shape"] in _SHAPES else ""
        text += f" The way up takes {rise} of the period{shape}."
    return text


def _stalled(said: Draft, row: Row) -> str:
    own = _rows(said.frames["stalls"], row)
    if own.empty or pd.isna(own.iloc[0]["value"]):
        return ""
    one = own.iloc[0]
    if not one["high"] and not one["still_s"]:
        said.value("stalls", one, "value", keys=_KEYS, subject="stalled", ends=())
        return "RocksDB neither delayed nor stopped its writers."
    share = said.value("stalls", one, "value", "{:.1f}".format, "%", after="%",
                       keys=_KEYS, subject="stalled")  # fmt: skip
    still = said.value("stalls", one, "still_s", "{:.0f} s".format, keys=_KEYS,
                       subject="still", ends=())  # fmt: skip
    text = f"RocksDB delayed or stopped its writers for {share} of the step"
    text += f", most often by {one['cause'].replace('_', ' ')}" if one["cause"] else ""
    text += f"; {still} of all runs stood still" if one["still_s"] else ""
    return f"{text}{_BRACKETS}."


def _tree(said: Draft, row: Row, told: Sawtooth) -> str:
    """The period of the files of L0, and how the rate goes with them."""
    parts = []
    for one in _rows(told.files, row).head(1).to_dict("records"):
        if one["found"]:
            period = _amount(said, one, "period_s", "files", number, " s")
            parts.append(f"the number of files of L0 has a period of {period}")
    for one in _rows(told.beside, row).head(1).to_dict("records"):
        if not pd.isna(one["ratio"]):
            ratio = _amount(said, one, "ratio", "beside", "{:.2f}".format)
            parts.append(
                f"seconds in which files of L0 are compacted have {ratio} of the rate of "
                "the others"
            )
        if not pd.isna(one["correlation"]):
            r = _amount(said, one, "correlation", "beside", "{:.2f}".format)
            parts.append(f"the ranks of rate and files of L0 correlate by {r}")
    text = "; ".join(parts)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def _amount(
    said: Draft, row: Row, name: str, frame: str, show: Show, after: str = ""
) -> str:
    """A quantity of one case with its interval."""
    where = {key: row[key] for key in _KEYS} | {"quantity": name}
    one = chosen(said.frames[frame], where).iloc[0]
    return said.value(frame, one, "value", show, after=after, keys=where,
                      subject=f"{row['case']} {name}")  # fmt: skip


def _of_case(said: Draft, row: Row, column: str, show: Show, subject: str) -> str:
    return said.value("cases", row, column, show, keys=_KEYS, subject=subject, ends=())


def _long(cases: pd.DataFrame, *names: str) -> pd.DataFrame:
    """A row per case and quantity, with value, low and high."""
    nothing = pd.Series(float("nan"), index=cases.index)
    parts = []
    for name in names:
        stem = name.removesuffix("_s")
        low, high = (cases.get(f"{stem}_{end}", nothing) for end in ("low", "high"))
        keys = cases[[*_KEYS]]
        parts.append(keys.assign(quantity=name, value=cases[name], low=low, high=high))
    return pd.concat(parts, ignore_index=True)


def _rows(frame: pd.DataFrame, row: Row) -> pd.DataFrame:
    return chosen(frame, {key: row[key] for key in _KEYS})
