"""Numbers of hand-written text that are read from the page when a post is executed.

A person writes `` `{python} ratio("l.i1", version="18.6")` `` in a cell or in study.yml's
description, as Quarto's inline expressions are written; nothing but these three names may
stand there, and nothing is evaluated. In a cell the expression stays, in a comment before
what it gave, so that executing the post again reads the number anew.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
from nbformat import NotebookNode

from benchbook.audit.cells import claims_of, outputs_of, rows_of_charts, text_of
from benchmath.errors import UserError
from benchmath.frames import name_of, select
from benchmath.prose import listed, ratio_format, with_interval
from benchmath.ratios.relative import summary

_WRITTEN = r"`\{python\} *(?P<new>[^`]*)`"
_FILLED = r"<!-- (?P<kept>\w+\([^\n]*?\)) -->(?P<value>[^\n]*?)<!-- / -->"
_BOUND = re.compile(f"{_FILLED}|{_WRITTEN}")
USAGE = {
    "ratio": 'ratio("STEP", version="...")',
    "rate": 'rate("STEP", version="...")',
    "count": 'count("VERDICT", version="...")',
}


@dataclass(frozen=True)
class Source:
    """What expressions are read from.

    base: the dimensions that a compared name is made of; where: for sentences.
    """

    page: NotebookNode
    metric: Callable[[], pd.DataFrame]
    base: Mapping[str, str]
    where: str

    def filled(self, text: str, keep: bool) -> str:
        """The text with what its expressions give, which it keeps as comments or not."""

        def value(found: re.Match[str]) -> str:
            expression = (found["kept"] or found["new"]).strip()
            given = self._given(expression)
            return f"<!-- {expression} -->{given}<!-- / -->" if keep else given

        return _BOUND.sub(value, text)

    def _given(self, expression: str) -> str:
        name, what, names = _call(expression, self.where)
        reads = {"ratio": self._ratio, "rate": self._rate, "count": self._count}
        found = list(dict.fromkeys(reads[name](what, names)))
        if len(found) == 1:
            return found[0]
        how = f"fits {len(found)} ({', '.join(found)})" if found else "fits nothing"
        raise UserError(
            f"{self.where}: `{{python}} {expression}` {how} on the page; name what the "
            f"tables are told apart by: {listed([f'`{d}`' for d in self.base])}"
        )

    def _ratio(self, step: str, names: Mapping[str, str]) -> Iterator[str]:
        """Of the first sentence, table or chart of the page that has it."""
        for _, output in outputs_of(self.page):
            fitting = [
                row for row in _ratios(output)
                if step in (row.get("step"), row.get("test")) and self._fits(row, names)
            ]  # fmt: skip
            if fitting:
                yield from map(_with_interval, fitting)
                return

    def _count(self, verdict: str, names: Mapping[str, str]) -> Iterator[str]:
        for _, output in outputs_of(self.page):
            for claim in claims_of(output):
                counts = claim.relation == "count" and claim.where == {"verdict": verdict}
                if counts and self._fits(claim.rows, names):
                    yield str(claim.count)

    def _rate(self, step: str, names: Mapping[str, str]) -> Iterator[str]:
        """The geometric mean of the runs, per second."""
        rows = select(self.metric())
        for column, value in {"step": step, **names}.items():
            if column not in rows:
                return
            rows = rows[rows[column].astype(str) == value]
        if len(rows):
            yield from (f"{value:,.0f}" for value in summary(rows)["value"])

    def _fits(self, row: Mapping[str, Any], names: Mapping[str, str]) -> bool:
        """Is it of the compared name, and of every further one?"""
        own = {d: names[d] for d in self.base if d in names}
        others = {k: v for k, v in names.items() if k not in own}
        return (not own or row.get("me") == name_of(own)) and all(
            str(row.get(column)) == value for column, value in others.items()
        )


def without_values(text: str) -> str:
    """The text without what is bound: an audit executes it again instead."""
    return _BOUND.sub(" ", text)


def _call(expression: str, where: str) -> tuple[str, str, dict[str, str]]:
    """The name, its text and its named texts; UserError for anything else."""
    try:
        call = ast.parse(expression, mode="eval").body
    except SyntaxError:
        call = None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Name):
        texts = [*call.args, *(word.value for word in call.keywords)]
        plain = all(
            isinstance(t, ast.Constant) and isinstance(t.value, str) for t in texts
        )
        names = [word.arg or "" for word in call.keywords]
        if plain and len(call.args) == 1 and call.func.id in USAGE and all(names):
            what, *values = map(ast.literal_eval, texts)
            return call.func.id, what, dict(zip(names, values, strict=True))
    raise UserError(
        f"{where}: `{{python}} {expression}` may not stand in text: what may is "
        f"{', '.join(USAGE.values())}"
    )


def _ratios(output: NotebookNode) -> Iterator[dict[str, Any]]:
    """The ratios that a sentence claims and a chart draws, with their names."""
    for claim in claims_of(output):
        if claim.unit == "ratio" and claim.low is not None:
            ends = {"relative": claim.value, "low": claim.low, "high": claim.high}
            yield {**claim.rows, **claim.where, **ends}
    for row in rows_of_charts(text_of(output)):
        if all(isinstance(row.get(c), int | float) for c in ("relative", "low", "high")):
            yield row


def _with_interval(row: Mapping[str, Any]) -> str:
    show = ratio_format(row["low"], row["high"])
    return with_interval(show(row["relative"]), row["low"], row["high"], show)
