"""Somebody's own text against a study: its numbers, quotients and comparing words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import pandas as pd

from benchbook.audit.cells import Cell
from benchbook.audit.prose import stands
from benchbook.audit.words import Shown, blocks_of, numbers_of, sentences
from benchmath.frames import dimensions_of
from benchmath.intervals import logs, mean_interval, ratio_interval
from benchmath.prose import number, with_interval

_GLUED = re.compile(r"(?<=\d)[Xx×](?![\w])")  # 1.3X
# In words, before `as` or `the`: `twice as fast`, `half the rate`.
_FACTORS = {
    r"\b[Tt]wice(?= (?:as|the)\b)|\b[Dd]ouble(?= the\b)": "2 times",
    r"\b[Hh]alf(?= (?:as|the (?:rate|speed|throughput))\b)": "0.5 times",
}
_SAME = re.compile(r"\bno (?:\w+ )?difference\b")
_TIMES = re.compile(r"^(?:X|times)\b")
_PERCENT = re.compile(r"^(?:%|percent) (?:more|less|fewer|faster|slower|higher|lower)\b")
_LESS = re.compile(r"\b(?:less|fewer|slower|lower)\b")
_MORE = re.compile(r"\b(?:faster|higher|more)\b")
_SPEED = re.compile(r"\b(?:faster|slower)\b")  # of a time: fewer seconds are faster
_NOT = re.compile(r"\b(?:not|no|nor|neither|never|nothing)\b")
_WORD = re.compile(r"[\w.+-]*\w")
# What a writer calls a metric; without any of them throughput is meant.
_METRICS: Mapping[str, tuple[str, ...]] = {
    "cpu": ("cpu",), "switch": ("cs_",), "cs/": ("cs_",), "read": ("r_o", "rkb", "rmb"),
    "written": ("w_o", "wkb"), "size": ("size", "gb"), "p99": ("p99",), "max": ("max",),
}  # fmt: skip
_LETTERS = 90  # of a sentence, where it is shown


@dataclass(frozen=True)
class Read:
    """One number, or one comparison in words, and what the data say to it."""

    line: int
    says: str
    sentence: str
    gives: str
    right: bool

    def __str__(self) -> str:
        verdict = "on record" if self.right else "not on record"
        return f"{self.line}: {self.says} in {self.sentence!r}: {verdict}: {self.gives}"


@dataclass(frozen=True)
class Quotient:
    """One cell's mean over another's, of one step and metric.

    low, high: the interval of the ratio over the runs, of the same trials where both
    sides have the same; NaN where a side has one run.
    """

    value: float
    low: float
    high: float
    over: Mapping[str, str]  # what is above the line
    under: Mapping[str, str]
    step: str
    metric: str
    is_rate: bool  # is it what throughput means?
    is_cost: bool  # is less of it better?
    means: tuple[float, float]

    @cached_property
    def words(self) -> frozenset[str]:
        """Every name of it, in small letters."""
        texts = (*self.over.values(), *self.under.values(), self.step)
        return frozenset(w.lower() for text in texts for w in (text, *text.split()))

    @property
    def differing(self) -> list[str]:
        return [k for k in self.over if self.over[k] != self.under[k]]

    def __str__(self) -> str:
        # What follows from another name, as a build from its engine, is not said.
        told = [k for k in self.differing if k in ("engine", "version")]
        shown = told or self.differing
        over, under = (
            " ".join(side[k] for k in shown) for side in (self.over, self.under)
        )
        a, b = map(number, self.means)
        value = with_interval(f"{self.value:.3g}", self.low, self.high, "{:.3g}".format)
        return f"{value} = {a} / {b} ({self.metric} {self.step}, {over} / {under})"


def proofread(
    text: str, cells: Sequence[Cell], metric: pd.DataFrame, names: Sequence[str]
) -> list[Read]:
    """Every number and comparison of a text, in its order.

    ``cells`` are the numbers of the study's page, ``metric`` its metric frame, ``names``
    those of its frames, whose digits are no amounts. A number with X, times or percent
    faster is a quotient of two cells; others are amounts of the page.
    """
    every = quotients(metric)
    found: list[Read] = []
    begin = -1
    for block in blocks_of(text):
        for sentence in sentences(block):
            begin = _begin(text, sentence, begin)
            line = text.count("\n", 0, max(begin, 0)) + 1
            found += _of_sentence(sentence, line, cells, every, names)
    return found


def quotients(metric: pd.DataFrame) -> list[Quotient]:
    """Of every two cells of one step and metric, the means over the runs, both ways."""
    dims = list(dimensions_of(metric))
    rows = metric[metric["value"] > 0]
    rows = rows.assign(trial=rows["trial"].fillna(1))  # figures without runs
    found = []
    for (step, name), of_step in rows.groupby(["step", "metric"], sort=False):
        is_rate = bool(of_step["main"].fillna(False).astype(bool).any())
        is_cost = bool((of_step["direction"] == "lower").all())
        cells = [
            (
                {d: str(v) for d, v in zip(dims, key, strict=True) if pd.notna(v)},
                runs.groupby("trial")["value"].mean(),
            )
            for key, runs in of_step.groupby(dims, sort=False, dropna=False)
        ]
        for pair in combinations(cells, 2):
            if pair[0][0].keys() == pair[1][0].keys():
                for (over, a), (under, b) in (pair, pair[::-1]):
                    means = float(a.mean()), float(b.mean())
                    low, high = _interval(a, b)
                    found.append(
                        Quotient(means[0] / means[1], low, high, over, under, str(step),
                                 str(name), is_rate, is_cost, means)
                    )  # fmt: skip
    return found


def _interval(a: pd.Series, b: pd.Series) -> tuple[float, float]:
    """Of the ratio: over the trials that both have, else Welch's."""
    if a.index.equals(b.index) and len(a) > 1:
        found = mean_interval(logs(a / b))
    else:
        found = ratio_interval(logs(a), logs(b))
    return float(found.low), float(found.high)


def _of_sentence(
    sentence: str,
    line: int,
    cells: Sequence[Cell],
    every: Sequence[Quotient],
    names: Sequence[str],
) -> Iterator[Read]:
    short = sentence if len(sentence) <= _LETTERS else f"{sentence[:_LETTERS]}..."
    meant = _meant(sentence, every)
    digits = _GLUED.sub(" X", _in_digits(sentence))
    amounts = numbers_of(digits, names)
    figures = [f for f in numbers_of(digits) if f in amounts or _is_factor(f)]
    for figure in figures:
        if not _is_factor(figure):
            yield Read(line, figure.text, short, *_amount(figure, cells))
        else:
            said = _ratio_said(figure, _named_ratios(sentence, cells))
            found = said or _quotient(figure, meant)
            yield Read(line, _shown(figure), short, *found)
    if not figures:
        yield from _in_words(sentence, line, short, meant)


def _in_digits(sentence: str) -> str:
    for words, digits in _FACTORS.items():
        sentence = re.sub(words, digits, sentence)
    return sentence


def _is_factor(figure: Shown) -> bool:
    """`2X`, `2 times`, `2% faster`: no name, also where a name is 2, as of clients."""
    return bool(_TIMES.match(figure.after) or _PERCENT.match(figure.after))


def _shown(figure: Shown) -> str:
    """`1.3X`, `2 times`, `20%`"""
    word = figure.after.split()[0]
    return f"{figure.text} {word}" if word == "times" else f"{figure.text}{word}"


def _named_ratios(sentence: str, cells: Iterable[Cell]) -> list[Cell]:
    """Ratios of the page whose place shares a word with the sentence, and all numbers.

    Of its numbers those count that stand in some place: `recall 0.95` is no other recall.
    """
    ratios = [(cell, _words(cell.place)) for cell in cells if cell.is_ratio]
    said = _words(sentence)
    places = {word for _, words in ratios for word in words if word[0].isdigit()}
    wanted = said & places
    return [
        cell
        for cell, words in ratios
        if words & (said - places) and words & places == wanted
    ]


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _ratio_said(figure: Shown, ratios: Iterable[Cell]) -> tuple[str, bool] | None:
    """A ratio of the page that the number is; None where it is none."""
    for cell in ratios:
        if figure.rounds(cell.value):
            return f"{cell.value:.3g}, {cell.place}", True
    return None


def _meant(sentence: str, every: Sequence[Quotient]) -> list[Quotient]:
    """The quotients of most of the names in a sentence, that differ in fewest of theirs.

    Of the metric that it speaks of; of two ways round the one whose name comes first,
    and that alone where the other name comes after "than".
    """
    said = _words(sentence)
    of_metric = (
        [q for q in every if q.metric.lower() in said]
        or [q for q in every if _speaks_of(sentence, q)]
        or list(every)
    )
    if not of_metric:
        return []
    most = max(len(q.words & said) for q in of_metric)
    named = [q for q in of_metric if len(q.words & said) == most]
    fewest = min(len(q.differing) for q in named)
    named = [q for q in named if len(q.differing) == fewest]
    facing = [q for q in named if _faces(sentence, q)]
    return sorted(facing or named, key=lambda q: _place(sentence, q))


def _faces(sentence: str, quotient: Quotient) -> bool:
    """Is what stands above the line named before "than", and what is below after it?"""
    before, _, after = sentence.lower().partition(" than ")
    under = (quotient.under[k].lower() for k in quotient.differing)
    return _place(before, quotient) < len(before) and any(name in after for name in under)


def _speaks_of(sentence: str, quotient: Quotient) -> bool:
    text, metric = sentence.lower(), quotient.metric.lower()
    starts = [start for word, of in _METRICS.items() if word in text for start in of]
    return any(start in metric for start in starts) if starts else quotient.is_rate


def _place(sentence: str, quotient: Quotient) -> int:
    """Where the first name of what stands above the line is; far behind if nowhere."""
    text = sentence.lower()
    own = {quotient.over[k].lower() for k in quotient.differing}
    places = [text.find(name) for name in own if name in text]
    return min(places, default=len(text))


def _as_said(figure: Shown, quotient: Quotient) -> float:
    """What a true sentence says in the place of the number: `1.3X`, `20% faster`.

    Of a time slower is more; `2 times slower` than a rate is half of it.
    """
    value, words = quotient.value, figure.after.split(".")[0]
    less = bool(_LESS.search(words)) != (quotient.is_cost and bool(_SPEED.search(words)))
    if _TIMES.match(figure.after):
        return 1 / value if less else value
    return 100 * (1 - value if less else value - 1)


def _quotient(figure: Shown, meant: Sequence[Quotient]) -> tuple[str, bool]:
    def off(quotient: Quotient) -> float:
        return abs(_as_said(figure, quotient) - figure.value)

    for quotient in meant:
        if off(quotient) <= figure.half * (1 + 1e-6) + 1e-9:
            return str(quotient), True
    if not meant:
        return "the study has nothing to divide", False
    return str(min(meant[: max(1, len(meant) // 2)], key=off)), False


def _amount(figure: Shown, cells: Iterable[Cell]) -> tuple[str, bool]:
    near: Cell | None = None
    for cell in cells:
        if stands(figure, cell.value):
            return cell.place or f"{cell.value:.6g}", True
        if near is None or _far(figure, cell) < _far(figure, near):
            near = cell
    if near is None:
        return "the page has no numbers", False
    return f"nearest {near.value:.6g} ({near.place[:_LETTERS]})", False


def _far(figure: Shown, cell: Cell) -> float:
    return abs(abs(cell.value) - abs(figure.value))


def _in_words(
    sentence: str, line: int, short: str, meant: Sequence[Quotient]
) -> Iterator[Read]:
    """`A is faster than B`: the quotient of the one that is named first.

    One whose interval holds 1 is neither: there is no difference. Of what is not so
    nothing is said.
    """
    faster, slower = _MORE.search(sentence), _LESS.search(sentence)
    named = [q for q in meant if _place(sentence, q) < len(sentence)]
    if named and (same := _SAME.search(sentence)):
        alike = named[0].low <= 1 <= named[0].high
        yield Read(line, repr(same[0]), short, str(named[0]), alike)
        return
    if bool(faster) == bool(slower) or not named or _NOT.search(sentence):
        return
    word = (faster or slower)[0]  # type: ignore[index]
    quotient = named[0]
    sure = not quotient.low <= 1 <= quotient.high  # of single runs nobody knows
    more = bool(faster) != (quotient.is_cost and bool(_SPEED.match(word)))
    right = sure and (quotient.value > 1) == more
    yield Read(line, repr(word), short, str(quotient), right)


def _begin(text: str, sentence: str, after: int) -> int:
    """Where a sentence begins, which stands behind one that begins at ``after``."""
    words = [re.escape(word) for word in sentence.split()[:6]]
    found = re.compile(r"\s+".join(words)).search(text, after + 1)
    return found.start() if found else after
