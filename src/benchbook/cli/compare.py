"""`benchbook compare`: a comparison as text (as benchstat), CSV, JSON or Markdown.

*Correct* is what we believe: ratios of geometric means with their intervals. *Compatible*
is what the archives print, to the digit. Every table says which of the two it is; a CSV,
whose lines are all data, does so through the notes beside it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click
import numpy as np
import pandas as pd

from benchbook.cli.options import (
    ACROSS,
    PATTERN,
    margin_of,
    one_set,
    say,
    slug_of,
    takes_set,
)
from benchbook.cli.report import WRITERS, Column, Notes, Report, Section, Table
from benchbook.escaped import markdown_code
from benchbook.project import Project
from benchbook.sets.files import chosen_set, set_and_cells
from benchbook.sets.pairs import (
    Choice,
    Pairs,
    across_notes,
    judged_pairs,
    pairs_of,
    settings_notes,
    tests_of,
    unclear_notes,
)
from benchbook.sets.sets import MetricSet
from benchmath.compatible import known_error, published_ratio, tabled_rate
from benchmath.errors import UserError
from benchmath.prose import joined, number, span, unsure
from benchmath.ratios.cells import codes
from benchmath.ratios.differences import DIFFERENCES
from benchmath.ratios.verdicts import VERDICTS, VerdictFrame, announced, family

if TYPE_CHECKING:
    from benchbook.results.archived import Analysis

CORRECT = (
    "correct: ratios of geometric means, with 95% intervals; "
    "--compatible gives the archives' own digits"
)
COMPATIBLE = (
    "compatible: the archives' digits, ratios of printed figures as C's %.2f has them, "
    "1 where both are 0, inf where only the base is; without --compatible: intervals"
)
SEVERAL = "cells of several runs, for which archives have no rule: geometric means"
UNITS = "figures in other units than the base's have no ratio"
_FIELDS = ("me", "base", "unit", "direction", "value_base", "value", "n_base", "n",
           "relative", "low", "high", "p", "q", "verdict", "arrow", "further_runs",
           "noise", "note", *DIFFERENCES)  # fmt: skip


@click.command()
@takes_set
@click.option(
    "--csv", "form", flag_value="csv",
    help="Header test,<OTHER>,...: ratios, then their intervals and verdicts.",
)  # fmt: skip
@click.option("--json", "form", flag_value="json", help="All that is known.")
@click.option(
    "--markdown", "form", flag_value="markdown",
    help="Tables for a page or a comment; names in them are never markup.",
)  # fmt: skip
@click.option(
    "--compatible", is_flag=True, help="Ratios as the archives of the field print them."
)
@ACROSS
@PATTERN
@click.option("--margin", help="Ignore less: 3%. Default: the study's own, else 2%.")
@click.option(
    "--archive", "url", default="", metavar="URL",
    help="Each study of a team's archive to its own base, or --study alone.",
)  # fmt: skip
@click.option(
    "--on", "scheduler", default="", metavar="tcp://...",
    help="With --archive: on the workers of this Dask scheduler.",
)  # fmt: skip
@click.argument("base", required=False, metavar="BASE")
@click.argument("others", nargs=-1)
@click.pass_context
def compare(
    ctx: click.Context, name: str, study: str, metric: str, form: str | None,
    compatible: bool, across: tuple[str, ...], pattern: str | None, margin: str | None,
    url: str, scheduler: str, base: str | None, others: tuple[str, ...],
) -> None:  # fmt: skip
    """Compare cells at the terminal: ratios to BASE with intervals and verdicts.

    BASE and OTHER are dim=value[,dim=value], a value that only one dimension has, or a
    DBMS tag as the archives write it. --metric takes their names too: cpu/o, wKB/o.
    Without --set and --study they are files or folders, `compare old/*.json new/*.json`,
    or the name of a set stands before them.

    With --archive each study of a team's archive that has a study.yml here is compared
    with its own base, by itself: its runs are brought, judged as in its post, deleted.
    Exits 1 if one rests on runs that are damaged there.

    Exits 0 whatever the verdicts are: `benchbook check` is the gate.
    """
    if url:
        if name or base or compatible or across or pattern or margin:
            raise UserError(
                "--archive takes --study, --metric, --on and the form, and nothing else: "
                "each study says its own base and margin"
            )
        ctx.exit(_compare_archive(url, scheduler, study, metric, form or "text"))
    if scheduler:
        raise UserError("--on says where an archive is analysed: name it with --archive")
    if base is None:
        raise click.MissingParameter(ctx=ctx, param=_parameter(ctx, "base"))
    if compatible and form in ("json", "markdown"):
        raise UserError("--compatible has the form of the archives: text, or --csv")
    cells: Sequence[Choice] = (base, *others)
    if name or study:
        chosen = chosen_set(one_set(name, study), pattern=pattern)
    else:
        chosen, cells = set_and_cells((base, *others), pattern)
    with chosen.belonging_together("compared"):
        report = comparison(
            chosen, cells[0], cells[1:], metric, margin_of(margin), across, compatible
        )
    click.echo(WRITERS[form or "text"](report), nl=False)
    notes = (*chosen.notes, *unclear_notes(chosen.metric, report.pairs))
    for note in (*(report.said if form == "csv" else ()), *notes):
        click.echo(note, err=True)


def _parameter(ctx: click.Context, name: str) -> click.Parameter:
    return next(one for one in ctx.command.params if one.name == name)


def comparison(
    chosen: MetricSet, base: Choice, others: Sequence[Choice] | None = None,
    metric: str = "throughput", margin: float | None = None, across: Sequence[str] = (),
    compatible: bool = False,
) -> Comparison | Compatible:  # fmt: skip
    """A set as a report: per step the base, each other, their ratio and its verdict."""
    pairs = pairs_of(chosen.metric, base, others, metric, across)
    unlike = settings_notes(chosen.metric, pairs)
    if compatible:
        return Compatible(chosen.name, pairs, unlike)
    return Comparison(chosen.name, pairs, judged_pairs(chosen, pairs, margin), unlike)


@dataclass(frozen=True)
class Comparison(Report):
    """Ratios of geometric means; table: of ``verdicts``, without the base."""

    name: str
    pairs: Pairs
    table: VerdictFrame
    unlike: tuple[str, ...] = ()  # what else than the base the others did

    @property
    def said(self) -> tuple[str, ...]:
        """What the ratios are."""
        return (CORRECT, *_known_errors(self.pairs), *self.unlike)

    @property
    def notes(self) -> tuple[str, ...]:
        """What they are, how sure, and what is left of the verdicts."""
        return (*self.said, *_verdict_notes(self.table), *across_notes(self.table))

    def sections(self) -> Iterable[Section]:
        """Per row the base, each other and their ratio; then what this is."""
        keys, names, values = self.pairs.keys, self.pairs.names, self.pairs.values
        notes: dict[str, int] = {}
        units = {_key(row, keys): row["unit"] for row in self.table.to_dict("records")}
        spans = _spans(values, keys, units, notes)
        rows: dict[tuple, dict[str, dict]] = {}
        for row in self.table.to_dict("records"):
            rows.setdefault(_key(row, keys), {}).setdefault(row["me"], row)
        lines = []
        for key, by_me in rows.items():
            unit = next(iter(by_me.values()))["unit"]
            line = [*map(str, (*key, unit)), spans.get((names.base, *key), "")]
            for me in names.others:
                row = by_me.get(me)
                cells = _ratio_cells(row, notes) if row else ["", "", ""]
                line += [spans.get((me, *key), ""), *cells]
            lines.append(line)
        lines.append(_geomean(self.table, keys, names.others))
        heads = [names.base]
        for me in names.others:
            heads += [me, f"{me} / {names.base}", "verdict", "runs"]
        columns = [(key, Column.NAME) for key in (*keys, "unit")]
        columns += [(head, Column.FIGURE) for head in heads]
        yield f"{_head(self.pairs)}; geometric means ± half of the 95% interval"
        yield Table(columns, lines)
        yield Notes([
            *footnotes(notes),
            "~ no difference detected: the 95% interval of the ratio holds 1",
            *self.notes,
        ])  # fmt: skip

    def page(self) -> Iterable[Section]:
        """A table per compared cell, its notes numbered below."""
        notes: dict[str, int] = {}
        yield (
            f"{_head(self.pairs, markdown_code)}; "
            "ratios of geometric means with 95% intervals"
        )
        for me in self.pairs.names.others:
            rows = self.table[self.table["me"] == me].to_dict("records")
            lines = [page_row(row, self.pairs.keys, notes) for row in rows]
            yield Table(page_columns(self.pairs, me), lines)
        yield Notes(footnotes(notes))
        yield Notes(self.notes)

    def frame(self) -> pd.DataFrame:
        """Ratios with six digits, then intervals, where their noise is from, verdicts.

        These as text and pages tell them, less what Benjamini-Hochberg withdraws.
        """
        told = self.table.assign(verdict=announced(self.table))
        wide, others = _wide(told, self.pairs.keys), self.pairs.names.others
        columns = {me: _digits(wide["relative"][me]) for me in others}
        for me in others:
            columns[f"{me} low"] = _digits(wide["low"][me])
            columns[f"{me} high"] = _digits(wide["high"][me])
            columns[f"{me} noise"] = wide["noise"][me].fillna("")
            verdict = wide["verdict"][me].fillna("")
            columns[f"{me} verdict"] = verdict.replace("no interval", "")
        return pd.DataFrame(columns)

    def document(self) -> Mapping[str, Any]:
        """All that is known."""
        return document_of(self.name, self.pairs, self.table, self.notes)


@dataclass(frozen=True)
class Compatible(Report):
    """The archives' own digits: ratios of printed figures."""

    name: str
    pairs: Pairs
    unlike: tuple[str, ...] = ()  # what else than the base the others did

    @property
    def said(self) -> tuple[str, ...]:
        """What the ratios are, and how the archives' own figures are wrong."""
        several = [SEVERAL] if (self.pairs.values["n"] > 1).any() else []
        if self.pairs.values.groupby(self.pairs.keys)["unit"].nunique().gt(1).any():
            several.append(UNITS)
        return (COMPATIBLE, *several, *_known_errors(self.pairs), *self.unlike)

    def sections(self) -> Iterable[Section]:
        """The base's printed figures and the ratios of the others, and what this is."""
        names = self.pairs.names
        columns = [("test", Column.NAME), ("unit", Column.NAME)]
        columns += [(me, Column.FIGURE) for me in (names.base, *names.others)]
        what = "the base's printed figures and the ratios of the others to them"
        yield f"{_head(self.pairs)}; {what}"
        yield Table(columns, [*self._published().itertuples(name=None)])
        yield Notes(self.said)

    def frame(self) -> pd.DataFrame:
        """Header and ratios, as the archives' csv have them below it."""
        return self._published()[self.pairs.names.others]

    def _published(self) -> pd.DataFrame:
        """unit, the base's figure and the others' ratios as texts, '' where not measured.

        Whatever else differs between base and other: the archives divide by column.
        """
        values, names = self.pairs.values, self.pairs.names
        columns = (values[c] for c in ("value", "step", "unit"))
        rates = [tabled_rate(*row) for row in zip(*columns, strict=True)]
        wide = _wide(values.assign(value=rates), self.pairs.keys)
        figures = wide["value"]
        base = figures[names.base]
        texts = {
            "unit": wide["unit"].bfill(axis="columns").iloc[:, 0],
            names.base: ["" if pd.isna(value) else _printed(value) for value in base],
        }
        for me in names.others:
            alike = wide["unit"][me] == wide["unit"][names.base]
            pairs = zip(figures[me].where(alike), base, strict=True)
            texts[me] = ["" if pd.isna([m, b]).any() else published_ratio(m, b)
                         for m, b in pairs]  # fmt: skip
        return pd.DataFrame(texts)[figures[names.others].notna().any(axis="columns")]


def _head(pairs: Pairs, shown: Callable[[object], str] = str) -> str:
    better = joined(pairs.compared["direction"], "/").replace("none", "neither")
    return f"{shown(pairs.metric)}, {better} is better"


def _known_errors(pairs: Pairs) -> Iterable[str]:
    """How the archives' own figures are wrong."""
    if "origin" in pairs.compared.columns:
        theirs = pairs.compared[pairs.compared["origin"] == "published"]
        names = theirs[["metric", "unit"]].drop_duplicates()
        for name, unit in names.itertuples(index=False, name=None):
            if error := known_error(name, unit):
                yield f"{name} as published: {error}"


def _verdict_notes(table: VerdictFrame) -> tuple[str, ...]:
    """What the verdicts mean, and what Benjamini-Hochberg leaves of them."""
    if table.empty:
        return ()
    meaning = (
        f"verdicts at a margin of {100 * table['margin'].iloc[0]:.3g}%: +N are further "
        "runs on each side that would find such a change with 80% power"
    )
    return meaning, family(table).text


def document_of(
    name: str, pairs: Pairs, table: pd.DataFrame, notes: Sequence[str],
    first: Sequence[str] = (), last: Sequence[str] = (), **further: Any,
) -> Mapping[str, Any]:  # fmt: skip
    """A judged comparison; first, last: columns of ``table`` told beside the usual."""
    tested = family(table)
    told = dict.fromkeys([*first, *pairs.keys, *_FIELDS, *last])
    return {
        "schema": 1, "set": name, "metric": pairs.metric, "base": pairs.names.base,
        "others": pairs.names.others,
        "margin": table["margin"].iloc[0] if len(table) else None,
        **further,
        "family": {
            "tests": tested.tests, "flagged": tested.flagged,
            "procedure": "Benjamini-Hochberg", "alpha": tested.alpha,
        },
        "rows": table[[c for c in told if c in table]].to_dict("records"),
        "notes": notes,
    }  # fmt: skip


def page_columns(
    pairs: Pairs, me: str, verdict: str = "verdict"
) -> list[tuple[str, Column]]:
    """The heads of a table of Markdown: the base, one other, and how they compare."""
    names = [(key, Column.NAME) for key in (*pairs.keys, "unit")]
    figures = [(name, Column.FIGURE) for name in (pairs.names.base, me)]
    ratio, runs = ((head, Column.NUMBER) for head in ("ratio", "runs"))
    return [*names, *figures, ratio, (verdict, Column.WORD), runs]


def page_row(
    row: Mapping[str, Any], keys: Sequence[str], notes: dict[str, int], verdict: str = ""
) -> list[str]:
    """A line below them; its notes get numbers."""
    marks = [f" {_noted(notes, text)}" for text in _notes_of(row)]
    return [
        *(str(row[key]) for key in (*keys, "unit")),
        number(row["value_base"]), number(row["value"]), ratio_text(row),
        f"{verdict or verdict_text(row) or 'no interval'}{''.join(marks)}",
        runs_text(row),
    ]  # fmt: skip


def verdict_text(row: Mapping[str, Any]) -> str:
    """The verdict, with further runs where undecided, or the side where equivalent."""
    if row["verdict"] == "no interval":
        return ""
    more = row["further_runs"]
    runs = f" +{more}" if pd.notna(more) and more > 0 else ""
    side = f" ({row['arrow']})" if row["arrow"] else ""
    return f"{row['verdict']}{runs}{side}"


def runs_text(row: Mapping[str, Any]) -> str:
    """``4+4``: runs of the base and of the other."""
    return f"{row['n_base']}+{row['n']}"


def ratio_text(row: Mapping[str, Any]) -> str:
    """``0.912 (0.890 to 0.934)``, with a tilde where no difference was detected.

    Of a row without a ratio its difference, with a sign: ``+2 (+2 to +2)``; - where
    there is none.
    """
    names, form = ("relative", "low", "high"), _ratio
    if pd.isna(row["relative"]):
        names, form = ("difference", "difference_low", "difference_high"), _signed
    value, low, high = (row[name] for name in names)
    if pd.isna(value):
        return "-"
    known = row["detected"] if names[0] == "relative" else low
    if pd.isna(known):
        return form(value)
    return unsure(f"{form(value)} ({span(low, high, form)})", row["detected"])


def _ratio(value: float) -> str:
    return f"{value:.3f}"


def _signed(value: float) -> str:
    return f"{value:+.4g}" if value else "0"


def _ratio_cells(row: Mapping[str, Any], notes: dict[str, int]) -> list[str]:
    marks = "".join(_noted(notes, text) for text in _notes_of(row))
    return [f"{ratio_text(row)} {marks}".strip(), verdict_text(row), runs_text(row)]


def _notes_of(row: Mapping[str, Any]) -> Iterable[str]:
    return filter(None, str(row["note"]).split("; "))


def _noted(notes: dict[str, int], text: str) -> str:
    return f"[{notes.setdefault(text, len(notes) + 1)}]"


def footnotes(notes: Mapping[str, int]) -> list[str]:
    """What the marks of a table mean."""
    return [f"[{number}] {text}" for text, number in notes.items()]


def _key(row: Mapping[str, Any], keys: Sequence[str]) -> tuple:
    return tuple(row[key] for key in keys)


def _spans(
    values: pd.DataFrame, keys: list[str], units: Mapping[tuple, str],
    notes: dict[str, int],
) -> dict[tuple, str]:  # fmt: skip
    """Each cell's geometric mean with the half width of its interval in percent.

    With its unit where that is not the one of its line.
    """
    spans = {}
    for row in values.to_dict("records"):
        value = row["value"]
        if pd.isna(row["low"]) or value == 0:
            few = "need >= 2 runs for an interval" if row["n"] < 2 else ""
            spread = "± ?" + (f" {_noted(notes, few)}" if few else "")
        else:
            half = 50 * (row["high"] - row["low"]) / value
            spread = f"± {half:.0f}%" if half >= 9.5 else f"± {half:.1f}%"
        shown = f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"
        key, unit = _key(row, keys), row["unit"]
        unit = "" if unit == units.get(key, unit) else f" {unit or '(no unit)'}"
        spans[row["me"], *key] = f"{shown}{unit} {spread}"
    return spans


def _geomean(table: pd.DataFrame, keys: list[str], mes: list[str]) -> list[str]:
    """The suite's geometric mean of ratios, over the rows that every other has."""
    towards, name = table["relative"], "geomean"
    directions = set(table["direction"])
    if {"higher", "lower"} <= directions:  # else what is gained here is lost there
        towards = towards.where(table["direction"] != "lower", 1 / towards)
        name = "geomean, above 1 is better"
    wide = table.assign(towards=towards)
    wide = wide.pivot(index=keys, columns="me", values="towards").dropna()
    line = [name, *([""] * (len(keys) + 1))]
    mixed = len(directions) > 1 and not directions <= {"higher", "lower"}
    for me in mes:
        empty = mixed or wide.empty
        mean = "" if empty else f"{wide[me].prod() ** (1 / len(wide)):.3f}"
        line += ["", mean, "", f"{len(wide)} rows"]
    return line


def _wide(rows: pd.DataFrame, keys: list[str]) -> pd.DataFrame:
    """A row per combination of ``keys``, in their order; columns (column, me).

    The index is the test's name.
    """
    wide = rows.assign(row=codes(rows, keys)).pivot(index="row", columns="me")
    tests = tests_of(rows[keys].drop_duplicates(), keys)
    return wide.set_axis(tests).rename_axis("test")


def _digits(ratios: pd.Series) -> pd.Series:
    return ratios.map(lambda ratio: "" if pd.isna(ratio) else f"{ratio:.6g}")


def _printed(value: float) -> str:
    """A figure as it was printed, as far as a float tells: 0.00017, 22192, 3.875."""
    return np.format_float_positional(value, 10, fractional=False, trim="-")


def _compare_archive(url: str, scheduler: str, study: str, metric: str, form: str) -> int:
    """Print it; the exit code, 1 where a study was refused."""
    from benchbook.fleet.cluster import connect  # brings the clients of stores
    from benchbook.results.archived import analyse

    slug = slug_of(study)
    with connect(scheduler, measuring=False) if scheduler else nullcontext() as client:
        found = analyse(url, Project.find(), say, slug, metric, client)
    click.echo(WRITERS[form](Verdicts(found)), nl=False)
    for sentence in found.refused:
        say(f"refused: {sentence}")
    if found.unknown:
        say(f"without a study.yml here: {joined(found.unknown)}")
    return 1 if found.refused else 0


@dataclass(frozen=True)
class Verdicts(Report):
    """The verdicts of an archive's studies, a table each."""

    found: Analysis

    def sections(self) -> Iterable[Section]:
        """A table per study, and what the ratios are."""
        return self._shown(str)

    def page(self) -> Iterable[Section]:
        """The same; no name is markup."""
        return self._shown(markdown_code)

    def frame(self) -> pd.DataFrame:
        """All that is known, every digit; dimensions that a study lacks are empty."""
        return self.found.table

    def document(self) -> Mapping[str, Any]:
        """All that is known, and what was refused."""
        found = self.found
        return {
            "schema": 1, "archive": found.archive, "metric": found.metric,
            "rows": found.table.to_dict("records"), "refused": found.refused,
            "unknown": found.unknown,
        }  # fmt: skip

    def _shown(self, shown: Callable[[object], str]) -> Iterable[Section]:
        for name, verdicts in self.found.verdicts.items():
            yield f"{shown(name)}: {shown(self.found.metric)}"
            yield verdict_table(verdicts)
        yield Notes([CORRECT.partition(";")[0]])


def verdict_table(verdicts: VerdictFrame) -> Table:
    """A line per comparison: what tells it from the others, and how it ended."""
    keys = [key for key in VERDICTS.keys(verdicts) if _tells(verdicts, key)]
    names = [(key, Column.NAME) for key in (*keys, "base", "me", "unit")]
    figures = [(head, Column.NUMBER) for head in ("of base", "of me")]
    ends = [(head, Column.WORD) for head in ("ratio", "verdict", "runs")]
    rows = [_verdict_line(row, keys) for row in verdicts.to_dict("records")]
    return Table([*names, *figures, *ends], rows)


def _tells(verdicts: VerdictFrame, key: str) -> bool:
    """Has it several values, and are these not what is compared?"""
    values = verdicts[key].astype(str)
    return key == "step" or (values.nunique() > 1 and not values.equals(verdicts["me"]))


def _verdict_line(row: Mapping[Any, Any], keys: Sequence[str]) -> list[str]:
    return [
        *(str(row[key]) for key in (*keys, "base", "me", "unit")),
        number(row["value_base"]), number(row["value"]),
        ratio_text(row), verdict_text(row), runs_text(row),
    ]  # fmt: skip
