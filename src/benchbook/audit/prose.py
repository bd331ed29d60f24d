"""Hand-written sentences against the page: their numbers, intervals and names."""

from __future__ import annotations

import calendar
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

from nbformat import NotebookNode

from benchbook.audit.cells import ANSWER, Cell, cells_of, intervals_of, text_of
from benchbook.audit.contradiction import Contradiction
from benchbook.audit.executed import readable
from benchbook.audit.words import Shown, blocks_of, numbers_of, sentences

WORDS = 30  # of a sentence, at most
_INTERVAL = re.compile(r"\[([-+−]?[\d.]+)%?, ([-+−]?[\d.]+)%?\]")
_TRIPLE = re.compile(r"[-+−]?[\d.,]*\d\S{0,2}(?: \S+){0,4}? \[[-+−\d.%]+, [-+−\d.%]+\]")
# `0.15 of the rate of Postgres`, `1.28 times as fast`
_SHARE = re.compile(
    r"(?<![\w.])(\d+\.\d+) (?:of (?:\S+ ){0,2}(?:rate|speed|throughput)\b|times as fast)"
)
# A link, an address or a citation: somebody else's number.
_SOURCE = re.compile(r"\]\([^)]+\)|<?https?://|\[@(?!fig-|tbl-)\w|data/published/\w")
_MONTH = f"(?:{'|'.join(calendar.month_name[1:])})"
_DATE = re.compile(rf"\b(?:\d{{1,2}} )?{_MONTH} \d{{4}}|\b\d{{4}}-\d\d(?:-\d\d)?\b")
_VERSION = re.compile(r"(?<![\w./-])\d+(?:\.\d+){2,}(?![\w/-]|\.\w)")
_MISSING = re.compile(r"\b(?:is|are|was|were) (?:missing|not recorded|not in the post)\b")
# `up to half of the time`: an amount that no table can bear out.
_PORTION = re.compile(
    r"\b(?:half|(?:a|one|two|three) (?:third|quarter|fifth|tenth)s?|twice|"
    r"(?:doubl|tripl)e[sd]?)\b",
    re.I,
)
_UNITS = {
    "ns": 1e3,
    "KB": 1e-3,
    "MB": 1e-6,
    "GB": 1e-9,
}  # of what tables have in µs, bytes
_SHOWN = 80  # letters of a sentence
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True)
class Known:
    """What a page is read with.

    written: what a person wrote, by the id of its cell. names: those of the frames, whose
    digits are no amounts; steps: the page's, and every step there is; settings: the
    numbers of study.yml.
    """

    names: Sequence[str] = ()
    steps: Sequence[str] = ()
    every_step: Sequence[str] = ()
    settings: Sequence[float] = ()
    written: Mapping[str, str] = field(default_factory=dict)


def prose_contradictions(
    written: Mapping[str, str], notebook: NotebookNode, known: Known
) -> Iterator[Contradiction]:
    """What hand-written text says and the page does not, place by place."""
    cells = cells_of(notebook, known.written)
    cells += [Cell(value, "study.yml") for value in known.settings]
    intervals = intervals_of(notebook)
    shown = _shown(notebook, known.written)
    for where, text in written.items():
        for block in blocks_of(text):
            for sentence in _units(block):
                if _SOURCE.search(sentence):
                    continue
                yield from _numbers(where, sentence, cells, known)
                yield from _intervals(where, sentence, intervals, known.names)
                yield from _names(where, sentence, shown, known)
                yield from _portions(where, sentence, known.names)


def long_sentences(written: Mapping[str, str]) -> Iterator[str]:
    """Sentences of more words than a reader keeps in mind, with how many they have."""
    for where, text in written.items():
        for sentence in (s for b in blocks_of(text) for s in sentences(b)):
            words = len(sentence.split())
            if words > WORDS and "|" not in sentence:
                yield f"{where}: {words} words, more than {WORDS}: {_short(sentence)}"


def _units(block: str) -> list[str]:
    """Sentences; a table is one with the paragraph that it follows."""
    return [block] if " | " in block else sentences(block)


def _numbers(
    where: str, sentence: str, cells: Sequence[Cell], known: Known
) -> Iterator[Contradiction]:
    """Every number is one of the page: of a step's rows where a sentence names steps.

    A share of a rate is a ratio of the page; what has an interval is left to
    ``_intervals``.
    """
    named = [step for step in known.steps if _names_it(sentence, step)]
    fitting = [c for c in cells if _fits(c, named, known.steps)] if named else cells
    ratios = [c for c in fitting if c.is_ratio]
    alone = _DATE.sub(" ", _TRIPLE.sub(" ", sentence))
    shares = {match[1] for match in _SHARE.finditer(alone)} if ratios else set()
    for figure in numbers_of(alone, known.names):
        among = ratios if figure.text in shares else fitting
        if not any(stands(figure, cell.value) for cell in among):
            near = min(among, key=lambda c: _distance(figure, c.value), default=None)
            gives = f"nearest {near.value:.6g} ({_short(near.place)})" if near else "none"
            yield Contradiction(where, f"{figure.text} in {_short(sentence)!r}", gives)


def _portions(where: str, sentence: str, names: Sequence[str]) -> Iterator[Contradiction]:
    """A portion in words stands beside the number that it puts into words."""
    said = _PORTION.search(sentence)
    if said and not numbers_of(sentence, names):
        yield Contradiction(where, repr(said[0]), "no number beside it that is checked")


def _fits(cell: Cell, named: Iterable[str], steps: Iterable[str]) -> bool:
    """Is it of one of these steps, or of none?"""
    return any(_names_it(cell.place, s) for s in named) or not any(
        _names_it(cell.place, s) for s in steps
    )


def _names_it(text: str, name: str) -> bool:
    # Most texts hold it nowhere, and that needs no pattern.
    word = rf"(?<![\w.]){re.escape(name)}(?![\w]|\.\w)"
    return name in text and re.search(word, text) is not None


def _intervals(
    where: str,
    sentence: str,
    held: Sequence[tuple[float, float, float]],
    names: Sequence[str],
) -> Iterator[Contradiction]:
    """Every `R [L, H]` is one ratio of the page with its interval.

    Each of the three may stand somewhere on a page that has long changed.
    """
    before = 0
    for match in _INTERVAL.finditer(sentence):
        given = numbers_of(sentence[before : match.start()], names)
        ends = Shown(match[1]), Shown(match[2])
        before = match.end()
        if given and not any(_is_ratio((given[-1], *ends), row) for row in held):
            shown = f"{given[-1].text} {match[0]}"
            near = min(held, key=partial(_apart, (given[-1], *ends)), default=None)
            gives = "nearest {:.4g} [{:.4g}, {:.4g}]".format(*near) if near else "none"
            yield Contradiction(where, shown, f"no such interval on the page; {gives}")


def _is_ratio(figures: Sequence[Shown], row: Sequence[float]) -> bool:
    """Value, low and high, a thousand of each (ns for µs), or the same turned round."""
    value, low, high = row
    forms: list[Sequence[float]] = [row, tuple(1000 * number for number in row)]
    if min(row) > 0:
        forms.append((1 / value, 1 / high, 1 / low))
    return any(
        all(f.stands_for(a) for f, a in zip(figures, form, strict=True)) for form in forms
    )


def _apart(figures: Sequence[Shown], row: Sequence[float]) -> float:
    """The widest of the three distances."""
    return max(_distance(f, a) for f, a in zip(figures, row, strict=True))


def _names(
    where: str, sentence: str, shown: str, known: Known
) -> Iterator[Contradiction]:
    """Versions and steps that the page lacks, and what it shows and is said to lack."""
    for name in dict.fromkeys(_VERSION.findall(sentence)):
        if not (name in known.names or _names_it(shown, name)):
            yield Contradiction(where, f"version {name}", "no such version on the page")
    for name in dict.fromkeys(_CODE.findall(sentence)):
        if name in known.every_step and not (
            name in known.steps or _names_it(shown, name)
        ):
            yield Contradiction(where, f"step {name}", "no such step on the page")
        said = _MISSING.search(sentence)
        if said and _names_it(shown, name):
            yield Contradiction(where, f"{name} {said[0]}", "the page shows it")


def _shown(notebook: NotebookNode, written: Iterable[str]) -> str:
    """What a reader sees of the page besides what a person wrote."""
    outputs = [readable(text_of(o)) for c in notebook.cells for o in c.get("outputs", [])]
    own = {ANSWER, *written}
    texts = [c.source for c in notebook.cells if c.cell_type == "markdown"
             and c.get("id") not in own]  # fmt: skip
    return "\n".join([*outputs, *texts])


def stands(figure: Shown, amount: float) -> bool:
    """Is it the amount, in the unit that follows it?"""
    return any(map(figure.rounds, _forms(figure, amount)))


def _forms(figure: Shown, amount: float) -> tuple[float, ...]:
    """The amount; in percent, turned round (`2.6X as fast`), of µs as ns, bytes as KB."""
    if figure.after.startswith(("%", "percent")):
        return amount, 100 * amount, 100 * (amount - 1)
    if figure.after.startswith(("X", "times")):
        return amount, 1 / amount if amount else 0.0
    factors = [f for unit, f in _UNITS.items() if figure.after.startswith(unit)]
    return amount, *(factor * amount for factor in factors)


def _distance(figure: Shown, amount: float) -> float:
    """How far apart, in parts of the number."""
    size = abs(figure.value)
    far = min(abs(abs(form) - size) for form in _forms(figure, amount))
    return far / size if size else far if math.isfinite(far) else math.inf


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
