"""A sentence as data: the text that a reader sees, and what it claims.

A notebook that shows a ``Finding`` keeps its claims in the output's metadata, so whoever
checks a page need not parse English. The frames that the claims were read from stay in
memory only.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from typing import Any, ParamSpec, TypeVar

import numpy as np
import pandas as pd
from IPython.display import Markdown

from benchbook.escaped import set_aside, shown, taken_back
from benchmath.prose import Show, counted, listed, ratio_format, with_interval

MIME_KEY = "benchbook"  # of an output's metadata
DIGITS = 10  # as in charts: the last ones depend on the processor

NAMES = (
    "machine", "engine", "version", "build", "compiler", "flags", "config", "dop",
    "placement", "block_size", "arm", "workload", "me", "base", "step", "op", "clock",
    "metric", "test", "boundary", "part", "cpu", "frame", "event", "leaf", "dimension",
)  # fmt: skip

Number = float | int | None
Row = Mapping[str, Any]  # or a Series
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


class Draft:
    """A finding in the making: what shows a number also claims it.

    ``frames`` by the names under which claims know them. A row of one is told from the
    others by ``keys``, which are the names that vary in the frame unless they are given.
    """

    def __init__(self, **frames: pd.DataFrame) -> None:
        self.frames = frames
        self.claims: list[Claim] = []

    def finding(self, text: str) -> Finding:
        """What was written, with all that it claims."""
        return Finding(text, self.claims, self.frames)

    def claim(self, *said: Any, **named: Any) -> None:
        """What no other call shows; takes what a ``Claim`` takes."""
        values = {k: _python(v) for k, v in named.items()}
        self.claims.append(Claim(*map(_python, said), **values))

    def value(
        self,
        frame: str,
        row: Row,
        column: str,
        show: Show | None = None,
        unit: str = "",
        *,
        after: str = "",
        interval: bool = True,
        keys: Iterable[str] | None = None,
        subject: str = "",
        relation: str = "is",
        where: Mapping[str, str] | None = None,
        ends: Sequence[str] = ("low", "high"),
    ) -> str:
        """`1.20 s [1.10, 1.31]`: an amount, what comes ``after`` it, and its interval.

        The interval is claimed where it is not shown, too. A ratio is shown as precisely
        as it unless ``show`` says how. ``relation``: is, or largest or smallest, of the
        rows that have ``where``.
        """
        names = telling(self.frames[frame]) if keys is None else keys
        rows = {k: str(row[k]) for k in names}
        short = [rows[k] for k in ("me", "step") if k in rows and keys is None]
        subject = subject or " ".join(short or rows.values())
        bounds = [row.get(end) for end in ends or ("", "")]
        known = [None if pd.isna(bound) else bound for bound in bounds]
        self.claim(
            subject, relation, row[column], *known, unit, frame=frame, rows=rows,
            column=column, where=dict(where or {}),
        )  # fmt: skip
        low, high = (math.nan if bound is None else float(bound) for bound in known)
        show = show or ratio_format(low, high)
        text = f"{show(row[column])}{after}"
        return with_interval(text, low, high, show) if interval else text

    def ratio(self, frame: str, row: Row, show: Show | None = None, **named: Any) -> str:
        """``value`` of the column relative."""
        return self.value(frame, row, "relative", show, "ratio", **named)

    def reach(
        self, frame: str, rows: pd.DataFrame, column: str, subject: str, **named: Any
    ) -> str:
        """`2 to 8`: the least and the most of a column of whole numbers."""
        values = rows[column]
        for relation, end in (("smallest", values.min()), ("largest", values.max())):
            self.claim(subject, relation, end, frame=frame, column=column, **named)
        return span(values)

    def given(self, name: str, *values: float, unit: str = "") -> str:
        """`1, 2 and 4`: what is read from no frame, as a setting or the name of a row."""
        for value in values:
            self.claim(name, "given", value, unit=unit)
        return listed([str(value) for value in values]) if values else ""

    def counted(self, n: int, noun: str) -> str:
        """`4 clients`, given."""
        self.given(f"{noun}s", int(n))
        return counted(int(n), noun)

    def share(self, name: str, share: float, **named: Any) -> str:
        """`3%`: a setting between 0 and 1."""
        self.claim(name, "given", 100 * float(share), unit="%", **named)
        return f"{share:.0%}"

    def count(
        self,
        frame: str,
        where: Mapping[str, str],
        rows: Mapping[str, str] | None = None,
        subject: str = "",
        *words: str,
    ) -> int:
        """How many of a frame's ``rows`` have what ``where`` says besides.

        ``words``: the quantifiers that are said where they hold, of all and none.
        """
        group = chosen(self.frames[frame], rows or {})
        n, of = len(chosen(group, where)), len(group)
        holds = {"all": n == of, "none": n == 0}
        self.claim(
            subject, "count", count=n, of=of, frame=frame, rows=dict(rows or {}),
            quantifier=next((w for w in words if holds[w]), ""), where=dict(where),
        )  # fmt: skip
        return n


def together(parts: Iterable[Finding], by: str = " ") -> Finding:
    """Several findings as one, their texts in a row."""
    parts = [part for part in parts if part.data]
    return Finding(
        by.join(str(part.data) for part in parts),
        [claim for part in parts for claim in part.claims],
        {name: frame for part in parts for name, frame in part.frames.items()},
    )


def chosen(frame: pd.DataFrame, values: Mapping[str, str]) -> pd.DataFrame:
    """The rows that have every value, compared as texts."""
    matches = pd.Series(True, index=frame.index)
    for column, value in values.items():
        matches &= frame[column].astype(str) == str(value)
    return frame[matches]


def span(values: Iterable[float], show: Show = "{:.0f}".format) -> str:
    """`2 to 8`: the least and the most; one number where both read alike."""
    values = list(values)
    return " to ".join(dict.fromkeys((show(min(values)), show(max(values)))))


def sure(frame: pd.DataFrame) -> pd.DataFrame:
    """The rows whose difference is detected."""
    return frame[frame["detected"].fillna(False).astype(bool)]


def telling(frame: pd.DataFrame) -> list[str]:
    """The names that vary in a frame: what its rows are told apart by."""
    names = [c for c in NAMES if c in frame.columns]
    return [c for c in names if len(frame[c].astype(str).unique()) > 1] or names[:1]


def _python(value: Any) -> Any:
    return value.item() if isinstance(value, np.generic) else value


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
