"""A sentence as data: the text that a reader sees, and what it claims.

A notebook that shows a ``Finding`` keeps its claims in the output's metadata, so whoever
checks a page need not parse English. The frames that the claims were read from stay in
memory only.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ParamSpec, TypeVar

import pandas as pd
from IPython.display import Markdown

from benchbook.escaped import set_aside, shown, taken_back

MIME_KEY = "benchbook"  # of an output's metadata
DIGITS = 10  # as in charts: the last ones depend on the processor

NAMES = (
    "machine", "engine", "version", "build", "compiler", "flags", "config", "dop",
    "placement", "block_size", "arm", "workload", "me", "base", "step", "op", "clock",
    "metric", "test", "boundary", "part", "cpu", "frame", "event", "leaf", "dimension",
)  # fmt: skip

Number = float | int | None
Given = ParamSpec("Given")
Made = TypeVar("Made")


@dataclass(frozen=True)
class Claim:
    """What one part of a sentence says.

    subject: whom it is about. relation: how its numbers follow from ``frame``; the
    auditor knows each of them. value, low, high, unit: an amount with its interval.
    count, of: how many of how many; quantifier: the word for that, which is all, most,
    none or only. Evidence is ``frame``, the name of one of the
    finding's frames, and ``rows``, the values by which its rows are chosen; ``column``
    is where the amount stands, ``where`` what the counted rows have besides.
    """

    subject: str
    relation: str
    value: Number = None
    low: Number = None
    high: Number = None
    unit: str = ""
    count: int | None = None
    of: int | None = None
    quantifier: str = ""
    frame: str = ""
    rows: Mapping[str, str] = field(default_factory=dict)
    column: str = ""
    where: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Without what it does not say."""
        entries = {k: _plain(v) for k, v in asdict(self).items()}
        return {k: v for k, v in entries.items() if v not in (None, "", {})}


def claim_of(data: Mapping[str, Any]) -> Claim:
    """A claim read back from the metadata of an output; unknown keys are dropped."""
    names = {f.name for f in fields(Claim)}
    return Claim(**{"subject": "", "relation": ""} | {
        k: v for k, v in data.items() if k in names
    })  # fmt: skip


class Said(Markdown):  # type: ignore[misc]
    """Markdown that shows what ``names_as_data`` set aside: the names as they are."""

    def __init__(self, text: str) -> None:
        super().__init__(shown(text))


class Finding(Said):
    """Markdown that says what it claims, and from which frames."""

    def __init__(
        self,
        text: str,
        claims: Iterable[Claim] = (),
        frames: Mapping[str, pd.DataFrame] | None = None,
    ) -> None:
        super().__init__(text)
        self.claims: tuple[Claim, ...] = _in_texts(tuple(claims), taken_back)
        self.frames: dict[str, pd.DataFrame] = _in_texts(dict(frames or {}), taken_back)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, str], dict[str, Any]]:
        claims = [claim.as_json() for claim in self.claims]
        return {"text/markdown": str(self.data)}, {MIME_KEY: {"claims": claims}}


def names_as_data(make: Callable[Given, Made]) -> Callable[Given, Made]:
    """A function that composes a ``Said``: names in its arguments are data, not Markdown.

    All texts of what it is given (frames, lists, dataclasses) come to it with what
    Markdown might obey set aside; ``Said`` shows it again, so no sentence has to escape.
    """

    @functools.wraps(make)
    def made(*args: Given.args, **named: Given.kwargs) -> Made:
        safe = _in_texts(named, set_aside)
        return make(*(_in_texts(arg, set_aside) for arg in args), **safe)  # type: ignore[arg-type]

    return made


def amount(
    frame: pd.DataFrame,
    row: Mapping[str, Any] | pd.Series,
    column: str,
    name: str,
    relation: str = "is",
    unit: str = "ratio",
    bounds: tuple[str, str] = ("low", "high"),
    where: Mapping[str, str] | None = None,
) -> Claim:
    """The amount in one row of a frame, with its interval where it has one.

    ``relation``: is, or largest or smallest, of the rows that have ``where``.
    """
    keys = {k: str(row[k]) for k in telling(frame)}
    low, high = (row.get(b) for b in bounds)
    subject = " ".join(keys[k] for k in ("me", "step") if k in keys)
    return Claim(
        subject or " ".join(keys.values()), relation, row[column], low, high, unit,
        frame=name, rows=keys, column=column, where=dict(where or {}),
    )  # fmt: skip


def tally(
    frame: pd.DataFrame,
    name: str,
    where: Mapping[str, str],
    rows: Mapping[str, str] | None = None,
    subject: str = "",
    quantifier: str = "",
) -> Claim:
    """How many of a frame's ``rows`` have what ``where`` says besides."""
    group = chosen(frame, rows or {})
    return Claim(
        subject, "count", count=len(chosen(group, where)), of=len(group),
        quantifier=quantifier, frame=name, rows=dict(rows or {}), where=dict(where),
    )  # fmt: skip


def chosen(frame: pd.DataFrame, values: Mapping[str, str]) -> pd.DataFrame:
    """The rows that have every value, compared as texts."""
    matches = pd.Series(True, index=frame.index)
    for column, value in values.items():
        matches &= frame[column].astype(str) == str(value)
    return frame[matches]


def telling(frame: pd.DataFrame) -> list[str]:
    """The names that vary in a frame: what its rows are told apart by."""
    names = [c for c in NAMES if c in frame.columns]
    return [c for c in names if len(frame[c].astype(str).unique()) > 1] or names[:1]


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(k): str(v) for k, v in value.items()}
    if isinstance(value, str) or value is None:
        return value
    if pd.isna(value):
        return None
    number = float(value)
    if number.is_integer() and abs(number) < 2**53:
        return int(number)
    return float(f"{number:.{DIGITS}g}") if math.isfinite(number) else str(number)


def _in_texts(value: Any, change: Callable[[str], str]) -> Any:
    """The same value with every text in it changed; itself where none is."""
    new = value
    if isinstance(value, str):
        text = change(value)
        new = text if text != value else value
    elif isinstance(value, pd.DataFrame):
        new = value.copy(deep=False)
        for place in range(value.shape[1]):
            new.isetitem(place, _in_texts(value.iloc[:, place], change))
    elif isinstance(value, pd.Series) and not pd.api.types.is_numeric_dtype(value):
        texts = [_in_texts(one, change) for one in value]
        if any(a is not b for a, b in zip(texts, value, strict=True)):
            new = pd.Series(texts, value.index, object, value.name)
    elif isinstance(value, dict):
        new = {_in_texts(k, change): _in_texts(v, change) for k, v in value.items()}
    elif type(value) in (list, tuple):
        new = type(value)(_in_texts(one, change) for one in value)
    elif is_dataclass(value) and not isinstance(value, type):
        old = {f.name: getattr(value, f.name) for f in fields(value)}
        new = replace(value, **_in_texts(old, change))
    return new
